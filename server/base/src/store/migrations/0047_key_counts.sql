-- The number of a compartment's keys, without deleted ones. Creations read it instead of counting the keys.
-- Triggers update it, because older replicas do not know the column.
ALTER TABLE inference_compartments ADD COLUMN keys BIGINT NOT NULL DEFAULT 0;
-- only PostgreSQL
-- Older replicas may not change a key between the count and the triggers. After inference_compartments, so that this waits
-- for no transaction that waits for this one.
LOCK TABLE inference_keys IN SHARE ROW EXCLUSIVE MODE;
-- both
UPDATE inference_compartments SET keys = (SELECT COUNT(*) FROM inference_keys k
    WHERE k.compartment_id = inference_compartments.id AND k.deleted_at IS NULL);
-- only SQLite
CREATE TRIGGER inference_keys_added AFTER INSERT ON inference_keys WHEN NEW.deleted_at IS NULL
BEGIN
    UPDATE inference_compartments SET keys = keys + 1 WHERE id = NEW.compartment_id;
END;
CREATE TRIGGER inference_keys_removed AFTER DELETE ON inference_keys WHEN OLD.deleted_at IS NULL
BEGIN
    UPDATE inference_compartments SET keys = keys - 1 WHERE id = OLD.compartment_id;
END;
CREATE TRIGGER inference_keys_moved AFTER UPDATE OF compartment_id, deleted_at ON inference_keys
WHEN OLD.compartment_id <> NEW.compartment_id OR (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL)
BEGIN
    UPDATE inference_compartments SET keys = keys - 1 WHERE id = OLD.compartment_id AND OLD.deleted_at IS NULL;
    UPDATE inference_compartments SET keys = keys + 1 WHERE id = NEW.compartment_id AND NEW.deleted_at IS NULL;
END;
-- only PostgreSQL
-- Insertions and deletions are counted once for each statement, because many updates of a row in one transaction are slow.
CREATE FUNCTION inference_count_keys() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        UPDATE inference_compartments c SET keys = c.keys + n.count
        FROM (SELECT compartment_id, COUNT(*) FROM added WHERE deleted_at IS NULL GROUP BY compartment_id) n
        WHERE c.id = n.compartment_id;
    ELSIF TG_OP = 'DELETE' THEN
        UPDATE inference_compartments c SET keys = c.keys - n.count
        FROM (SELECT compartment_id, COUNT(*) FROM removed WHERE deleted_at IS NULL GROUP BY compartment_id) n
        WHERE c.id = n.compartment_id;
    ELSE
        -- In the order of their ids, so that two moves in opposite directions do not deadlock.
        PERFORM 1 FROM inference_compartments WHERE id IN (OLD.compartment_id, NEW.compartment_id)
            ORDER BY id FOR NO KEY UPDATE;
        UPDATE inference_compartments SET keys = keys - 1 WHERE id = OLD.compartment_id AND OLD.deleted_at IS NULL;
        UPDATE inference_compartments SET keys = keys + 1 WHERE id = NEW.compartment_id AND NEW.deleted_at IS NULL;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER inference_keys_added AFTER INSERT ON inference_keys REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION inference_count_keys();
CREATE TRIGGER inference_keys_removed AFTER DELETE ON inference_keys REFERENCING OLD TABLE AS removed
    FOR EACH STATEMENT EXECUTE FUNCTION inference_count_keys();
CREATE TRIGGER inference_keys_moved AFTER UPDATE OF compartment_id, deleted_at ON inference_keys
    FOR EACH ROW WHEN (OLD.compartment_id <> NEW.compartment_id
        OR (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL))
    EXECUTE FUNCTION inference_count_keys();
