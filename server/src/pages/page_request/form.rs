//! The form of a request, which must be one that this server gave to the browser.

use std::collections::HashMap;

use http::{HeaderMap, header};

use crate::app::App;
use crate::identity::endpoints;
use crate::identity::user_code::UserCode;
use crate::kernel::proxies;
use crate::pages::after::After;
use crate::pages::response::PageError;

/// Whether the headers name this service as the origin of a form. `host` is the host that the caller named. If a browser
/// omits the headers, the token in the form decides alone. Pages without referrer, as those of this service, have the
/// origin `null`.
pub(super) fn is_same_origin(app: &App, headers: &HeaderMap, host: Option<&String>) -> bool {
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let site_is_ours =
        header("sec-fetch-site").is_none_or(|site| matches!(site, "same-origin" | "none"));
    let origin_is_ours = header("origin").is_none_or(|origin| {
        let named = origin.split_once("://").map(|(_, host)| host);
        origin == "null"
            || origin == endpoints::issuer(&app.identity)
            || named
                .and_then(proxies::normalize_host)
                .is_some_and(|named| host == Some(&named))
    });
    site_is_ours && origin_is_ours
}

/// A form, with every field once.
pub struct Form(HashMap<String, String>);

impl Form {
    /// Reads a form, which may come from anywhere.
    pub(super) fn read(headers: &HeaderMap, body: &[u8]) -> Result<Form, PageError> {
        let kind = headers
            .get(header::CONTENT_TYPE)
            .and_then(|value| value.to_str().ok());
        let kind = kind
            .and_then(|kind| kind.split(';').next())
            .unwrap_or_default();
        if !kind
            .trim()
            .eq_ignore_ascii_case("application/x-www-form-urlencoded")
        {
            return Err(PageError::Unreadable);
        }
        let mut fields = HashMap::new();
        for (name, value) in url::form_urlencoded::parse(body).into_owned() {
            if value.contains('\0') || fields.insert(name, value).is_some() {
                return Err(PageError::Unreadable);
            }
        }
        Ok(Form(fields))
    }

    /// The value of a field; empty when the form has none.
    pub fn get(&self, name: &str) -> &str {
        self.0.get(name).map_or("", String::as_str)
    }

    /// The page to open after signing in.
    pub fn after(&self) -> After {
        After::of(self.get("user_code"), self.get("to"))
    }

    /// The user code, if the field can be one.
    pub fn user_code(&self) -> Option<UserCode> {
        UserCode::parse(self.get("user_code"))
    }
}
