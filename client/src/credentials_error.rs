//! Why a call has no credential.

use crate::{
    BoxError, OperationError, areas::identity::CreateTokenError, explain, store::LoginStoreError,
};
use dropforge_client::Failure;
use std::{error::Error, fmt, sync::Arc};

/// Why a call has no credential. Nothing was sent.
///
/// It is the error in [`Failure::Unsent`] of any operation:
///
/// ```no_run
/// # async fn example(accord: accord_client::Accord) {
/// use accord_client::CredentialsError;
///
/// if let Err(error) = accord.accounts().list_organizations().call().await {
///     match CredentialsError::of(&error) {
///         Some(reason) if reason.needs_login() => println!("Please log in."),
///         Some(reason) => println!("{reason}"),
///         None => println!("{}", accord_client::explain(&error)),
///     }
/// }
/// # }
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum CredentialsError {
    /// Nobody is logged in.
    NotLoggedIn {
        /// The operation.
        operation: &'static str,
        /// The profile, unless it is the default one.
        profile: Option<String>,
    },
    /// There is no secret of an API key.
    NoApiKey {
        /// The operation.
        operation: &'static str,
    },
    /// There are no identifier and secret of a confidential client.
    NoClientCredentials {
        /// The operation.
        operation: &'static str,
    },
    /// The client cannot send the credentials that the operation takes.
    Unsupported {
        /// The operation.
        operation: &'static str,
    },
    /// The login has ended. The user must log in again.
    LoginEnded {
        /// Why, as the service says.
        reason: String,
    },
    /// The login could not be refreshed.
    Refresh(Arc<CreateTokenError>),
    /// The refresh of the login was interrupted.
    Interrupted,
    /// The store of the login failed.
    Store(Arc<LoginStoreError>),
    /// The [`TokenSource`](crate::TokenSource) failed.
    TokenSource(Arc<dyn Error + Send + Sync>),
    /// There was no access token within the deadline of the call.
    TooLate,
    /// The credential has characters that are invalid in a header.
    Invalid,
}

impl CredentialsError {
    /// Why the call of this error had no credential; `None` for all other errors.
    pub fn of(error: &dyn OperationError) -> Option<&Self> {
        match error.failure()? {
            Failure::Unsent(error) => error.downcast_ref(),
            _ => None,
        }
    }

    /// Whether the user has to log in: for the first time, or again.
    pub fn needs_login(&self) -> bool {
        matches!(self, Self::NotLoggedIn { .. } | Self::LoginEnded { .. })
    }

    /// Whether a later attempt may succeed. [`OperationError::is_retryable`] is false for all of these errors, since the
    /// service got no request of the operation.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Refresh(error) => error.is_retryable(),
            Self::Interrupted | Self::TooLate => true,
            _ => false,
        }
    }

    pub(crate) fn store(error: LoginStoreError) -> Self {
        Self::Store(Arc::new(error))
    }

    pub(crate) fn source(error: BoxError) -> Self {
        Self::TokenSource(error.into())
    }
}

impl fmt::Display for CredentialsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotLoggedIn { operation, profile } => {
                write!(f, "{operation} needs an access token, and nobody is logged in")?;
                match profile {
                    Some(profile) => write!(f, " with the profile {profile}"),
                    None => Ok(()),
                }
            }
            Self::NoApiKey { operation } => write!(
                f,
                "{operation} needs the secret of an API key, and there is none"
            ),
            Self::NoClientCredentials { operation } => write!(
                f,
                "{operation} needs identifier and secret of a confidential client, and there are none"
            ),
            Self::Unsupported { operation } => write!(
                f,
                "{operation} needs credentials that this client does not have"
            ),
            Self::LoginEnded { reason } => {
                write!(f, "the login is no longer valid; log in again ({reason})")
            }
            Self::Refresh(error) => {
                write!(f, "the login could not be refreshed: {}", explain(&**error))
            }
            Self::Interrupted => f.write_str("the refresh of the login was interrupted; try again"),
            Self::Store(error) => error.fmt(f),
            Self::TokenSource(error) => {
                write!(f, "the source of access tokens has none: {error}")
            }
            Self::TooLate => f.write_str(
                "the access token of the login or the source was not ready within the deadline of the call; try \
                 again, or allow more time",
            ),
            Self::Invalid => f.write_str(
                "the credentials have characters that are invalid in a header; remove them, such as a line break",
            ),
        }
    }
}

impl Error for CredentialsError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Refresh(error) => Some(&**error),
            Self::Store(error) => error.source(),
            Self::TokenSource(error) => Some(&**error),
            _ => None,
        }
    }
}
