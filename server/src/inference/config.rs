//! The `[inference]` section of the configuration.

/// Which models are served, and how.
#[derive(Debug, Clone, confique::Config)]
pub struct InferenceConfig {}
