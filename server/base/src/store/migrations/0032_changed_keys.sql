-- The changes that concern one key only. They are among those of `count`.
ALTER TABLE inference_changes ADD COLUMN keyed BIGINT NOT NULL DEFAULT 0;
-- The value of `keyed` at the last change of the key.
ALTER TABLE inference_keys ADD COLUMN changed BIGINT NOT NULL DEFAULT 0;
CREATE INDEX inference_keys_by_change ON inference_keys (changed);
