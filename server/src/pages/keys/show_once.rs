//! The page that shows new secrets, in the response to the form that asked for them.
//!
//! No address leads to it, and the browser does not store it.

use askama::Template;
use http::StatusCode;

use super::slot::Filled;
use crate::inference::keys::key::Answer;
use crate::inference::keys::state::SecretState;
use crate::pages::assets::COPY;
use crate::pages::page_request::PageRequest;
use crate::pages::response::{Frame, PageError, PageResponse};

#[derive(Template)]
#[template(path = "console/secrets.html")]
struct SecretsPage<'a> {
    frame: Frame,
    heading: &'static str,
    id: &'a str,
    name: &'a str,
    secrets: Vec<Shown<'a>>,
}

struct Shown<'a> {
    secret: Filled,
    value: &'a str,
}

impl Shown<'_> {
    fn is_active(&self) -> bool {
        self.secret.state == SecretState::Active
    }
}

/// The page.
///
/// # Errors
///
/// When the template fails.
pub fn shown(
    request: &PageRequest,
    heading: &'static str,
    answer: &Answer,
) -> Result<PageResponse, PageError> {
    let secrets = answer.shown.iter().filter_map(|(name, value)| {
        let mut secrets = answer.key.secrets.iter();
        let secret = secrets.find(|secret| secret.name == *name)?;
        Some(Shown {
            secret: Filled::of(secret, answer.at),
            value: value.expose(),
        })
    });
    let page = SecretsPage {
        frame: request.frame(),
        heading,
        id: &answer.key.id,
        name: &answer.key.display_name,
        secrets: secrets.collect(),
    };
    let response = request.page(StatusCode::OK, &page)?;
    Ok(response.with_scripts(&[COPY]))
}
