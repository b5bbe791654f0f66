//! The size and the timeouts of the connection pool.

use std::time::Duration;

/// How the store connects to PostgreSQL. SQLite ignores all of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PoolOptions {
    /// The number of connections for transactions, at least one.
    pub connections: usize,
    /// The timeout of a connection to one host.
    pub connect: Duration,
    /// The time after which the server cancels a statement.
    pub statement: Duration,
    /// The time after which a connection ends if the server's machine acknowledges nothing
    /// (`TCP_USER_TIMEOUT`, RFC 793, section 3.8).
    pub unacknowledged: Duration,
    /// The time without traffic after which a connection is probed.
    pub keepalive: Duration,
}

impl Default for PoolOptions {
    fn default() -> Self {
        PoolOptions {
            connections: 8,
            connect: Duration::from_secs(5),
            statement: Duration::from_secs(10),
            unacknowledged: Duration::from_secs(10),
            keepalive: Duration::from_secs(30),
        }
    }
}
