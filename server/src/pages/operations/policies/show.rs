//! One policy, and its deletion.

use askama::Template;
use http::StatusCode;

use crate::inference::admission::policies::statement::{self, Statement};
use crate::inference::operator;
use crate::pages::operations::operator::{require_operator, write_as_operator};
use crate::pages::page_request::{Form, PageRequest};
use crate::pages::response::{Frame, PageError, PageResponse};
use crate::store::{StoreError, Tx};

#[derive(Template)]
#[template(path = "console/policy.html")]
struct PolicyPage {
    frame: Frame,
    is_new: bool,
    policy: Statement,
    effect: &'static str,
    /// The kinds and ids that the policy names.
    names: Vec<(String, String)>,
}

/// The policy that the query names.
///
/// # Errors
///
/// When nobody is signed in, the user is not an operator, there is no such policy, or the store
/// fails.
pub async fn show(request: PageRequest) -> Result<PageResponse, PageError> {
    require_operator(&request).await?;
    let id = request.query("id").unwrap_or_default().to_owned();
    // A database thread parses the policy, because that takes longer than an async task may.
    let read = move |tx: &mut Tx<'_>| -> Result<_, StoreError> {
        let mut policies = operator::policies(tx)?.into_iter();
        let policy = policies.find(|policy| policy.id == id);
        Ok(policy.map(|policy| {
            let names = statement::named_entities(&policy).unwrap_or_default();
            (statement::effect(&policy), names, policy)
        }))
    };
    let read = request.app.store.read(read).await?;
    let (effect, names, policy) = read.ok_or(PageError::Unknown)?;
    let page = PolicyPage {
        frame: request.frame(),
        is_new: request.query("done") == Some("added"),
        effect,
        names,
        policy,
    };
    request.page(StatusCode::OK, &page)
}

/// Deletes the policy that the form names.
///
/// # Errors
///
/// When nobody is signed in, the user is not an operator, there is no such policy, or the store
/// fails.
pub async fn delete(request: PageRequest, form: Form) -> Result<PageResponse, PageError> {
    require_operator(&request).await?;
    let (by, id) = (request.trail(), form.get("id").to_owned());
    let write = move |tx: &mut Tx<'_>| operator::remove_policy(tx, &by, &id);
    if !write_as_operator(&request, write).await?? {
        return Err(PageError::Gone {
            heading: "Already deleted",
            text: "The policy no longer exists.",
            back: ("/ui/v1/operations/policies", "Policies"),
        });
    }
    request.app.inference.admission.invalidate();
    Ok(PageResponse::see_other(
        "/ui/v1/operations/policies?done=deleted",
    ))
}
