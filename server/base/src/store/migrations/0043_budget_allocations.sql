-- The tokens of budgets that replicas may use, and that inference_usage does not have yet.
CREATE TABLE inference_budget_allocations (
    key_id  TEXT   NOT NULL,
    -- A row of a replica that is not in server_replicas does not count.
    replica TEXT   NOT NULL,
    -- The first day of the budget's period.
    period  TEXT   NOT NULL,
    tokens  BIGINT NOT NULL,
    PRIMARY KEY (key_id, replica)
);
