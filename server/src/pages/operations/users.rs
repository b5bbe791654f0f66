//! The page of users, for operators: who exists, who administers organizations, and the forms that
//! change this.
//!
//! They call the functions that `accord-server users` and `accord-server administrators` call, so
//! checks and the audit trail are the same.

use std::collections::HashMap;

use askama::Template;
use http::StatusCode;

use crate::accounts::administrators;
use crate::identity::suspension;
use crate::identity::users::{self, Listing, User};
use crate::pages::day::day_of;
use crate::pages::operations::operator::{UNKNOWN_USER, require_operator, write_as_operator};
use crate::pages::page_request::{Form, PageRequest};
use crate::pages::problems::Problems;
use crate::pages::response::{Frame, PageError, PageResponse};
use crate::rights::RightsError;
use crate::rights::administrators::{Change, ChangeError, change};
use crate::store::{StoreError, Tx};

/// The maximum number of users on a page.
const LIMIT: usize = 100;

/// The maximum number of characters of an email address. SQLite does not search for a text of any
/// length.
const MAX_ADDRESS: usize = 254;

#[derive(Template)]
#[template(path = "console/operator_users.html")]
struct UsersPage {
    frame: Frame,
    done: Option<&'static str>,
    problems: Problems,
    draft: Draft,
    /// The text that the shown addresses contain.
    search: String,
    people: Vec<Person>,
    /// The number of shown users, if there are more.
    cut_at: Option<usize>,
}

/// The values of the form for administrators.
#[derive(Default)]
struct Draft {
    user: String,
    organization: String,
}

/// A user in the list.
struct Person {
    listing: Listing,
    since: String,
    /// The organizations that the user administers.
    organizations: Vec<i64>,
    /// Whether this is the user of the page.
    is_self: bool,
}

/// The list: of users whose email address contains the text of the query.
///
/// # Errors
///
/// When nobody is signed in, the user is not an operator, or the store fails.
pub async fn list(request: PageRequest) -> Result<PageResponse, PageError> {
    require_operator(&request).await?;
    page(&request, Draft::default(), Problems::default()).await
}

/// Adds or removes an administrator of an organization.
///
/// # Errors
///
/// When nobody is signed in, the user is not an operator, or the store fails.
pub async fn administrator(request: PageRequest, form: Form) -> Result<PageResponse, PageError> {
    require_operator(&request).await?;
    let draft = Draft {
        user: form.get("user").trim().to_owned(),
        organization: form.get("organization").trim().to_owned(),
    };
    let (kind, done) = match form.get("action") {
        "add" => (Change::Add, "added"),
        "remove" => (Change::Remove, "removed"),
        _ => return Err(PageError::Unreadable),
    };
    let Ok(organization) = draft.organization.parse::<i64>() else {
        let mut problems = Problems::default();
        problems.add("/organization", "Enter the number of the organization.");
        return page(&request, draft, problems).await;
    };
    let (by, who) = (request.trail(), draft.user.clone());
    let write = move |tx: &mut Tx<'_>| change(tx, &by, &who, &[organization], kind);
    match write_as_operator(&request, write).await? {
        Ok((user, _)) => Ok(shown(&user.email, done)),
        Err(error) => page(&request, draft, problems(error)?).await,
    }
}

/// Disables or enables a user.
///
/// # Errors
///
/// When nobody is signed in, the user is not an operator, no user has this state, or the store
/// fails.
pub async fn state(request: PageRequest, form: Form) -> Result<PageResponse, PageError> {
    require_operator(&request).await?;
    let own = request.signed_in()?.id;
    let email = form.get("user").to_owned();
    let done = match form.get("action") {
        "disable" => "disabled",
        "enable" => "enabled",
        _ => return Err(PageError::Unreadable),
    };
    let (by, who) = (request.trail(), email.clone());
    let write = move |tx: &mut Tx<'_>| -> Result<Outcome, StoreError> {
        let is_done = match done {
            "disabled" => match User::by_username(tx, &who)? {
                Some((user, _)) if user.id == own => return Ok(Outcome::Oneself),
                _ => suspension::disable(tx, &by, &who)?,
            },
            _ => suspension::enable(tx, &by, &who)?,
        };
        Ok(match is_done {
            true => Outcome::Done,
            false => Outcome::Unknown,
        })
    };
    match write_as_operator(&request, write).await?? {
        Outcome::Done => {}
        Outcome::Unknown => return Err(PageError::Unknown),
        Outcome::Oneself => {
            let mut problems = Problems::default();
            let text = "You cannot disable yourself. Another operator can.";
            problems.fail(StatusCode::CONFLICT, text);
            return page(&request, Draft::default(), problems).await;
        }
    }
    request.refresh_tokens().await?;
    Ok(shown(&email, done))
}

/// The outcome of disabling or enabling a user.
enum Outcome {
    Done,
    /// The user is the one of the page.
    Oneself,
    /// No user has this email address and the opposite state.
    Unknown,
}

/// Shows a user after a change.
fn shown(email: &str, done: &str) -> PageResponse {
    let query = [("search", email), ("done", done)];
    PageResponse::see_other_with("/ui/v1/operations/users", &query)
}

/// The reason why administrators are not changed.
fn problems(error: ChangeError) -> Result<Problems, PageError> {
    let mut problems = Problems::default();
    match error {
        ChangeError::Rights(RightsError::UnknownPrincipal(_)) => {
            problems.add("/user", UNKNOWN_USER);
        }
        ChangeError::UnknownOrganization(id) => {
            let problem = format!("There is no hub organization {id}.");
            problems.add("/organization", problem);
        }
        ChangeError::Rights(RightsError::Store(error)) => return Err(error.into()),
        ChangeError::Rights(_) => return Err(PageError::Unreadable),
    }
    Ok(problems)
}

async fn page(
    request: &PageRequest,
    draft: Draft,
    problems: Problems,
) -> Result<PageResponse, PageError> {
    let search = request.query("search").unwrap_or_default().trim();
    let search: String = search.chars().take(MAX_ADDRESS).collect();
    let text = search.clone();
    let read = move |tx: &mut Tx<'_>| -> Result<_, StoreError> {
        let found = users::list(tx, &text, LIMIT as i64 + 1)?;
        let ids: Vec<String> = found.iter().map(|one| one.id.clone()).collect();
        Ok((found, administrators::of_users(tx, &ids)?))
    };
    let (mut found, administered) = request.app.store.read(read).await?;
    let cut_at = (found.len() > LIMIT).then_some(LIMIT);
    found.truncate(LIMIT);
    let mut organizations: HashMap<String, Vec<i64>> = HashMap::new();
    for (user_id, organization) in administered {
        organizations.entry(user_id).or_default().push(organization);
    }
    let own = request.signed_in()?.id;
    let person = |listing: Listing| Person {
        since: day_of(listing.created_at),
        organizations: organizations.remove(&listing.id).unwrap_or_default(),
        is_self: listing.id == own,
        listing,
    };
    let people = found.into_iter().map(person).collect();
    let status = problems.status();
    let page = UsersPage {
        frame: request.frame(),
        done: match request.query("done") {
            Some("added") => Some("The user administers the organization."),
            Some("removed") => Some("The user no longer administers the organization."),
            Some("disabled") => Some("The user is disabled. Sessions and tokens have ended."),
            Some("enabled") => Some("The user is enabled."),
            _ => None,
        },
        problems,
        draft,
        search,
        people,
        cut_at,
    };
    request.page(status, &page)
}
