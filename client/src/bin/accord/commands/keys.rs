//! API keys: two secrets each, so that one can be replaced while the other is in use.

use super::limit::Limit;
use super::times::{optional_time, parse_time, time};
use crate::confirm::Confirmation;
use crate::failure::failed;
use crate::output::{Output, line};
use crate::saved_key::SavedKey;
use accord_client::{
    Accord, TokenFileError,
    inference::types::{self, ApiKey, ApiKeyItem, IssuedApiKey, KeyDetails, SecretState},
};
use anyhow::Context;
use chrono::{DateTime, Utc};
use clap::{ArgGroup, Args, Subcommand, ValueEnum};
use serde_json::json;

#[derive(Subcommand)]
#[command(after_help = "\
To replace a secret without a failed request:
  accord keys set-state KEY key-two active        bring the second secret into use
  (switch the applications to it)
  accord keys set-state KEY key-one revoked       end the first one permanently")]
pub enum Keys {
    List(List),
    Get(Get),
    Create(Create),
    Renew(Renew),
    SetState(SetState),
    Update(Update),
    Move(Move),
    Delete(Delete),
    Forget(Forget),
}

/// List the keys of a compartment
#[derive(Args)]
pub struct List {
    /// The compartment; ask the operator, who lists them with `accord-server compartments list`
    #[arg(long, value_name = "ID")]
    compartment: String,
    /// Only keys of this name
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    #[command(flatten)]
    limit: Limit,
}

/// Show a key
#[derive(Args)]
pub struct Get {
    /// Id of the key
    key: String,
}

/// Create a key, and show its secrets once
#[derive(Args)]
#[command(after_help = "\
With --save, later commands such as `accord chat` use the first secret that is ACTIVE. It is saved
in login.keys.json beside the file of the login, for each profile and each address of models.
Only you can read the file. --api-key-file, --api-key and ACCORD_API_KEY take precedence over it, in
this order.")]
pub struct Create {
    /// Name of the key
    name: String,
    /// The compartment that holds it, and whose policies govern it; ask the operator, who lists them with `accord-server
    /// compartments list`
    #[arg(long, value_name = "ID")]
    compartment: String,
    /// Name of a secret; may be given twice [default: key-one and key-two]
    #[arg(long = "secret", value_name = "NAME")]
    secrets: Vec<String>,
    /// When the secrets expire [default: in 90 days]
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    expires: Option<DateTime<Utc>>,
    /// A text for people
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    /// Save a secret for later commands, in place of an earlier one
    #[arg(long)]
    save: bool,
}

/// Renew a secret, and show its value once
#[derive(Args)]
pub struct Renew {
    /// Id of the key
    key: String,
    /// Name of the secret; another name adds a second secret to a key that has one
    secret: String,
    /// When the new value expires [default: in 90 days]
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    expires: Option<DateTime<Utc>>,
}

/// Activate, deactivate or revoke a secret
#[derive(Args)]
pub struct SetState {
    /// Id of the key
    key: String,
    /// Name of the secret
    secret: String,
    /// The new state
    state: State,
}

#[derive(Clone, Copy, ValueEnum)]
enum State {
    /// Requests with the secret are accepted
    Active,
    /// They are rejected, until it is active again
    Deactivated,
    /// They are rejected permanently
    Revoked,
}

/// Change the name or the description of a key
#[derive(Args)]
#[command(group = ArgGroup::new("change").required(true).multiple(true))]
pub struct Update {
    /// Id of the key
    key: String,
    /// The new name
    #[arg(long, value_name = "NAME", group = "change")]
    name: Option<String>,
    /// The new text for people
    #[arg(long, value_name = "TEXT", group = "change")]
    description: Option<String>,
}

/// Move a key to another compartment, whose policies then govern it
#[derive(Args)]
pub struct Move {
    /// Id of the key
    key: String,
    /// The new compartment; ask the operator, who lists them with `accord-server compartments list`
    #[arg(long, value_name = "ID")]
    compartment: String,
}

/// Delete a key; its secrets are rejected at once
#[derive(Args)]
pub struct Delete {
    /// Id of the key
    key: String,
    #[command(flatten)]
    confirmation: Confirmation,
}

/// Remove the secret that `accord keys create --save` has saved; the key itself remains
#[derive(Args)]
pub struct Forget {}

impl From<List> for Keys {
    fn from(list: List) -> Self {
        Self::List(list)
    }
}

impl Keys {
    /// `saved` is the place of a saved secret.
    pub async fn run(
        self,
        accord: &Accord,
        output: &Output,
        saved: impl FnOnce() -> Result<SavedKey, TokenFileError>,
    ) -> anyhow::Result<()> {
        let keys = accord.inference();
        match self {
            Keys::List(list) => list.run(accord, output).await,
            Keys::Get(get) => {
                let key = keys
                    .get_api_key()
                    .api_key_id(get.key)
                    .call()
                    .await
                    .map_err(failed)?;
                show(output, &key)
            }
            Keys::Create(create) => create.run(accord, output, saved).await,
            Keys::Renew(renew) => {
                let mut details = KeyDetails::new(renew.secret);
                details.time_expiry = renew.expires;
                let body = types::RenewApiKeyDetails::new(details);
                let request = keys.renew_api_key().api_key_id(renew.key).body(body);
                show_issued(output, &request.call().await.map_err(failed)?.into_inner())
            }
            Keys::SetState(set) => {
                let state = match set.state {
                    State::Active => types::SecretTargetState::Active,
                    State::Deactivated => types::SecretTargetState::Deactivated,
                    State::Revoked => types::SecretTargetState::Revoked,
                };
                let body = types::SetApiKeyStateDetails::new(set.secret, state);
                let request = keys.set_api_key_state().api_key_id(set.key).body(body);
                show(output, &request.call().await.map_err(failed)?.into_inner())
            }
            Keys::Update(update) => {
                let mut body = types::UpdateApiKeyDetails::new();
                body.display_name = update.name;
                body.description = update.description;
                let request = keys.update_api_key().api_key_id(update.key).body(body);
                show(output, &request.call().await.map_err(failed)?.into_inner())
            }
            Keys::Move(moved) => {
                let to = moved.compartment.clone();
                let body = types::ChangeApiKeyCompartmentDetails::new(moved.compartment);
                let request = keys
                    .change_api_key_compartment()
                    .api_key_id(moved.key.clone())
                    .body(body);
                request.call().await.map_err(failed)?;
                let changed = json!({ "id": moved.key, "compartmentId": to });
                output.done(&changed, format!("Moved {} to {to}.", moved.key))
            }
            Keys::Delete(delete) => {
                delete.confirmation.ask(&delete.key).await?;
                keys.delete_api_key()
                    .api_key_id(delete.key.clone())
                    .call()
                    .await
                    .map_err(failed)?;
                let changed = json!({ "deleted": delete.key });
                output.done(&changed, format!("Deleted {}.", delete.key))
            }
            Keys::Forget(Forget {}) => {
                let forgotten = saved()?.forget().await?;
                let sentence = match forgotten {
                    true => "Forgot the saved secret.",
                    false => "No secret is saved.",
                };
                output.done(&json!({ "forgotten": forgotten }), sentence)
            }
        }
    }
}

impl List {
    async fn run(self, accord: &Accord, output: &Output) -> anyhow::Result<()> {
        let mut request = accord
            .inference()
            .list_api_keys()
            .compartment_id(self.compartment);
        let none = match self.name {
            None => {
                "There are no API keys; `accord keys create NAME --compartment ID` creates one."
            }
            Some(_) => "No API key has this name.",
        };
        if let Some(name) = self.name {
            request = request.display_name(name);
        }
        let all = self.limit.collect(request.items()).await?;
        if output.json {
            return output.value(&all);
        }
        let rows: Vec<(&ApiKey, &ApiKeyItem)> = all
            .iter()
            .flat_map(|key| key.keys.iter().map(move |secret| (key, secret)))
            .collect();
        output.list(
            &rows,
            none,
            [
                "id",
                "name",
                "secret",
                "value",
                "state",
                "expires",
                "last used",
            ],
            |(key, secret)| {
                [
                    key.id.clone(),
                    key.display_name.clone(),
                    secret.key_name.clone(),
                    secret.key_mask.clone(),
                    secret.state.to_string(),
                    time(secret.time_expiry),
                    optional_time(secret.time_last_used),
                ]
            },
        )
    }
}

impl Create {
    async fn run(
        self,
        accord: &Accord,
        output: &Output,
        saved: impl FnOnce() -> Result<SavedKey, TokenFileError>,
    ) -> anyhow::Result<()> {
        let saved = self.save.then(saved).transpose()?;
        if let Some(saved) = &saved {
            // A secret is issued once.
            saved.check().await?;
        }
        let names = match self.secrets.is_empty() {
            true => vec!["key-one".to_owned(), "key-two".to_owned()],
            false => self.secrets,
        };
        let details = names.into_iter().map(|name| {
            let mut details = KeyDetails::new(name);
            details.time_expiry = self.expires;
            details
        });
        let details: Vec<KeyDetails> = details.collect();
        let mut body = types::CreateApiKeyDetails::new(types::CreateApiKeyDetailsRequired {
            compartment_id: self.compartment,
            display_name: self.name,
            key_details: details,
        });
        body.description = self.description;
        let request = accord.inference().create_api_key().body(body);
        let key = request.call().await.map_err(failed)?;
        // Saved even if nobody reads the output any more.
        let shown = show_issued(output, &key);
        if let Some(saved) = saved {
            save(output, &saved, &key).await?;
        }
        shown
    }
}

/// Saves the first secret that requests can use.
async fn save(output: &Output, saved: &SavedKey, key: &IssuedApiKey) -> anyhow::Result<()> {
    let mut active = key
        .keys
        .iter()
        .filter(|secret| secret.state == SecretState::Active);
    let issued = active.find_map(|secret| Some((&secret.key_name, secret.key.clone()?)));
    let (name, secret) = issued.context("the new key has no active secret to save")?;
    let done = saved.save(secret).await;
    done.context("the key was created, but its secret was not saved")?;
    match output.json {
        true => Ok(()),
        false => line(&format!(
            "Saved {name} for later commands; `accord keys forget` forgets it."
        )),
    }
}

/// The attributes of a key that are shown beside its secrets. Two types of the document
/// have these members.
macro_rules! attributes {
    ($key:expr) => {
        [
            ("key", Some($key.display_name.clone())),
            ("id", Some($key.id.clone())),
            ("region", Some($key.region.clone())),
            ("compartment", Some($key.compartment_id.clone())),
            ("state", Some($key.lifecycle_state.to_string())),
            ("description", $key.description.clone()),
        ]
    };
}

fn show(output: &Output, key: &ApiKey) -> anyhow::Result<()> {
    if output.json {
        return output.value(key);
    }
    output.one(key, &attributes!(key))?;
    line("")?;
    output.list(&key.keys, NO_SECRET, SECRET, |secret| {
        [
            secret.key_name.clone(),
            secret.state.to_string(),
            time(secret.time_expiry),
            secret.key_mask.clone(),
        ]
    })
}

/// The text of an empty list of secrets.
const NO_SECRET: &str = "The key has no secret; `accord keys renew KEY NAME` adds one.";
/// Columns of a list of secrets.
const SECRET: [&str; 4] = ["secret", "state", "expires", "value"];

fn show_issued(output: &Output, key: &IssuedApiKey) -> anyhow::Result<()> {
    if output.json {
        return output.value(key);
    }
    output.one(key, &attributes!(key))?;
    line("")?;
    output.list(&key.keys, NO_SECRET, SECRET, |secret| {
        [
            secret.key_name.clone(),
            secret.state.to_string(),
            time(secret.time_expiry),
            match &secret.key {
                Some(value) => value.expose().to_owned(),
                None => secret.key_mask.clone(),
            },
        ]
    })?;
    line("\nKeep the values now; they are not shown again.")
}
