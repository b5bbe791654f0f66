//! What every generated client carries: the way to send a request.
//!
//! progenitor's clients call three hooks around each request. Generated code hands two of them to the [`Session`], and
//! with them all that is not a matter of one operation: credentials, deadlines, repeated attempts.

use crate::{Operation, form, places::write_parameter};
use reqwest::{
    Method,
    header::{ACCEPT, CONTENT_TYPE, HeaderValue},
};
use std::{fmt, future::Future, pin::Pin, sync::Arc, time::Duration};

/// A future of a [`Transport`].
pub type Pending<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// How long an event stream may last. A client has a deadline for whole answers, which would cut a stream off; a
/// request of its own replaces that one.
const STREAM_DEADLINE: Duration = Duration::from_secs(24 * 60 * 60);

/// Puts credentials on requests and sends them.
///
/// Both methods have defaults, so an implementation says only what is special about it.
pub trait Transport: fmt::Debug + Send + Sync + 'static {
    /// Changes a request before it is sent, usually to add credentials. An error ends the call before anything is sent;
    /// it reaches the caller as `progenitor_client::Error::Custom`.
    fn prepare<'a>(
        &'a self,
        _request: &'a mut reqwest::Request,
        _operation: &'static Operation,
    ) -> Pending<'a, Result<(), String>> {
        Box::pin(async { Ok(()) })
    }

    /// Sends a request, more than once if that is safe and of use.
    fn send<'a>(
        &'a self,
        client: &'a reqwest::Client,
        request: reqwest::Request,
        _operation: &'static Operation,
    ) -> Pending<'a, reqwest::Result<reqwest::Response>> {
        Box::pin(client.execute(request))
    }

    /// How long an event stream may be silent; for ever by default.
    fn stream_timeout(&self) -> Option<Duration> {
        None
    }
}

/// What a generated client carries; a cheap handle of a [`Transport`].
#[derive(Clone)]
pub struct Session(Arc<dyn Transport>);

impl Session {
    /// A session that sends with this transport.
    pub fn new(transport: impl Transport) -> Self {
        Self(Arc::new(transport))
    }

    pub(crate) fn stream_timeout(&self) -> Option<Duration> {
        self.0.stream_timeout()
    }

    /// A session over a transport that others share.
    pub fn shared(transport: Arc<dyn Transport>) -> Self {
        Self(transport)
    }
}

/// Sends each request once, as it is.
impl Default for Session {
    fn default() -> Self {
        #[derive(Debug)]
        struct Plain;
        impl Transport for Plain {}
        Self::new(Plain)
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Session").field(&self.0).finish()
    }
}

/// The hook before a request: headers that progenitor cannot know, then whatever the transport adds.
///
/// progenitor sends an `api-version` header that no document asks for; it is taken away.
pub async fn prepare(
    session: &Session,
    request: &mut reqwest::Request,
    operation: &'static Operation,
) -> Result<(), String> {
    let headers = request.headers_mut();
    headers.remove("api-version");
    if let Some(accept) = operation.accept
        && headers
            .get(ACCEPT)
            .is_none_or(|value| value == "application/json")
    {
        headers.insert(ACCEPT, HeaderValue::from_static(accept));
    }
    if let Some(content_type) = operation.content_type {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    }
    if operation.form {
        form::encode_body(request)?;
    }
    for parameter in operation.parameters {
        write_parameter(request, parameter)?;
    }
    // reqwest has no methods for OPTIONS and TRACE, so that progenitor sends another one.
    if request.method() != operation.method {
        *request.method_mut() = Method::from_bytes(operation.method.as_bytes())
            .map_err(|_| format!("{} is not a method", operation.method))?;
    }
    if operation.streams && request.timeout().is_none() {
        *request.timeout_mut() = Some(STREAM_DEADLINE);
    }
    session.0.prepare(request, operation).await
}

/// The hook that sends a request.
pub async fn execute(
    session: &Session,
    client: &reqwest::Client,
    request: reqwest::Request,
    operation: &'static Operation,
) -> reqwest::Result<reqwest::Response> {
    session.0.send(client, request, operation).await
}
