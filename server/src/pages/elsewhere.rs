//! The page for signing out everywhere but in this browser.

use askama::Template;
use http::StatusCode;

use super::account;
use super::page_request::{Form, PageRequest};
use super::response::{Frame, PageError, PageResponse};
use super::texts::filled;
use crate::identity::error::ServerError;
use crate::identity::{grants, sessions, tokens};
use crate::store::Tx;

#[derive(Template)]
#[template(path = "identity/elsewhere.html")]
struct ElsewherePage {
    frame: Frame,
    /// How many other browsers are signed in.
    browsers: String,
    /// The offer to disconnect the connected devices, if there are any.
    devices: Option<String>,
}

/// Asks the user to confirm.
///
/// # Errors
///
/// When nobody is signed in, or the store fails.
pub async fn show(request: PageRequest) -> Result<PageResponse, PageError> {
    let user = request.signed_in()?;
    let now = request.now;
    let read = move |tx: &mut Tx<'_>| -> Result<_, ServerError> {
        let sessions = sessions::list_of(tx, &user.id, now)?.len();
        Ok((sessions, tokens::connected(tx, &user.id, now)?.len()))
    };
    let (sessions, devices) = request.app.store.read(read).await?;
    let texts = &request.texts().elsewhere;
    let page = ElsewherePage {
        frame: request.translated_frame(),
        browsers: match sessions.saturating_sub(1) {
            0 => texts.none.clone(),
            1 => texts.one.clone(),
            many => filled(&texts.many, &many.to_string()),
        },
        devices: match devices {
            0 => None,
            1 => Some(texts.device.clone()),
            many => Some(filled(&texts.devices, &many.to_string())),
        },
    };
    request.translated_page(StatusCode::OK, &page)
}

/// Ends the other sessions and, if the form says so, disconnects all devices.
///
/// # Errors
///
/// When nobody is signed in, or the store fails.
pub async fn submit(request: PageRequest, form: Form) -> Result<PageResponse, PageError> {
    let user = request.signed_in()?;
    let disconnects = form.get("devices") == "disconnect";
    let (trail, mac, now) = (request.trail(), request.mac(), request.now);
    let end = move |tx: &mut Tx<'_>| -> Result<(), ServerError> {
        let browsers = sessions::end_others(tx, &user.id, mac)?;
        // Devices that were approved and have no token yet. The user cannot see them.
        let waiting = grants::withdraw_all(tx, &user.id)?;
        let connected = match disconnects {
            true => tokens::revoke_all(tx, &user.id, now)?,
            false => 0,
        };
        let devices = waiting + connected;
        let detail = format!("everywhere else: sessions {browsers}, devices {devices}");
        trail.record(tx, "identity.session.ended", &user.id, &detail)?;
        Ok(())
    };
    request.app.store.write(end).await?;
    request.refresh_tokens().await?;
    let done = match disconnects {
        true => &request.texts().elsewhere.done_devices,
        false => &request.texts().elsewhere.done,
    };
    let shown = account::page(&request, Some(done)).await;
    shown.map_err(PageError::after_change)
}
