//! `accord-server users`

use accord_server::accounts::{administrators, directory, users as accounts};
use accord_server::identity::reset::{self, Reset};
use accord_server::identity::users::{self, Listing, User};
use accord_server::identity::{passwords, suspension};
use accord_server::mail::passkeys::removed;
use accord_server::store::{StoreError, Tx};
use anyhow::{Context as _, bail, ensure};
use clap::Subcommand;
use serde_json::json;

use super::input::{check_email, read_secret};
use super::options::{Options, audit_context};
use super::output::{Output, time};
use super::passkeys::{self, Passkeys};
use super::removal;

/// Commands for hub users.
#[derive(Subcommand)]
pub enum Users {
    /// Add a user. The user cannot sign in until you run `set-password`.
    Add {
        /// Email address, the name to sign in with.
        email: String,
        /// First name.
        #[arg(long)]
        first_name: String,
        /// Last name.
        #[arg(long)]
        last_name: String,
        /// The hub organization that the user belongs to.
        #[arg(long, value_name = "ID")]
        organization: i64,
        /// Language of mail to the user.
        #[arg(long, default_value = "en")]
        language: String,
        /// Make the user an administrator of the organization.
        #[arg(long)]
        administrator: bool,
        #[command(flatten)]
        output: Output,
    },
    /// List all users.
    List {
        #[command(flatten)]
        output: Output,
    },
    /// Set a user's password, which is read from standard input: one line. Ends the
    /// user's sessions and links to set a password, disconnects approved devices and
    /// removes passkeys.
    SetPassword {
        /// The user.
        email: String,
        /// Keep the user's passkeys.
        #[arg(long)]
        keep_passkeys: bool,
        #[command(flatten)]
        output: Output,
    },
    /// Disable a user: end sessions and revoke tokens at once.
    Disable {
        /// The user.
        email: String,
        #[command(flatten)]
        output: Output,
    },
    /// Enable a user, with the same password and passkeys as before.
    Enable {
        /// The user.
        email: String,
        #[command(flatten)]
        output: Output,
    },
    /// Remove a user permanently: name, addresses, password, passkeys, sessions, devices, tokens,
    /// grants, profiles, links and mail.
    ///
    /// API keys, agent patterns and accounts that the user created stay. The audit trail stays, and
    /// still verifies. It has the identifier of the user, the network addresses of the user's
    /// requests, and the names of the user's passkeys. Log files and backups stay, too.
    Remove {
        /// The user, by email address or id.
        user: String,
        /// Do not ask for confirmation.
        #[arg(long)]
        yes: bool,
        #[command(flatten)]
        output: Output,
    },
    /// List or remove the passkeys of a user.
    #[command(subcommand)]
    Passkeys(Passkeys),
}

/// Changes the database of a running service, which applies the change without a restart.
#[tokio::main]
pub async fn run(options: &Options, command: Users) -> anyhow::Result<()> {
    let app = options.open().await?;
    let by = audit_context(&app);
    let now = by.now();
    // Makes a change in a transaction, and records the operator.
    macro_rules! change {
        ($tx:ident, $by:ident, $body:expr) => {
            app.store
                .write(move |$tx: &mut Tx<'_>| -> Result<_, StoreError> {
                    let $by = &by;
                    $body
                })
                .await?
        };
    }
    match command {
        Users::Passkeys(command) => passkeys::run(&app, command).await,
        Users::Remove { user, yes, output } => removal::run(&app, user, yes, &output).await,
        Users::Add {
            email,
            first_name,
            last_name,
            organization,
            language,
            administrator,
            output,
        } => {
            check_email(&email)?;
            let user = accounts::User {
                id: app.random.uuid().to_string(),
                communication_email: email.clone(),
                email_address: email.clone(),
                first_name,
                middle_name: None,
                last_name,
                language,
                organization_id: organization,
            };
            let id = user.id.clone();
            let added = change!(tx, by, {
                if !directory::has_organization(tx, organization)? {
                    return Ok(None);
                }
                let added = accounts::insert(tx, &user, by.time(), None)?;
                if added && administrator {
                    administrators::add(tx, organization, &user.id)?;
                    let detail = format!("organization {organization}");
                    by.record(tx, "accounts.administrator.added", &user.id, &detail)?;
                }
                if added {
                    by.record(tx, "identity.user.added", &user.id, "")?;
                }
                Ok(Some(added))
            });
            match added {
                None => bail!("there is no hub organization {organization}"),
                Some(false) => bail!("the user {email} already exists"),
                Some(true) => {
                    let words = format!("Added user {email}, without a password.");
                    output.one(&json!({ "id": id, "email": email }), &words)
                }
            }
        }
        Users::List { output } => {
            let listings = app.store.read(|tx| users::list(tx, "", i64::MAX)).await?;
            let columns = ["USER", "EMAIL", "NAME", "STATE", "PASSWORD", "SINCE"];
            output.rows(columns, &listings, |listing| {
                let Listing {
                    id,
                    email,
                    name,
                    disabled,
                    has_password,
                    created_at,
                } = listing.clone();
                let state = if disabled { "disabled" } else { "enabled" };
                let password = if has_password { "set" } else { "-" };
                let since = time(Some(created_at));
                [id, email, name, state.into(), password.into(), since]
            })
        }
        Users::SetPassword {
            email,
            keep_passkeys,
            output,
        } => {
            let unknown = || format!("there is no user {email}, or the user is disabled");
            let name = email.clone();
            let find = move |tx: &mut Tx<'_>| User::by_username(tx, &name);
            app.store.read(find).await?.with_context(unknown)?;
            let password = read_secret(None, &format!("new password of {email}"))?;
            passwords::check(&password, &email)?;
            let hash = passwords::hash(&password)?;
            let name = email.clone();
            let reset = Reset {
                passkeys: !keep_passkeys,
                ..Reset::ALL
            };
            let mail_id = app.random.uuid().to_string();
            let ended = change!(tx, by, {
                let Some((user, _)) = User::by_username(tx, &name)? else {
                    return Ok(None);
                };
                let ended = reset::set_password(tx, &user.id, &hash, reset, now)?;
                let detail = format!("by an operator; {ended}");
                by.record(tx, "identity.password.set", &user.id, &detail)?;
                removed(tx, by, &user.id, &mail_id, ended.passkeys.clone())?;
                Ok(Some(ended))
            });
            let ended = ended.with_context(unknown)?;
            let shown = json!({ "email": email, "password": "set", "ended": ended });
            output.one(&shown, &format!("Set the password of {email}; {ended}."))
        }
        Users::Disable { email, output } => {
            let name = email.clone();
            let known = change!(tx, by, suspension::disable(tx, by, &name));
            ensure!(
                known,
                "there is no user {email}, or the user is already disabled"
            );
            let shown = json!({ "email": email, "disabled": true });
            output.one(&shown, &format!("User {email} is disabled."))
        }
        Users::Enable { email, output } => {
            let name = email.clone();
            let is_enabled = change!(tx, by, suspension::enable(tx, by, &name));
            ensure!(
                is_enabled,
                "there is no user {email}, or the user is not disabled"
            );
            let shown = json!({ "email": email, "disabled": false });
            output.one(&shown, &format!("User {email} is enabled."))
        }
    }
}
