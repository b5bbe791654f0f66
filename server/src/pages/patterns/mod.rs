//! The pages of agent patterns: the patterns of a project, one pattern with its dependencies, and
//! the accelerators from which patterns are created.
//!
//! They call the functions of the area that the operations of the document call, with the same
//! grants. A form is checked against the schema of the request body of its operation.

mod accelerators;
mod create;
mod drawing;
mod list;
mod places;
mod show;

pub use accelerators::{list as accelerators, show as accelerator};
pub use create::{show as new, submit as create};
pub use list::show as list;
pub use show::show;
