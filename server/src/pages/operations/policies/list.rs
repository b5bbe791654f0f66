//! The list of policies, and the form that explains whether a key may call a model.

use askama::Template;

use super::key_id::key_id;
use crate::inference::Inference;
use crate::inference::admission::policies::question::Action;
use crate::inference::admission::policies::statement::{self, Statement};
use crate::inference::explanation::{self, Explanation, ExplanationError};
use crate::inference::operator;
use crate::pages::operations::operator::require_operator;
use crate::pages::page_request::{Form, PageRequest};
use crate::pages::problems::Problems;
use crate::pages::response::{Frame, PageError, PageResponse, query_of};
use crate::store::{StoreError, Tx};

#[derive(Template)]
#[template(path = "console/policies.html")]
struct PoliciesPage {
    frame: Frame,
    done: Option<&'static str>,
    problems: Problems,
    draft: Draft,
    models: Vec<String>,
    explanation: Option<Explanation>,
    policies: Vec<Listed>,
}

/// A policy in the list.
struct Listed {
    id: String,
    /// The id as a value in a query.
    query: String,
    effect: &'static str,
    text: String,
}

impl Listed {
    fn of(policy: Statement) -> Listed {
        let words: Vec<_> = policy.text.split_whitespace().collect();
        Listed {
            query: query_of(&[("id", policy.id.as_str())]),
            effect: statement::effect(&policy),
            text: words.join(" "),
            id: policy.id,
        }
    }
}

/// The values of the form.
struct Draft {
    key: String,
    model: String,
    action: Action,
}

impl Draft {
    /// # Errors
    ///
    /// When the form names no action.
    fn of(form: &Form, problems: &mut Problems) -> Result<Draft, PageError> {
        Ok(Draft {
            key: key_id(form, problems),
            model: form.get("model").to_owned(),
            action: Action::parse(form.get("action")).ok_or(PageError::Unreadable)?,
        })
    }

    /// Explains the decision, or adds a problem.
    async fn explain(
        &self,
        inference: &Inference,
        problems: &mut Problems,
    ) -> Result<Option<Explanation>, PageError> {
        if !problems.is_empty() {
            return Ok(None);
        }
        match explanation::explain(inference, &self.key, &self.model, self.action).await {
            Ok(explanation) => return Ok(Some(explanation)),
            Err(ExplanationError::Store(error)) => return Err(error.into()),
            Err(ExplanationError::UnknownKey(_)) => {
                problems.add(
                    "/key",
                    "No API key has this id. The page of a key shows it.",
                );
            }
            Err(ExplanationError::UnknownModel(_)) => {
                problems.add(
                    "/model",
                    "The region of the API key does not have this model.",
                );
            }
            Err(ExplanationError::Policy(error)) => {
                tracing::error!(%error, "a decision cannot be explained");
                let status = http::StatusCode::INTERNAL_SERVER_ERROR;
                problems.fail(status, format!("No decision is possible: {error}."));
            }
        }
        Ok(None)
    }
}

/// The list.
///
/// # Errors
///
/// When nobody is signed in, the user is not an operator, or the store fails.
pub async fn show(request: PageRequest) -> Result<PageResponse, PageError> {
    require_operator(&request).await?;
    let draft = Draft {
        key: String::new(),
        model: String::new(),
        action: Action::Chat,
    };
    page(&request, draft, Problems::default(), None).await
}

/// Explains whether a key may call a model. Changes nothing: the form is sent as one because an
/// address would stay in the browser's history and in logs.
///
/// # Errors
///
/// When nobody is signed in, the user is not an operator, or the store fails.
pub async fn explain(request: PageRequest, form: Form) -> Result<PageResponse, PageError> {
    require_operator(&request).await?;
    let mut problems = Problems::default();
    let draft = Draft::of(&form, &mut problems)?;
    let explanation = draft.explain(&request.app.inference, &mut problems).await?;
    page(&request, draft, problems, explanation).await
}

async fn page(
    request: &PageRequest,
    draft: Draft,
    problems: Problems,
    explanation: Option<Explanation>,
) -> Result<PageResponse, PageError> {
    let app = &request.app;
    // A database thread parses the policies, because that takes longer than an async task may.
    let read = |tx: &mut Tx<'_>| -> Result<Vec<Listed>, StoreError> {
        Ok(operator::policies(tx)?
            .into_iter()
            .map(Listed::of)
            .collect())
    };
    let policies = app.store.read(read);
    let status = problems.status();
    let page = PoliciesPage {
        frame: request.frame(),
        done: match request.query("done") {
            Some("deleted") => Some("The policy is deleted."),
            _ => None,
        },
        problems,
        draft,
        models: super::create::models(&app.inference),
        explanation,
        policies: policies.await?,
    };
    request.page(status, &page)
}
