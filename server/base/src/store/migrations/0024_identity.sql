-- No statement finds device requests by their client or origin. PostgreSQL used these indexes to find
-- the request of a user code, and so read all pending requests.
DROP INDEX device_grants_pending_by_client;
DROP INDEX device_grants_pending_by_origin;
