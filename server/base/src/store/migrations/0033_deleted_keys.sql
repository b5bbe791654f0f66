-- Keys that were deleted are removed by the age of their deletion.
CREATE INDEX inference_keys_by_deletion ON inference_keys (deleted_at, id) WHERE deleted_at IS NOT NULL;
