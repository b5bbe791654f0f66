//! What can go wrong in the store.
//!
//! Areas convert these into their own errors with `From<StoreError>`. Nearly
//! all of them mean "answer 500 and log it"; [`StoreError::Constraint`] is the
//! one that a handler may want to look at.

/// An error of the store. Texts are for logs: they can name tables and
/// columns, never values.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StoreError {
    /// The address of the database cannot be used.
    #[error("database address: {0}")]
    Url(String),
    /// The database cannot be reached, or does not answer.
    #[error("the database cannot be reached: {0}")]
    Unavailable(String),
    /// The transaction ran into others again and again until its time was up.
    /// Nothing was written.
    #[error("the transaction met too many concurrent ones")]
    Conflict,
    /// The connection broke while the transaction was being committed: it may
    /// or may not have happened.
    #[error("the connection broke during the commit, the outcome is unknown: {0}")]
    OutcomeUnknown(String),
    /// A row would have broken a constraint of its table.
    #[error("{kind} constraint: {message}")]
    Constraint {
        /// Which sort of constraint.
        kind: Constraint,
        /// The database's own words.
        message: String,
    },
    /// The database refused a statement.
    #[error("statement refused: {0}")]
    Statement(String),
    /// An earlier statement of the transaction failed, and with it the whole
    /// transaction.
    #[error("an earlier statement of this transaction failed")]
    Aborted,
    /// A column does not hold what the program expects there.
    #[error("column {index}: expected {expected}, found {found}")]
    Column {
        /// Index of the column in the row.
        index: usize,
        /// The requested Rust type.
        expected: &'static str,
        /// What the column holds.
        found: &'static str,
    },
    /// A text holds U+0000, which PostgreSQL cannot store.
    #[error("a text with U+0000 cannot be stored")]
    Nul,
    /// The schema cannot be brought up to date.
    #[error("migration {name}: {message}")]
    Migration {
        /// Name of the migration's file.
        name: String,
        /// What is wrong, and what to do.
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

    /// Whether a row with the same key is already there.
    pub fn is_duplicate(&self) -> bool {
        matches!(
            self,
            StoreError::Constraint {
                kind: Constraint::Unique,
                ..
            }
        )
    }
}

/// A sort of table constraint.
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
