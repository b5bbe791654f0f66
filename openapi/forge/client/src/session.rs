//! The session of a generated client, which sends its requests.
//!
//! progenitor's clients call three hooks around each request. Generated code passes two of them to the [`Session`],
//! which does everything that does not depend on one operation: credentials, deadlines, retries.

use crate::{
    Operation,
    body::{MAX_BODY, MaxBody},
    form,
    places::write_parameter,
};
use futures_util::stream;
use reqwest::{
    Body, Method, Response,
    header::{ACCEPT, CONTENT_TYPE, HeaderValue},
};
use std::{error::Error, fmt, future::Future, pin::Pin, sync::Arc, time::Duration};

/// A future of a [`Transport`].
pub type Pending<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// An error of any type.
pub type BoxError = Box<dyn Error + Send + Sync>;

/// The maximum duration of an event stream, unless its request has another timeout. A client has a deadline for whole
/// responses, which would end a stream early; this timeout of the request replaces it.
pub const STREAM_DEADLINE: Duration = Duration::from_secs(24 * 60 * 60);

/// Puts credentials on requests and sends them.
///
/// All methods have defaults, so an implementation writes only those that it changes.
pub trait Transport: fmt::Debug + Send + Sync + 'static {
    /// Changes a request before it is sent, usually to add credentials.
    ///
    /// # Errors
    ///
    /// An error ends the call before anything is sent. It reaches the caller as [`Failure::Unsent`](crate::Failure::Unsent).
    fn prepare<'a>(
        &'a self,
        _request: &'a mut reqwest::Request,
        _operation: &'static Operation,
    ) -> Pending<'a, Result<(), BoxError>> {
        Box::pin(async { Ok(()) })
    }

    /// Sends a request, repeatedly if that is safe and useful.
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

    /// The maximum size in bytes of a response that is read as a whole; 64 MiB by default. A larger one is
    /// [`Failure::Unreadable`](crate::Failure::Unreadable).
    fn max_body_bytes(&self) -> usize {
        MAX_BODY
    }
}

/// The state of a generated client: a cheap handle of a [`Transport`].
#[derive(Clone)]
pub struct Session(Arc<dyn Transport>);

impl Session {
    /// A session that sends with this transport.
    pub fn new(transport: impl Transport) -> Self {
        Self(Arc::new(transport))
    }

    /// A session over a transport that others share.
    pub fn shared(transport: Arc<dyn Transport>) -> Self {
        Self(transport)
    }

    pub(crate) fn stream_timeout(&self) -> Option<Duration> {
        self.0.stream_timeout()
    }

    pub(crate) fn max_body_bytes(&self) -> usize {
        self.0.max_body_bytes()
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

/// The hook before a request: adds the headers that progenitor cannot know. [`execute`] adds those of the transport.
///
/// progenitor sends an `api-version` header that no document has. The hook removes it.
pub fn prepare(
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
    // progenitor cannot send OPTIONS and TRACE with reqwest, and sends another method instead.
    if request.method() != operation.method {
        *request.method_mut() = Method::from_bytes(operation.method.as_bytes())
            .map_err(|_| format!("{} is not a method", operation.method))?;
    }
    if operation.streams && request.timeout().is_none() {
        *request.timeout_mut() = Some(STREAM_DEADLINE);
    }
    Ok(())
}

/// The hook that sends a request. The transport changes it first: an error of this hook keeps its type, and one of
/// [`prepare`] does not.
pub async fn execute(
    session: &Session,
    client: &reqwest::Client,
    mut request: reqwest::Request,
    operation: &'static Operation,
) -> reqwest::Result<reqwest::Response> {
    if let Err(error) = session.0.prepare(&mut request, operation).await {
        return transport_error(Unsent(error.into()).into()).await;
    }
    let sent = session.0.send(client, request, operation).await;
    let mut response = sent.map_err(without_query)?;
    let max = MaxBody(session.max_body_bytes());
    response.extensions_mut().insert(max);
    Ok(response)
}

/// The error without the query of its address: a query may have secrets, and errors are printed.
fn without_query(mut error: reqwest::Error) -> reqwest::Error {
    if let Some(url) = error.url_mut() {
        url.set_query(None);
    }
    error
}

/// Returns an error of a transport as one of reqwest, whose sources end with it. reqwest has no constructor for errors, but
/// returns the error of a body.
pub async fn transport_error(error: BoxError) -> reqwest::Result<reqwest::Response> {
    let body = Body::wrap_stream(stream::iter([Err::<Vec<u8>, _>(error)]));
    let response = Response::from(http::Response::new(body));
    let read = response.bytes().await;
    read.map(|_| Response::from(http::Response::new(Body::default())))
}

/// The error of [`Transport::prepare`].
#[derive(Debug)]
struct Unsent(Arc<dyn Error + Send + Sync>);

/// The error of [`Transport::prepare`], if it is among the sources of this error.
pub(crate) fn unsent(error: &reqwest::Error) -> Option<Arc<dyn Error + Send + Sync>> {
    let mut source = error.source();
    while let Some(error) = source {
        if let Some(Unsent(error)) = error.downcast_ref() {
            return Some(Arc::clone(error));
        }
        source = error.source();
    }
    None
}

impl fmt::Display for Unsent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Error for Unsent {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source()
    }
}
