//! The page that shows new secrets, in the response to the form that requested them.
//!
//! No address leads to it, and the browser does not store it.

use askama::Template;
use http::StatusCode;

use super::slot::Filled;
use crate::inference::keys::key::KeyResponse;
use crate::inference::keys::state::SecretState;
use crate::pages::assets::{COPY, PLAYGROUND};
use crate::pages::page_request::PageRequest;
use crate::pages::playground::{Playground, source};
use crate::pages::response::{Frame, PageError, PageResponse};

#[derive(Template)]
#[template(path = "console/secrets.html")]
struct SecretsPage<'a> {
    frame: Frame,
    heading: &'static str,
    id: &'a str,
    name: &'a str,
    secrets: Vec<NewSecret<'a>>,
    /// Calls models with the first secret, if that is active.
    playground: Option<Playground>,
}

struct NewSecret<'a> {
    secret: Filled,
    /// The secret itself.
    value: &'a str,
}

impl NewSecret<'_> {
    fn is_active(&self) -> bool {
        self.secret.state == SecretState::Active
    }
}

/// The page with the new secrets of a key, under `heading`.
///
/// # Errors
///
/// When the template fails.
pub fn shown(
    request: &PageRequest,
    heading: &'static str,
    changed: &KeyResponse,
) -> Result<PageResponse, PageError> {
    let secrets = changed.shown.iter().filter_map(|(name, value)| {
        let mut secrets = changed.key.secrets.iter();
        let secret = secrets.find(|secret| secret.name == *name)?;
        Some(NewSecret {
            secret: Filled::of(secret, changed.at),
            value: value.expose(),
        })
    });
    let secrets: Vec<_> = secrets.collect();
    let is_active = secrets.first().is_some_and(NewSecret::is_active);
    let playground = Playground::of(request, &changed.key.region).filter(|_| is_active);
    let page = SecretsPage {
        frame: request.frame(),
        heading,
        id: &changed.key.id,
        name: &changed.key.display_name,
        secrets,
        playground: playground.map(|playground| Playground {
            secret_from: Some("secret-1"),
            ..playground
        }),
    };
    let response = request.page(StatusCode::OK, &page)?;
    Ok(match page.playground {
        Some(_) => response
            .with_scripts(&[COPY, PLAYGROUND])
            .with_calls(&source(request.host.as_deref())),
        None => response.with_scripts(&[COPY]),
    })
}
