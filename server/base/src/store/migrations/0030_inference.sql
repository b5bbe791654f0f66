-- API keys with two secrets, the compartments that hold them, and what they may call.

CREATE TABLE inference_compartments (
    id         TEXT   NOT NULL PRIMARY KEY,
    tenancy    TEXT   NOT NULL,
    -- The most keys that the compartment may hold; null: only the tenancy's limit applies.
    key_quota  BIGINT,
    created_at BIGINT NOT NULL
);

-- The most keys that a tenancy may hold, where it is not what the configuration says.
CREATE TABLE inference_tenancies (
    id        TEXT   NOT NULL PRIMARY KEY,
    key_limit BIGINT NOT NULL
);

-- Who may manage the keys of a compartment.
CREATE TABLE inference_grants (
    compartment_id TEXT NOT NULL REFERENCES inference_compartments (id),
    -- The subject of an access token.
    principal      TEXT NOT NULL,
    -- inspect, read, use or manage; each holds the ones before it.
    verb           TEXT NOT NULL,
    PRIMARY KEY (compartment_id, principal)
);

CREATE TABLE inference_keys (
    -- apikey.<region>.<unique>
    id             TEXT   NOT NULL PRIMARY KEY,
    region         TEXT   NOT NULL,
    compartment_id TEXT   NOT NULL REFERENCES inference_compartments (id),
    display_name   TEXT   NOT NULL,
    -- The display name as bytes: one order on every database, whatever its collation.
    name_order     BYTES  NOT NULL,
    description    TEXT,
    -- JSON objects.
    freeform_tags  TEXT   NOT NULL,
    defined_tags   TEXT   NOT NULL,
    -- Counts changes; what the etag shows.
    version        BIGINT NOT NULL,
    created_at     BIGINT NOT NULL,
    updated_at     BIGINT NOT NULL,
    deleted_at     BIGINT
);
CREATE INDEX inference_keys_by_age ON inference_keys (compartment_id, created_at, id);
CREATE INDEX inference_keys_by_name ON inference_keys (compartment_id, name_order, id);

CREATE TABLE inference_secrets (
    key_id         TEXT   NOT NULL REFERENCES inference_keys (id),
    position       BIGINT NOT NULL,
    name           TEXT   NOT NULL,
    -- The part of the plain value that finds it and proves nothing.
    public_id      TEXT   NOT NULL UNIQUE,
    -- Keyed hash of the plain value.
    digest         BYTES  NOT NULL UNIQUE,
    mask           TEXT   NOT NULL,
    -- STANDBY, ACTIVE, DEACTIVATED or REVOKED; EXPIRED follows from expires_at.
    state          TEXT   NOT NULL,
    created_at     BIGINT NOT NULL,
    expires_at     BIGINT NOT NULL,
    activated_at   BIGINT,
    deactivated_at BIGINT,
    revoked_at     BIGINT,
    last_used_at   BIGINT,
    PRIMARY KEY (key_id, position),
    UNIQUE (key_id, name)
);

-- Which keys may call which models.
CREATE TABLE inference_policies (
    id         TEXT   NOT NULL PRIMARY KEY,
    -- One policy in Cedar's language.
    statement  TEXT   NOT NULL,
    created_at BIGINT NOT NULL
);

-- What a key may use, where it is not what the configuration says.
CREATE TABLE inference_limits (
    key_id              TEXT   NOT NULL PRIMARY KEY REFERENCES inference_keys (id),
    requests_per_minute BIGINT,
    tokens_per_minute   BIGINT,
    concurrent_streams  BIGINT,
    token_budget        BIGINT,
    -- day or month, in UTC.
    budget_period       TEXT
);

-- What keys have used.
CREATE TABLE inference_usage (
    key_id        TEXT   NOT NULL,
    model         TEXT   NOT NULL,
    -- 2026-11-21, in UTC.
    day           TEXT   NOT NULL,
    requests      BIGINT NOT NULL,
    errors        BIGINT NOT NULL,
    input_tokens  BIGINT NOT NULL,
    output_tokens BIGINT NOT NULL,
    PRIMARY KEY (key_id, model, day)
);

-- Files of counts that are in inference_usage, until they are removed: none is added twice.
CREATE TABLE inference_usage_segments (
    id         TEXT   NOT NULL PRIMARY KEY,
    written_at BIGINT NOT NULL
);

-- Calls with a retry token and what they answered, for 24 hours.
CREATE TABLE inference_retries (
    -- Keyed hash of the caller and the token.
    token_mac   BYTES  NOT NULL PRIMARY KEY,
    -- Keyed hash of the operation, its target and its body.
    request_mac BYTES  NOT NULL,
    key_id      TEXT   NOT NULL,
    -- For an answer that shows a new value of a secret: its public id.
    renewed     TEXT,
    -- The answer, encrypted under the server key; null when it had no body.
    sealed      BYTES,
    created_at  BIGINT NOT NULL
);
CREATE INDEX inference_retries_by_age ON inference_retries (created_at);

-- One row that counts the changes after which replicas must read secrets and policies again.
CREATE TABLE inference_changes (
    id    BIGINT NOT NULL PRIMARY KEY,
    count BIGINT NOT NULL
);
INSERT INTO inference_changes (id, count) VALUES (1, 0);
