//! The commands: arguments, and `run`, in a file each.

pub(crate) mod regenerate;
