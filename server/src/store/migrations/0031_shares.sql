-- What each replica claims of the limits of keys, and what calls demand of it there.
CREATE TABLE inference_shares (
    replica TEXT   NOT NULL PRIMARY KEY,
    -- Counts the replica's reports: one that stays the same is of a replica that has stopped.
    number  BIGINT NOT NULL,
    -- JSON.
    report  TEXT   NOT NULL
);
