//! Schemathesis, which makes requests from a published document and judges the
//! answers by it, with all of its checks and with credentials.
//!
//! Its requests are the same each time. With `ACCORD_SCHEMATHESIS_SECONDS` they
//! are drawn anew, for that long: that is how to look for more.

use std::time::Duration;

use accord_server::accounts::demo::ADMINISTRATOR;
use accord_server::area::Area;
use accord_server::identity::demo::{CONFIDENTIAL, SECRET};

use crate::harness::{Database, Server, run_with, tools};
use crate::inference::client::Manager;

const ALL_SCOPES: &str = "accounts.read accounts.write apikeys.read apikeys.write patterns.read \
                          patterns.write";

/// All checks, with what the documents cannot say.
const COMMON: &str = "hooks = \"schemathesis_hooks\"\nchecks.enabled = true\n";

/// Tries one document against a service of its own. Checks and statuses that
/// are particular to a document, and why, stand beside this file.
fn finds_nothing(area: Area) {
    run_with(async || {
        let seconds = std::env::var("ACCORD_SCHEMATHESIS_SECONDS").ok();
        let time = seconds.map(|seconds| Duration::from_secs(seconds.parse().unwrap()));
        let server = Server::start_with(Database::Sqlite, |layer| {
            // Everything comes from one client and one address.
            layer.identity.device_requests_per_client = Some(0);
            layer.identity.device_requests_per_address = Some(0);
            // As does every valid creation of a key.
            layer.inference.key_limit = Some(10_000);
        })
        .await;
        let token = server.token(ADMINISTRATOR, ALL_SCOPES).await;
        let bearer = format!("[auth.openapi.accessToken]\nbearer = {token:?}\n");
        let (credentials, own) = match area {
            Area::Accounts => (bearer, include_str!("schemathesis/accounts.toml")),
            Area::Patterns => (bearer, include_str!("schemathesis/patterns.toml")),
            Area::Identity => (
                format!(
                    "[auth.openapi.clientBasic]\nusername = {CONFIDENTIAL:?}\n\
                     password = {SECRET:?}\n"
                ),
                include_str!("schemathesis/identity.toml"),
            ),
            Area::Inference => {
                let key = Manager::of(&server).await.new_key().await;
                (
                    format!(
                        "{bearer}[auth.openapi.apiKeySecret]\nbearer = {:?}\n",
                        key.one
                    ),
                    include_str!("schemathesis/inference.toml"),
                )
            }
        };
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("schemathesis.toml");
        let config = format!("{COMMON}{credentials}\n{own}");
        std::fs::write(&file, config).unwrap();
        let document = server.url(&format!("/openapi/{}.json", area.name()));
        tools::schemathesis(&file, &document, &token, time).await;
        server
    });
}

#[test]
fn schemathesis_finds_nothing_in_accounts() {
    finds_nothing(Area::Accounts);
}

#[test]
fn schemathesis_finds_nothing_in_identity() {
    finds_nothing(Area::Identity);
}

#[test]
fn schemathesis_finds_nothing_in_inference() {
    finds_nothing(Area::Inference);
}

#[test]
fn schemathesis_finds_nothing_in_patterns() {
    finds_nothing(Area::Patterns);
}
