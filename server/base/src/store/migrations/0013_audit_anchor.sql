-- Where the audit trail begins after its oldest events were pruned: the last pruned event.
CREATE TABLE audit_anchor (
    -- There is one anchor at most.
    id     BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    -- The number, the time and the seal of the last pruned event.
    number BIGINT NOT NULL,
    at     BIGINT NOT NULL,
    seal   BYTES  NOT NULL,
    -- A keyed hash of the three.
    mac    BYTES  NOT NULL
);
