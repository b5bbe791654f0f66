//! The users and organizations of an administrator.

use askama::Template;
use http::StatusCode;

use super::administrator::Administrator;
use crate::accounts::directory::Listed;
use crate::accounts::people::{self, Person, Selection};
use crate::pages::page_request::PageRequest;
use crate::pages::response::{Frame, PageError, PageResponse, query_of};
use crate::store::Tx;

/// The maximum number of users on a page.
const LIMIT: i64 = 50;

#[derive(Template)]
#[template(path = "console/users.html")]
struct UsersPage {
    frame: Frame,
    organizations: Vec<Listed>,
    /// The organization whose users are shown; all if it is `None`.
    organization: Option<i64>,
    people: Vec<Person>,
    /// The query of the next page.
    next: Option<String>,
}

impl UsersPage {
    fn is_chosen(&self, id: &i64) -> bool {
        self.organization.as_ref() == Some(id)
    }
}

/// The page of a user who administers no organization.
#[derive(Template)]
#[template(path = "console/no_organizations.html")]
struct NoOrganizationsPage {
    frame: Frame,
}

/// The list: of one organization if the query names one, or else of all.
///
/// # Errors
///
/// When nobody is signed in, the user does not administer the organization, or the store fails.
pub async fn show(request: PageRequest) -> Result<PageResponse, PageError> {
    let administrator = Administrator::find(&request).await?;
    let wanted = request.query("organization").filter(|id| !id.is_empty());
    let organizations = administrator.organizations;
    let organization = match wanted {
        None => None,
        Some(id) => {
            let id = id.parse().ok();
            let is_own = |id: &i64| organizations.iter().any(|one| one.id == *id);
            Some(id.filter(is_own).ok_or(PageError::Unknown)?)
        }
    };
    if organizations.is_empty() {
        let frame = request.frame();
        return request.page(StatusCode::OK, &NoOrganizationsPage { frame });
    }
    let selection = Selection {
        organization,
        after: request.query("after").unwrap_or_default().to_owned(),
        limit: LIMIT,
    };
    let id = administrator.user.id;
    let read = move |tx: &mut Tx<'_>| people::list(tx, &id, &selection);
    let (people, more) = request.app.store.read(read).await?;
    let last = people.last().filter(|_| more);
    let next = last.map(|last| {
        let organization = organization.map_or(String::new(), |id| id.to_string());
        query_of(&[
            ("organization", organization.as_str()),
            ("after", last.username.as_str()),
        ])
    });
    let page = UsersPage {
        frame: request.frame(),
        organizations,
        organization,
        people,
        next,
    };
    request.page(StatusCode::OK, &page)
}
