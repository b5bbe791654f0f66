//! The `[identity]` section of the configuration.

/// How tokens are issued.
#[derive(Debug, Clone, confique::Config)]
pub struct IdentityConfig {}
