//! The pages of grants, for operators: the list, and forms that set and remove a grant.
//!
//! They call the functions that `accord-server grants` calls, so checks and the audit trail are the
//! same.

use std::collections::BTreeSet;

use askama::Template;

use crate::inference::operator::compartments;
use crate::pages::operations::operator::{UNKNOWN_USER, require_operator, write_as_operator};
use crate::pages::page_request::{Form, PageRequest};
use crate::pages::problems::Problems;
use crate::pages::response::{Frame, PageError, PageResponse};
use crate::patterns::catalog;
use crate::rights::{self, Listed, Reference, RightsError, Verb, operator};
use crate::store::{StoreError, Tx};

#[derive(Template)]
#[template(path = "console/grants.html")]
struct GrantsPage {
    frame: Frame,
    done: Option<&'static str>,
    problems: Problems,
    draft: Draft,
    /// Resources that the form suggests.
    suggested: Vec<String>,
    /// The resources that have grants.
    resources: BTreeSet<String>,
    /// The resource whose grants are shown; empty for all.
    chosen: String,
    grants: Vec<Listed>,
}

/// The values of the form.
struct Draft {
    resource: String,
    user: String,
    verb: Verb,
}

/// The list: of one resource if the query names one, or else of all.
///
/// # Errors
///
/// When nobody is signed in, the user is not an operator, or the store fails.
pub async fn list(request: PageRequest) -> Result<PageResponse, PageError> {
    require_operator(&request).await?;
    let draft = Draft {
        resource: request.query("resource").unwrap_or_default().to_owned(),
        user: String::new(),
        verb: Verb::Read,
    };
    page(&request, draft, Problems::default()).await
}

/// Sets a grant.
///
/// # Errors
///
/// When nobody is signed in, the user is not an operator, or the store fails.
pub async fn set(request: PageRequest, form: Form) -> Result<PageResponse, PageError> {
    require_operator(&request).await?;
    let draft = Draft {
        resource: form.get("resource").trim().to_owned(),
        user: form.get("user").trim().to_owned(),
        verb: Verb::parse(form.get("verb")).ok_or(PageError::Unreadable)?,
    };
    let (by, reference) = (request.trail(), reference(&draft.resource));
    let (who, verb) = (draft.user.clone(), draft.verb);
    let write = move |tx: &mut Tx<'_>| operator::set(tx, &by, &reference, &who, verb);
    match write_as_operator(&request, write).await? {
        Ok((resource, _)) => Ok(shown(&resource.to_string(), "set")),
        Err(error) => page(&request, draft, problems(error)?).await,
    }
}

/// Removes a grant.
///
/// # Errors
///
/// When nobody is signed in, the user is not an operator, there is no such grant, or the store
/// fails.
pub async fn remove(request: PageRequest, form: Form) -> Result<PageResponse, PageError> {
    require_operator(&request).await?;
    let (by, reference) = (request.trail(), reference(form.get("resource")));
    let who = form.get("user").to_owned();
    let write = move |tx: &mut Tx<'_>| operator::unset(tx, &by, &reference, &who);
    match write_as_operator(&request, write).await? {
        Ok(Some((resource, _))) => Ok(shown(&resource.to_string(), "removed")),
        Ok(None) => Err(PageError::Gone {
            heading: "Already removed",
            text: "The grant no longer exists.",
            back: ("/ui/v1/operations/grants", "Grants"),
        }),
        Err(RightsError::UnknownResource { .. }) => Err(PageError::Unknown),
        Err(RightsError::Store(error)) => Err(error.into()),
        Err(_) => Err(PageError::Unreadable),
    }
}

fn reference(text: &str) -> Reference {
    let Ok(reference) = text.parse();
    reference
}

/// Shows the grants of a resource after a change.
fn shown(resource: &str, done: &str) -> PageResponse {
    let query = [("resource", resource), ("done", done)];
    PageResponse::see_other_with("/ui/v1/operations/grants", &query)
}

/// The reason why a grant is not set.
fn problems(error: RightsError) -> Result<Problems, PageError> {
    let mut problems = Problems::default();
    match error {
        RightsError::Store(error) => return Err(error.into()),
        RightsError::UnknownPrincipal(_) => {
            problems.add("/user", UNKNOWN_USER);
        }
        RightsError::UnknownResource { what, .. } => {
            problems.add("/resource", format!("There is no {what}."));
        }
        error @ (RightsError::NoOwner(_) | RightsError::Foreign { .. }) => {
            problems.add("/resource", format!("The grant is not set: {error}."));
        }
    }
    Ok(problems)
}

async fn page(
    request: &PageRequest,
    draft: Draft,
    problems: Problems,
) -> Result<PageResponse, PageError> {
    let read = |tx: &mut Tx<'_>| -> Result<_, StoreError> {
        let compartments = compartments(tx)?.into_iter();
        let instances = catalog::instances(tx)?.into_iter();
        let compartments = compartments.map(|one| format!("compartment:{}", one.id));
        let instances = instances.map(|one| format!("instance:{}", one.name));
        let suggested: Vec<_> = compartments.chain(instances).collect();
        Ok((suggested, rights::list(tx)?))
    };
    let (suggested, mut grants) = request.app.store.read(read).await?;
    let resources = grants.iter().map(|one| one.resource.clone()).collect();
    let chosen = request.query("resource").unwrap_or_default().to_owned();
    grants.retain(|one| chosen.is_empty() || one.resource == chosen);
    let status = problems.status();
    let page = GrantsPage {
        frame: request.frame(),
        done: match request.query("done") {
            Some("set") => Some("The grant is set."),
            Some("removed") => Some("The grant is removed."),
            _ => None,
        },
        problems,
        draft,
        suggested,
        resources,
        chosen,
        grants,
    };
    request.page(status, &page)
}
