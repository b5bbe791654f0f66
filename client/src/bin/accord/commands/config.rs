//! The settings: the configuration file, and the values in force.

use crate::output::{Output, line};
use crate::setting_name::Name;
use crate::settings::{Setting, Settings};
use accord_client::Accord;
use clap::{Args, Subcommand};
use serde_json::json;

/// Show the settings in force and their sources, or change the configuration file
#[derive(Args)]
#[command(after_help = "\
The file is accord/config.toml in XDG_CONFIG_HOME, else in ~/.config. Each profile has a table of
its own:
  profile = \"ops\"

  [profiles.ops]
  url = \"https://accord.example\"
  client-id = \"accord-cli\"

An option takes precedence over its variable, and the variable over the file. An unknown key is an
error. Secrets are not for this file.")]
pub struct Config {
    #[command(subcommand)]
    command: Option<Change>,
}

#[derive(Subcommand)]
enum Change {
    /// Set a value in the file, for the profile in use
    Set {
        /// The setting
        name: Name,
        /// The value
        value: String,
    },
    /// Remove a value from the file, for the profile in use
    Unset {
        /// The setting
        name: Name,
    },
}

impl Config {
    pub fn run(self, settings: &Settings, output: &Output) -> anyhow::Result<()> {
        let profile = settings.get(Name::Profile);
        let (name, value) = match self.command {
            None => return show(settings, output),
            Some(Change::Set { name, value }) => {
                check(name, &value)?;
                (name, Some(value))
            }
            Some(Change::Unset { name }) => (name, None),
        };
        check(Name::Profile, profile)?;
        let file = settings.writable()?;
        file.change(profile, name, value.as_deref())?;
        let profile = (name != Name::Profile).then_some(profile);
        let changed = json!({ "profile": profile, "name": name, "value": value });
        let place = match profile {
            Some(profile) => format!("the profile {profile} of {}", file.path().display()),
            None => file.path().display().to_string(),
        };
        match value {
            Some(value) => output.done(&changed, format!("Set {name} to {value} in {place}.")),
            None => output.done(&changed, format!("Removed {name} from {place}.")),
        }
    }
}

/// The text of an empty list of settings.
const NO_SETTING: &str = "There is no setting; `accord config set NAME VALUE` sets one.";

fn show(settings: &Settings, output: &Output) -> anyhow::Result<()> {
    let file = settings.file.as_ref();
    let file = file.map(|file| file.path().display().to_string());
    let all = settings.all.iter().map(Setting::without_password);
    let all: Vec<Setting> = all.collect();
    if output.json {
        return output.value(&json!({ "file": file, "settings": all }));
    }
    output.list(&all, NO_SETTING, ["name", "value", "source"], |setting| {
        [
            setting.name.to_string(),
            setting.value.clone().unwrap_or_else(|| "-".to_owned()),
            setting.source.to_string(),
        ]
    })?;
    match file {
        Some(file) => line(&format!("\nThe file is {file}.")),
        None => Ok(()),
    }
}

/// Rejects a value that no command could use.
fn check(name: Name, value: &str) -> anyhow::Result<()> {
    let builder = Accord::builder();
    let builder = match name {
        Name::Profile => builder.profile(value),
        Name::Url => builder.base_url(value),
        Name::AccountsUrl => builder.accounts_url(value),
        Name::IdentityUrl => builder.identity_url(value),
        Name::InferenceUrl => builder.inference_url(value),
        Name::PatternsUrl => builder.patterns_url(value),
        Name::ClientId if value.is_empty() => anyhow::bail!("the identifier is empty"),
        Name::ClientId => return Ok(()),
    };
    // Each call decides whether it may send credentials there unencrypted.
    builder.allow_http().build()?;
    Ok(())
}
