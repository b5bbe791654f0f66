//! The saved secret of an API key: one for each profile and each address of models.
//!
//! The file is beside that of the logins. Only its owner can read it. Each change locks, reads, changes and replaces it, under
//! the lock of the logins.

use accord_client::{LoginStore, Secret, TokenFile};
use anyhow::{Context, anyhow, bail};
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, Read, Write},
    path::{Path, PathBuf},
};

/// The secrets by profile and address.
#[derive(Default, Serialize, Deserialize)]
struct Content {
    profiles: BTreeMap<String, BTreeMap<String, Secret>>,
}

/// The place of a saved secret.
#[derive(Clone)]
pub struct SavedKey {
    logins: TokenFile,
    profile: String,
    /// Only this service gets the secret.
    address: String,
}

impl SavedKey {
    /// The secret of this profile, for models at this address.
    pub fn new(logins: TokenFile, profile: &str, address: &str) -> Self {
        Self {
            logins,
            profile: profile.to_owned(),
            address: address.trim_end_matches('/').to_owned(),
        }
    }

    /// The file: `login.keys.json` beside `login.json`.
    fn path(&self) -> PathBuf {
        self.logins.path().with_extension("keys.json")
    }

    /// The secret; `None` if none is saved.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, is invalid, or others can read it. The error has no text of the file.
    pub fn find(&self) -> anyhow::Result<Option<String>> {
        let mut content = self.content()?;
        let secrets = content.profiles.get_mut(&self.profile);
        let secret = secrets.and_then(|secrets| secrets.remove(&self.address));
        Ok(secret.map(Secret::into_exposed))
    }

    /// Makes sure that a secret can be saved, before the service issues it.
    ///
    /// # Errors
    ///
    /// As [`SavedKey::find`], and when the file cannot be written.
    pub async fn check(&self) -> anyhow::Result<()> {
        self.change(|_| {}).await
    }

    /// Saves a secret in place of an earlier one.
    ///
    /// # Errors
    ///
    /// As [`SavedKey::check`].
    pub async fn save(&self, secret: Secret) -> anyhow::Result<()> {
        let (profile, address) = (self.profile.clone(), self.address.clone());
        self.change(move |content| {
            let secrets = content.profiles.entry(profile).or_default();
            secrets.insert(address, secret);
        })
        .await
    }

    /// Forgets the secret. Returns whether there was one.
    ///
    /// # Errors
    ///
    /// As [`SavedKey::check`].
    pub async fn forget(&self) -> anyhow::Result<bool> {
        if self.find()?.is_none() {
            return Ok(false);
        }
        let (profile, address) = (self.profile.clone(), self.address.clone());
        self.change(move |content| {
            if let Some(secrets) = content.profiles.get_mut(&profile) {
                secrets.remove(&address);
            }
            content.profiles.retain(|_, secrets| !secrets.is_empty());
        })
        .await?;
        Ok(true)
    }

    fn content(&self) -> anyhow::Result<Content> {
        let path = self.path();
        let name = path.display();
        let mut text = Vec::new();
        let mut read = || -> io::Result<_> {
            let mut file = File::open(&path)?;
            file.read_to_end(&mut text)?;
            file.metadata()
        };
        let metadata = match read() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Content::default()),
            read => read.with_context(|| format!("{name} cannot be read"))?,
        };
        if is_shared(&metadata) {
            bail!("{name} has secrets, and others can read it; run `chmod 600 {name}`");
        }
        // The error of the parser may have the text.
        serde_json::from_slice(&text)
            .map_err(|_| anyhow!("{name} is not a file of saved secrets; remove it"))
    }

    async fn change(
        &self,
        change: impl FnOnce(&mut Content) + Send + 'static,
    ) -> anyhow::Result<()> {
        let saved = self.clone();
        // The lock may block; on this thread it would delay Ctrl-C.
        let changed = tokio::task::spawn_blocking(move || {
            // It creates the directory, for its owner alone.
            let _lock = saved.logins.lock().map_err(|error| anyhow!(error))?;
            let mut content = saved.content()?;
            change(&mut content);
            let path = saved.path();
            let written = replace(&path, &content);
            written.with_context(|| format!("{} cannot be written", path.display()))
        });
        changed.await?
    }
}

/// Replaces the file as a whole, or removes it if no secret is left.
fn replace(path: &Path, content: &Content) -> io::Result<()> {
    // A link to the file stays one.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = target.parent().filter(|folder| *folder != Path::new(""));
    // Only the owner can read a temporary file.
    let mut file = tempfile::Builder::new()
        .prefix(".login-")
        .suffix(".tmp")
        .tempfile_in(folder.unwrap_or(Path::new(".")))?;
    if content.profiles.is_empty() {
        return match fs::remove_file(&target) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        };
    }
    file.write_all(&serde_json::to_vec_pretty(content)?)?;
    file.as_file().sync_all()?;
    file.persist(&target)?;
    Ok(())
}

/// Whether others than the owner can read or change a file. On Windows, it has the rights of its directory.
fn is_shared(metadata: &fs::Metadata) -> bool {
    #[cfg(unix)]
    {
        std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o077 != 0
    }
    #[cfg(not(unix))]
    {
        let _ = metadata;
        false
    }
}
