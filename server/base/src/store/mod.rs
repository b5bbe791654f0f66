//! The store: the persistent data of the service.
//!
//! Handlers are asynchronous and databases are not, so a transaction is a
//! synchronous closure that runs on a thread with a connection. One interface
//! supports two databases:
//!
//! * [SQLite](sqlite), the embedded default: one writer thread that commits all
//!   waiting jobs together, and a few readers;
//! * [PostgreSQL](postgres), for several replicas: a transaction is
//!   `SERIALIZABLE` by default, and runs again after a conflict.
//!
//! An acknowledged transaction is on disk. Closures may run more than once, so
//! they have no effects outside their transaction.

mod batch;
mod copy;
mod error;
mod handle;
mod job;
mod like;
mod migrations;
mod notice;
mod page;
mod pool_options;
mod postgres;
mod queue;
mod readiness;
mod sqlite;
mod tls;
mod turn;
mod tx;
mod value;

use std::path::PathBuf;

pub use crate::params;
pub use batch::{BATCH, batches, places};
pub use copy::{check, copy};
pub use error::{Constraint, StoreError};
pub use handle::Store;
pub use like::containing;
pub use migrations::MigrationMode;
pub use page::cut_page;
pub use pool_options::PoolOptions;
pub use queue::Load;
pub use readiness::Readiness;
pub use turn::Turn;
pub use tx::Tx;
pub use value::{FromValue, Row, Value};

impl Store {
    /// Opens a database with the default options, and applies missing migrations.
    ///
    /// # Errors
    ///
    /// As [`Store::open_with`].
    pub async fn open(database_url: &str) -> Result<Store, StoreError> {
        Store::open_with(database_url, &PoolOptions::default(), MigrationMode::Apply).await
    }

    /// Opens a database, and applies missing migrations or fails.
    ///
    /// `database_url` is `sqlite:PATH` (the file is created, readable by its
    /// owner only; its directory must exist) or `postgres://user@host/database`.
    ///
    /// # Errors
    ///
    /// When the address is invalid, or the database cannot be reached or was
    /// written by another version of this program.
    pub async fn open_with(
        database_url: &str,
        options: &PoolOptions,
        mode: MigrationMode,
    ) -> Result<Store, StoreError> {
        let options = options.clone();
        match Place::of(database_url)? {
            Place::File(path) => on_thread(move || sqlite::open(&path, mode)).await,
            Place::Server(url) => on_thread(move || postgres::open(&url, &options, mode)).await,
        }
    }
}

/// The names of the migrations that a database lacks, in their order. Changes nothing.
///
/// # Errors
///
/// As [`Store::open_with`].
pub async fn missing_migrations(
    database_url: &str,
    options: &PoolOptions,
) -> Result<Vec<&'static str>, StoreError> {
    let options = options.clone();
    match Place::of(database_url)? {
        Place::File(path) => on_thread(move || sqlite::missing(&path)).await,
        Place::Server(url) => on_thread(move || postgres::missing(&url, &options)).await,
    }
}

/// The place of a database.
enum Place {
    /// A SQLite file.
    File(PathBuf),
    /// The address of a PostgreSQL server.
    Server(String),
}

impl Place {
    fn of(database_url: &str) -> Result<Place, StoreError> {
        let is_server = ["postgres://", "postgresql://"]
            .iter()
            .any(|scheme| database_url.starts_with(scheme));
        match file(database_url) {
            Some(path) if !path.as_os_str().is_empty() => Ok(Place::File(path)),
            None if is_server => Ok(Place::Server(database_url.to_owned())),
            // The address may contain a password, so the error does not repeat it.
            _ => Err(StoreError::Url(
                "expected sqlite:PATH or postgres://user@host/database".into(),
            )),
        }
    }
}

/// The file of a database; `None` if it is not a file.
pub fn file(database_url: &str) -> Option<PathBuf> {
    let path = database_url.strip_prefix("sqlite:")?;
    Some(PathBuf::from(path.strip_prefix("//").unwrap_or(path)))
}

/// Opening blocks, so it runs on a separate thread.
async fn on_thread<T: Send + 'static>(
    open: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    tokio::task::spawn_blocking(open)
        .await
        .unwrap_or(Err(StoreError::Panicked))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_a_file_or_a_server() {
        for address in ["", "accord.db", "mysql://a/b", "sqlite:", "sqlite://"] {
            assert!(
                matches!(Place::of(address), Err(StoreError::Url(_))),
                "{address}"
            );
        }
        for address in ["sqlite:a.db", "sqlite:///a.db", "postgres://a/b"] {
            assert!(Place::of(address).is_ok(), "{address}");
        }
    }
}
