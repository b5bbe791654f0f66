-- The public address of identity, which is the same for all replicas of a database. Versions that do not announce an
-- address leave it empty.
ALTER TABLE server_replicas ADD COLUMN address TEXT NOT NULL DEFAULT '';
