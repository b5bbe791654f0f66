//! The errors of the store.
//!
//! Areas convert them into their own errors with `From<StoreError>`. Nearly all
//! of them are logged, and the response is 500. A handler may want to match
//! [`StoreError::Constraint`].

use std::fmt::Display;
use std::path::Path;

/// An error of the store. Its text is for logs: it can have names of tables and
/// columns, but never values.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StoreError {
    /// The address of the database is invalid.
    #[error("database address: {0}")]
    Url(String),
    /// The database cannot be reached, or does not respond.
    #[error("the database cannot be reached: {0}")]
    Unavailable(String),
    /// The transaction conflicted with others until its timeout. Nothing was
    /// written.
    #[error("the transaction conflicted with concurrent ones too often")]
    Conflict,
    /// The connection failed during the commit, which may or may not have succeeded.
    #[error("the connection broke during the commit, the outcome is unknown: {0}")]
    OutcomeUnknown(String),
    /// A row violates a constraint of its table.
    #[error("{kind} constraint: {message}")]
    Constraint {
        /// The kind of constraint.
        kind: Constraint,
        /// The message of the database.
        message: String,
    },
    /// The database refused a statement.
    #[error("statement refused: {0}")]
    Statement(String),
    /// An earlier statement of the transaction failed, so the whole transaction
    /// fails.
    #[error("an earlier statement of this transaction failed")]
    Aborted,
    /// A column has another type than expected.
    #[error("column {index}: expected {expected}, found {found}")]
    Column {
        /// Index of the column in the row.
        index: usize,
        /// The requested Rust type.
        expected: &'static str,
        /// The type of the column's value.
        found: &'static str,
    },
    /// A text contains U+0000, which PostgreSQL cannot store.
    #[error("a text with U+0000 cannot be stored")]
    Nul,
    /// The schema cannot be brought up to date.
    #[error("migration {name}: {message}")]
    Migration {
        /// Name of the migration's file.
        name: String,
        /// The problem, and how to correct it.
        message: String,
    },
    /// The closure of the transaction panicked; its effects were rolled back.
    #[error("the transaction's code panicked")]
    Panicked,
    /// The store has been shut down.
    #[error("the store is closed")]
    Closed,
}

impl StoreError {
    /// A file of a database cannot be used.
    pub(super) fn of_file(path: &Path, problem: impl Display) -> StoreError {
        StoreError::Unavailable(format!("{}: {problem}", path.display()))
    }

    /// Whether the same transaction may succeed a moment later.
    pub fn is_temporary(&self) -> bool {
        matches!(
            self,
            StoreError::Unavailable(_)
                | StoreError::Conflict
                | StoreError::OutcomeUnknown(_)
                | StoreError::Closed
        )
    }
}

/// A kind of table constraint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Constraint {
    /// `PRIMARY KEY` or `UNIQUE`.
    Unique,
    /// `REFERENCES`.
    ForeignKey,
    /// `NOT NULL`.
    NotNull,
    /// `CHECK`.
    Check,
}

impl std::fmt::Display for Constraint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Constraint::Unique => "unique",
            Constraint::ForeignKey => "foreign key",
            Constraint::NotNull => "not null",
            Constraint::Check => "check",
        })
    }
}
