//! A transaction as areas see it: statements in, rows out.
//!
//! One SQL text serves both databases. What they have in common is enough:
//! numbered placeholders (`$1`), `INSERT ... ON CONFLICT`, `RETURNING`, `CAST`,
//! joins, aggregates (`CAST(SUM(x) AS BIGINT)`, because PostgreSQL's sum of
//! `BIGINT` is a numeric). Types are `BIGINT`, `TEXT` and `BYTES`.
//!
//! A statement that fails dooms its transaction, on both databases alike:
//! whatever the closure returns then, nothing is written. Where a duplicate is
//! expected, say `ON CONFLICT` rather than catching the error.

use super::{Row, StoreError, Value};

/// A statement that returns rows, and its parameters.
pub type Query<'a> = (&'a str, Vec<Value>);

/// What a database offers inside a transaction.
pub(super) trait Connection {
    fn execute(&mut self, sql: &str, params: &[Value]) -> Result<u64, Failure>;
    fn query(&mut self, sql: &str, params: &[Value]) -> Result<Vec<Row>, Failure>;
    /// Runs several queries; none of them depends on another.
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
    /// Sends word to the other replicas, once this is committed.
    fn notify(&mut self) -> Result<(), Failure> {
        Ok(())
    }
}

/// A failed statement, and what it means for the transaction.
#[derive(Debug)]
pub(super) struct Failure {
    pub error: StoreError,
    pub action: RetryAction,
}

/// What to do about a failed transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RetryAction {
    /// Give its error to the caller.
    Report,
    /// It lost against a concurrent one: run it again.
    Again,
    /// The connection broke before the commit: run it again on
    /// another.
    Reconnect,
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Failure {
            error,
            action: RetryAction::Report,
        }
    }
}

/// A running transaction. It ends with the closure that it was given to.
pub struct Tx<'a> {
    connection: &'a mut dyn Connection,
    failed: Option<RetryAction>,
    statements: usize,
    /// How many there may be.
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

    /// How many statements have been run: work that others might measure.
    pub fn statements(&self) -> usize {
        self.statements
    }

    /// Whether a statement has failed, and what to do about it.
    pub(super) fn failed(&self) -> Option<RetryAction> {
        self.failed
    }

    /// Runs a statement and returns the number of rows that it changed.
    ///
    /// # Errors
    ///
    /// What the database refuses. The transaction is then lost.
    pub fn execute(&mut self, sql: &str, params: &[Value]) -> Result<u64, StoreError> {
        self.run(&[params], |connection| connection.execute(sql, params))
    }

    /// Runs a statement and returns its rows (`SELECT`, or `RETURNING`).
    ///
    /// # Errors
    ///
    /// What the database refuses. The transaction is then lost.
    pub fn query(&mut self, sql: &str, params: &[Value]) -> Result<Vec<Row>, StoreError> {
        self.run(&[params], |connection| connection.query(sql, params))
    }

    /// Runs a statement and returns its first row, if it has one.
    ///
    /// # Errors
    ///
    /// What the database refuses. The transaction is then lost.
    pub fn query_opt(&mut self, sql: &str, params: &[Value]) -> Result<Option<Row>, StoreError> {
        Ok(self.query(sql, params)?.into_iter().next())
    }

    /// Runs queries of which none depends on another, and returns the rows of each: where
    /// a statement takes a round trip, all of them take one.
    ///
    /// # Errors
    ///
    /// What the database refuses. The transaction is then lost.
    pub fn query_each(&mut self, queries: &[Query<'_>]) -> Result<Vec<Vec<Row>>, StoreError> {
        self.statements += queries.len().saturating_sub(1);
        let params: Vec<&[Value]> = queries.iter().map(|(_, params)| &params[..]).collect();
        self.run(&params, |connection| connection.query_each(queries))
    }

    /// Runs a statement whose outcome the closure does not need: it happens before
    /// the next statement that is run, or before the commit, and the closure need
    /// not wait for it. What the database refuses may come to light only then; the
    /// transaction is lost all the same.
    ///
    /// # Errors
    ///
    /// What the database refuses at once. The transaction is then lost.
    pub fn add(&mut self, sql: &str, params: &[Value]) -> Result<(), StoreError> {
        if self.most == 1 {
            return Err(self.refuse("read_one waits for its statement"));
        }
        self.run(&[params], |connection| connection.defer(sql, params))
    }

    /// Sends word to [`Store::notices`] of every replica once the transaction is
    /// committed. On SQLite nobody is there to hear it.
    ///
    /// # Errors
    ///
    /// What the database refuses. The transaction is then lost.
    ///
    /// [`Store::notices`]: super::Store::notices
    pub fn notify(&mut self) -> Result<(), StoreError> {
        self.run(&[], |connection| connection.notify())
    }

    /// The next number of a named sequence: 1, 2, 3 … For the `int64` ids that
    /// documents promise; a rolled back transaction gives its number back.
    ///
    /// # Errors
    ///
    /// What the database refuses. The transaction is then lost.
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
            return Err(self.refuse("read_one runs one statement, and there was another"));
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
