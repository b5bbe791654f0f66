-- Tokens are found by their approval: when it is revoked, on the account page, and when
-- approvals without tokens are removed.
CREATE INDEX access_tokens_approval ON access_tokens (approval_id);
CREATE INDEX refresh_tokens_approval ON refresh_tokens (approval_id);
