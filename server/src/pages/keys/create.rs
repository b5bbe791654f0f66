//! The form for a new API key, and the page that shows its secrets once.

use askama::Template;
use chrono::{DateTime, Utc};
use serde_json::{Map, Value, json};

use super::fields::{SecretFields, field_day, tags};
use super::show_once::shown;
use crate::area::Area;
use crate::inference::keys::create::{self, DEFAULT_LIFE, NewKey};
use crate::inference::keys::tags::check_names;
use crate::pages::caller::Caller;
use crate::pages::once::once;
use crate::pages::page_request::{Form, PageRequest};
use crate::pages::problems::Problems;
use crate::pages::response::{Frame, PageError, PageResponse};

#[derive(Template)]
#[template(path = "console/new_key.html")]
struct NewKeyPage {
    frame: Frame,
    once: String,
    problems: Problems,
    draft: Draft,
    /// The compartments that can be chosen.
    compartments: Vec<Choice>,
    /// The regions that can be chosen.
    regions: Vec<String>,
    tomorrow: String,
}

/// A compartment that can be chosen.
struct Choice {
    id: String,
    /// The number of models that its new keys may call in the region of this page.
    models: usize,
}

/// The values of the form.
#[derive(Debug, Default)]
struct Draft {
    name: String,
    compartment: String,
    region: String,
    description: String,
    tags: String,
    one: SecretFields,
    two: SecretFields,
    /// Whether the key gets a second secret.
    has_two: bool,
}

impl Draft {
    fn empty(compartment: &str, now: DateTime<Utc>) -> Draft {
        let secret = |name: &str| SecretFields {
            name: name.to_owned(),
            last_day: field_day(now + DEFAULT_LIFE),
        };
        Draft {
            compartment: compartment.to_owned(),
            one: secret("key-one"),
            two: secret("key-two"),
            has_two: true,
            ..Draft::default()
        }
    }

    fn of(form: &Form) -> Draft {
        let field = |name: &str| form.get(name).trim().to_owned();
        Draft {
            name: field("name"),
            compartment: form.get("compartment").to_owned(),
            region: form.get("region").to_owned(),
            description: field("description"),
            tags: form.get("tags").to_owned(),
            one: SecretFields {
                name: field("one"),
                last_day: field("one_day"),
            },
            two: SecretFields {
                name: field("two"),
                last_day: field("two_day"),
            },
            has_two: form.get("second") == "yes",
        }
    }

    fn secrets(&self) -> impl Iterator<Item = &SecretFields> {
        [Some(&self.one), self.has_two.then_some(&self.two)]
            .into_iter()
            .flatten()
    }

    /// Checks the values as the operation does.
    fn check(&self) -> (Map<String, Value>, Problems) {
        let mut unreadable = Problems::default();
        let tags = tags(&self.tags, &mut unreadable);
        let details: Vec<_> = self.secrets().map(SecretFields::body).collect();
        let body = json!({
            "displayName": self.name,
            "compartmentId": self.compartment,
            "description": self.description,
            "keyDetails": details,
            "freeformTags": tags,
        });
        let problems = match unreadable.is_empty() {
            true => Problems::of(Area::Inference, "createApiKey", &body),
            false => unreadable,
        };
        (tags, problems)
    }
}

/// The form.
///
/// # Errors
///
/// When nobody is signed in, the user manages no compartment, or the store fails.
pub async fn show(request: PageRequest) -> Result<PageResponse, PageError> {
    let caller = Caller::of(&request).await?;
    let compartment = request.query("compartment").unwrap_or_default();
    let draft = Draft::empty(compartment, request.app.clock.now());
    let once = request.app.random.token();
    page(&request, &caller, once, draft, Problems::default()).await
}

/// Creates the key. The same form does this once, and shows the same secrets again.
///
/// # Errors
///
/// When nobody is signed in, the user does not manage the compartment, or the store fails.
pub async fn submit(request: PageRequest, form: Form) -> Result<PageResponse, PageError> {
    let caller = Caller::of(&request).await?;
    let once = once(&form)?.to_owned();
    let draft = Draft::of(&form);
    let (freeform_tags, problems) = draft.check();
    if !problems.is_empty() {
        return page(&request, &caller, once, draft, problems).await;
    }
    let inference = &request.app.inference;
    let manager = match draft.region.as_str() {
        "" => caller.manager.clone(),
        region if inference.regions.all().any(|one| one == region) => caller.manager_in(region),
        _ => return Err(PageError::Unreadable),
    };
    let new = NewKey {
        display_name: draft.name.clone(),
        compartment_id: draft.compartment.clone(),
        description: (!draft.description.is_empty()).then(|| draft.description.clone()),
        freeform_tags,
        defined_tags: Map::new(),
        secrets: draft.secrets().map(SecretFields::secret).collect(),
    };
    let created = async {
        check_names(&new.freeform_tags, super::fields::TAGS)?;
        let retry = manager.retry_token(inference, &once, &("create", &new))?;
        create::create(inference, &manager, Some(retry), new).await
    };
    match created.await {
        Ok(response) => shown(&request, "API key created", &response),
        Err(error) => {
            let problems = Problems::try_from(error)?;
            page(&request, &caller, once, draft, problems).await
        }
    }
}

/// The compartments that a user can choose, with the models of their keys.
async fn choices(request: &PageRequest, caller: &Caller) -> Result<Vec<Choice>, PageError> {
    let inference = &request.app.inference;
    let region = Some(caller.manager.region.as_str());
    let mut choices = Vec::new();
    for id in caller.managed() {
        let admission = &inference.admission;
        let models = admission.callable_models(inference, &id, region).await?;
        choices.push(Choice { id, models });
    }
    Ok(choices)
}

async fn page(
    request: &PageRequest,
    caller: &Caller,
    once: String,
    mut draft: Draft,
    problems: Problems,
) -> Result<PageResponse, PageError> {
    let compartments = choices(request, caller).await?;
    if draft.compartment.is_empty()
        && let Some(useful) = compartments.iter().find(|choice| choice.models > 0)
    {
        draft.compartment.clone_from(&useful.id);
    }
    let regions: Vec<_> = request
        .app
        .inference
        .regions
        .all()
        .map(str::to_owned)
        .collect();
    let status = problems.status();
    let page = NewKeyPage {
        frame: request.frame(),
        once,
        problems,
        draft,
        compartments,
        regions: if regions.len() > 1 {
            regions
        } else {
            Vec::new()
        },
        tomorrow: field_day(request.app.clock.now() + chrono::TimeDelta::days(1)),
    };
    request.page(status, &page)
}
