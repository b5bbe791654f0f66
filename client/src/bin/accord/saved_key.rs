//! The saved secret of an API key: one for each profile and each address of models.
//!
//! The file is beside that of the logins, is as private, and has the same lock.

use accord_client::{PrivateFile, Secret, TokenFile, TokenFileError};
use anyhow::anyhow;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The secrets by profile and address.
#[derive(Default, Serialize, Deserialize)]
struct Content {
    profiles: BTreeMap<String, BTreeMap<String, Secret>>,
}

/// The place of a saved secret.
#[derive(Clone)]
pub struct SavedKey {
    /// `login.keys.json` beside `login.json`.
    file: PrivateFile,
    profile: String,
    /// Only this service gets the secret.
    address: String,
}

impl SavedKey {
    /// The secret of this profile, for models at this address.
    pub fn new(logins: &TokenFile, profile: &str, address: &str) -> Self {
        Self {
            file: PrivateFile::at(logins.path().with_extension("keys.json")),
            profile: profile.to_owned(),
            address: address.trim_end_matches('/').to_owned(),
        }
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
        self.locked(|saved| {
            saved.content()?;
            saved.file.check().map_err(explained)
        })
        .await
    }

    /// Saves a secret in place of an earlier one.
    ///
    /// # Errors
    ///
    /// As [`SavedKey::check`].
    pub async fn save(&self, secret: Secret) -> anyhow::Result<()> {
        self.locked(|saved| {
            let mut content = saved.content()?;
            let secrets = content.profiles.entry(saved.profile.clone()).or_default();
            secrets.insert(saved.address.clone(), secret);
            saved.write(&content)
        })
        .await
    }

    /// Forgets the secret. Returns whether there was one.
    ///
    /// # Errors
    ///
    /// As [`SavedKey::check`].
    pub async fn forget(&self) -> anyhow::Result<bool> {
        self.locked(|saved| {
            let mut content = saved.content()?;
            let secrets = content.profiles.get_mut(&saved.profile);
            let secret = secrets.and_then(|secrets| secrets.remove(&saved.address));
            if secret.is_some() {
                content.profiles.retain(|_, secrets| !secrets.is_empty());
                saved.write(&content)?;
            }
            Ok(secret.is_some())
        })
        .await
    }

    fn content(&self) -> anyhow::Result<Content> {
        match self.file.read().map_err(explained)? {
            None => Ok(Content::default()),
            // The error of the parser may have the text.
            Some(text) => serde_json::from_slice(&text).map_err(|_| {
                let name = self.file.path().display();
                anyhow!("{name} is not a file of saved secrets; remove it")
            }),
        }
    }

    /// Replaces the file, or removes it if no secret is left.
    fn write(&self, content: &Content) -> anyhow::Result<()> {
        let text = serde_json::to_vec_pretty(content)?;
        let text = (!content.profiles.is_empty()).then_some(&text[..]);
        self.file.write(text).map_err(explained)
    }

    /// Runs a change under the lock.
    async fn locked<T: Send + 'static>(
        &self,
        change: impl FnOnce(&Self) -> anyhow::Result<T> + Send + 'static,
    ) -> anyhow::Result<T> {
        let saved = self.clone();
        // The lock may block; on this thread it would delay Ctrl-C.
        let changed = tokio::task::spawn_blocking(move || {
            let _lock = saved.file.lock().map_err(explained)?;
            change(&saved)
        });
        changed.await?
    }
}

/// The errors of the file speak of logins.
fn explained(error: TokenFileError) -> anyhow::Error {
    match error {
        TokenFileError::Shared { path, .. } => {
            let name = path.display();
            anyhow!("{name} has secrets, and others can read it; run `chmod 600 {name}`")
        }
        TokenFileError::File { path, source } => {
            anyhow::Error::from(source).context(format!("{} cannot be used", path.display()))
        }
        error => error.into(),
    }
}
