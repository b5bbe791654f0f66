//! The generated servers, one for each area. `cargo xtask package` replaces this file by one with their code.

pub(crate) use accord_accounts_server as accounts;
pub(crate) use accord_identity_server as identity;
pub(crate) use accord_inference_server as inference;
pub(crate) use accord_patterns_server as patterns;
