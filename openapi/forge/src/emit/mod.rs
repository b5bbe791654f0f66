//! IR to tokens. Emitters decide nothing about the document: they write down
//! what the passes found.

#[cfg(feature = "client")]
pub mod client;
pub(crate) mod places;
pub mod server;
