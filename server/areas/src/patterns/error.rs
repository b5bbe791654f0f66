//! Errors of operations on patterns.

use super::id::PatternId;
use crate::store::StoreError;

/// Errors of every operation on patterns.
#[derive(Debug, thiserror::Error)]
pub enum PatternError {
    /// A service instance that does not exist, or in which the caller may do nothing.
    #[error("The service instance {0} does not exist, or you may not see it")]
    UnknownInstance(String),
    /// A project that does not exist in the instance, or in which the caller may not do
    /// this.
    #[error(
        "Project {project} does not exist in service instance {instance}, or you may not do this in it"
    )]
    UnknownProject {
        /// The instance.
        instance: String,
        /// The project's supposed identifier or code.
        project: String,
    },
    /// A pattern that the project does not have.
    #[error("Agent pattern {pattern} does not exist in project {project}")]
    UnknownPattern {
        /// Code of the project.
        project: String,
        /// The pattern's supposed identifier.
        pattern: String,
    },
    /// A row of the store is malformed.
    #[error("a row of {table} is malformed")]
    Row {
        /// The table.
        table: &'static str,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Errors of a creation.
#[derive(Debug, thiserror::Error)]
pub enum CreateError {
    /// An accelerator that the catalog does not have.
    #[error("Accelerator {0} does not exist")]
    UnknownAccelerator(uuid::Uuid),
    /// The projects of body and path differ.
    #[error("projectCode is not the code of the project in the path")]
    OtherProject,
    /// The project already has the pattern.
    #[error("Project {project} already has the agent pattern {pattern}")]
    Exists {
        /// Code of the project.
        project: String,
        /// The pattern.
        pattern: PatternId,
    },
    /// An error of every operation.
    #[error(transparent)]
    Pattern(#[from] PatternError),
}

impl From<StoreError> for CreateError {
    fn from(error: StoreError) -> Self {
        CreateError::Pattern(error.into())
    }
}
