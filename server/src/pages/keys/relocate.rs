//! The form for moving an API key to another compartment.

use askama::Template;
use serde_json::json;

use crate::area::Area;
use crate::inference::keys::access::Verb;
use crate::inference::keys::change;
use crate::inference::keys::key::Key;
use crate::pages::caller::Caller;
use crate::pages::page_request::{Form, PageRequest};
use crate::pages::problems::Problems;
use crate::pages::response::{Frame, PageError, PageResponse};

#[derive(Template)]
#[template(path = "console/move_key.html")]
struct MovePage {
    frame: Frame,
    key: Key,
    version: String,
    problems: Problems,
    /// The compartments that can be chosen.
    compartments: Vec<String>,
}

/// The form.
///
/// # Errors
///
/// When nobody is signed in, the user may not move the key, or the store fails.
pub async fn show(request: PageRequest) -> Result<PageResponse, PageError> {
    let caller = Caller::of(&request).await?;
    page(&request, &caller, Problems::default()).await
}

/// Moves the key.
///
/// # Errors
///
/// When nobody is signed in, the user may not move the key there, or the store fails.
pub async fn submit(request: PageRequest, form: Form) -> Result<PageResponse, PageError> {
    let caller = Caller::of(&request).await?;
    let to = form.get("compartment").to_owned();
    let body = json!({"compartmentId": to});
    let mut problems = Problems::of(Area::Inference, "changeApiKeyCompartment", &body);
    if problems.is_empty() {
        let target = caller.target(&request, &form);
        match change::change_compartment(&request.app.inference, target, to).await {
            Ok(()) => {
                let id = request.variable();
                return Ok(PageResponse::see_other(format!(
                    "/ui/v1/keys/{id}?done=moved"
                )));
            }
            Err(error) => problems = Problems::try_from(error)?,
        }
    }
    page(&request, &caller, problems).await
}

async fn page(
    request: &PageRequest,
    caller: &Caller,
    problems: Problems,
) -> Result<PageResponse, PageError> {
    let key = caller.key_for(request, Verb::Manage).await?.key;
    let mut compartments = caller.managed();
    compartments.retain(|id| *id != key.compartment_id);
    let page = MovePage {
        frame: request.frame(),
        version: key.etag(),
        key,
        problems,
        compartments,
    };
    request.page(page.problems.status(), &page)
}
