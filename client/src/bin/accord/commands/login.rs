//! The login of the user: `login`, `logout`, `whoami`.

use super::times::time;
use crate::failure::{failed, of_login, without_login};
use crate::output::{Output, line};
use accord_client::Accord;
use anyhow::Context;
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::{DateTime, Utc};
use clap::Args;
use secrecy::ExposeSecret;
use serde_json::{Value, json};

/// The scopes that the commands need.
const SCOPES: [&str; 7] = [
    "accounts.read",
    "accounts.write",
    "apikeys.read",
    "apikeys.write",
    "patterns.read",
    "patterns.write",
    "offline_access",
];

/// Log in: approve this device in a browser
#[derive(Args)]
#[command(after_help = "\
Shows a code and an address. Open the address anywhere, sign in, enter the code and approve; the command waits for
it. The login is stored in a file that only you can read, and refreshed when it expires.")]
pub struct Login {
    /// The OAuth client to log in as
    #[arg(
        long,
        env = "ACCORD_CLIENT_ID",
        value_name = "ID",
        default_value = "accord-cli"
    )]
    client_id: String,
    /// A scope to ask for; may be repeated [default: all that the commands need]
    #[arg(long = "scope", value_name = "SCOPE")]
    scopes: Vec<String>,
}

impl Login {
    pub async fn run(self, accord: &Accord, output: &Output) -> anyhow::Result<()> {
        let scopes: Vec<&str> = match self.scopes.as_slice() {
            [] => SCOPES.to_vec(),
            scopes => scopes.iter().map(String::as_str).collect(),
        };
        let login = accord.login(&self.client_id, &scopes, |prompt| {
            // The prompt goes to the standard error, the result to the standard output.
            eprintln!("Open   {}", prompt.verification_uri);
            eprintln!("Enter  {}", halves(&prompt.user_code));
            eprintln!("or open {}", prompt.verification_uri_complete);
            eprintln!(
                "Waiting; the code is valid for {} seconds.",
                prompt.expires_in.as_secs()
            );
        });
        let login = login.await.map_err(of_login)?;
        let scopes: Vec<&str> = login.scope.split(' ').collect();
        if output.json {
            return output.value(&json!({ "scopes": scopes, "expiresAt": login.expires_at }));
        }
        line(&format!("Logged in, with {}.", scopes.join(", ")))
    }
}

/// A code is easier to read in two halves. The page accepts it with or without the dash.
fn halves(code: &str) -> String {
    match code.len() {
        8 if code.is_ascii() => format!("{}-{}", &code[..4], &code[4..]),
        _ => code.to_owned(),
    }
}

/// Log out: revoke the login and forget it
#[derive(Args)]
pub struct Logout {}

impl Logout {
    pub async fn run(self, accord: &Accord, output: &Output) -> anyhow::Result<()> {
        match accord.logout().await.map_err(of_login)? {
            true => output.done(&json!({ "loggedOut": true }), "Logged out."),
            false => output.done(&json!({ "loggedOut": false }), "Nobody was logged in."),
        }
    }
}

/// Show who is logged in, or whose access token was given
#[derive(Args)]
pub struct Whoami {}

/// The claims of the access token that is in use. Only the service verifies them.
struct Identity {
    subject: Option<String>,
    name: Option<String>,
    client: Option<String>,
    identity: Option<String>,
    scope: Option<String>,
    expires_at: Option<DateTime<Utc>>,
}

impl Identity {
    /// The claims of a token that the user passed.
    fn of_token(token: &str) -> Self {
        let claims = claims(token).unwrap_or_default();
        let text = |name: &str| claims.get(name)?.as_str().map(str::to_owned);
        let expires = claims.get("exp").and_then(Value::as_i64);
        Self {
            subject: text("sub"),
            name: text("user_displayname"),
            client: text("client_id"),
            identity: text("iss"),
            scope: text("scope"),
            expires_at: expires.and_then(|seconds| DateTime::from_timestamp(seconds, 0)),
        }
    }

    /// The claims of a stored login. Client, scope and expiry come from the login itself.
    fn of_login(login: accord_client::Login) -> Self {
        Self {
            client: Some(login.client_id),
            identity: Some(login.identity),
            scope: Some(login.scope),
            expires_at: Some(login.expires_at),
            ..Self::of_token(login.access_token.expose_secret())
        }
    }
}

impl Whoami {
    pub async fn run(
        self,
        accord: &Accord,
        output: &Output,
        given: Option<&str>,
    ) -> anyhow::Result<()> {
        let identity = match given {
            Some(token) => Identity::of_token(token),
            None => match accord.remembered_login().await? {
                Some(login) => Identity::of_login(login),
                None => return Err(without_login()),
            },
        };
        // The service checks the token here. A list of organizations needs only a scope, and no
        // rights.
        let checked = accord.accounts().list_organizations().call().await;
        let refused = checked.map_err(failed).err().map(|error| error.to_string());
        let shown = json!({
            "subject": identity.subject,
            "name": identity.name,
            "client": identity.client,
            "identity": identity.identity,
            "scopes": identity.scope.as_ref().map(|scope| scope.split(' ').collect::<Vec<_>>()),
            "expiresAt": identity.expires_at,
            "refused": refused,
        });
        output.one(
            &shown,
            &[
                ("user", identity.name.or(identity.subject.clone())),
                ("subject", identity.subject),
                ("client", identity.client),
                ("service", identity.identity),
                ("scopes", identity.scope),
                ("expires", identity.expires_at.map(time)),
                ("refused", refused),
            ],
        )
    }
}

fn claims(token: &str) -> anyhow::Result<Value> {
    let payload = token.split('.').nth(1).context("no payload")?;
    Ok(serde_json::from_slice(&URL_SAFE_NO_PAD.decode(payload)?)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_shown_in_two_halves() {
        assert_eq!(halves("KLMRTVWX"), "KLMR-TVWX");
        assert_eq!(halves("KLMRT"), "KLMRT");
    }
}
