//! Converts values and errors between this store and PostgreSQL's client.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio_postgres::error::{DbError, Severity, SqlState};
use tokio_postgres::types::private::BytesMut;
use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};
use tokio_postgres::{Column, Error};

use super::super::tx::{Failure, RetryAction};
use super::super::{Constraint, Row, StoreError, Value};

pub(super) fn decode(row: &tokio_postgres::Row) -> Result<Row, Failure> {
    fn or_null<T: Into<Value>>(value: Option<T>) -> Value {
        value.map_or(Value::Null, Into::into)
    }
    let value = |(index, column): (usize, &Column)| match *column.type_() {
        Type::INT8 => row.try_get(index).map(or_null::<i64>),
        Type::INT4 => row.try_get(index).map(or_null::<i32>),
        Type::BOOL => row.try_get(index).map(or_null::<bool>),
        Type::BYTEA => row.try_get(index).map(or_null::<Vec<u8>>),
        _ => row.try_get(index).map(or_null::<String>),
    };
    let values = row.columns().iter().enumerate().map(value);
    match values.collect() {
        Ok(values) => Ok(Row::new(values)),
        Err(error) => Err(classify(&error)),
    }
}

impl ToSql for Value {
    fn to_sql(
        &self,
        ty: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match (self, ty) {
            (Value::Null, _) => Ok(IsNull::Yes),
            (Value::Int(value), &Type::INT4) => i32::try_from(*value)?.to_sql(ty, out),
            (Value::Int(value), &Type::INT8) => value.to_sql(ty, out),
            (Value::Text(value), &Type::TEXT | &Type::VARCHAR) => value.to_sql(ty, out),
            (Value::Bytes(value), &Type::BYTEA) => value.to_sql(ty, out),
            (value, ty) => Err(format!("{} for a parameter of type {ty}", value.kind()).into()),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

/// Converts an error, and decides its effect on the transaction.
pub(super) fn classify(error: &Error) -> Failure {
    let message = explain(error);
    let is_lost = match error.as_db_error() {
        Some(database) => ends_connection(database),
        None => error.is_closed() || is_io(error),
    };
    if is_lost {
        return Failure {
            error: StoreError::Unavailable(message),
            action: RetryAction::Reconnect,
        };
    }
    let Some(code) = error.code() else {
        // A value did not match its column before anything was sent.
        return StoreError::Statement(message).into();
    };
    let again = |error| Failure {
        error,
        action: RetryAction::Again,
    };
    let constraint = |kind| StoreError::Constraint {
        kind,
        message: message.clone(),
    };
    match *code {
        SqlState::T_R_SERIALIZATION_FAILURE | SqlState::T_R_DEADLOCK_DETECTED => {
            again(StoreError::Conflict)
        }
        SqlState::UNIQUE_VIOLATION => constraint(Constraint::Unique).into(),
        SqlState::FOREIGN_KEY_VIOLATION => constraint(Constraint::ForeignKey).into(),
        SqlState::NOT_NULL_VIOLATION => constraint(Constraint::NotNull).into(),
        SqlState::CHECK_VIOLATION => constraint(Constraint::Check).into(),
        // The statement timeout. The connection is fine.
        SqlState::QUERY_CANCELED => StoreError::Unavailable(message).into(),
        // Class 53: the server has no memory or disk space left. The connection is fine.
        SqlState::INSUFFICIENT_RESOURCES | SqlState::DISK_FULL => {
            StoreError::Unavailable(message).into()
        }
        // Most likely the table of predicate locks, which has room again when concurrent
        // serializable transactions have ended.
        SqlState::OUT_OF_MEMORY => {
            warn_of_memory(&message);
            again(StoreError::Unavailable(message))
        }
        _ => StoreError::Statement(message).into(),
    }
}

/// Whether the server closes the connection after an error: the server is going down, starting up or
/// full, or the connection was idle for too long. Such errors are fatal, but old servers and servers
/// that speak the protocol do not always say so.
fn ends_connection(error: &DbError) -> bool {
    let is_fatal = matches!(
        error.parsed_severity(),
        Some(Severity::Fatal | Severity::Panic)
    );
    is_fatal
        || [
            SqlState::ADMIN_SHUTDOWN,
            SqlState::CRASH_SHUTDOWN,
            SqlState::CANNOT_CONNECT_NOW,
            SqlState::TOO_MANY_CONNECTIONS,
        ]
        .contains(error.code())
}

/// Logs that PostgreSQL has no memory for a transaction, at most once a minute.
fn warn_of_memory(error: &str) {
    static LAST: Mutex<Option<Instant>> = Mutex::new(None);
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if last.is_some_and(|last| last.elapsed() < Duration::from_secs(60)) {
        return;
    }
    *last = Some(Instant::now());
    tracing::warn!(
        error,
        "PostgreSQL has no memory for a transaction or its locks, so it runs again. For locks, increase \
         max_pred_locks_per_transaction or max_locks_per_transaction: SIZING.md has a value"
    );
}

fn is_io(error: &Error) -> bool {
    std::error::Error::source(error).is_some_and(|source| source.is::<std::io::Error>())
}

/// The text of an error with its source. The server's `DETAIL` contains values
/// of the row, so it is left out.
pub(in crate::store) fn explain(error: &Error) -> String {
    match (error.as_db_error(), std::error::Error::source(error)) {
        (Some(database), _) => format!("{} ({})", database.message(), database.code().code()),
        (None, Some(source)) => format!("{error}: {source}"),
        (None, None) => error.to_string(),
    }
}
