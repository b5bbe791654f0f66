//! The page of one pattern.

use askama::Template;
use http::StatusCode;

use super::drawing::Drawing;
use super::places::{Place, Places};
use crate::pages::page_request::PageRequest;
use crate::pages::response::{Frame, PageError, PageResponse};
use crate::pages::texts::english;
use crate::patterns::catalog;
use crate::patterns::error::PatternError;
use crate::patterns::pattern::{self, Pattern};
use crate::rights::Verb;
use crate::store::Tx;

#[derive(Template)]
#[template(path = "console/pattern.html")]
struct PatternPage {
    frame: Frame,
    done: Option<&'static str>,
    place: Place,
    pattern: Pattern,
    created: String,
    updated: String,
    drawing: Drawing,
}

/// The page.
///
/// # Errors
///
/// When nobody is signed in, the user may not read the pattern, or the store fails.
pub async fn show(request: PageRequest) -> Result<PageResponse, PageError> {
    let places = Places::of(&request).await?;
    let place = places.chosen(&request)?.ok_or(PageError::Unknown)?.clone();
    let (user_id, from, id) = (places.user_id, place.clone(), request.variable().to_owned());
    let read = move |tx: &mut Tx<'_>| -> Result<_, PatternError> {
        let (verb, instance) = (Verb::Read, &from.instance);
        let project = catalog::project_for(tx, &user_id, verb, instance, &from.id)?;
        pattern::find(tx, &project, &id)
    };
    let pattern = request.app.store.read(read).await?;
    let age =
        |at: chrono::DateTime<chrono::Utc>| english().age(request.now - at.timestamp_millis());
    let page = PatternPage {
        frame: request.frame(),
        done: match request.query("done") {
            Some("created") => Some("The pattern is created."),
            _ => None,
        },
        created: age(pattern.created.0),
        updated: age(pattern.updated.0),
        drawing: Drawing::of(
            Some([&pattern.project.name, &pattern.project.version]),
            [&pattern.name, &pattern.id.version],
            &pattern.integrations,
            &pattern.roles,
        ),
        place,
        pattern,
    };
    request.page(StatusCode::OK, &page)
}
