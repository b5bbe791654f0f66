-- Every security-relevant event. A row is written with the change that it tells of, and gets its place in the
-- chain a moment later: one writer at a time gives out numbers, and nobody waits for it.
CREATE TABLE audit_trail (
    -- Time and a count: events of one transaction stay in their order, and no event can be told twice.
    id      BYTES  NOT NULL PRIMARY KEY,
    -- The place in the chain, from 1 on; null until it is sealed. Never changed afterwards.
    number  BIGINT UNIQUE,
    at      BIGINT NOT NULL,
    actor   TEXT   NOT NULL,
    action  TEXT   NOT NULL,
    subject TEXT   NOT NULL,
    origin  TEXT   NOT NULL,
    detail  TEXT   NOT NULL,
    -- A keyed hash: of the event until it is sealed, then of the event, its number and the seal before it.
    seal    BYTES  NOT NULL
);
CREATE INDEX audit_trail_unsealed ON audit_trail (id) WHERE number IS NULL;
