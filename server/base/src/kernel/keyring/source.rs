//! The source of the server keys.

use zeroize::Zeroizing;

use super::text::{self, KeyFile, ServerKeyError};
use crate::config::{Secret, ServerConfig};
use crate::kernel::Random;
use crate::kernel::server_keys::ServerKey;

/// The source of the keys.
#[derive(Debug, Clone)]
pub enum KeySource {
    /// In a file, which is read again while the service runs.
    File(KeyFile),
    /// In the configuration, which is read at start.
    Configuration(Secret),
}

impl KeySource {
    /// The configured source.
    pub fn of(config: &ServerConfig) -> KeySource {
        match (&config.key, &config.key_file) {
            (Some(keys), _) => KeySource::Configuration(keys.clone()),
            (None, Some(file)) => KeySource::File(KeyFile::mounted(file.clone())),
            (None, None) => KeySource::File(KeyFile::new(config.data_dir.join("server.key"))),
        }
    }

    /// The keys of a new database. Creates a missing file, unless it is mounted.
    pub fn read_or_make(&self, random: &dyn Random) -> Result<Vec<ServerKey>, ServerKeyError> {
        match self {
            KeySource::File(file) => file.read_or_make(random),
            KeySource::Configuration(_) => self.read(),
        }
    }

    /// The keys of a database that was used before: a missing file was lost.
    pub fn read(&self) -> Result<Vec<ServerKey>, ServerKeyError> {
        match self {
            KeySource::File(file) => file.read(),
            KeySource::Configuration(keys) => text::parse(keys.expose(), "server.key"),
        }
    }

    /// The text of the keys, for a backup.
    pub fn text(&self) -> Result<Zeroizing<String>, ServerKeyError> {
        self.read()?;
        match self {
            KeySource::File(file) => file.text(),
            KeySource::Configuration(keys) => Ok(Zeroizing::new(keys.expose().to_owned())),
        }
    }
}
