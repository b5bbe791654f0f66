-- The keys that count for the limit of a tenancy and for the quota of a compartment. Creations count up to the
-- limit, so that they read neither deleted keys nor those of other tenancies.
CREATE INDEX inference_keys_live ON inference_keys (compartment_id) WHERE deleted_at IS NULL;
CREATE INDEX inference_compartments_by_tenancy ON inference_compartments (tenancy, id);
