//! The page of one API key.

use askama::Template;

use super::fields::tags_text;
use super::rotation::{self, Act, STEPS, Step};
use super::slot::{Slot, slots};
use crate::inference::keys::access::Verb;
use crate::inference::keys::key::Key;
use crate::pages::caller::Caller;
use crate::pages::day::day;
use crate::pages::page_request::PageRequest;
use crate::pages::problems::Problems;
use crate::pages::response::{Frame, PageError, PageResponse};

#[derive(Template)]
#[template(path = "console/key.html")]
struct KeyPage {
    frame: Frame,
    done: Option<&'static str>,
    problems: Problems,
    key: Key,
    created: String,
    tags: String,
    version: String,
    slots: Vec<Slot>,
    step: Option<Step>,
    can_edit: bool,
    can_manage: bool,
    has_regions: bool,
}

/// The page.
///
/// # Errors
///
/// When nobody is signed in, the user may not read the key, or the store fails.
pub async fn show(request: PageRequest) -> Result<PageResponse, PageError> {
    let caller = Caller::of(&request).await?;
    page(&request, &caller, Problems::default()).await
}

/// The page, with the problems of a change that failed.
///
/// # Errors
///
/// When the user may not read the key, or the store fails.
pub async fn page(
    request: &PageRequest,
    caller: &Caller,
    problems: Problems,
) -> Result<PageResponse, PageError> {
    let response = caller.key(request).await?;
    let (key, now) = (response.key, response.at);
    let verb = caller.verb(&key.compartment_id);
    let can = |needed| verb.is_some_and(|held| held >= needed);
    let status = problems.status();
    let page = KeyPage {
        frame: request.frame(),
        done: request.query("done").and_then(done),
        problems,
        created: day(key.created_at.date_naive()),
        tags: tags_text(&key.freeform_tags),
        version: key.etag(),
        slots: slots(&key, now),
        step: rotation::next_step(&key, now),
        can_edit: can(Verb::Use),
        can_manage: can(Verb::Manage),
        has_regions: request.app.inference.regions.all().count() > 1,
        key,
    };
    request.page(status, &page)
}

/// The message about a change, by the word in the address.
fn done(word: &str) -> Option<&'static str> {
    Some(match word {
        "ACTIVE" => "The secret is active.",
        "DEACTIVATED" => "The secret is deactivated. You can reactivate it.",
        "REVOKED" => "The secret is revoked.",
        "changed" => "The API key is changed.",
        "moved" => "The API key is in another compartment.",
        _ => return None,
    })
}
