//! The form for a new policy: one that permits calls in a scope, or one in Cedar.

use std::collections::BTreeSet;

use askama::Template;

use super::key_id::key_id;
use crate::inference::Inference;
use crate::inference::admission::policies::acceptance;
use crate::inference::admission::policies::question::SCHEMA;
use crate::inference::admission::policies::statement::{Scope, Statement};
use crate::inference::operator;
use crate::pages::operations::operator::{require_operator, write_as_operator};
use crate::pages::page_request::{Form, PageRequest};
use crate::pages::problems::Problems;
use crate::pages::response::{Frame, PageError, PageResponse};
use crate::store::{StoreError, Tx};

#[derive(Template)]
#[template(path = "console/new_policy.html")]
struct NewPolicyPage {
    frame: Frame,
    problems: Problems,
    draft: Draft,
    compartments: Vec<String>,
    models: Vec<String>,
    schema: &'static str,
}

/// The values of the form.
#[derive(Default)]
struct Draft {
    id: String,
    compartment: String,
    key: String,
    model: String,
    statement: String,
}

impl Draft {
    fn of(form: &Form, problems: &mut Problems) -> Draft {
        let field = |name: &str| form.get(name).trim().to_owned();
        Draft {
            id: field("id"),
            compartment: field("compartment"),
            key: key_id(form, problems),
            model: field("model"),
            statement: field("statement"),
        }
    }

    /// The policy. Adds a problem for each missing or invalid value.
    fn policy(&self, problems: &mut Problems) -> Statement {
        let given = |text: &String| (!text.is_empty()).then(|| text.clone());
        let scope = Scope {
            compartment_id: given(&self.compartment),
            key_id: given(&self.key),
            model: given(&self.model),
        };
        if !acceptance::is_id(&self.id) {
            problems.add("/id", "The id must have 1 to 255 characters.");
        }
        let text = match (scope == Scope::default(), self.statement.is_empty()) {
            (false, true) => scope.permit(),
            (true, false) => self.statement.clone(),
            (true, true) => {
                let problem = "Choose at least one, or write the policy in Cedar.";
                problems.add("/scope", problem);
                String::new()
            }
            (false, false) => {
                let problem = "Leave the choices above empty, or delete this text.";
                problems.add("/statement", problem);
                String::new()
            }
        };
        Statement {
            id: self.id.clone(),
            text,
        }
    }
}

/// The names of the models of all regions.
pub fn models(inference: &Inference) -> Vec<String> {
    let settings = inference.settings();
    let names: BTreeSet<_> = settings.models.iter().map(|one| one.name.clone()).collect();
    names.into_iter().collect()
}

/// The form.
///
/// # Errors
///
/// When nobody is signed in, the user is not an operator, or the store fails.
pub async fn show(request: PageRequest) -> Result<PageResponse, PageError> {
    require_operator(&request).await?;
    page(&request, Draft::default(), Problems::default()).await
}

/// Creates the policy.
///
/// # Errors
///
/// When nobody is signed in, the user is not an operator, or the store fails.
pub async fn submit(request: PageRequest, form: Form) -> Result<PageResponse, PageError> {
    require_operator(&request).await?;
    let mut problems = Problems::default();
    let draft = Draft::of(&form, &mut problems);
    let policy = draft.policy(&mut problems);
    if problems.is_empty() {
        add(&request, policy, &mut problems).await?;
    }
    if !problems.is_empty() {
        return page(&request, draft, problems).await;
    }
    let query = [("id", draft.id.as_str()), ("done", "added")];
    Ok(PageResponse::see_other_with(
        "/ui/v1/operations/policy",
        &query,
    ))
}

/// Adds a policy, or a problem if it is invalid or its id is in use.
async fn add(
    request: &PageRequest,
    policy: Statement,
    problems: &mut Problems,
) -> Result<(), PageError> {
    let (app, by) = (&request.app, request.trail());
    // A database thread checks the policy, because that takes longer than an async task may.
    let checked = policy.clone();
    let check = move |_: &mut Tx<'_>| Ok(acceptance::check(&checked));
    if let Err(error) = app.store.read::<_, StoreError, _>(check).await? {
        problems.add("/statement", format!("This is invalid: {error}."));
        return Ok(());
    }
    let write = move |tx: &mut Tx<'_>| operator::add_policy(tx, &by, &policy);
    match write_as_operator(request, write).await?? {
        true => app.inference.admission.invalidate(),
        false => problems.add("/id", "A policy with this id exists already."),
    }
    Ok(())
}

async fn page(
    request: &PageRequest,
    draft: Draft,
    problems: Problems,
) -> Result<PageResponse, PageError> {
    let app = &request.app;
    let compartments = app.store.read(operator::compartments);
    let status = problems.status();
    let page = NewPolicyPage {
        frame: request.frame(),
        problems,
        draft,
        compartments: compartments.await?.into_iter().map(|one| one.id).collect(),
        models: models(&app.inference),
        schema: SCHEMA,
    };
    request.page(status, &page)
}
