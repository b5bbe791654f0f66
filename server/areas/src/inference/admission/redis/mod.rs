//! Counts the usage of keys in Redis, for all replicas together.
//!
//! A call costs one round trip before its admission: a script checks and takes requests and tokens
//! by minute (GCRA), concurrent calls and streams, and the budget. Settlements are collected for some
//! milliseconds and sent in one pipeline, for which no call waits. Calls in progress are held under a
//! lease of the replica. The replica renews its lease, and the lease of a killed replica expires. All
//! times are those of Redis, so the clocks of replicas do not matter.
//!
//! While Redis is unreachable, each replica admits its share.

mod connection;
mod entering;
mod limits;
mod link;
mod pending;
mod reply;
mod worker;

pub use limits::Redis;
pub use pending::Held;
pub use worker::run;
