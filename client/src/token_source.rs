//! Access tokens of a program's own.

use crate::{credentials_error::CredentialsError, store::BoxError};
use dropforge_client::Pending;
use secrecy::{ExposeSecret, SecretString};
use std::{fmt, sync::Arc};

/// A source of access tokens, in place of a login: a vault, a sidecar, a grant that this library does not have.
///
/// The client asks for a token once for each call that needs one, so a source should cache its token until it expires.
/// Calls of several tasks ask at the same time.
///
/// ```
/// use accord_client::{Accord, BoxError, Pending, SecretString, TokenSource};
///
/// /// Reads the token that another process writes.
/// struct Mounted(std::path::PathBuf);
///
/// impl TokenSource for Mounted {
///     fn token<'a>(&'a self, _refused: Option<&'a SecretString>) -> Pending<'a, Result<SecretString, BoxError>> {
///         Box::pin(async {
///             let text = std::fs::read_to_string(&self.0)?;
///             Ok(text.trim().into())
///         })
///     }
/// }
///
/// let source = Mounted("/var/run/secrets/accord/token".into());
/// let accord = Accord::builder().token_source(source).build()?;
/// # Ok::<(), accord_client::BuildError>(())
/// ```
pub trait TokenSource: Send + Sync + 'static {
    /// An access token.
    ///
    /// `refused` is a token of this source that the service has called invalid. If the result is another token, the
    /// client repeats the request with it, once. If it is the same token, or an error, the caller gets the service's
    /// response. Another task may have renewed the token of the source already: then that token is the result.
    ///
    /// The deadline of the call applies: the future may be dropped before it ends.
    ///
    /// # Errors
    ///
    /// When there is no token. The error ends the call before anything is sent, and reaches the caller as
    /// [`CredentialsError::TokenSource`]: it must not contain secrets.
    fn token<'a>(
        &'a self,
        refused: Option<&'a SecretString>,
    ) -> Pending<'a, Result<SecretString, BoxError>>;
}

/// A token that never changes.
struct Fixed(SecretString);

impl TokenSource for Fixed {
    fn token<'a>(
        &'a self,
        _refused: Option<&'a SecretString>,
    ) -> Pending<'a, Result<SecretString, BoxError>> {
        Box::pin(async { Ok(self.0.clone()) })
    }
}

/// A source that does not print.
#[derive(Clone)]
pub(crate) struct SharedSource(Arc<dyn TokenSource>);

impl SharedSource {
    pub(crate) fn new(source: impl TokenSource) -> Self {
        Self(Arc::new(source))
    }

    pub(crate) fn fixed(token: SecretString) -> Self {
        Self::new(Fixed(token))
    }

    /// A token for a call; the error says why there is none.
    pub(crate) async fn token(&self) -> Result<SecretString, CredentialsError> {
        let token = self.0.token(None).await;
        token.map_err(CredentialsError::source)
    }

    /// Another token than the refused one, if there is one.
    pub(crate) async fn replace(&self, refused: &SecretString) -> Option<SecretString> {
        let token = self.0.token(Some(refused)).await.ok()?;
        (token.expose_secret() != refused.expose_secret()).then_some(token)
    }
}

impl fmt::Debug for SharedSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenSource")
    }
}
