ALTER TABLE inference_limits ADD COLUMN concurrent_calls BIGINT;
