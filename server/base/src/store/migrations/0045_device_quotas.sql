-- The used quotas of device requests, by client and by address.
CREATE TABLE device_quotas (
    subject TEXT   NOT NULL PRIMARY KEY,
    -- When the quota is full again, in Unix milliseconds. The row is meaningless from then on.
    full_at BIGINT NOT NULL
);
CREATE INDEX device_quotas_by_full_at ON device_quotas (full_at);
