-- The users of an organization, by address, for the console.
CREATE INDEX hub_users_organization ON hub_users (organization_id, email);
-- The mail of a removed user.
CREATE INDEX mail_outbox_user ON mail_outbox (user_id);
