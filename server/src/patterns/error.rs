//! Why an operation on patterns was not carried out.

use super::pattern::PatternId;
use crate::store::StoreError;

/// What can be wrong with any operation on patterns.
#[derive(Debug, thiserror::Error)]
pub enum PatternError {
    /// A service instance that does not exist, or in which the caller may do nothing.
    #[error("The service instance {0} does not exist, or you may not see it")]
    UnknownInstance(String),
    /// A project that does not exist in the instance, or in which the caller may not do
    /// this.
    #[error("Service instance {instance} has no project {project}, or you may not do this in it")]
    UnknownProject {
        /// The instance.
        instance: String,
        /// What was taken for the project's identifier or code.
        project: String,
    },
    /// A pattern that the project does not have.
    #[error("Project {project} has no agent pattern {pattern}")]
    UnknownPattern {
        /// Code of the project.
        project: String,
        /// What was taken for the pattern's identifier.
        pattern: String,
    },
    /// A row of the store does not hold what it should.
    #[error("a row of {table} is malformed")]
    Row {
        /// The table.
        table: &'static str,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What else can be wrong when a pattern is created.
#[derive(Debug, thiserror::Error)]
pub enum CreateError {
    /// An accelerator that the catalogue does not have.
    #[error("There is no accelerator {0}")]
    UnknownAccelerator(uuid::Uuid),
    /// The body names another project than the path.
    #[error("projectCode does not name the project of the path")]
    OtherProject,
    /// The project has the pattern already.
    #[error("Project {project} already has the agent pattern {pattern}")]
    Exists {
        /// Code of the project.
        project: String,
        /// The pattern.
        pattern: PatternId,
    },
    /// What can be wrong with any operation.
    #[error(transparent)]
    Pattern(#[from] PatternError),
}

impl From<StoreError> for CreateError {
    fn from(error: StoreError) -> Self {
        CreateError::Pattern(error.into())
    }
}
