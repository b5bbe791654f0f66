//! The profiles that are logged in.

use super::identity::scopes_of;
use super::times::time;
use crate::output::Output;
use accord_client::TokenFile;
use clap::Args;
use serde_json::json;

/// List the profiles that are logged in, of all services
#[derive(Args)]
#[command(after_help = "\
A profile is a login with a name, so that you can have several of them:
  accord --profile ops login
  accord --profile ops keys list --compartment compartment.demo")]
pub struct Profiles {}

impl Profiles {
    pub fn run(self, file: &TokenFile, output: &Output) -> anyhow::Result<()> {
        let logins = file.logins()?;
        if output.json {
            let profiles = logins.iter().map(|(key, login)| {
                json!({
                    "profile": key.profile,
                    "identity": key.identity,
                    "client": login.client_id,
                    "scopes": scopes_of(&login.scope),
                    "expiresAt": login.expires_at,
                })
            });
            return output.value(&profiles.collect::<Vec<_>>());
        }
        let rows: Vec<_> = logins
            .iter()
            .map(|(key, login)| {
                let expires = match login.refresh_token {
                    Some(_) => "when it is revoked".to_owned(),
                    None => time(login.expires_at),
                };
                [&key.profile, &key.identity, &login.client_id, &expires].map(Clone::clone)
            })
            .collect();
        // Scopes would make the table wider than a terminal; `whoami` shows them.
        let headings = ["profile", "service", "client", "expires"];
        let empty = "No profile is logged in; `accord login` logs one in.";
        output.list(&rows, empty, headings, Clone::clone)
    }
}
