//! The form for deleting an API key.

use askama::Template;

use super::slot::{Filled, last_use};
use crate::inference::keys::KeyError;
use crate::inference::keys::access::Verb;
use crate::inference::keys::change;
use crate::pages::caller::Caller;
use crate::pages::page_request::{Form, PageRequest};
use crate::pages::problems::Problems;
use crate::pages::response::{Frame, PageError, PageResponse};

#[derive(Template)]
#[template(path = "console/delete_key.html")]
struct DeletePage {
    frame: Frame,
    id: String,
    name: String,
    version: String,
    problems: Problems,
    secrets: Vec<Filled>,
    last_use: String,
}

/// Asks the user to confirm the deletion of the key.
///
/// # Errors
///
/// When nobody is signed in, the user may not delete the key, or the store fails.
pub async fn show(request: PageRequest) -> Result<PageResponse, PageError> {
    let caller = Caller::of(&request).await?;
    page(&request, &caller, Problems::default()).await
}

/// Deletes the key.
///
/// # Errors
///
/// When nobody is signed in, the user may not delete the key, or the store fails.
pub async fn submit(request: PageRequest, form: Form) -> Result<PageResponse, PageError> {
    let caller = Caller::of(&request).await?;
    let target = caller.target(&request, &form);
    match change::delete(&request.app.inference, target).await {
        Ok(()) => Ok(PageResponse::see_other("/ui/v1/keys?done=deleted")),
        // A deleted key is not found. The page says which.
        Err(KeyError::NotFound) => page(&request, &caller, Problems::default()).await,
        Err(error) => page(&request, &caller, Problems::try_from(error)?).await,
    }
}

async fn page(
    request: &PageRequest,
    caller: &Caller,
    problems: Problems,
) -> Result<PageResponse, PageError> {
    let response = caller.key_for(request, Verb::Manage).await?;
    let secrets = &response.key.secrets;
    let last = secrets.iter().filter_map(|secret| secret.last_used_at);
    let page = DeletePage {
        frame: request.frame(),
        id: response.key.id.clone(),
        name: response.key.display_name.clone(),
        version: response.key.etag(),
        problems,
        last_use: last_use(last.max(), response.at),
        secrets: secrets
            .iter()
            .map(|one| Filled::of(one, response.at))
            .collect(),
    };
    request.page(page.problems.status(), &page)
}
