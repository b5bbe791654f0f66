//! The source of the server keys.

use super::text::{self, KeyFile, ServerKeyError};
use crate::config::Secret;
use crate::kernel::Random;
use crate::kernel::server_keys::RingKey;

/// The source of the keys.
#[derive(Debug, Clone)]
pub enum KeySource {
    /// In a file, which is read again while the service runs.
    File(KeyFile),
    /// In the configuration, which is read at start.
    Configuration(Secret),
}

impl KeySource {
    /// The keys. Creates a missing file.
    ///
    /// # Errors
    ///
    /// If the source has no valid keys.
    pub fn read_or_make(&self, random: &dyn Random) -> Result<Vec<RingKey>, ServerKeyError> {
        match self {
            KeySource::File(file) => file.read_or_make(random),
            KeySource::Configuration(_) => self.read(),
        }
    }

    /// The keys of a database that was used before: a missing file was lost.
    ///
    /// # Errors
    ///
    /// If the source has no valid keys.
    pub fn read(&self) -> Result<Vec<RingKey>, ServerKeyError> {
        match self {
            KeySource::File(file) => file.read(),
            KeySource::Configuration(keys) => text::parse(keys.expose(), "server.key"),
        }
    }
}
