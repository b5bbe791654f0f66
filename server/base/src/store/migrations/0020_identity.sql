-- Applications that may ask for tokens.
CREATE TABLE oauth_clients (
    id                   TEXT PRIMARY KEY,
    name                 TEXT NOT NULL,
    kind                 TEXT NOT NULL CHECK (kind IN ('confidential', 'public', 'assertion', 'saml')),
    -- Words separated by spaces, in these two.
    roles                TEXT NOT NULL,
    grants               TEXT NOT NULL,
    introspects          BIGINT NOT NULL,
    access_token_seconds BIGINT NOT NULL,
    -- 1: assertions are addressed to the issuer alone.
    strict               BIGINT NOT NULL,
    -- Who issues its SAML assertions; itself when null.
    saml_issuer          TEXT,
    disabled             BIGINT NOT NULL,
    created_at           BIGINT NOT NULL
);

-- Secrets of confidential clients; several at a time, so that they can rotate.
CREATE TABLE oauth_client_secrets (
    client_id  TEXT NOT NULL REFERENCES oauth_clients (id),
    mac        BYTES NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (client_id, mac)
);

-- Keys that assertions of clients are signed with.
CREATE TABLE oauth_client_keys (
    client_id  TEXT NOT NULL REFERENCES oauth_clients (id),
    kid        TEXT NOT NULL,
    x5t        TEXT,
    modulus    TEXT NOT NULL,
    exponent   TEXT NOT NULL,
    -- What JWTs are signed with by it, and nothing else.
    algorithm  TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (client_id, kid)
);

-- Assertions that have been used, until they would have expired anyway.
CREATE TABLE oauth_assertions (
    client_id  TEXT NOT NULL,
    jti        TEXT NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (client_id, jti)
);
CREATE INDEX oauth_assertions_by_expiry ON oauth_assertions (expires_at);

-- Requests of devices. Both codes are here as keyed hashes only.
CREATE TABLE device_grants (
    id               TEXT PRIMARY KEY,
    device_mac       BYTES NOT NULL UNIQUE,
    user_mac         BYTES NOT NULL UNIQUE,
    client_id        TEXT NOT NULL REFERENCES oauth_clients (id),
    scopes           TEXT NOT NULL,
    state            TEXT NOT NULL CHECK (state IN ('pending', 'approved', 'denied', 'redeemed')),
    origin           TEXT NOT NULL,
    created_at       BIGINT NOT NULL,
    expires_at       BIGINT NOT NULL,
    interval_seconds BIGINT NOT NULL,
    polled_at        BIGINT,
    decided_by       TEXT,
    decided_at       BIGINT
);
CREATE INDEX device_grants_by_expiry ON device_grants (expires_at);
CREATE INDEX device_grants_pending_by_client ON device_grants (client_id, expires_at)
    WHERE state = 'pending';
CREATE INDEX device_grants_pending_by_origin ON device_grants (origin, expires_at)
    WHERE state = 'pending';

-- What users have approved and devices have redeemed, by the id of the device
-- grant. All tokens that come from one approval are revoked together.
CREATE TABLE approvals (
    id         TEXT PRIMARY KEY,
    client_id  TEXT NOT NULL REFERENCES oauth_clients (id),
    user_id    TEXT NOT NULL,
    scopes     TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    revoked_at BIGINT
);
CREATE INDEX approvals_by_user ON approvals (user_id);

-- Refresh tokens as keyed hashes. A used one stays, so that its reuse is seen.
CREATE TABLE refresh_tokens (
    mac         BYTES PRIMARY KEY,
    approval_id TEXT NOT NULL REFERENCES approvals (id),
    issued_at   BIGINT NOT NULL,
    expires_at  BIGINT NOT NULL,
    used_at     BIGINT
);
CREATE INDEX refresh_tokens_by_expiry ON refresh_tokens (expires_at);

-- Access tokens that were issued, by their jti; the tokens themselves are
-- signed and kept by clients only.
CREATE TABLE access_tokens (
    jti         TEXT PRIMARY KEY,
    approval_id TEXT NOT NULL REFERENCES approvals (id),
    expires_at  BIGINT NOT NULL,
    revoked_at  BIGINT
);
CREATE INDEX access_tokens_by_expiry ON access_tokens (expires_at);

-- Tokens that were revoked before they expired, by the number of the change that
-- did it: replicas that verify without a look-up follow this.
CREATE TABLE revoked_tokens (
    jti        TEXT PRIMARY KEY,
    number     BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX revoked_tokens_by_number ON revoked_tokens (number);
CREATE INDEX revoked_tokens_by_expiry ON revoked_tokens (expires_at);

-- Keys that tokens are signed with. The private half is encrypted.
CREATE TABLE signing_keys (
    kid         TEXT PRIMARY KEY,
    modulus     TEXT NOT NULL,
    exponent    TEXT NOT NULL,
    sealed      BYTES NOT NULL,
    created_at  BIGINT NOT NULL,
    active_from BIGINT NOT NULL,
    -- When a successor has made this key useless; empty for the newest.
    expires_at  BIGINT
);

-- Hub users who must not sign in.
CREATE TABLE disabled_users (
    user_id     TEXT PRIMARY KEY,
    disabled_at BIGINT NOT NULL
);

-- Browsers that somebody has signed in with, by the keyed hash of the cookie.
CREATE TABLE sessions (
    mac        BYTES PRIMARY KEY,
    user_id    TEXT NOT NULL,
    origin     TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX sessions_by_user ON sessions (user_id);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

-- Passkeys: public keys, counters and flags as the library writes them.
CREATE TABLE passkeys (
    credential_id BYTES PRIMARY KEY,
    user_id       TEXT NOT NULL,
    name          TEXT NOT NULL,
    static_state  BYTES NOT NULL,
    dynamic_state BYTES NOT NULL,
    transports    BIGINT NOT NULL,
    created_at    BIGINT NOT NULL,
    used_at       BIGINT
);
CREATE INDEX passkeys_by_user ON passkeys (user_id);
-- Ceremonies that were finished, so that none is finished twice.
CREATE TABLE passkey_ceremonies (
    digest     BYTES PRIMARY KEY,
    expires_at BIGINT NOT NULL
);
CREATE INDEX passkey_ceremonies_by_expiry ON passkey_ceremonies (expires_at);

-- Wrong guesses of codes and passwords, by who or what is being guessed at.
CREATE TABLE failed_attempts (
    subject    TEXT PRIMARY KEY,
    failures   BIGINT NOT NULL,
    started_at BIGINT NOT NULL,
    blocked_until BIGINT NOT NULL
);
