//! The responses of pages, and the headers of every response.

use std::sync::{Arc, LazyLock};

use askama::Template;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use dropshot::{Body, HttpError, RequestContext};
use http::{HeaderValue, Response, StatusCode, header};
use sha2::{Digest, Sha256};

use super::assets::{PASSKEYS, STYLE};
use super::tab;
use crate::app::App;
use crate::identity::error::ServerError;
use crate::identity::passkeys::PasskeyError;
use crate::identity::passwords::PasswordError;
use crate::ops::access;
use crate::store::StoreError;

/// The content security policy: only the page's own stylesheet, forms to this server, no frames
/// around the page.
static POLICY: LazyLock<String> = LazyLock::new(|| {
    format!(
        "default-src 'none'; style-src '{}'; form-action 'self'; base-uri 'none'; \
         frame-ancestors 'none'",
        source(STYLE)
    )
});

/// The content security policy that also allows the script of passkeys.
static POLICY_WITH_PASSKEYS: LazyLock<String> =
    LazyLock::new(|| format!("{}; script-src '{}'", *POLICY, source(PASSKEYS)));

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
    /// Token of the page's forms.
    pub csrf_token: String,
}

/// A page with one message.
#[derive(Template)]
#[template(path = "identity/notice.html")]
pub struct Notice {
    /// The frame of the page.
    pub frame: Frame,
    /// The heading.
    pub heading: &'static str,
    /// The text.
    pub text: &'static str,
    /// A link to continue: an address on this server, and its name.
    pub link: Option<(&'static str, &'static str)>,
}

/// The response of a page.
pub struct PageResponse {
    status: StatusCode,
    body: String,
    location: Option<String>,
    cookies: Vec<String>,
    retry_after: Option<i64>,
    clears_cache: bool,
    policy: &'static LazyLock<String>,
}

impl PageResponse {
    /// A page.
    ///
    /// # Errors
    ///
    /// When the template fails, which does not happen in practice.
    pub fn page(status: StatusCode, template: &impl Template) -> Result<PageResponse, PageError> {
        Ok(PageResponse {
            status,
            body: template.render()?,
            location: None,
            cookies: Vec::new(),
            retry_after: None,
            clears_cache: false,
            policy: &POLICY,
        })
    }

    /// Redirects to another page, with `GET`. The location is a path on this server.
    pub fn see_other(location: impl Into<String>) -> PageResponse {
        PageResponse {
            status: StatusCode::SEE_OTHER,
            body: String::new(),
            location: Some(location.into()),
            cookies: Vec::new(),
            retry_after: None,
            clears_cache: false,
            policy: &POLICY,
        }
    }

    /// Adds a cookie.
    pub fn with_cookie(mut self, cookie: Option<String>) -> PageResponse {
        self.cookies.extend(cookie);
        self
    }

    /// Clears the browser's cache, so that it does not show earlier pages, even with its Back
    /// button. Browsers can keep whole pages despite `no-store`.
    pub fn clearing_cache(mut self) -> PageResponse {
        self.clears_cache = true;
        self
    }

    /// Adds `Retry-After`.
    pub fn retry_after(mut self, seconds: i64) -> PageResponse {
        self.retry_after = Some(seconds);
        self
    }

    /// Allows the script of passkeys.
    pub fn with_passkeys(mut self) -> PageResponse {
        self.policy = &POLICY_WITH_PASSKEYS;
        self
    }

    fn into_response(self) -> Result<Response<Body>, http::Error> {
        let PageResponse {
            status,
            body,
            location,
            cookies,
            retry_after,
            clears_cache,
            policy,
        } = self;
        let mut builder = Response::builder()
            .status(status)
            .header(header::CONTENT_TYPE, "text/html; charset=utf-8")
            .header(header::CONTENT_SECURITY_POLICY, policy.as_str())
            .header(header::CACHE_CONTROL, "no-store")
            .header(header::REFERRER_POLICY, "no-referrer")
            .header(header::X_CONTENT_TYPE_OPTIONS, "nosniff")
            .header(header::X_FRAME_OPTIONS, "DENY")
            .header("cross-origin-opener-policy", "same-origin")
            .header("cross-origin-resource-policy", "same-origin");
        let optional = [
            (header::LOCATION, location),
            (
                header::RETRY_AFTER,
                retry_after.map(|seconds| seconds.to_string()),
            ),
        ];
        for (name, value) in optional {
            if let Some(value) = value {
                builder = builder.header(name, HeaderValue::try_from(value)?);
            }
        }
        for cookie in cookies {
            builder = builder.header(header::SET_COOKIE, HeaderValue::try_from(cookie)?);
        }
        if clears_cache {
            builder = builder.header("clear-site-data", "\"cache\"");
        }
        builder.body(Body::from(body))
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
    /// The request is not for a tab.
    #[error("the request is not for a tab")]
    Embedded,
    /// The service failed.
    #[error(transparent)]
    Server(#[from] ServerError),
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
        PageError::Server(error.into())
    }
}

impl PageError {
    fn response(&self) -> Result<PageResponse, PageError> {
        let (status, heading, text, link) = match self {
            PageError::Foreign => (
                StatusCode::FORBIDDEN,
                "This form is out of date",
                "It was opened before you signed in or out, or its cookie expired. \
                 Nothing has changed.",
                Some(("/ui/v1/device", "Start again")),
            ),
            PageError::Unreadable => (
                StatusCode::BAD_REQUEST,
                "This form cannot be read",
                "Nothing has been changed.",
                Some(("/ui/v1/device", "Start again")),
            ),
            PageError::Embedded => (
                StatusCode::FORBIDDEN,
                "Open this page in a tab",
                "Another page has tried to load it. Nothing has been changed.",
                None,
            ),
            PageError::Server(_)
            | PageError::Password(_)
            | PageError::Passkey(_)
            | PageError::Template(_) => (
                StatusCode::INTERNAL_SERVER_ERROR,
                "Something went wrong",
                "It is not your fault. Try again in a moment.",
                None,
            ),
        };
        let frame = Frame {
            user: None,
            csrf_token: String::new(),
        };
        PageResponse::page(
            status,
            &Notice {
                frame,
                heading,
                text,
                link,
            },
        )
    }
}

/// Converts the outcome of a page request into a response. Logs a failure of the service; the page
/// says that it is not the user's fault.
pub async fn respond(
    rqctx: &RequestContext<Arc<App>>,
    outcome: impl Future<Output = Result<PageResponse, PageError>>,
) -> Result<Response<Body>, HttpError> {
    // The paths of pages have no variables, so they are safe to log.
    let path = rqctx.request.uri().path();
    access::logged(rqctx, "pages", path, async {
        let outcome = match tab::is_for_a_tab(rqctx.request.headers()) {
            true => outcome.await,
            false => Err(PageError::Embedded),
        };
        let response = outcome.or_else(|error| {
            let is_refused = matches!(
                error,
                PageError::Foreign | PageError::Unreadable | PageError::Embedded
            );
            if !is_refused {
                tracing::error!(%error, "a page failed");
            }
            error.response()
        });
        let failed = |error: String| HttpError::for_internal_error(error);
        response
            .map_err(|error| failed(error.to_string()))?
            .into_response()
            .map_err(|error| failed(error.to_string()))
    })
    .await
}
