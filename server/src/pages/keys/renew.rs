//! The form for a new value of a secret, or for a second secret.

use askama::Template;
use chrono::TimeDelta;
use serde_json::json;

use super::fields::{SecretFields, field_day};
use super::show_once::shown;
use super::slot::Filled;
use crate::area::Area;
use crate::inference::keys::KeyError;
use crate::inference::keys::access::Verb;
use crate::inference::keys::change::{Tags, Target};
use crate::inference::keys::create::DEFAULT_LIFE;
use crate::inference::keys::renew;
use crate::inference::keys::state::SecretState;
use crate::pages::caller::Caller;
use crate::pages::once::once;
use crate::pages::page_request::{Form, PageRequest};
use crate::pages::problems::Problems;
use crate::pages::response::{Frame, PageError, PageResponse};

#[derive(Template)]
#[template(path = "console/renew.html")]
struct RenewPage {
    frame: Frame,
    id: String,
    key: String,
    version: String,
    once: String,
    problems: Problems,
    /// The secret that gets a new value; `None` for a second secret.
    present: Option<Filled>,
    fields: SecretFields,
    tomorrow: String,
}

impl RenewPage {
    /// Whether applications may use the value that is replaced.
    fn is_in_use(&self) -> bool {
        let present = self.present.as_ref();
        present.is_some_and(|secret| secret.state == SecretState::Active)
    }
}

/// The form.
///
/// # Errors
///
/// When nobody is signed in, the user may not change the key, or the store fails.
pub async fn show(request: PageRequest) -> Result<PageResponse, PageError> {
    let caller = Caller::of(&request).await?;
    let name = request.query("secret").unwrap_or_default().to_owned();
    let fields = SecretFields {
        last_day: field_day(request.app.clock.now() + DEFAULT_LIFE),
        name,
    };
    let once = request.app.random.token();
    page(&request, &caller, None, once, fields, Problems::default()).await
}

/// Makes the new value. The same form does this once, and shows the same value again.
///
/// # Errors
///
/// When nobody is signed in, the user may not change the key, or the store fails.
pub async fn submit(request: PageRequest, form: Form) -> Result<PageResponse, PageError> {
    let caller = Caller::of(&request).await?;
    let once = once(&form)?.to_owned();
    let fields = SecretFields {
        name: form.get("secret").trim().to_owned(),
        last_day: form.get("day").trim().to_owned(),
    };
    let target = caller.target(&request, &form);
    let version = target.if_match.clone();
    let problems = Problems::of(
        Area::Inference,
        "renewApiKey",
        &json!({"details": fields.body()}),
    );
    if !problems.is_empty() {
        return page(&request, &caller, version, once, fields, problems).await;
    }
    let inference = &request.app.inference;
    let (new, tags) = (fields.secret(), Tags::default());
    let renewed = async {
        let request = ("renew", &target.id, &new, &tags);
        let retry = target.manager.retry_token(inference, &once, &request)?;
        let target = Target {
            retry: Some(retry),
            ..target.clone()
        };
        renew::renew(inference, target, new.clone(), tags.clone()).await
    };
    match renewed.await {
        Ok(response) => shown(&request, "New secret", &response),
        // The key has two secrets, and none of them has this name.
        Err(KeyError::NoSuchSecret(_)) => Err(PageError::Unknown),
        Err(error) => {
            let problems = Problems::try_from(error)?;
            page(&request, &caller, version, once, fields, problems).await
        }
    }
}

async fn page(
    request: &PageRequest,
    caller: &Caller,
    version: Option<String>,
    once: String,
    fields: SecretFields,
    problems: Problems,
) -> Result<PageResponse, PageError> {
    let response = caller.key_for(request, Verb::Manage).await?;
    let key = &response.key;
    let mut secrets = key.secrets.iter();
    let present = secrets.find(|secret| secret.name == fields.name);
    if present.is_none() && key.secrets.len() > 1 {
        return Err(PageError::Unknown);
    }
    let status = problems.status();
    let page = RenewPage {
        frame: request.frame(),
        id: key.id.clone(),
        key: key.display_name.clone(),
        // After a refusal because of another version, the form is about the present one.
        version: version
            .filter(|version| key.matches(version))
            .unwrap_or_else(|| key.etag()),
        once,
        problems,
        present: present.map(|secret| Filled::of(secret, response.at)),
        fields,
        tomorrow: field_day(response.at + TimeDelta::days(1)),
    };
    request.page(status, &page)
}
