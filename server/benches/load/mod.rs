//! What the benchmarks share: services as processes of their own, a load tool,
//! and what came of it as a table and a picture.
//!
//! The load tool is a closed loop: each connection sends its next request when
//! the last one is answered. It runs on one thread, so that on a small machine
//! every rival is left the same rest.

mod chart;
mod closed_loop;
mod process;
mod table;

/// A runtime on this thread.
///
/// # Panics
///
/// When the system refuses it.
pub fn runtime() -> tokio::runtime::Runtime {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    builder.enable_all().build().expect("a runtime")
}

// No benchmark uses all of them.
#[allow(unused_imports)]
pub use chart::{Row, chart, table};
#[allow(unused_imports)]
pub use closed_loop::Answer;
#[allow(unused_imports)]
pub use closed_loop::{Figures, Request, closed_loop, median};
pub use process::{Process, free_port, service};
#[allow(unused_imports)]
pub use table::write_table;
