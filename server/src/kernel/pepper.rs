//! The server's key for secrets at rest.
//!
//! API key secrets, device codes and refresh tokens are random and long, so a
//! slow hash would add nothing; but a plain hash would let anyone who reads the
//! database test guesses and link rows. They are therefore stored as HMACs
//! under a key that is not in the database.

use std::io::Write;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use zeroize::Zeroizing;

const LENGTH: usize = 32;

/// The key of all keyed hashes in the database. Replicas share it.
pub struct Pepper(Zeroizing<[u8; LENGTH]>);

/// Why there is no [`Pepper`].
#[derive(Debug, thiserror::Error)]
pub enum PepperError {
    /// The file cannot be read or made.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: String,
        /// What the operating system says.
        source: std::io::Error,
    },
    /// Not 32 bytes in base64.
    #[error("{0}: expected 32 bytes in base64")]
    Malformed(String),
}

impl Pepper {
    /// A key of one's own; for tests.
    pub fn new(key: [u8; LENGTH]) -> Self {
        Pepper(Zeroizing::new(key))
    }

    /// Reads a key in base64, as the configuration holds it.
    ///
    /// # Errors
    ///
    /// When it is not 32 bytes in base64; `origin` says where it stands.
    pub fn parse(text: &str, origin: &str) -> Result<Self, PepperError> {
        let bytes = Zeroizing::new(STANDARD.decode(text.trim()).unwrap_or_default());
        let key = <[u8; LENGTH]>::try_from(bytes.as_slice())
            .map_err(|_| PepperError::Malformed(origin.to_owned()))?;
        Ok(Pepper::new(key))
    }

    /// Reads the key from a file, which is made, for its owner only, when it is
    /// not there.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or made, or holds something else.
    pub fn from_file(path: &Path, random: &dyn super::Random) -> Result<Self, PepperError> {
        let error = |source| PepperError::File {
            path: path.display().to_string(),
            source,
        };
        if !path.exists() {
            create(path, random).map_err(error)?;
        }
        let text = Zeroizing::new(std::fs::read_to_string(path).map_err(error)?);
        Pepper::parse(&text, &path.display().to_string())
    }

    /// The keyed hash of `data`. `purpose` keeps uses apart: what was stored as
    /// one thing never compares equal to another.
    pub fn mac(&self, purpose: &str, data: &[u8]) -> [u8; 32] {
        let mut mac = Hmac::<Sha256>::new_from_slice(self.0.as_slice())
            .expect("HMAC takes keys of any length");
        mac.update(&(purpose.len() as u64).to_be_bytes());
        mac.update(purpose.as_bytes());
        mac.update(data);
        mac.finalize().into_bytes().into()
    }
}

/// Prints nothing of the key.
impl std::fmt::Debug for Pepper {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Pepper(…)")
    }
}

/// Writes the file whole and links it into place: of two programs that start at
/// once, one wins and both read the winner's key.
fn create(path: &Path, random: &dyn super::Random) -> std::io::Result<()> {
    let key = Zeroizing::new(random.bytes::<LENGTH>());
    let text = Zeroizing::new(STANDARD.encode(key.as_slice()) + "\n");
    let temporary = path.with_extension(random.uuid().simple().to_string());
    let mut options = std::fs::OpenOptions::new();
    options.create_new(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&temporary)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    let linked = std::fs::hard_link(&temporary, path);
    std::fs::remove_file(&temporary)?;
    match linked {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::SystemRandom;
    use super::*;

    #[test]
    fn a_key_file_is_made_once_and_for_its_owner_only() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("server.key");
        let first = Pepper::from_file(&path, &SystemRandom).unwrap();
        let second = Pepper::from_file(&path, &SystemRandom).unwrap();
        assert_eq!(first.mac("a", b"x"), second.mac("a", b"x"));
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = std::fs::metadata(&path).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
    }

    #[test]
    fn purposes_are_kept_apart() {
        let pepper = Pepper::new([7; 32]);
        assert_ne!(pepper.mac("a", b"bc"), pepper.mac("ab", b"c"));
    }

    #[test]
    fn a_malformed_key_is_refused_by_the_name_of_its_origin() {
        let error = Pepper::parse("c2hvcnQ=", "server.key").unwrap_err();
        assert_eq!(error.to_string(), "server.key: expected 32 bytes in base64");
    }
}
