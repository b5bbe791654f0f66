//! The connections of this process, and their requests in progress.
//!
//! dropshot never closes a connection, even an idle one. So this module records
//! every request in progress by the peer address of its connection. Once a
//! second, the [`reaper`] lists the process's descriptors and shuts down
//! expired connections. A request costs two updates of a table; a byte costs
//! nothing.

mod descriptors;
mod limits;
#[cfg(unix)]
mod reaper;
mod requests;

pub use descriptors::raise_limit;
#[cfg(unix)]
pub use reaper::run;
pub use requests::{Connections, InProgress};
