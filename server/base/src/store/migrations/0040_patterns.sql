-- Service instances and their projects, the catalogue of accelerators, and the agent patterns made from it.

CREATE TABLE design_instances (
    name TEXT NOT NULL PRIMARY KEY
);

CREATE TABLE design_projects (
    id       TEXT NOT NULL PRIMARY KEY,
    instance TEXT NOT NULL REFERENCES design_instances (name),
    code     TEXT NOT NULL,
    name     TEXT NOT NULL,
    version  TEXT NOT NULL,
    UNIQUE (instance, code)
);

CREATE TABLE pattern_accelerators (
    -- A UUID in lower case with hyphens.
    id            TEXT   NOT NULL PRIMARY KEY,
    name          TEXT   NOT NULL,
    -- Of its package.
    version       TEXT   NOT NULL,
    description   TEXT   NOT NULL,
    guidelines    TEXT   NOT NULL,
    -- System or Store.
    recipe_source TEXT   NOT NULL,
    max_iteration BIGINT NOT NULL,
    -- JSON: an array of role and connections.
    roles         TEXT   NOT NULL,
    -- JSON: an array of code, name, status, type, version.
    integrations  TEXT   NOT NULL,
    -- SHA-256 of what its package holds.
    digest        TEXT   NOT NULL,
    added_at      BIGINT NOT NULL,
    -- The operator, or null for what comes with the service.
    added_by      TEXT
);

CREATE TABLE agent_patterns (
    project_id     TEXT   NOT NULL REFERENCES design_projects (id),
    code           TEXT   NOT NULL,
    version        TEXT   NOT NULL,
    accelerator_id TEXT   NOT NULL REFERENCES pattern_accelerators (id),
    name           TEXT   NOT NULL,
    -- The name in lower case, which is what a filter looks in.
    name_key       TEXT   NOT NULL,
    -- Name in lower case, code and version as bytes: one order on every database, whatever its collation.
    sort_key       BYTES  NOT NULL,
    description    TEXT   NOT NULL,
    guidelines     TEXT   NOT NULL,
    -- CONFIGURED or ACTIVATED.
    status         TEXT   NOT NULL,
    recipe_source  TEXT   NOT NULL,
    max_iteration  BIGINT NOT NULL,
    usage_count    BIGINT NOT NULL,
    -- One more with each change: who changes a row says which one they have seen.
    revision       BIGINT NOT NULL,
    locked_by      TEXT,
    locked_at      BIGINT,
    created_at     BIGINT NOT NULL,
    created_by     TEXT   NOT NULL,
    updated_at     BIGINT NOT NULL,
    updated_by     TEXT   NOT NULL,
    -- JSON: an array of role and connections.
    roles          TEXT   NOT NULL,
    -- JSON, as the accelerator had them when the pattern was made.
    integrations   TEXT   NOT NULL,
    PRIMARY KEY (project_id, code, version)
);
