//! The page with a user's signed-in browsers and connected devices, on which
//! each of them can be ended.

use askama::Template;
use http::StatusCode;

use super::page_request::{Form, PageRequest};
use super::question::Question;
use super::response::{Frame, PageError, PageResponse};
use super::texts::filled;
use crate::identity::error::ServerError;
use crate::identity::{sessions, tokens};
use crate::store::Tx;

#[derive(Template)]
#[template(path = "identity/account.html")]
struct AccountPage {
    frame: Frame,
    username: String,
    done: Option<&'static str>,
    sessions: Vec<Session>,
    devices: Vec<Device>,
}

struct Session {
    id: String,
    /// Browser and system.
    name: String,
    /// When it signed in, and from where.
    signed_in: String,
    origin: String,
    /// When it was last seen, and from where.
    seen: String,
    seen_from: String,
    is_this: bool,
}

struct Device {
    id: String,
    application: String,
    /// When it was approved.
    approved: String,
    seen: Option<Seen>,
    scopes: Vec<&'static str>,
}

/// When, from where and as which program a device last fetched tokens.
struct Seen {
    token: String,
    origin: String,
    name: Option<String>,
}

/// The page with both lists.
///
/// # Errors
///
/// When nobody is signed in, or the store fails.
pub async fn show(request: PageRequest) -> Result<PageResponse, PageError> {
    page(&request, None).await
}

/// Asks the user to confirm that a device is disconnected.
///
/// # Errors
///
/// When nobody is signed in, the user has no such device, or the store fails.
pub async fn disconnection(request: PageRequest) -> Result<PageResponse, PageError> {
    let user = request.signed_in()?;
    let now = request.now;
    let read =
        move |tx: &mut Tx<'_>| -> Result<_, ServerError> { tokens::connected(tx, &user.id, now) };
    let devices = request.app.store.read(read).await?;
    let id = request.query("id").unwrap_or_default();
    let device = devices.into_iter().find(|device| device.id == id);
    let device = device.ok_or(PageError::Unknown)?;
    let texts = request.texts();
    let page = Question {
        frame: request.translated_frame(),
        heading: filled(&texts.account.question, &device.client_name),
        since: filled(&texts.account.approved, &texts.age(now - device.created_at)),
        warning: &texts.account.warning,
        address: "/ui/v1/account",
        id: device.id,
        action: "disconnect",
        label: &texts.account.disconnect,
    };
    request.translated_page(StatusCode::OK, &page)
}

/// Ends an entry of the lists.
///
/// # Errors
///
/// When nobody is signed in, or the store fails.
pub async fn submit(request: PageRequest, form: Form) -> Result<PageResponse, PageError> {
    let user = request.signed_in()?;
    let id = form.get("id").to_owned();
    let ends_session = match form.get("action") {
        "end_session" => true,
        "disconnect" => false,
        _ => return Err(PageError::Unreadable),
    };
    let (trail, now) = (request.trail(), request.now);
    let change = move |tx: &mut Tx<'_>| -> Result<(), ServerError> {
        // The lookup is limited to the user's own sessions and devices.
        if ends_session {
            if sessions::end_by_id(tx, &user.id, &id)? {
                trail.record(tx, "identity.session.ended", &user.id, "by its user")?;
            }
        } else if tokens::revoke_own(tx, &user.id, &id, now)? {
            trail.record(tx, "identity.approval.revoked", &id, "by its user")?;
        }
        Ok(())
    };
    request.app.store.write(change).await?;
    request.refresh_tokens().await?;
    let done = match ends_session {
        true => &request.texts().account.ended,
        false => &request.texts().account.disconnected,
    };
    let shown = async {
        let request = request.again().await?;
        match request.user {
            Some(_) => page(&request, Some(done)).await,
            // It was the session of this browser.
            None => Ok(PageResponse::see_other("/ui/v1/signin?to=account").clearing_cache()),
        }
    };
    shown.await.map_err(PageError::after_change)
}

/// The page with both lists, and a message about a change.
///
/// # Errors
///
/// When nobody is signed in, or the store fails.
pub async fn page(
    request: &PageRequest,
    done: Option<&'static str>,
) -> Result<PageResponse, PageError> {
    let user = request.signed_in()?;
    let (id, now) = (user.id.clone(), request.now);
    let read = move |tx: &mut Tx<'_>| -> Result<_, ServerError> {
        let sessions = sessions::list_of(tx, &id, now)?;
        Ok((sessions, tokens::connected(tx, &id, now)?))
    };
    let (sessions, devices) = request.app.store.read(read).await?;
    let this = sessions::id_of(&request.mac());
    let texts = request.texts();
    let since = |sentence: &str, at: i64| filled(sentence, &texts.age(now - at));
    let page = AccountPage {
        frame: request.translated_frame(),
        username: user.username,
        done,
        sessions: sessions
            .into_iter()
            .map(|session| Session {
                is_this: session.id == this,
                id: session.id,
                name: session
                    .seen
                    .program()
                    .unwrap_or_else(|| texts.account.unnamed.clone()),
                signed_in: since(&texts.account.signed_in, session.created_at),
                origin: session.origin,
                seen: since(&texts.account.last_seen, session.seen.at),
                seen_from: session.seen.origin,
            })
            .collect(),
        devices: devices
            .into_iter()
            .map(|device| Device {
                id: device.id,
                application: device.client_name,
                approved: since(&texts.account.approved, device.created_at),
                seen: device.seen.map(|seen| Seen {
                    token: since(&texts.account.token, seen.at),
                    name: seen.program(),
                    origin: seen.origin,
                }),
                scopes: device
                    .scopes
                    .iter()
                    .map(|scope| texts.scope(scope))
                    .collect(),
            })
            .collect(),
    };
    request.translated_page(StatusCode::OK, &page)
}
