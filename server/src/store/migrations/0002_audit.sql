-- Every security-relevant event, in order. Rows are added and never changed:
-- each one's seal is a keyed hash over its content and the seal before it.
CREATE TABLE audit_trail (
    number  BIGINT PRIMARY KEY,
    at      BIGINT NOT NULL,
    actor   TEXT NOT NULL,
    action  TEXT NOT NULL,
    subject TEXT NOT NULL,
    origin  TEXT NOT NULL,
    detail  TEXT NOT NULL,
    seal    BYTES NOT NULL
);
