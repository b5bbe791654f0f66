-- Rows that are deleted by age are found by it, so that a deletion does not read all rows.
CREATE INDEX failed_attempts_by_start ON failed_attempts (started_at);
CREATE INDEX password_tokens_by_expiry ON password_tokens (expires_at);
CREATE INDEX inference_usage_by_day ON inference_usage (day);
