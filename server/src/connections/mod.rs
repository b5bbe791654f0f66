//! Connections to this process, and which of them have a request in progress.
//!
//! dropshot accepts connections and ends none of them, whatever they do or fail to
//! do. So every request is noted here by the address of its connection's other side
//! while it is in progress, and the [`reaper`] looks through the process's
//! descriptors once a second and shuts down the connections whose time is up. A
//! request costs two updates of a table; a byte costs nothing.

mod descriptors;
#[cfg(unix)]
mod reaper;
mod requests;
mod verdict;

pub use descriptors::raise_limit;
#[cfg(unix)]
pub use reaper::run;
pub use requests::{Connections, InProgress};
