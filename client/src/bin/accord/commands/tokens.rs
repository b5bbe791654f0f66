//! Tokens: whether they are valid, and the keys that verify them.

use super::times::time;
use crate::{
    failure::{failed, usage},
    output::Output,
    secret,
    setting_name::Name,
    settings::Settings,
};
use accord_client::{
    Accord,
    identity::types::{IntrospectionRequest, RevocationRequest},
};
use chrono::DateTime;
use clap::{Args, Subcommand};
use serde_json::json;
use std::path::PathBuf;

#[derive(Subcommand)]
#[command(after_help = "\
Example, for the registered client of a service:
  accord tokens introspect - --client-id reports --client-secret-file reports.secret < token")]
pub enum Tokens {
    /// Show whether a token is active, and for whom; needs the secret of a confidential client
    Introspect(Token),
    /// Revoke a token of the client, and a refresh token with every token of its approval
    Revoke(Token),
    /// Show the public keys that verify tokens, as a JWK Set
    SigningKeys,
    /// Show the metadata of the authorization server
    Metadata,
}

/// A token.
#[derive(Args)]
pub struct Token {
    /// File with the access or refresh token; `-` reads a line of the standard input
    file: PathBuf,
}

/// The text of an empty list of signing keys.
const NO_KEY: &str =
    "There is no signing key; the operator adds one with `accord-server signing-keys rotate`.";

impl Token {
    async fn read(self) -> anyhow::Result<String> {
        // Reading may block; on this thread it would delay Ctrl-C.
        tokio::task::spawn_blocking(move || secret::read(&self.file)).await?
    }
}

impl Tokens {
    /// `is_confidential` says whether the client has a secret.
    pub async fn run(
        self,
        accord: &Accord,
        output: &Output,
        settings: &Settings,
        is_confidential: bool,
    ) -> anyhow::Result<()> {
        let identity = accord.identity();
        match self {
            Self::Introspect(token) => {
                if !is_confidential {
                    return Err(usage(
                        "only a confidential client may introspect; add --client-id and --client-secret-file",
                    ));
                }
                introspect(accord, output, token).await
            }
            Self::Revoke(token) => {
                let mut body = RevocationRequest::new(token.read().await?);
                if !is_confidential {
                    body = body.client_id(settings.get(Name::ClientId));
                }
                let call = identity.revoke_token().body(body);
                call.call().await.map_err(failed)?;
                let sentence = "The token is revoked, or was invalid before.";
                output.done(&json!({ "revoked": true }), sentence)
            }
            Self::SigningKeys => {
                let keys = identity.get_jwk_set().call().await.map_err(failed)?;
                if output.json {
                    return output.value(keys.as_ref());
                }
                output.list(
                    &keys.keys,
                    NO_KEY,
                    ["id", "type", "algorithm", "use"],
                    |key| [&key.kid, &key.kty, &key.alg, &key.use_].map(Clone::clone),
                )
            }
            Self::Metadata => {
                let call = identity.get_authorization_server_metadata();
                let metadata = call.call().await.map_err(failed)?;
                output.one(
                    metadata.as_ref(),
                    &[
                        ("issuer", Some(metadata.issuer.clone())),
                        (
                            "device authorization",
                            Some(metadata.device_authorization_endpoint.clone()),
                        ),
                        ("token", Some(metadata.token_endpoint.clone())),
                        (
                            "introspection",
                            Some(metadata.introspection_endpoint.clone()),
                        ),
                        ("revocation", Some(metadata.revocation_endpoint.clone())),
                        ("signing keys", Some(metadata.jwks_uri.clone())),
                        ("scopes", Some(metadata.scopes_supported.join(" "))),
                    ],
                )
            }
        }
    }
}

async fn introspect(accord: &Accord, output: &Output, token: Token) -> anyhow::Result<()> {
    let body = IntrospectionRequest::new(token.read().await?);
    let call = accord.identity().introspect_token().body(body);
    let found = call.call().await.map_err(failed)?.into_inner();
    let at = |seconds: Option<i64>| Some(time(DateTime::from_timestamp(seconds?, 0)?));
    let is_active = if found.active { "yes" } else { "no" };
    output.one(
        &found,
        &[
            ("active", Some(is_active.to_owned())),
            ("user", found.username.clone()),
            ("subject", found.sub.clone()),
            ("client", found.client_id.clone()),
            ("service", found.iss.clone()),
            ("scopes", found.scope.clone()),
            ("issued", at(found.iat)),
            ("expires", at(found.exp)),
        ],
    )
}
