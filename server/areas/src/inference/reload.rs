//! Applies a changed configuration without a restart.

use std::sync::Arc;

use super::Inference;
use super::gateway::model_error::ModelError;
use super::keys::KeyError;
use super::settings::Settings;
use crate::config::Config;

/// Why new settings cannot be applied. The old ones stay.
#[derive(Debug, thiserror::Error)]
pub enum ReloadError {
    /// A model cannot be served.
    #[error(transparent)]
    Models(#[from] ModelError),
    /// The API keys cannot be read with the new limits.
    #[error("the database cannot be read, so try again later: {0}")]
    Database(#[from] KeyError),
}

impl Inference {
    /// Applies the section `[inference]` of a configuration, without `ca_file` and `regions`. Calls
    /// in progress finish with the old models. Returns the former settings.
    ///
    /// # Errors
    ///
    /// The invalid model, or that the store failed. The old settings stay.
    pub async fn reload(&self, config: &Config) -> Result<Arc<Settings>, ReloadError> {
        let before = self.settings();
        let settings = Settings::new(config, &self.metrics, Some(&before))?;
        self.admission.apply(self, Arc::new(settings)).await?;
        Ok(before)
    }
}
