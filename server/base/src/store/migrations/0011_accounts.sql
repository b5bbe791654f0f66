-- Users who may see the operations of the service in the console.
CREATE TABLE operators (
    user_id TEXT NOT NULL PRIMARY KEY REFERENCES hub_users (id)
);
