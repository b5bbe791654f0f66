-- Hub organizations and accounts, the collab platform as far as provisioning knows it, and mail to send.

CREATE TABLE hub_organizations (
    id           BIGINT NOT NULL PRIMARY KEY,
    name         TEXT   NOT NULL,
    trading_name TEXT   NOT NULL,
    city         TEXT   NOT NULL,
    state        TEXT   NOT NULL,
    country      TEXT   NOT NULL,
    -- 1: takes no new accounts and no new profiles.
    closed       BIGINT NOT NULL
);

-- Identity reads this table to sign people in; only provisioning writes to it, apart from password_hash.
CREATE TABLE hub_users (
    id                  TEXT   NOT NULL PRIMARY KEY,
    -- The hub username: the address in lower case. email_address is as it was written.
    email               TEXT   NOT NULL UNIQUE,
    email_address       TEXT   NOT NULL,
    first_name          TEXT   NOT NULL,
    middle_name         TEXT,
    last_name           TEXT   NOT NULL,
    language            TEXT   NOT NULL,
    organization_id     BIGINT NOT NULL REFERENCES hub_organizations (id),
    communication_email TEXT   NOT NULL,
    -- An argon2id string, or null while no password was set.
    password_hash       TEXT,
    created_at          BIGINT NOT NULL,
    -- The subject that created the account, null for one that the operator made.
    created_by          TEXT
);

CREATE TABLE hub_administrators (
    organization_id BIGINT NOT NULL REFERENCES hub_organizations (id),
    user_id         TEXT   NOT NULL REFERENCES hub_users (id),
    PRIMARY KEY (user_id, organization_id)
);

CREATE TABLE application_instances (
    id       BIGINT NOT NULL PRIMARY KEY,
    name     TEXT   NOT NULL,
    region   TEXT   NOT NULL,
    base_url TEXT   NOT NULL,
    -- 1: takes no new profiles.
    closed   BIGINT NOT NULL
);

CREATE TABLE collab_organizations (
    id                      BIGINT NOT NULL PRIMARY KEY,
    application_instance_id BIGINT NOT NULL REFERENCES application_instances (id),
    -- Whose administrators may create profiles in it.
    hub_organization_id     BIGINT NOT NULL REFERENCES hub_organizations (id),
    name                    TEXT   NOT NULL
);
CREATE INDEX collab_organizations_instance ON collab_organizations (application_instance_id);
CREATE INDEX collab_organizations_owner ON collab_organizations (hub_organization_id);

CREATE TABLE collab_projects (
    collab_organization_id BIGINT NOT NULL REFERENCES collab_organizations (id),
    id                     TEXT   NOT NULL,
    name                   TEXT   NOT NULL,
    PRIMARY KEY (collab_organization_id, id)
);

-- A profile is always linked to the hub account that it was created for.
CREATE TABLE collab_profiles (
    id                     TEXT   NOT NULL PRIMARY KEY,
    hub_user_id            TEXT   NOT NULL REFERENCES hub_users (id),
    collab_organization_id BIGINT NOT NULL REFERENCES collab_organizations (id),
    user_name              TEXT   NOT NULL,
    -- The user name in lower case, which is what has to be unique.
    user_name_key          TEXT   NOT NULL,
    communication_email    TEXT   NOT NULL,
    language               TEXT   NOT NULL,
    created_at             BIGINT NOT NULL,
    created_by             TEXT,
    UNIQUE (hub_user_id, collab_organization_id),
    UNIQUE (collab_organization_id, user_name_key)
);

CREATE TABLE collab_invitations (
    profile_id TEXT   NOT NULL REFERENCES collab_profiles (id),
    position   BIGINT NOT NULL,
    project_id TEXT   NOT NULL,
    PRIMARY KEY (profile_id, position)
);

-- What was answered to a request that can be repeated, under a keyed hash of its user and its key.
CREATE TABLE idempotency_keys (
    key_mac     BYTES  NOT NULL PRIMARY KEY,
    -- Keyed hash of the operation and its body.
    request_mac BYTES  NOT NULL,
    -- JSON: the body of the answer.
    answer      TEXT   NOT NULL,
    created_at  BIGINT NOT NULL
);
CREATE INDEX idempotency_keys_created ON idempotency_keys (created_at);

-- Mail to send. A row holds no secret: the link of a mail is computed from its id and the server key.
CREATE TABLE mail_outbox (
    id         TEXT   NOT NULL PRIMARY KEY,
    -- account-created, set-password or invited.
    kind       TEXT   NOT NULL,
    user_id    TEXT   NOT NULL REFERENCES hub_users (id),
    recipient  TEXT   NOT NULL,
    language   TEXT   NOT NULL,
    -- JSON: what the mail says beside the user's name.
    about      TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    -- When it is tried next; while a replica tries, when another one may.
    next_at    BIGINT NOT NULL,
    attempts   BIGINT NOT NULL,
    -- What went wrong at last.
    problem    TEXT,
    -- At most one of these is set; with neither, the mail waits.
    sent_at    BIGINT,
    dead_at    BIGINT
);
-- In the order in which mail is sent, so that the next ones are found without the rest.
CREATE INDEX mail_outbox_waiting ON mail_outbox (next_at, id) WHERE sent_at IS NULL AND dead_at IS NULL;
CREATE INDEX mail_outbox_created ON mail_outbox (created_at);

-- What lets a user set a password, once: a keyed hash of the token that stands in the link.
CREATE TABLE password_tokens (
    token_mac  BYTES  NOT NULL PRIMARY KEY,
    user_id    TEXT   NOT NULL REFERENCES hub_users (id),
    expires_at BIGINT NOT NULL,
    used_at    BIGINT
);
