-- One table of grants for compartments, service instances and projects; and the owners of service instances.

-- Who may do what. Grants on service instances and projects count only for users and administrators of the
-- organization that owns the instance.
CREATE TABLE grants (
    -- compartment, instance or project.
    kind      TEXT NOT NULL,
    -- The id of the compartment, the name of the instance, or the id of the project.
    resource  TEXT NOT NULL,
    -- The subject of an access token: the id of a hub user.
    principal TEXT NOT NULL,
    -- inspect, read, use or manage; each includes the ones before it.
    verb      TEXT NOT NULL,
    PRIMARY KEY (kind, resource, principal)
);
CREATE INDEX grants_by_principal ON grants (principal);

INSERT INTO grants (kind, resource, principal, verb)
    SELECT 'compartment', compartment_id, principal, verb FROM inference_grants;
DROP TABLE inference_grants;

-- Null until an operator assigns the owner. Until then only operators see the instance.
ALTER TABLE design_instances ADD COLUMN organization_id BIGINT REFERENCES hub_organizations (id);
