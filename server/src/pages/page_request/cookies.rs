//! The cookies of the pages: the key of the session, and the users of a browser.

use http::{HeaderMap, header};

use crate::app::App;
use crate::identity::device_cookie::{DeviceCookie, Owner};
use crate::identity::endpoints;
use crate::identity::sessions::SessionKey;

/// The cookie that names the users who have signed in with this browser.
pub(super) fn device_cookie(app: &App, headers: &HeaderMap) -> DeviceCookie {
    let value = cookie(headers, device_cookie_name(app));
    value.map(DeviceCookie::parse).unwrap_or_default()
}

/// A device cookie with this user added. `None` if device cookies are disabled.
pub(super) fn renewed(app: &App, old: &DeviceCookie, owner: Owner<'_>, now: i64) -> Option<String> {
    let days = app.config.identity.device_cookie_days;
    (days > 0).then(|| {
        let value = old.renewed(&app.server_keys, app.random.as_ref(), owner, now);
        let lifetime = Some(days * 86_400);
        cookie_line(app, device_cookie_name(app), &value, lifetime)
    })
}

/// The cookie of a session. Without `seconds`, it ends with the browser's session.
pub fn set_cookie(app: &App, key: &SessionKey, seconds: Option<i64>) -> String {
    cookie_line(app, cookie_name(app), key.expose(), seconds)
}

fn cookie_line(app: &App, name: &str, value: &str, seconds: Option<i64>) -> String {
    let secure = if is_https(app) { "; Secure" } else { "" };
    let lifetime = seconds.map_or(String::new(), |seconds| format!("; Max-Age={seconds}"));
    format!("{name}={value}; Path=/; HttpOnly; SameSite=Lax{secure}{lifetime}")
}

/// With the prefix `__Host-`, other hosts of a domain cannot set the cookie, and browsers accept it
/// over HTTPS only.
pub(super) fn cookie_name(app: &App) -> &'static str {
    match is_https(app) {
        true => "__Host-accord_session",
        false => "accord_session",
    }
}

fn device_cookie_name(app: &App) -> &'static str {
    match is_https(app) {
        true => "__Host-accord_device",
        false => "accord_device",
    }
}

fn is_https(app: &App) -> bool {
    endpoints::issuer(&app.identity).starts_with("https://")
}

/// The value of the cookie with this name.
pub(super) fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(key, _)| *key == name)
        .map(|(_, value)| value)
}
