//! The demo catalogue: something in every area, so that everything can be tried
//! at once.
//!
//! It is written into a new store, whole or not at all, and never into one that
//! was used before. Its passwords and client secrets are printed in the manual,
//! so a store that holds it is served to this machine only, unless the operator
//! insists.

use std::net::SocketAddr;
use std::sync::Arc;

use crate::identity::Identity;
use crate::identity::passwords::{self, PasswordError};
use crate::params;
use crate::store::{Store, StoreError, Tx};
use crate::{accounts, inference, patterns};

/// With which everybody of the catalogue signs in.
pub const PASSWORD: &str = "accord-demo-password";

/// What a store remembers that began with the catalogue.
const DEMO: &str = "demo";

/// Why a store is not as the configuration wants it.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The accelerators that come with the service cannot be installed.
    #[error(transparent)]
    Accelerators(#[from] patterns::accelerators::CatalogueError),
    /// The password cannot be hashed.
    #[error(transparent)]
    Password(#[from] PasswordError),
    /// Credentials that everybody knows would be open to others.
    #[error(
        "its passwords are known to everybody, and it would be served beyond this machine at {0}. \
         Listen on 127.0.0.1, or start a new database with --demo false, or set \
         demo.anywhere = true"
    )]
    Exposed(SocketAddr),
}

/// Whether a store began with the catalogue.
///
/// # Errors
///
/// When the store fails.
pub async fn is_in(store: &Store) -> Result<bool, StoreError> {
    store
        .read(|tx| Ok(origin(tx)?.as_deref() == Some(DEMO)))
        .await
}

fn origin(tx: &mut Tx<'_>) -> Result<Option<String>, StoreError> {
    let row = tx.query_opt("SELECT value FROM meta WHERE name = 'origin'", &[])?;
    row.map(|row| row.get(0)).transpose()
}

/// Writes the catalogue into a new store if it is enabled, and refuses to serve
/// it to others.
pub(crate) async fn prepare(identity: &Arc<Identity>) -> Result<(), DemoError> {
    let context = Arc::clone(identity);
    identity
        .store
        .write(move |tx| prepare_in(tx, &context))
        .await
}

fn prepare_in(tx: &mut Tx<'_>, identity: &Identity) -> Result<(), DemoError> {
    // These are no demonstration: every store has them.
    patterns::accelerators::install_system(tx, identity.clock.now())?;
    let config = &identity.config;
    let origin = if config.demo.enabled { DEMO } else { "empty" };
    let is_new = tx.execute(
        "INSERT INTO meta (name, value) VALUES ('origin', $1) ON CONFLICT (name) DO NOTHING",
        params![origin],
    )? == 1;
    if self::origin(tx)?.as_deref() != Some(DEMO) {
        return Ok(());
    }
    let exposed = |address: &SocketAddr| !address.ip().is_loopback();
    match config.server.listeners().find(exposed) {
        // Before anything is written: the operator may have wanted none of it.
        Some(address) if !config.demo.anywhere => Err(DemoError::Exposed(address)),
        _ if is_new => seed(tx, identity),
        _ => Ok(()),
    }
}

/// Each area writes its part.
fn seed(tx: &mut Tx<'_>, identity: &Identity) -> Result<(), DemoError> {
    let now = identity.clock.now();
    crate::identity::demo::seed(tx, identity)?;
    accounts::demo::seed(tx, now, &passwords::hash(PASSWORD)?)?;
    inference::demo::seed(tx, now)?;
    patterns::demo::seed(tx)?;
    Ok(())
}
