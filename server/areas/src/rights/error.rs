//! The errors of grants.

use crate::store::StoreError;

/// Why a grant was not changed.
#[derive(Debug, thiserror::Error)]
pub enum RightsError {
    /// No user has this id or email address.
    #[error(
        "there is no user {0}; `accord-server users list` lists them, `accord-server users add` adds one"
    )]
    UnknownPrincipal(String),
    /// The resource does not exist.
    #[error("there is no {what}; {hint}")]
    UnknownResource {
        /// Kind and name.
        what: String,
        /// The command that lists or creates it.
        hint: &'static str,
    },
    /// A grant would have no effect because the instance has no owner.
    #[error(
        "service instance {0} has no owner, so a grant has no effect; assign one with: \
         accord-server design-instances set {0} --organization ID"
    )]
    NoOwner(String),
    /// A grant would have no effect because the principal is of another organization.
    #[error(
        "{email} belongs to organization {organization}, and {resource} to organization {owner}, so a \
         grant has no effect; only users and administrators of the owner can have one"
    )]
    Foreign {
        /// The principal.
        email: String,
        /// The organization of the principal.
        organization: i64,
        /// The resource.
        resource: String,
        /// The organization that owns the resource.
        owner: i64,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
