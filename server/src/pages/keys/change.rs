//! Changes of the state of a secret.

use askama::Template;
use http::StatusCode;

use super::show;
use super::slot::Filled;
use crate::inference::keys::access::Verb;
use crate::inference::keys::change::{self, Tags};
use crate::inference::keys::state::TargetState;
use crate::pages::caller::Caller;
use crate::pages::page_request::{Form, PageRequest};
use crate::pages::problems::Problems;
use crate::pages::response::{Frame, PageError, PageResponse};

/// Activates, deactivates or revokes a secret.
///
/// # Errors
///
/// When nobody is signed in, the user may not change the key, or the store fails.
pub async fn submit(request: PageRequest, form: Form) -> Result<PageResponse, PageError> {
    let caller = Caller::of(&request).await?;
    let (state, to) = match form.get("state") {
        "ACTIVE" => ("ACTIVE", TargetState::Active),
        "DEACTIVATED" => ("DEACTIVATED", TargetState::Deactivated),
        "REVOKED" => ("REVOKED", TargetState::Revoked),
        _ => return Err(PageError::Unreadable),
    };
    let (target, name) = (
        caller.target(&request, &form),
        form.get("secret").to_owned(),
    );
    let inference = &request.app.inference;
    match change::set_state(inference, target, name, to, Tags::default()).await {
        Ok(_) => {
            let key = request.variable();
            Ok(PageResponse::see_other(format!(
                "/ui/v1/keys/{key}?done={state}"
            )))
        }
        Err(error) => show::page(&request, &caller, Problems::try_from(error)?).await,
    }
}

#[derive(Template)]
#[template(path = "console/revoke.html")]
struct RevokePage {
    frame: Frame,
    id: String,
    key: String,
    version: String,
    secret: Filled,
}

/// Asks the user to confirm the revocation of a secret.
///
/// # Errors
///
/// When nobody is signed in, the user may not change the key, or the store fails.
pub async fn confirm_revocation(request: PageRequest) -> Result<PageResponse, PageError> {
    let caller = Caller::of(&request).await?;
    let response = caller.key_for(&request, Verb::Manage).await?;
    let name = request.query("secret").unwrap_or_default();
    let mut secrets = response.key.secrets.iter();
    let secret = secrets.find(|secret| secret.name == name);
    let page = RevokePage {
        frame: request.frame(),
        id: response.key.id.clone(),
        key: response.key.display_name.clone(),
        version: response.key.etag(),
        secret: Filled::of(secret.ok_or(PageError::Unknown)?, response.at),
    };
    request.page(StatusCode::OK, &page)
}
