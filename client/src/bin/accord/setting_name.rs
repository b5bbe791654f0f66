//! The names of the settings, as in the configuration file.

use clap::ValueEnum;
use serde::Serialize;
use std::fmt;

/// The name of a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Name {
    /// The profile to use without --profile
    Profile,
    /// Address of the service
    Url,
    /// Address of the accounts area, if it has one of its own
    AccountsUrl,
    /// Address of the identity area, if it has one of its own
    IdentityUrl,
    /// Address of the inference area, if it has one of its own
    InferenceUrl,
    /// Address of the patterns area, if it has one of its own
    PatternsUrl,
    /// Identifier of the OAuth client
    ClientId,
}

impl Name {
    /// The value of a setting that is not set.
    pub fn default(self) -> Option<&'static str> {
        match self {
            Self::Profile => Some("default"),
            Self::Url => Some("http://127.0.0.1:8080"),
            Self::ClientId => Some("accord-cli"),
            Self::AccountsUrl | Self::IdentityUrl | Self::InferenceUrl | Self::PatternsUrl => None,
        }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.to_possible_value();
        f.write_str(value.as_ref().map_or("", |value| value.get_name()))
    }
}
