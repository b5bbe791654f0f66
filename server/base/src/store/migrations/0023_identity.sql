-- What browsers and devices call themselves in User-Agent, and when and from where each was last seen.
ALTER TABLE sessions ADD COLUMN user_agent TEXT;
ALTER TABLE sessions ADD COLUMN seen_at BIGINT;
ALTER TABLE sessions ADD COLUMN seen_from TEXT;

-- A device is seen when it fetches tokens.
ALTER TABLE approvals ADD COLUMN user_agent TEXT;
ALTER TABLE approvals ADD COLUMN seen_at BIGINT;
ALTER TABLE approvals ADD COLUMN seen_from TEXT;
