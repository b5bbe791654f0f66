//! The check that a user is an operator, before a page and in each change.

use crate::accounts::operators;
use crate::pages::page_request::PageRequest;
use crate::pages::response::PageError;
use crate::store::{StoreError, Tx};

/// The problem of a field that names no user.
pub const UNKNOWN_USER: &str = "No user has this email address or id.";

/// Requires that the user is an operator.
///
/// # Errors
///
/// [`PageError::Unknown`] for other users, for whom the pages of operators do not exist. When
/// nobody is signed in, or the store fails.
pub async fn require_operator(request: &PageRequest) -> Result<(), PageError> {
    let user = request.signed_in()?;
    let read = move |tx: &mut Tx<'_>| operators::is_operator(tx, &user.id);
    match request.app.store.read(read).await? {
        true => Ok(()),
        false => Err(PageError::Unknown),
    }
}

/// Makes a change in one transaction with the check that the user is still an operator. Another
/// operator may have ended that since the beginning of the request.
///
/// # Errors
///
/// [`PageError::Unknown`] if the user no longer is one. The inner error is that of the change.
pub async fn write_as_operator<T, E, F>(
    request: &PageRequest,
    change: F,
) -> Result<Result<T, E>, PageError>
where
    F: Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
    E: From<StoreError> + Send + 'static,
    T: Send + 'static,
{
    let user = request.signed_in()?;
    let write = move |tx: &mut Tx<'_>| -> Result<Option<T>, E> {
        match operators::is_enabled(tx, &user.id)? {
            true => change(tx).map(Some),
            false => Ok(None),
        }
    };
    let written = request.app.store.write(write).await.transpose();
    written.ok_or(PageError::Unknown)
}
