//! The demo catalog: objects of every area, so that each operation can be tried at once.
//!
//! A service that starts writes it into a new store, whole or not at all, and never into one that
//! was used before, for example by a command. Its passwords and client secrets are printed in the
//! manual. So a store that contains it is served to this machine only, unless the operator insists:
//! at loopback listeners and loopback public addresses, and without a trusted proxy.

use std::sync::{Arc, OnceLock};

use crate::config::ServerConfig;
use crate::identity::Identity;
use crate::identity::passwords::{self, PasswordError};
use crate::kernel::urls::is_loopback;
use crate::params;
use crate::store::{Store, StoreError, Tx};
use crate::{accounts, inference, patterns};

/// The password of all users of the catalog.
pub const PASSWORD: &str = "accord-demo-password";

/// The mark of a store that began with the catalog.
const DEMO: &str = "demo";
/// The mark of a store that began without it.
const EMPTY: &str = "empty";

/// Why a store does not fit the configuration.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The password cannot be hashed.
    #[error(transparent)]
    Password(#[from] PasswordError),
    /// Credentials that everybody knows would be open to others.
    #[error(
        "its passwords are known to everybody, and it would be served beyond this machine {0}. \
         Listen on 127.0.0.1 and leave out public addresses and trusted proxies, or start a new \
         database with --demo false, or set demo.anywhere = true"
    )]
    Exposed(String),
}

fn origin(tx: &mut Tx<'_>) -> Result<Option<String>, StoreError> {
    let row = tx.query_opt("SELECT value FROM meta WHERE name = 'origin'", &[])?;
    row.map(|row| row.get(0)).transpose()
}

/// Writes the catalog into a new store if it is enabled, and refuses to serve it to others.
/// Returns whether the store began with it.
///
/// # Errors
///
/// When the store fails, or the catalog would be served beyond this machine.
pub async fn prepare(identity: &Arc<Identity>) -> Result<bool, DemoError> {
    let context = Arc::clone(identity);
    identity
        .store
        .write(move |tx| prepare_in(tx, &context))
        .await
}

/// Marks a new store as one without the catalog: the data that an operator writes into it is not
/// for trying.
pub async fn leave_out(store: &Store) -> Result<(), StoreError> {
    store.write(|tx| begin(tx, EMPTY).map(drop)).await
}

/// Marks a store that has no mark yet. Returns whether it had none.
fn begin(tx: &mut Tx<'_>, origin: &str) -> Result<bool, StoreError> {
    let inserted = tx.execute(
        "INSERT INTO meta (name, value) VALUES ('origin', $1) ON CONFLICT (name) DO NOTHING",
        params![origin],
    )?;
    Ok(inserted == 1)
}

fn prepare_in(tx: &mut Tx<'_>, identity: &Identity) -> Result<bool, DemoError> {
    let config = &identity.config;
    let is_new = begin(tx, if config.demo.enabled { DEMO } else { EMPTY })?;
    if self::origin(tx)?.as_deref() != Some(DEMO) {
        return Ok(false);
    }
    match exposed(&config.server) {
        // Before any write: the operator may not want the catalog.
        Some(address) if !config.demo.anywhere => Err(DemoError::Exposed(address)),
        _ => {
            if is_new {
                seed(tx, identity)?;
            }
            Ok(true)
        }
    }
}

/// The first address or proxy by which other machines reach the service.
fn exposed(config: &ServerConfig) -> Option<String> {
    let mut listeners = config.listeners();
    let listener = listeners.find(|address| !address.ip().is_loopback());
    let public = || {
        let url = config.public_urls().find(|url| !is_loopback(url))?;
        Some(url.to_string())
    };
    let listener = listener.map(|address| address.to_string());
    let regional = || config.inference_host(&config.region);
    let address = listener.or_else(public).or_else(regional);
    // Others reach the service through a proxy, even if the proxy is on this machine.
    let proxy = config.trusted_proxies.first();
    address
        .map(|address| format!("at {address}"))
        .or_else(|| proxy.map(|network| format!("by the trusted proxy {network}")))
}

/// Each area writes its part.
fn seed(tx: &mut Tx<'_>, identity: &Identity) -> Result<(), DemoError> {
    let now = identity.clock.now();
    crate::identity::demo::seed(tx, identity)?;
    accounts::demo::seed(tx, now, password_hash()?)?;
    inference::demo::seed(tx, now)?;
    patterns::demo::seed(tx)?;
    Ok(())
}

/// The hash of [`PASSWORD`]. It is computed once in a process, since it takes 20 ms and hides nothing.
fn password_hash() -> Result<&'static str, PasswordError> {
    static HASH: OnceLock<String> = OnceLock::new();
    if let Some(hash) = HASH.get() {
        return Ok(hash);
    }
    let hash = passwords::hash(PASSWORD)?;
    Ok(HASH.get_or_init(|| hash))
}
