//! Detects connection poolers that share a connection between transactions, such as PgBouncer with
//! `pool_mode = transaction`.
//!
//! A [`Session`] depends on settings, prepared statements and `LISTEN` of its connection. Behind such
//! a pooler, they would be on the connection of somebody else. So the store refuses to open, before
//! it has changed a setting.

use super::super::StoreError;
use super::super::tls::Address;
use super::session::Session;

const PID: &str = "SELECT pg_backend_pid()";

const SHARED: &str = "a pooler gives each transaction another connection, and the service needs \
    settings (SET), prepared statements and notices (LISTEN) that stay: connect to PostgreSQL itself, \
    or set pool_mode = session";

/// Opens two connections, after a check that they stay separate.
///
/// # Errors
///
/// When the server cannot be reached, is a standby, or is behind such a pooler.
pub(super) fn open_two(address: &Address) -> Result<[Session; 2], StoreError> {
    let [mut one, mut two] = [Session::connect(address)?, Session::connect(address)?];
    let first = one.ask(PID)?;
    // The second connection keeps its server process until the end of the transaction.
    let other = two.ask("BEGIN READ ONLY; SELECT pg_backend_pid()")?;
    // A pooler with one process would let the third query wait for the second connection.
    let is_shared = first == other || first != one.ask(PID)?;
    two.ask("ROLLBACK")?;
    match is_shared {
        true => Err(StoreError::Url(SHARED.into())),
        false => Ok([one.configured()?, two.configured()?]),
    }
}
