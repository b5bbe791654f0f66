//! The patterns of a project.

use askama::Template;
use http::StatusCode;

use super::places::{Place, Places};
use crate::pages::page_request::PageRequest;
use crate::pages::response::{Frame, PageError, PageResponse, query_of};
use crate::pages::texts::english;
use crate::patterns::catalog;
use crate::patterns::error::PatternError;
use crate::patterns::list::{self, Cursor, Filter, Order, Selection};
use crate::patterns::pattern::Pattern;
use crate::rights::Verb;
use crate::store::Tx;

/// The maximum number of patterns on a page.
const LIMIT: i32 = 50;

/// The maximum number of characters of a name. SQLite does not search for a text of any length.
const MAX_NAME: usize = 255;

#[derive(Template)]
#[template(path = "console/patterns.html")]
struct PatternsPage {
    frame: Frame,
    places: Vec<Place>,
    place: Place,
    /// The text that names must contain.
    name: String,
    can_read: bool,
    can_create: bool,
    patterns: Vec<Row>,
    /// The number of patterns of all pages.
    total: i64,
    /// The query of the next page.
    next: Option<String>,
}

/// The page of a user without a project.
#[derive(Template)]
#[template(path = "console/no_projects.html")]
pub(super) struct NoProjectsPage {
    pub(super) frame: Frame,
}

/// A pattern in the list.
struct Row {
    id: String,
    name: String,
    code: String,
    version: String,
    source: &'static str,
    updated: String,
    locked_by: Option<String>,
}

impl Row {
    fn of(pattern: Pattern, now: i64) -> Row {
        Row {
            id: pattern.id.to_string(),
            name: pattern.name,
            code: pattern.id.code,
            version: pattern.id.version,
            source: pattern.recipe_source.as_str(),
            updated: english().age(now - pattern.updated.0.timestamp_millis()),
            locked_by: pattern.lock.map(|(by, _)| by),
        }
    }
}

/// The list.
///
/// # Errors
///
/// When nobody is signed in, the user may not see the project, or the store fails.
pub async fn show(request: PageRequest) -> Result<PageResponse, PageError> {
    let places = Places::of(&request).await?;
    let Some(place) = places.chosen(&request)?.cloned() else {
        let frame = request.frame();
        return request.page(StatusCode::OK, &NoProjectsPage { frame });
    };
    let name = request.query("name").unwrap_or_default().trim();
    let name: String = name.chars().take(MAX_NAME).collect();
    let selection = Selection {
        limit: LIMIT,
        offset: 0,
        order: Order::Name,
        filter: Filter::parse(&format!("{{name: /{name}/}}")),
        after: match request.query("page") {
            Some(text) => Some(Cursor::parse(text, Order::Name).ok_or(PageError::Unknown)?),
            None => None,
        },
    };
    let (user_id, there) = (places.user_id, place.clone());
    let read = move |tx: &mut Tx<'_>| -> Result<_, PatternError> {
        let (verb, instance) = (Verb::Inspect, &there.instance);
        let project = catalog::project_for(tx, &user_id, verb, instance, &there.id)?;
        list::list(tx, project, &selection)
    };
    let page = request.app.store.read(read).await?;
    let next = page.next.map(|cursor| {
        query_of(&[
            ("project", place.id.as_str()),
            ("name", name.as_str()),
            ("page", cursor.to_string().as_str()),
        ])
    });
    let rows = page.patterns.into_iter();
    let page = PatternsPage {
        frame: request.frame(),
        places: places.all,
        name,
        can_read: place.verb >= Verb::Read,
        can_create: place.verb >= Verb::Use,
        place,
        patterns: rows.map(|pattern| Row::of(pattern, request.now)).collect(),
        total: page.total,
        next,
    };
    request.page(StatusCode::OK, &page)
}
