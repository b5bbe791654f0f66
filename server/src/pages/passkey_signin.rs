//! Signing in with a passkey.

use super::page_request::{Form, PageRequest};
use super::response::{PageError, PageResponse};
use super::{passkeys, signin};

/// Signs in with a passkey instead of name and password.
///
/// # Errors
///
/// When the store fails.
pub async fn submit(request: PageRequest, form: Form) -> Result<PageResponse, PageError> {
    let party = passkeys::party(&request).ok_or(PageError::Unreadable)?;
    let ceremony = passkeys::ceremony(&request, &form)?;
    let (user, passkey) =
        match passkeys::check(&request, &party, ceremony, form.get("credential")).await? {
            Ok(found) => found,
            Err(error) => {
                tracing::info!(%error, "a passkey was not accepted");
                let problem = &request.texts().sign_in.passkey_refused;
                return signin::refuse_passkey(&request, &form, problem).await;
            }
        };
    signin::start_with_passkey(&request, &form, user, passkey).await
}
