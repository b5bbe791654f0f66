//! The responses of pages, and the headers of every response.

use std::borrow::Cow;
use std::sync::LazyLock;

use askama::Template;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use dropshot::{Body, HttpError};
use http::{HeaderName, HeaderValue, Method, Response, StatusCode, header};
use sha2::{Digest, Sha256};

use super::after::Section;
use super::assets::STYLE;
use super::texts::{Texts, english};
use crate::identity::error::ServerError;
use crate::identity::passkeys::PasskeyError;
use crate::identity::passwords::PasswordError;
use crate::inference::keys::KeyError;
use crate::ops::reply;
use crate::patterns::error::PatternError;
use crate::store::StoreError;

/// The media type of pages.
pub const HTML: &str = "text/html; charset=utf-8";

/// The content security policy: only the page's own stylesheet and icon, forms to this server, no
/// frames around the page.
static POLICY: LazyLock<String> = LazyLock::new(|| {
    format!(
        "default-src 'none'; style-src '{}'; img-src data:; form-action 'self'; base-uri 'none'; \
         frame-ancestors 'none'",
        source(STYLE)
    )
});

/// The source of a text in the page, by its hash.
fn source(text: &str) -> String {
    format!(
        "sha256-{}",
        STANDARD.encode(Sha256::digest(text.as_bytes()))
    )
}

/// The values in the frame of every page.
pub struct Frame {
    /// Name of the signed-in user, if there is one.
    pub user: Option<String>,
    /// Whether the user administers an organization.
    pub is_administrator: bool,
    /// Whether the user is an operator.
    pub is_operator: bool,
    /// Token of the page's forms.
    pub csrf_token: String,
    /// The texts of the frame, and of the page if it is translated.
    pub texts: &'static Texts,
}

/// A page with one message.
#[derive(Template)]
#[template(path = "identity/notice.html")]
pub struct Notice<'a> {
    /// The frame of the page.
    pub frame: Frame,
    /// The heading.
    pub heading: &'static str,
    /// The text.
    pub text: &'a str,
    /// A link to continue: an address on this server, and its name.
    pub link: Option<(&'static str, &'static str)>,
}

/// The query with these names and values.
pub fn query_of(pairs: &[(&str, &str)]) -> String {
    url::form_urlencoded::Serializer::new(String::new())
        .extend_pairs(pairs)
        .finish()
}

/// The response of a page.
pub struct PageResponse {
    status: StatusCode,
    content_type: &'static str,
    body: String,
    policy: Cow<'static, str>,
    headers: Vec<(HeaderName, String)>,
}

impl PageResponse {
    fn new(status: StatusCode, body: String) -> PageResponse {
        PageResponse {
            status,
            content_type: HTML,
            body,
            policy: Cow::Borrowed(&POLICY),
            headers: Vec::new(),
        }
    }

    /// A page.
    ///
    /// # Errors
    ///
    /// When the template fails, which does not happen in practice.
    pub fn page(status: StatusCode, template: &impl Template) -> Result<PageResponse, PageError> {
        Ok(PageResponse::new(status, template.render()?))
    }

    /// Redirects to another page, with `GET`. The location is a path on this server.
    pub fn see_other(location: impl Into<String>) -> PageResponse {
        let response = PageResponse::new(StatusCode::SEE_OTHER, String::new());
        response.with_header(header::LOCATION, location)
    }

    /// Redirects to a page with this query.
    pub fn see_other_with(path: &str, query: &[(&str, &str)]) -> PageResponse {
        PageResponse::see_other(format!("{path}?{}", query_of(query)))
    }

    /// A file with comma-separated values, which the browser stores under this name.
    pub fn csv(name: &str, text: String) -> PageResponse {
        let disposition = format!("attachment; filename=\"{name}\"");
        PageResponse {
            content_type: "text/csv; charset=utf-8",
            ..PageResponse::new(StatusCode::OK, text)
        }
        .with_header(header::CONTENT_DISPOSITION, disposition)
    }

    fn with_header(mut self, name: HeaderName, value: impl Into<String>) -> PageResponse {
        self.headers.push((name, value.into()));
        self
    }

    /// Adds a cookie.
    pub fn with_cookie(self, cookie: Option<String>) -> PageResponse {
        match cookie {
            Some(cookie) => self.with_header(header::SET_COOKIE, cookie),
            None => self,
        }
    }

    /// Clears the browser's cache, so that it does not show earlier pages, even with its Back
    /// button. Browsers can keep whole pages despite `no-store`.
    pub fn clearing_cache(self) -> PageResponse {
        self.with_header(HeaderName::from_static("clear-site-data"), "\"cache\"")
    }

    /// Adds `Retry-After`.
    pub fn retry_after(self, seconds: i64) -> PageResponse {
        self.with_header(header::RETRY_AFTER, seconds.to_string())
    }

    /// Adds `Vary`, because the page depends on the language that the browser prefers.
    pub fn translated(self) -> PageResponse {
        self.with_header(header::VARY, header::ACCEPT_LANGUAGE.as_str())
    }

    /// Allows scripts with these texts.
    pub fn with_scripts(mut self, scripts: &[&str]) -> PageResponse {
        let policy = self.policy.to_mut();
        policy.push_str("; script-src");
        for script in scripts {
            policy.push_str(&format!(" '{}'", source(script)));
        }
        self
    }

    /// Allows scripts of the page to call this source.
    pub fn with_calls(mut self, source: &str) -> PageResponse {
        let policy = self.policy.to_mut();
        policy.push_str("; connect-src ");
        policy.push_str(source);
        self
    }

    fn into_response(self) -> Result<Response<Body>, http::Error> {
        let mut builder = Response::builder()
            .status(self.status)
            .header(header::CONTENT_TYPE, self.content_type)
            .header(header::CONTENT_SECURITY_POLICY, &*self.policy)
            .header(header::CACHE_CONTROL, "no-store")
            .header(header::REFERRER_POLICY, "no-referrer")
            .header(header::X_CONTENT_TYPE_OPTIONS, "nosniff")
            .header(header::X_FRAME_OPTIONS, "DENY")
            .header("cross-origin-opener-policy", "same-origin")
            .header("cross-origin-resource-policy", "same-origin");
        for (name, value) in self.headers {
            builder = builder.header(name, HeaderValue::try_from(value)?);
        }
        builder.body(Body::from(self.body))
    }
}

/// The error of a page.
#[derive(Debug, thiserror::Error)]
pub enum PageError {
    /// The form was issued to another browser, or sent from another site.
    #[error("the form does not belong to this browser")]
    Foreign,
    /// The form cannot be read.
    #[error("the form cannot be read")]
    Unreadable,
    /// The form is larger than the service reads.
    #[error("the form is too large")]
    TooLarge,
    /// Nobody is signed in. After signing in, the browser opens this section.
    #[error("nobody is signed in")]
    SignedOut(Section),
    /// There is no page at this address, or it is not for this user.
    #[error("there is no such page")]
    Unknown,
    /// It was deleted or removed before, and the user may know that.
    #[error("already gone: {text}")]
    Gone {
        /// The heading, in English as the rest of the console.
        heading: &'static str,
        /// The text.
        text: &'static str,
        /// The address of the list that it was in, and the name of the list.
        back: (&'static str, &'static str),
    },
    /// The page at this address has only these methods.
    #[error("the page does not have this method")]
    OtherMethods(Vec<Method>),
    /// The user has made too many calls; the seconds to wait.
    #[error("too many requests")]
    TooManyRequests(i64),
    /// The store cannot be used at the moment.
    #[error("unavailable: {0}")]
    Unavailable(String),
    /// The same, after a change was made.
    #[error("unavailable after a change: {0}")]
    UnavailableAfterChange(String),
    /// The user administers no organization.
    #[error("the user administers no organization")]
    NotAdministrator,
    /// An operation on patterns failed.
    #[error("patterns: {0}")]
    Pattern(PatternError),
    /// An operation on API keys failed.
    #[error("API keys: {0}")]
    Keys(KeyError),
    /// A script or a frame asks for the page.
    #[error("only people open pages")]
    Scripted,
    /// The service failed.
    #[error(transparent)]
    Server(ServerError),
    /// A password could not be hashed.
    #[error(transparent)]
    Password(#[from] PasswordError),
    /// A stored passkey is invalid.
    #[error(transparent)]
    Passkey(#[from] PasskeyError),
    /// The template failed.
    #[error(transparent)]
    Template(#[from] askama::Error),
}

impl From<StoreError> for PageError {
    fn from(error: StoreError) -> Self {
        match error {
            // The page must not say that nothing has changed.
            StoreError::OutcomeUnknown(_) => PageError::Server(error.into()),
            error if error.is_temporary() => PageError::Unavailable(error.to_string()),
            error => PageError::Server(error.into()),
        }
    }
}

impl From<ServerError> for PageError {
    fn from(error: ServerError) -> Self {
        match error {
            ServerError::Store(error) => error.into(),
            error => PageError::Server(error),
        }
    }
}

impl From<KeyError> for PageError {
    fn from(error: KeyError) -> Self {
        match error {
            // As for an operation, a key without a right looks as if it did not exist.
            KeyError::NotFound | KeyError::NoSuchSecret(_) => PageError::Unknown,
            // An address that no page has linked to.
            KeyError::Invalid { .. } => PageError::Unknown,
            KeyError::TooManyRequests(seconds) => PageError::TooManyRequests(seconds),
            KeyError::Unavailable(reason) => PageError::Unavailable(reason),
            error => PageError::Keys(error),
        }
    }
}

impl From<PatternError> for PageError {
    fn from(error: PatternError) -> Self {
        match error {
            PatternError::UnknownInstance(_)
            | PatternError::UnknownProject { .. }
            | PatternError::UnknownPattern { .. } => PageError::Unknown,
            PatternError::Store(error) => error.into(),
            error @ PatternError::Row { .. } => PageError::Pattern(error),
        }
    }
}

impl PageError {
    /// The error of a page that failed after a change was made. It must not say that nothing has
    /// changed.
    pub fn after_change(self) -> PageError {
        match self {
            PageError::Unavailable(reason) => PageError::UnavailableAfterChange(reason),
            error => error,
        }
    }

    /// Whether the service is at fault.
    fn is_failure(&self) -> bool {
        match self {
            PageError::Server(_)
            | PageError::Password(_)
            | PageError::Passkey(_)
            | PageError::Template(_)
            | PageError::Unavailable(_)
            | PageError::UnavailableAfterChange(_)
            | PageError::Pattern(_)
            | PageError::Keys(_) => true,
            PageError::Foreign
            | PageError::Unreadable
            | PageError::TooLarge
            | PageError::SignedOut(_)
            | PageError::Unknown
            | PageError::Gone { .. }
            | PageError::NotAdministrator
            | PageError::OtherMethods(_)
            | PageError::TooManyRequests(_)
            | PageError::Scripted => false,
        }
    }

    /// The page of the error in the language of these texts.
    fn response(&self, texts: &'static Texts) -> Result<PageResponse, PageError> {
        let errors = &texts.errors;
        let (status, heading, text) = match self {
            PageError::SignedOut(section) => {
                let section = section.as_str();
                let address = format!("/ui/v1/signin?to={section}");
                return Ok(PageResponse::see_other(address));
            }
            &PageError::Gone {
                heading,
                text,
                back,
            } => return notice(StatusCode::NOT_FOUND, english(), heading, text, Some(back)),
            PageError::Unknown => (404, &errors.unknown, &errors.unknown_text),
            PageError::OtherMethods(_) => (405, &errors.method, &errors.method_text),
            PageError::NotAdministrator => (403, &errors.administrator, &errors.administrator_text),
            PageError::Scripted => (403, &errors.scripted, &errors.scripted_text),
            PageError::Foreign => (403, &errors.foreign, &errors.foreign_text),
            PageError::Unreadable => (400, &errors.unreadable, &errors.unreadable_text),
            PageError::TooLarge => (413, &errors.large, &errors.large_text),
            PageError::TooManyRequests(_) => (429, &errors.requests, &errors.requests_text),
            PageError::Unavailable(_) => (503, &errors.unavailable, &errors.unavailable_text),
            PageError::UnavailableAfterChange(_)
            | PageError::Server(_)
            | PageError::Password(_)
            | PageError::Passkey(_)
            | PageError::Template(_)
            | PageError::Pattern(_)
            | PageError::Keys(_) => (500, &errors.failed, &errors.failed_text),
        };
        // Another page does not help where the service is at fault, or the user has to wait.
        let is_elsewhere = !matches!(status, 429 | 500..);
        let link = is_elsewhere.then_some(("/ui/v1", errors.home.as_str()));
        let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let response = notice(status, texts, heading, text, link)?.translated();
        Ok(match self {
            PageError::OtherMethods(methods) => {
                response.with_header(header::ALLOW, reply::allow(methods))
            }
            PageError::TooManyRequests(seconds) => response.retry_after(*seconds),
            _ => response,
        })
    }

    /// The error for programs that do not read HTML, in the format of addresses outside of the
    /// areas; `None` if it has none.
    pub fn plain(&self) -> Option<HttpError> {
        match self {
            PageError::Unknown => Some(reply::not_found("The page does not exist.".to_owned())),
            PageError::OtherMethods(methods) => Some(reply::method_not_allowed(methods)),
            _ => None,
        }
    }
}

/// The page of an error, with a link to continue.
fn notice(
    status: StatusCode,
    texts: &'static Texts,
    heading: &'static str,
    text: &str,
    link: Option<(&'static str, &'static str)>,
) -> Result<PageResponse, PageError> {
    let frame = Frame {
        user: None,
        is_administrator: false,
        is_operator: false,
        csrf_token: String::new(),
        texts,
    };
    let notice = Notice {
        frame,
        heading,
        text,
        link,
    };
    PageResponse::page(status, &notice)
}

/// Converts the outcome of a page request into a response. Logs a failure of the service; the page
/// says that it is not the user's fault, in the language of these texts.
///
/// # Errors
///
/// When the response cannot be written, which does not happen in practice.
pub fn respond(
    outcome: Result<PageResponse, PageError>,
    texts: &'static Texts,
) -> Result<Response<Body>, HttpError> {
    let response = outcome.or_else(|error| {
        if error.is_failure() {
            tracing::error!(%error, "a page failed");
        }
        error.response(texts)
    });
    let failed = |error: String| HttpError::for_internal_error(error);
    response
        .map_err(|error| failed(error.to_string()))?
        .into_response()
        .map_err(|error| failed(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_error_before_a_change_says_that_nothing_has_changed() {
        let unavailable = || PageError::Unavailable("the database is away".to_owned());
        for (error, says_so) in [(unavailable(), true), (unavailable().after_change(), false)] {
            let page = error.response(english()).unwrap();
            assert_eq!(
                page.body.contains("Nothing has changed"),
                says_so,
                "{error}"
            );
            assert!(page.status.is_server_error(), "{error}");
        }
    }
}
