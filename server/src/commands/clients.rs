//! `accord-server clients`

use std::path::PathBuf;

use accord_server::identity::clients::{
    Algorithm, Client, ClientKey, Grant, Kind, Role, secret_of,
};
use accord_server::identity::registry::{self, KeyListing, Listing, Proof};
use accord_server::store::Tx;
use anyhow::Context as _;
use clap::Subcommand;
use serde::Serialize;
use serde_json::json;

use super::options::{Options, audit_context};
use super::output::{Output, time};

/// Commands for client applications.
#[derive(Subcommand)]
pub enum Clients {
    /// Register a client. The secret of a confidential one is printed, once.
    Add(Add),
    /// List all clients.
    List {
        #[command(flatten)]
        output: Output,
    },
    /// Add a second secret or key to a client, or remove the older one. Both are valid
    /// until then.
    Rotate {
        /// The client.
        id: String,
        /// The next key, for a client that signs assertions or whose provider
        /// does: certificate or public key in PEM, JWK or JWK Set.
        #[arg(long, value_name = "FILE", conflicts_with = "finish")]
        key: Option<PathBuf>,
        /// Signing algorithm of this key: RS256, RS384, RS512, PS256, PS384
        /// or PS512 [default: that of the JWK, otherwise RS256].
        #[arg(long, value_parser = algorithm, requires = "key")]
        algorithm: Option<Algorithm>,
        /// Remove the older one.
        #[arg(long)]
        finish: bool,
        #[command(flatten)]
        output: Output,
    },
    /// Disable a client. Its tokens are rejected at once.
    Disable {
        /// The client.
        id: String,
        #[command(flatten)]
        output: Output,
    },
    /// Enable a client.
    Enable {
        /// The client.
        id: String,
        #[command(flatten)]
        output: Output,
    },
}

/// A client to register.
#[derive(clap::Args)]
pub struct Add {
    /// Its identifier.
    id: String,
    /// The name that people see on the consent page.
    #[arg(long)]
    name: String,
    /// Authentication method: confidential (a secret), public (none),
    /// assertion (signed JWTs), saml (assertions of an identity provider).
    #[arg(long, value_parser = kind)]
    kind: Kind,
    /// What its tokens can carry; may be given several times: accounts_reader,
    /// accounts_manager, patterns_reader, patterns_designer, apikeys_reader,
    /// apikeys_manager.
    #[arg(long = "role", value_parser = role, required = true)]
    roles: Vec<Role>,
    /// Issue no refresh tokens to it.
    #[arg(long)]
    no_refresh: bool,
    /// Allow it to introspect tokens.
    #[arg(long)]
    introspects: bool,
    /// Lifetime of its access tokens [default: as configured].
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(i64).range(60..=31_536_000))]
    access_token_seconds: Option<i64>,
    /// The key that its assertions are signed with: certificate or public key in PEM, JWK or JWK
    /// Set. The command prints the names of the key for the header of a JWT. These are the `kid`
    /// (that of the JWK, else the key's RFC 7638 thumbprint) and the `x5t` of a certificate. While
    /// the client has one key, its JWTs may omit both.
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    /// Signing algorithm of this key: RS256, RS384, RS512, PS256, PS384 or PS512 [default: that of
    /// a JWK, otherwise RS256].
    #[arg(long, value_parser = algorithm, requires = "key")]
    algorithm: Option<Algorithm>,
    /// Who issues its SAML assertions, exactly [default: the client's identifier].
    #[arg(long, value_name = "ENTITY")]
    saml_issuer: Option<String>,
    /// Accept only assertions whose one audience is the issuer, and only JWTs of the
    /// type client-authentication+jwt (RFC 10070). By default the audience is the
    /// issuer or the token endpoint, and JWTs need no explicit type.
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    output: Output,
}

fn kind(text: &str) -> Result<Kind, String> {
    Kind::parse(text).ok_or_else(|| one_of(Kind::ALL.map(Kind::as_str)))
}

fn role(text: &str) -> Result<Role, String> {
    Role::parse(text).ok_or_else(|| one_of(Role::ALL.map(Role::as_str)))
}

fn algorithm(text: &str) -> Result<Algorithm, String> {
    Algorithm::parse(text).ok_or_else(|| one_of(Algorithm::ALL.map(Algorithm::as_str)))
}

fn one_of<const N: usize>(names: [&str; N]) -> String {
    format!("expected one of {}", names.join(", "))
}

#[derive(Serialize)]
struct Shown<'s> {
    client_id: &'s str,
    /// The secret, which is shown only here.
    #[serde(skip_serializing_if = "Option::is_none")]
    client_secret: Option<&'s str>,
    /// The keys that this command registered.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    keys: Vec<KeyListing>,
}

impl Shown<'_> {
    fn words(&self, done: &str) -> String {
        let mut words = match self.client_secret {
            Some(secret) => format!("{done}. Its secret is shown only now:\n{secret}"),
            None => format!("{done}."),
        };
        for key in &self.keys {
            words += &format!("\nkey with kid {}", key.kid);
            if let Some(x5t) = &key.x5t {
                words += &format!(", x5t {x5t}");
            }
        }
        words
    }
}

/// The keys of a proof.
fn listed(proof: &Proof) -> Vec<KeyListing> {
    match proof {
        Proof::Keys(keys) => keys.iter().map(KeyListing::of).collect(),
        Proof::None | Proof::Secret(_) => Vec::new(),
    }
}

/// Changes the database of a running service, which applies the change without a restart.
#[tokio::main]
pub async fn run(options: &Options, command: Clients) -> anyhow::Result<()> {
    let app = options.open().await?;
    let by = audit_context(&app);
    // Makes a change in a transaction, and records the operator.
    macro_rules! change {
        ($tx:ident, $by:ident, $body:expr) => {
            app.store
                .write(move |$tx: &mut Tx<'_>| {
                    let $by = &by;
                    $body
                })
                .await
        };
    }
    let secret = secret_of(&app.random.bytes());
    match command {
        Clients::Add(add) => {
            let proof = match (add.kind, &add.key) {
                (Kind::Confidential, None) => Proof::Secret(secret.clone()),
                _ => keys(add.key.as_ref(), add.algorithm)?,
            };
            let client = Client {
                id: add.id.clone(),
                name: add.name,
                kind: add.kind,
                roles: add.roles,
                grants: Grant::of_device(!add.no_refresh),
                introspects: add.introspects,
                access_token_seconds: add
                    .access_token_seconds
                    .unwrap_or(app.config.identity.access_token_seconds),
                strict: add.strict,
                saml_issuer: add.saml_issuer,
            };
            let keys = listed(&proof);
            change!(tx, by, registry::register(tx, by, &client, &proof))?;
            let shown = Shown {
                client_id: &add.id,
                client_secret: (add.kind == Kind::Confidential).then_some(&secret),
                keys,
            };
            let words = shown.words(&format!("Client {} is registered", add.id));
            add.output.one(&shown, &words)
        }
        Clients::List { output } => {
            let listings = app.store.read(registry::list).await?;
            let columns = [
                "CLIENT",
                "NAME",
                "KIND",
                "STATE",
                "PROOFS",
                "ALGORITHMS",
                "KEYS",
                "ROLES",
                "SINCE",
            ];
            output.rows(columns, &listings, |listing| {
                let Listing {
                    id,
                    name,
                    kind,
                    roles,
                    proofs,
                    algorithms,
                    keys,
                    disabled,
                    access_token_seconds: _,
                    strict: _,
                    created_at,
                } = listing.clone();
                let state = if disabled { "disabled" } else { "enabled" };
                let since = time(Some(created_at));
                let kids: Vec<_> = keys.into_iter().map(|key| key.kid).collect();
                let or_none = |text: String| match text.is_empty() {
                    true => "-".to_owned(),
                    false => text,
                };
                [
                    id,
                    name,
                    kind,
                    state.into(),
                    proofs.to_string(),
                    or_none(algorithms),
                    or_none(kids.join(" ")),
                    roles,
                    since,
                ]
            })
        }
        Clients::Rotate {
            id,
            key: _,
            algorithm: _,
            finish: true,
            output,
        } => {
            let client = id.clone();
            let gone = change!(tx, by, registry::finish(tx, by, &client))?;
            let words = match gone {
                0 => format!("Client {id} has only one secret or key."),
                _ => format!("Client {id} has only its newest secret or key."),
            };
            let shown = Shown {
                client_id: &id,
                client_secret: None,
                keys: Vec::new(),
            };
            output.one(&shown, &words)
        }
        Clients::Rotate {
            id,
            key,
            algorithm,
            finish: false,
            output,
        } => {
            let proof = match &key {
                Some(_) => keys(key.as_ref(), algorithm)?,
                None => Proof::Secret(secret.clone()),
            };
            let client = id.clone();
            let keys = listed(&proof);
            change!(tx, by, registry::rotate(tx, by, &client, &proof))?;
            let shown = Shown {
                client_id: &id,
                client_secret: key.is_none().then_some(&secret),
                keys,
            };
            let done = format!(
                "Client {id} has two secrets or keys now; remove the older one with --finish"
            );
            output.one(&shown, &shown.words(&done))
        }
        Clients::Disable { id, output } => {
            let client = id.clone();
            change!(tx, by, registry::set_disabled(tx, by, &client, true))?;
            let shown = json!({ "client_id": id, "disabled": true });
            output.one(&shown, &format!("Client {id} is disabled."))
        }
        Clients::Enable { id, output } => {
            let client = id.clone();
            change!(tx, by, registry::set_disabled(tx, by, &client, false))?;
            let shown = json!({ "client_id": id, "disabled": false });
            output.one(&shown, &format!("Client {id} is enabled."))
        }
    }
}

fn keys(file: Option<&PathBuf>, algorithm: Option<Algorithm>) -> anyhow::Result<Proof> {
    let Some(file) = file else {
        return Ok(Proof::None);
    };
    let text = std::fs::read_to_string(file).with_context(|| file.display().to_string())?;
    let keys = ClientKey::read_for(&text, algorithm).with_context(|| file.display().to_string())?;
    Ok(Proof::Keys(keys))
}
