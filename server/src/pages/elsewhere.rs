//! The page for signing out everywhere but in this browser.

use std::time::Duration;

use askama::Template;
use http::StatusCode;

use super::account;
use super::page_request::{Form, PageRequest};
use super::response::{Frame, PageError, PageResponse};
use crate::identity::error::ServerError;
use crate::identity::{grants, sessions, tokens};
use crate::store::Tx;

#[derive(Template)]
#[template(path = "identity/elsewhere.html")]
struct ElsewherePage {
    frame: Frame,
    /// The number of other browsers.
    browsers: usize,
    /// The number of connected devices.
    devices: usize,
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
    let page = ElsewherePage {
        frame: request.frame(),
        browsers: sessions.saturating_sub(1),
        devices,
    };
    request.page(StatusCode::OK, &page)
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
    let identity = &request.app.identity;
    identity
        .token_cache
        .follow(identity, Duration::ZERO)
        .await?;
    let done = match disconnects {
        true => "All other browsers are signed out, and all devices are disconnected.",
        false => "All other browsers are signed out. Devices stay connected.",
    };
    account::page(&request, Some(done)).await
}
