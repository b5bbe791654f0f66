-- The passkey that somebody has signed in with, where it was one: the session ends with it.
ALTER TABLE sessions ADD COLUMN passkey_id BYTES;

-- Whoever sets a password ends the user's other links, and what the user has approved but no
-- device has redeemed yet.
CREATE INDEX password_tokens_by_user ON password_tokens (user_id);
CREATE INDEX device_grants_approved_by_user ON device_grants (decided_by) WHERE state = 'approved';

-- The refresh token that this one was exchanged for.
ALTER TABLE refresh_tokens ADD COLUMN successor BYTES;

-- Revocation, the list of connected devices and the removal of old approvals look tokens up by
-- their approval.
CREATE INDEX access_tokens_by_approval ON access_tokens (approval_id);
CREATE INDEX refresh_tokens_by_approval ON refresh_tokens (approval_id);
