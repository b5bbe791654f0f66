//! The content of the file of logins, in its formats of all versions.

use super::key::{DEFAULT_PROFILE, LoginKey};
use crate::tokens::Login;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Logins by the address of their identity service.
type Logins = BTreeMap<String, Login>;

/// The content of the file.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Content {
    /// The logins of the profile `default`. The file of a version without profiles has these alone.
    logins: Logins,
    /// The logins of the other profiles, by their names.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    profiles: BTreeMap<String, Logins>,
}

/// The formats of the file.
#[derive(Deserialize)]
#[serde(untagged)]
enum AnyContent {
    Many(Content),
    /// The earliest version stored one login.
    One(Box<Login>),
}

impl Content {
    /// Reads the file of this version or an earlier one.
    pub(super) fn parse(text: &[u8]) -> serde_json::Result<Self> {
        match serde_json::from_slice(text)? {
            AnyContent::Many(content) => Ok(content),
            AnyContent::One(login) => Ok(Self {
                logins: BTreeMap::from([(login.identity.clone(), *login)]),
                ..Self::default()
            }),
        }
    }

    pub(super) fn get(&self, key: &LoginKey) -> Option<&Login> {
        let logins = match key.profile.as_str() {
            DEFAULT_PROFILE => &self.logins,
            name => self.profiles.get(name)?,
        };
        logins.get(&key.identity)
    }

    pub(super) fn insert(&mut self, key: &LoginKey, login: Login) {
        let logins = match key.profile.as_str() {
            DEFAULT_PROFILE => &mut self.logins,
            name => self.profiles.entry(name.to_owned()).or_default(),
        };
        logins.insert(key.identity.clone(), login);
    }

    pub(super) fn remove(&mut self, key: &LoginKey) {
        if key.profile == DEFAULT_PROFILE {
            self.logins.remove(&key.identity);
        } else if let Some(logins) = self.profiles.get_mut(&key.profile) {
            logins.remove(&key.identity);
            self.profiles.retain(|_, logins| !logins.is_empty());
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.logins.is_empty() && self.profiles.is_empty()
    }

    pub(super) fn into_list(self) -> Vec<(LoginKey, Login)> {
        let default = (DEFAULT_PROFILE.to_owned(), self.logins);
        let all = std::iter::once(default).chain(self.profiles);
        all.flat_map(|(profile, logins)| {
            logins.into_iter().map(move |(identity, login)| {
                let key = LoginKey::new(identity).profile(profile.clone());
                (key, login)
            })
        })
        .collect()
    }
}
