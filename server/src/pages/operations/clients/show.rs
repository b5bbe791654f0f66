//! One client, and its changes: disable, enable, and the two steps that replace its secret.

use askama::Template;
use http::StatusCode;

use super::secret::{of_form, shown};
use crate::identity::clients::{Kind, has_secret, newest_secret};
use crate::identity::registry::{self, Listing, Proof, RegistryError};
use crate::pages::day::day_of;
use crate::pages::operations::operator::{require_operator, write_as_operator};
use crate::pages::page_request::{Form, PageRequest};
use crate::pages::response::{Frame, PageError, PageResponse};
use crate::store::{StoreError, Tx};

#[derive(Template)]
#[template(path = "console/client.html")]
struct ClientPage {
    frame: Frame,
    done: Option<&'static str>,
    problem: Option<String>,
    client: Listing,
    since: String,
    /// The token against repetition.
    once: String,
    /// The time of the newest secret, in Unix milliseconds; 0 without one.
    newest: i64,
}

impl ClientPage {
    fn has_secrets(&self) -> bool {
        self.client.kind == Kind::Confidential.as_str()
    }
}

/// The result of a form.
enum Change {
    Done,
    /// The secrets have changed since the form was shown.
    Outdated,
    /// The form names no action.
    Unknown,
}

/// The client that the query names.
///
/// # Errors
///
/// When nobody is signed in, the user is not an operator, there is no such client, or the store
/// fails.
pub async fn show(request: PageRequest) -> Result<PageResponse, PageError> {
    require_operator(&request).await?;
    let id = request.query("id").unwrap_or_default().to_owned();
    page(&request, &id, None).await
}

/// Changes the client that the form names. A form that is sent twice adds one secret, and shows it
/// again. A form that removes the older secret changes nothing if another one was added since.
///
/// # Errors
///
/// When nobody is signed in, the user is not an operator, there is no such client, or the store
/// fails.
pub async fn change(request: PageRequest, form: Form) -> Result<PageResponse, PageError> {
    require_operator(&request).await?;
    let (by, id) = (request.trail(), form.get("id").to_owned());
    let action = form.get("action").to_owned();
    let secret = match action.as_str() {
        "add_secret" => of_form(&request, &form)?,
        _ => String::new(),
    };
    let newest: Option<i64> = form.get("newest").parse().ok();
    let (client, new, wanted) = (id.clone(), secret.clone(), action.clone());
    let write = move |tx: &mut Tx<'_>| -> Result<_, RegistryError> {
        match wanted.as_str() {
            "disable" => registry::set_disabled(tx, &by, &client, true)?,
            "enable" => registry::set_disabled(tx, &by, &client, false)?,
            "add_secret" if has_secret(tx, by.server_keys(), &client, &new)? => {}
            "add_secret" => registry::rotate(tx, &by, &client, &Proof::Secret(new.clone()))?,
            "remove_older" if newest_secret(tx, &client)? != newest => return Ok(Change::Outdated),
            "remove_older" => {
                registry::finish(tx, &by, &client)?;
            }
            _ => return Ok(Change::Unknown),
        }
        Ok(Change::Done)
    };
    match write_as_operator(&request, write).await? {
        Ok(Change::Unknown) => Err(PageError::Unreadable),
        Ok(Change::Outdated) => {
            let problem = "Nothing has changed: the secrets are not those that this page showed.";
            page(&request, &id, Some(problem.to_owned())).await
        }
        Ok(Change::Done) if action == "add_secret" => shown(&request, &id, &secret, true),
        Ok(Change::Done) => {
            request.refresh_tokens().await?;
            let page = format!("/ui/v1/operations/client?id={id}&done={action}");
            Ok(PageResponse::see_other(page))
        }
        Err(RegistryError::Unknown(_)) => Err(PageError::Unknown),
        Err(RegistryError::Server(error)) => Err(error.into()),
        Err(RegistryError::TwoAlready(_)) => {
            let problem = "The client has two secrets already. Remove the older one first.";
            page(&request, &id, Some(problem.to_owned())).await
        }
        Err(error) => {
            page(
                &request,
                &id,
                Some(format!("Nothing has changed: {error}.")),
            )
            .await
        }
    }
}

async fn page(
    request: &PageRequest,
    id: &str,
    problem: Option<String>,
) -> Result<PageResponse, PageError> {
    let wanted = id.to_owned();
    let read = move |tx: &mut Tx<'_>| -> Result<_, StoreError> {
        Ok((registry::list(tx)?, newest_secret(tx, &wanted)?))
    };
    let (clients, newest) = request.app.store.read(read).await?;
    let client = clients.into_iter().find(|client| client.id == id);
    let client = client.ok_or(PageError::Unknown)?;
    let status = match problem {
        Some(_) => StatusCode::CONFLICT,
        None => StatusCode::OK,
    };
    let page = ClientPage {
        frame: request.frame(),
        done: match request.query("done") {
            Some("added") => Some("The client is registered."),
            Some("disable") => Some("The client is disabled. Its tokens are rejected."),
            Some("enable") => Some("The client is enabled."),
            Some("remove_older") => Some("Only the newest secret is valid."),
            _ => None,
        },
        problem,
        since: day_of(client.created_at),
        once: request.app.random.token(),
        newest: newest.unwrap_or_default(),
        client,
    };
    request.page(status, &page)
}
