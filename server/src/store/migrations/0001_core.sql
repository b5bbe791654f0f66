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
