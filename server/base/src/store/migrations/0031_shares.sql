-- The report of each replica: its claims on the limits of keys, and the demand of its calls.
CREATE TABLE inference_shares (
    replica TEXT   NOT NULL PRIMARY KEY,
    -- Incremented with each report. A number that stays the same belongs to a stopped replica.
    number  BIGINT NOT NULL,
    -- JSON.
    report  TEXT   NOT NULL
);
