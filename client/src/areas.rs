//! The generated clients, one for each area. `cargo xtask package` replaces this file by one with their code.

#[cfg(feature = "accounts")]
pub use accord_accounts_client as accounts;
pub use accord_identity_client as identity;
#[cfg(feature = "inference")]
pub use accord_inference_client as inference;
#[cfg(feature = "patterns")]
pub use accord_patterns_client as patterns;
