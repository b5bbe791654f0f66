//! What a page answers with, and the headers that every answer has.

use std::sync::{Arc, LazyLock};

use askama::Template;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use dropshot::{Body, HttpError, RequestContext};
use http::{HeaderValue, Response, StatusCode, header};
use sha2::{Digest, Sha256};

use super::{PASSKEYS, STYLE};
use crate::app::App;
use crate::identity::error::ServerError;
use crate::identity::passkeys::PasskeyError;
use crate::identity::passwords::PasswordError;
use crate::ops::access;
use crate::store::StoreError;

/// Only the page's own stylesheet, forms to this server, and no frame around.
static POLICY: LazyLock<String> = LazyLock::new(|| {
    format!(
        "default-src 'none'; style-src '{}'; form-action 'self'; base-uri 'none'; \
         frame-ancestors 'none'",
        source(STYLE)
    )
});

/// The same, and the script of passkeys.
static POLICY_WITH_PASSKEYS: LazyLock<String> =
    LazyLock::new(|| format!("{}; script-src '{}'", *POLICY, source(PASSKEYS)));

fn source(text: &str) -> String {
    format!(
        "sha256-{}",
        STANDARD.encode(Sha256::digest(text.as_bytes()))
    )
}

/// What stands in the frame of every page.
pub struct Frame {
    /// Name of the user, when somebody is signed in.
    pub user: Option<String>,
    /// Token of the page's forms.
    pub csrf_token: String,
}

/// A page that says one thing.
#[derive(Template)]
#[template(path = "identity/notice.html")]
pub struct Notice {
    /// What stands around it.
    pub frame: Frame,
    /// What has happened.
    pub heading: &'static str,
    /// What it means.
    pub text: &'static str,
    /// Where to go from here: an address on this server, and its name.
    pub link: Option<(&'static str, &'static str)>,
}

/// An answer on its way.
pub struct Answer {
    status: StatusCode,
    body: String,
    location: Option<String>,
    cookies: Vec<String>,
    retry_after: Option<i64>,
    clears_cache: bool,
    policy: &'static LazyLock<String>,
}

impl Answer {
    /// A page.
    ///
    /// # Errors
    ///
    /// When the template fails, which it has no reason to.
    pub fn page(status: StatusCode, template: &impl Template) -> Result<Answer, PageError> {
        Ok(Answer {
            status,
            body: template.render()?,
            location: None,
            cookies: Vec::new(),
            retry_after: None,
            clears_cache: false,
            policy: &POLICY,
        })
    }

    /// To another page, with `GET`. The location is a path on this server.
    pub fn see_other(location: impl Into<String>) -> Answer {
        Answer {
            status: StatusCode::SEE_OTHER,
            body: String::new(),
            location: Some(location.into()),
            cookies: Vec::new(),
            retry_after: None,
            clears_cache: false,
            policy: &POLICY,
        }
    }

    /// The same with a cookie.
    pub fn with_cookie(mut self, cookie: Option<String>) -> Answer {
        self.cookies.extend(cookie);
        self
    }

    /// The same for a page after which the browser must not show pages from before,
    /// not even with its Back button: these can be kept whole, in spite of
    /// `no-store`.
    pub fn clearing_cache(mut self) -> Answer {
        self.clears_cache = true;
        self
    }

    /// The same with the seconds after which it is worth trying again.
    pub fn retry_after(mut self, seconds: i64) -> Answer {
        self.retry_after = Some(seconds);
        self
    }

    /// The same for a page on which passkeys are made or used.
    pub fn with_passkeys(mut self) -> Answer {
        self.policy = &POLICY_WITH_PASSKEYS;
        self
    }

    fn into_response(self) -> Result<Response<Body>, http::Error> {
        let Answer {
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

/// Why a page cannot do what it was asked to.
#[derive(Debug, thiserror::Error)]
pub enum PageError {
    /// The form was not given to this browser, or was sent from elsewhere.
    #[error("the form does not belong to this browser")]
    Foreign,
    /// The form cannot be read.
    #[error("the form cannot be read")]
    Unreadable,
    /// Something here does not work.
    #[error(transparent)]
    Server(#[from] ServerError),
    /// A password could not be hashed.
    #[error(transparent)]
    Password(#[from] PasswordError),
    /// A stored passkey cannot be read.
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
    fn answer(&self) -> Result<Answer, PageError> {
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
        Answer::page(
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

/// Makes a response of the outcome of a page request. Logs a failure of the service; the page
/// says that it was not the user's.
pub async fn respond(
    rqctx: &RequestContext<Arc<App>>,
    outcome: impl Future<Output = Result<Answer, PageError>>,
) -> Result<Response<Body>, HttpError> {
    // The pages' paths have no variables.
    let path = rqctx.request.uri().path();
    access::logged(rqctx, "pages", path, async {
        let answer = outcome.await.or_else(|error| {
            if !matches!(error, PageError::Foreign | PageError::Unreadable) {
                tracing::error!(%error, "a page failed");
            }
            error.answer()
        });
        let failed = |error: String| HttpError::for_internal_error(error);
        answer
            .map_err(|error| failed(error.to_string()))?
            .into_response()
            .map_err(|error| failed(error.to_string()))
    })
    .await
}
