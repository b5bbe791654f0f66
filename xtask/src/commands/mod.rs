//! The commands, each in a file with its arguments and `run`.

pub(crate) mod bench;
pub(crate) mod bundle;
pub(crate) mod check;
pub(crate) mod cluster;
pub(crate) mod corpus;
pub(crate) mod diff;
pub(crate) mod format;
pub(crate) mod image;
pub(crate) mod judge;
pub(crate) mod licenses;
pub(crate) mod lint;
pub(crate) mod lsp;
pub(crate) mod mutate;
pub(crate) mod new;
pub(crate) mod package;
pub(crate) mod package_deb;
pub(crate) mod pictures;
pub(crate) mod regenerate;
pub(crate) mod release;
pub(crate) mod serve;
pub(crate) mod test;
pub(crate) mod tour;
pub(crate) mod watch;
