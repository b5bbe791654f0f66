//! Turns the IR into tokens. Emitters decide nothing about the document: they write down the
//! results of the passes.

#[cfg(feature = "client")]
pub mod client;
mod comment;
pub(crate) mod places;
pub mod server;
mod slots;
