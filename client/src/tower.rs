//! A service of tower in place of the HTTP client: feature `tower`.

use crate::{store::BoxError, transport::until};
use dropforge_client::{Operation, Pending, Transport, transport_error};
use reqwest::{Body, Client, Request, Response};
use std::{
    fmt,
    future::poll_fn,
    sync::{Mutex, PoisonError},
};
use tokio::time::Instant;
use tower_service::Service;

/// A `tower::Service` of HTTP requests, for [`Builder::transport`](crate::Builder::transport): each attempt of a call is
/// one request of the service. So limits, balancers and the like of tower apply to attempts, within the retries and
/// deadlines of the client.
///
/// Errors of the type [`reqwest::Error`] keep their meaning for retries. The client does not repeat a request after
/// another error of the service, unless it has an `io::Error` of the kind `TimedOut` as a source.
///
/// ```
/// use accord_client::{Accord, TowerTransport, reqwest::{self, Body}};
/// use std::{convert::Infallible, future::{Ready, ready}, task::{Context, Poll}};
///
/// /// Sends nothing, and responds with an empty list.
/// #[derive(Clone)]
/// struct Empty;
///
/// impl tower_service::Service<http::Request<Body>> for Empty {
///     type Response = http::Response<Body>;
///     type Error = Infallible;
///     type Future = Ready<Result<Self::Response, Infallible>>;
///
///     fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
///         Poll::Ready(Ok(()))
///     }
///
///     fn call(&mut self, _: http::Request<Body>) -> Self::Future {
///         let response = http::Response::builder().header("content-type", "application/json");
///         ready(Ok(response.body("[]".into()).expect("a valid response")))
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let transport = TowerTransport::new(Empty);
/// let accord = Accord::builder().access_token("…").transport(transport).build()?;
/// assert!(accord.accounts().list_organizations().call().await?.is_empty());
/// # Ok(())
/// # }
/// ```
pub struct TowerTransport<S>(Mutex<S>);

impl<S> TowerTransport<S> {
    /// Sends with this service. Each request uses a clone of it.
    pub fn new(service: S) -> Self {
        Self(Mutex::new(service))
    }
}

impl<S, B> Transport for TowerTransport<S>
where
    S: Service<http::Request<Body>, Response = http::Response<B>> + Clone + Send + 'static,
    S::Future: Send,
    S::Error: Into<BoxError> + Send,
    B: Into<Body> + Send,
{
    fn send<'a>(
        &'a self,
        _client: &'a Client,
        request: Request,
        _operation: &'static Operation,
    ) -> Pending<'a, reqwest::Result<Response>> {
        let service = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut service = service.clone();
        Box::pin(async move {
            let timeout = request.timeout();
            let deadline = timeout.and_then(|timeout| Instant::now().checked_add(*timeout));
            let request = http::Request::try_from(request)?;
            let sent = async {
                poll_fn(|context| service.poll_ready(context)).await?;
                service.call(request).await
            };
            match sent.await {
                Ok(response) => {
                    let response = Response::from(response.map(Into::into));
                    Ok(match deadline {
                        Some(deadline) => until(response, deadline),
                        None => response,
                    })
                }
                Err(error) => failed(error.into()).await,
            }
        })
    }
}

impl<S> fmt::Debug for TowerTransport<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TowerTransport")
    }
}

/// The error of a service.
async fn failed(error: BoxError) -> reqwest::Result<Response> {
    match error.downcast::<reqwest::Error>() {
        Ok(error) => Err(*error),
        Err(error) => transport_error(error).await,
    }
}
