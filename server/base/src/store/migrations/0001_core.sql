-- What the program itself remembers about this store.
CREATE TABLE meta (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
);

-- The last number given out, by what it numbers.
CREATE TABLE sequences (
    name  TEXT PRIMARY KEY,
    value BIGINT NOT NULL
);

-- The keys of keyed hashes that are or were the current one, by the names that hashes begin with: the keys
-- themselves are not here. The last one is the current one.
CREATE TABLE server_keys (
    name        TEXT   NOT NULL PRIMARY KEY,
    number      BIGINT NOT NULL UNIQUE,
    promoted_at BIGINT NOT NULL,
    retired_at  BIGINT
);

-- Which of these keys each running replica holds, with spaces between, and which one it uses.
CREATE TABLE server_replicas (
    id      TEXT   NOT NULL PRIMARY KEY,
    held    TEXT   NOT NULL,
    uses    TEXT   NOT NULL,
    seen_at BIGINT NOT NULL
);
