//! IR to tokens. Emitters decide nothing about the document: they write down
//! what the passes found.

pub mod server;
