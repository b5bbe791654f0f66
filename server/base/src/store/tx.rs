//! The interface of transactions for areas: statements and rows.
//!
//! One SQL text works on both databases, with their common features: numbered
//! placeholders (`$1`), `INSERT ... ON CONFLICT`, `RETURNING`, `CAST`, joins, aggregates
//! (`CAST(SUM(x) AS BIGINT)`, because PostgreSQL's sum of `BIGINT` is a numeric). Types
//! are `BIGINT`, `TEXT` and `BYTES`.
//!
//! On both databases, a failed statement fails its transaction: nothing is written, even
//! if the closure returns `Ok`. If a duplicate is expected, write `ON CONFLICT` instead
//! of catching the error.

use super::{Row, StoreError, Value};

/// A statement that returns rows, and its parameters.
pub type Query<'a> = (&'a str, Vec<Value>);

/// The operations of a database in a transaction.
pub(super) trait Connection {
    fn execute(&mut self, sql: &str, params: &[Value]) -> Result<u64, Failure>;
    fn query(&mut self, sql: &str, params: &[Value]) -> Result<Vec<Row>, Failure>;
    /// Runs several independent queries.
    fn query_each(&mut self, queries: &[Query<'_>]) -> Result<Vec<Vec<Row>>, Failure> {
        let each = queries.iter();
        each.map(|(sql, params)| self.query(sql, params)).collect()
    }
    /// Runs a statement before the next one, or before the end.
    fn defer(&mut self, sql: &str, params: &[Value]) -> Result<(), Failure> {
        self.execute(sql, params).map(drop)
    }
    /// Runs several statements without parameters.
    fn script(&mut self, sql: &str) -> Result<(), Failure>;
    /// Notifies the other replicas after the commit.
    fn notify(&mut self) -> Result<(), Failure> {
        Ok(())
    }
    /// Takes a lock until the end of the transaction, unless another transaction has it.
    fn try_lock(&mut self, _name: &str) -> Result<bool, Failure> {
        Ok(true)
    }
}

/// A failed statement, and its consequence for the transaction.
#[derive(Debug)]
pub(super) struct Failure {
    pub error: StoreError,
    pub action: RetryAction,
}

/// The reaction to a failed transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RetryAction {
    /// Return its error to the caller.
    Report,
    /// It conflicted with a concurrent one: run it again.
    Again,
    /// The connection failed before the commit: run it again on a new one.
    Reconnect,
}

impl From<Failure> for StoreError {
    fn from(failure: Failure) -> Self {
        failure.error
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Failure {
            error,
            action: RetryAction::Report,
        }
    }
}

/// A running transaction. It ends with its closure. The error of a statement is that of the database,
/// and the transaction then fails.
pub struct Tx<'a> {
    connection: &'a mut dyn Connection,
    failed: Option<RetryAction>,
    statements: usize,
    /// The maximum number of statements.
    most: usize,
}

impl<'a> Tx<'a> {
    pub(super) fn new(connection: &'a mut dyn Connection) -> Self {
        Tx {
            connection,
            failed: None,
            statements: 0,
            most: usize::MAX,
        }
    }

    /// A transaction that ends with its first statement.
    pub(super) fn of_one(connection: &'a mut dyn Connection) -> Self {
        Tx {
            most: 1,
            ..Tx::new(connection)
        }
    }

    /// The number of statements that have been run, which is a measure of work.
    pub fn statements(&self) -> usize {
        self.statements
    }

    /// Whether a statement has failed, and what to do about it.
    pub(super) fn failed(&self) -> Option<RetryAction> {
        self.failed
    }

    /// Runs a statement and returns the number of rows that it changed.
    pub fn execute(&mut self, sql: &str, params: &[Value]) -> Result<u64, StoreError> {
        self.run(&[params], |connection| connection.execute(sql, params))
    }

    /// Runs a statement and returns its rows (`SELECT`, or `RETURNING`).
    pub fn query(&mut self, sql: &str, params: &[Value]) -> Result<Vec<Row>, StoreError> {
        self.run(&[params], |connection| connection.query(sql, params))
    }

    /// Runs a statement and returns its first row, if it has one.
    pub fn query_opt(&mut self, sql: &str, params: &[Value]) -> Result<Option<Row>, StoreError> {
        Ok(self.query(sql, params)?.into_iter().next())
    }

    /// Runs a statement and returns the integer in its first row, or 0 if it has no row.
    pub fn query_integer(&mut self, sql: &str, params: &[Value]) -> Result<i64, StoreError> {
        let row = self.query_opt(sql, params)?;
        row.map_or(Ok(0), |row| row.get(0))
    }

    /// Runs a statement and returns whether it has a row.
    pub fn exists(&mut self, sql: &str, params: &[Value]) -> Result<bool, StoreError> {
        Ok(!self.query(sql, params)?.is_empty())
    }

    /// Runs independent queries, and returns the rows of each. On PostgreSQL, all of them
    /// take one round trip.
    pub fn query_each(&mut self, queries: &[Query<'_>]) -> Result<Vec<Vec<Row>>, StoreError> {
        self.statements += queries.len().saturating_sub(1);
        let params: Vec<&[Value]> = queries.iter().map(|(_, params)| &params[..]).collect();
        self.run(&params, |connection| connection.query_each(queries))
    }

    /// Runs a statement whose result the closure does not need. It runs before the next
    /// statement, or before the commit, and the closure does not wait for it. An error
    /// may occur only then, and the transaction fails.
    pub fn add(&mut self, sql: &str, params: &[Value]) -> Result<(), StoreError> {
        if self.most == 1 {
            return Err(self.refuse("read_one cannot defer a statement"));
        }
        self.run(&[params], |connection| connection.defer(sql, params))
    }

    /// Notifies [`Store::notices`] of every replica after the commit. On SQLite this has
    /// no effect.
    ///
    /// [`Store::notices`]: super::Store::notices
    pub fn notify(&mut self) -> Result<(), StoreError> {
        self.run(&[], |connection| connection.notify())
    }

    /// Takes the lock of this name until the end of the transaction. Returns `false` at once if
    /// another transaction has the lock. On SQLite, which runs one writing transaction at a time, it
    /// is always free.
    pub fn try_lock(&mut self, name: &str) -> Result<bool, StoreError> {
        self.run(&[], |connection| connection.try_lock(name))
    }

    /// The next number of a named sequence: 1, 2, 3 … For the `int64` ids of the
    /// documents. A rolled back transaction releases its number.
    pub fn next_id(&mut self, sequence: &str) -> Result<i64, StoreError> {
        let row = self.query_opt(
            "INSERT INTO sequences (name, value) VALUES ($1, 1) \
             ON CONFLICT (name) DO UPDATE SET value = sequences.value + 1 RETURNING value",
            crate::params![sequence],
        )?;
        row.ok_or_else(|| StoreError::Statement("a sequence returned no row".into()))?
            .get(0)
    }

    fn refuse(&mut self, message: &str) -> StoreError {
        self.failed = Some(RetryAction::Report);
        StoreError::Statement(message.into())
    }

    fn run<T>(
        &mut self,
        params: &[&[Value]],
        statement: impl FnOnce(&mut dyn Connection) -> Result<T, Failure>,
    ) -> Result<T, StoreError> {
        if self.failed.is_some() {
            return Err(StoreError::Aborted);
        }
        self.statements += 1;
        if self.statements > self.most {
            return Err(self.refuse("read_one runs only one statement"));
        }
        let has_nul = |value: &Value| matches!(value, Value::Text(text) if text.contains('\0'));
        let result = if params.iter().copied().flatten().any(has_nul) {
            Err(StoreError::Nul.into())
        } else {
            statement(self.connection)
        };
        result.map_err(|failure| {
            self.failed = Some(failure.action);
            failure.error
        })
    }
}
