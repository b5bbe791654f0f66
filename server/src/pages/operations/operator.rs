//! The check that a user is an operator.

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
    match request.app.store.read::<_, StoreError, _>(read).await? {
        true => Ok(()),
        false => Err(PageError::Unknown),
    }
}
