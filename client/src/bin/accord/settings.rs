//! The settings in force, and where each comes from: an option, the environment, the configuration file, or the default.

use crate::{
    config_file::{ConfigFile, Content},
    setting_name::Name,
};
use anyhow::Context;
use clap::{ValueEnum, parser::ValueSource};
use serde::Serialize;
use std::fmt;

/// Where the value of a setting comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    Flag,
    Environment,
    File,
    Default,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Flag => "flag",
            Self::Environment => "environment",
            Self::File => "file",
            Self::Default => "default",
        })
    }
}

/// A setting, its value, and the source of the value.
#[derive(Debug, Serialize)]
pub struct Setting {
    pub name: Name,
    pub value: Option<String>,
    pub source: Source,
}

impl Setting {
    /// The setting, for people: without a user name and a password in an address, which no command accepts.
    pub fn without_password(&self) -> Self {
        let is_address = !matches!(self.name, Name::Profile | Name::ClientId);
        let shown = |value: &String| match value.rsplit_once('@') {
            Some((_, rest)) if is_address => format!("…@{rest}"),
            _ => value.clone(),
        };
        Self {
            name: self.name,
            value: self.value.as_ref().map(shown),
            source: self.source,
        }
    }
}

/// All settings.
pub struct Settings {
    /// The configuration file; `None` if no home directory is known.
    pub file: Option<ConfigFile>,
    pub all: Vec<Setting>,
}

impl Settings {
    /// The settings. `given` returns the value of an option, and whether the environment has it.
    ///
    /// # Errors
    ///
    /// When the configuration file cannot be read or is invalid.
    pub fn read(given: impl Fn(Name) -> Option<(String, ValueSource)>) -> anyhow::Result<Self> {
        let file = ConfigFile::of_user();
        let content = file.as_ref().map(ConfigFile::content).transpose()?;
        let content = content.unwrap_or_default();
        let mut profile = String::new();
        let resolve = |name: &Name| {
            let setting = resolve(*name, given(*name), &content, &profile);
            if *name == Name::Profile {
                profile = setting.value.clone().unwrap_or_default();
            }
            setting
        };
        // The profile is the first one, because it decides about the others.
        let all = Name::value_variants().iter().map(resolve).collect();
        Ok(Self { file, all })
    }

    /// The value of a setting, if there is one.
    pub fn find(&self, name: Name) -> Option<&str> {
        let setting = self.all.iter().find(|setting| setting.name == name)?;
        setting.value.as_deref()
    }

    /// The value of a setting that has a default.
    pub fn get(&self, name: Name) -> &str {
        self.find(name).unwrap_or_default()
    }

    /// The value of a setting unless it is the default.
    pub fn set(&self, name: Name) -> Option<&str> {
        let setting = self.all.iter().find(|setting| setting.name == name)?;
        let value = setting.value.as_deref();
        value.filter(|_| setting.source != Source::Default)
    }

    /// The configuration file, for a change.
    ///
    /// # Errors
    ///
    /// When no home directory is known.
    pub fn writable(&self) -> anyhow::Result<&ConfigFile> {
        let file = self.file.as_ref();
        file.context("no home directory is known; set XDG_CONFIG_HOME")
    }
}

fn resolve(
    name: Name,
    given: Option<(String, ValueSource)>,
    content: &Content,
    profile: &str,
) -> Setting {
    let (value, source) = match given {
        Some((value, ValueSource::CommandLine)) => (Some(value), Source::Flag),
        // An empty variable counts as unset.
        Some((value, _)) if !value.is_empty() => (Some(value), Source::Environment),
        _ => match content.get(profile, name) {
            Some(value) => (Some(value.to_owned()), Source::File),
            None => (name.default().map(str::to_owned), Source::Default),
        },
    };
    Setting {
        name,
        value,
        source,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_counts_more_than_the_environment_and_the_file() {
        let text = "[profiles.ops]\nurl = \"http://file.example\"";
        let content = Content::parse(text).expect("a configuration");
        let of = |given: Option<(&str, ValueSource)>, profile: &str| {
            let given = given.map(|(value, source)| (value.to_owned(), source));
            let setting = resolve(Name::Url, given, &content, profile);
            (setting.value.unwrap_or_default(), setting.source)
        };
        let is = |value: &str, source| (value.to_owned(), source);
        let flag = Some(("http://flag.example", ValueSource::CommandLine));
        assert_eq!(of(flag, "ops"), is("http://flag.example", Source::Flag));
        let variable = Some(("http://env.example", ValueSource::EnvVariable));
        let expected = is("http://env.example", Source::Environment);
        assert_eq!(of(variable, "ops"), expected);
        let from_file = is("http://file.example", Source::File);
        assert_eq!(of(Some(("", ValueSource::EnvVariable)), "ops"), from_file);
        assert_eq!(of(None, "ops"), from_file);
        let by_default = is("http://127.0.0.1:8080", Source::Default);
        assert_eq!(of(None, "default"), by_default);
    }
}
