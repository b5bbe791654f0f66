//! Code of the program around the calls of a client, or in place of its HTTP client.

use crate::store::BoxError;
use dropforge_client::{Operation, Pending, Session, Transport};
use reqwest::{Client, Request, Response};
use std::{fmt, sync::Arc};

/// Code around each call of a client, for example to count calls, to add a header, or to delay calls.
///
/// A layer surrounds whole calls: credentials, retries and deadlines are inside. Both methods call `next` by default, so
/// a layer writes only the one that it changes. [`Builder::transport`](crate::Builder::transport) replaces the single
/// attempts inside.
///
/// ```
/// use accord_client::{Accord, BoxError, Layer, Operation, Pending, Transport, reqwest::Request};
/// use std::sync::{Arc, atomic::{AtomicUsize, Ordering::Relaxed}};
///
/// /// Counts calls, and names the tenant in each.
/// struct ForTenant(Arc<AtomicUsize>);
///
/// impl Layer for ForTenant {
///     fn prepare<'a>(
///         &'a self,
///         next: &'a dyn Transport,
///         request: &'a mut Request,
///         operation: &'static Operation,
///     ) -> Pending<'a, Result<(), BoxError>> {
///         self.0.fetch_add(1, Relaxed);
///         let tenant = "north".parse().expect("a valid value");
///         request.headers_mut().insert("x-tenant", tenant);
///         next.prepare(request, operation)
///     }
/// }
///
/// let calls = Arc::new(AtomicUsize::new(0));
/// let accord = Accord::builder().layer(ForTenant(Arc::clone(&calls))).build()?;
/// # Ok::<(), accord_client::BuildError>(())
/// ```
pub trait Layer: Send + Sync + 'static {
    /// Changes a request before it is sent. `next` adds what the client needs: call it, before or after.
    ///
    /// # Errors
    ///
    /// An error ends the call before anything is sent. It reaches the caller as
    /// [`Failure::Unsent`](crate::Failure::Unsent).
    fn prepare<'a>(
        &'a self,
        next: &'a dyn Transport,
        request: &'a mut Request,
        operation: &'static Operation,
    ) -> Pending<'a, Result<(), BoxError>> {
        next.prepare(request, operation)
    }

    /// Sends a request. `next` makes the attempts of the call.
    ///
    /// # Errors
    ///
    /// When the last attempt had no response. A response of any status is not an error.
    fn send<'a>(
        &'a self,
        next: &'a dyn Transport,
        client: &'a Client,
        request: Request,
        operation: &'static Operation,
    ) -> Pending<'a, reqwest::Result<Response>> {
        next.send(client, request, operation)
    }
}

/// The layers of a client, and the transport of single attempts. `Debug` shows neither.
#[derive(Clone)]
pub(crate) struct Middleware {
    pub(crate) sender: Arc<dyn Transport>,
    /// The maximum size in bytes of a response, in place of that of the sender.
    pub(crate) max_body: Option<usize>,
    /// The innermost layer first.
    pub(crate) layers: Vec<Arc<dyn Layer>>,
}

/// Sends with the HTTP client.
#[derive(Debug)]
struct Direct;

impl Transport for Direct {}

impl Default for Middleware {
    fn default() -> Self {
        Self {
            sender: Arc::new(Direct),
            max_body: None,
            layers: Vec::new(),
        }
    }
}

impl Middleware {
    /// A session that sends with this transport, inside of all layers.
    pub(crate) fn session(&self, innermost: impl Transport) -> Session {
        let mut transport: Arc<dyn Transport> = Arc::new(innermost);
        for layer in &self.layers {
            transport = Arc::new(Layered {
                layer: Arc::clone(layer),
                next: transport,
            });
        }
        Session::shared(transport)
    }
}

impl fmt::Debug for Middleware {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Middleware")
            .field("layers", &self.layers.len())
            .finish_non_exhaustive()
    }
}

/// A transport within a layer.
struct Layered {
    layer: Arc<dyn Layer>,
    next: Arc<dyn Transport>,
}

impl Transport for Layered {
    fn prepare<'a>(
        &'a self,
        request: &'a mut Request,
        operation: &'static Operation,
    ) -> Pending<'a, Result<(), BoxError>> {
        self.layer.prepare(&*self.next, request, operation)
    }

    fn send<'a>(
        &'a self,
        client: &'a Client,
        request: Request,
        operation: &'static Operation,
    ) -> Pending<'a, reqwest::Result<Response>> {
        self.layer.send(&*self.next, client, request, operation)
    }

    fn stream_timeout(&self) -> Option<std::time::Duration> {
        self.next.stream_timeout()
    }

    fn max_body_bytes(&self) -> usize {
        self.next.max_body_bytes()
    }
}

impl fmt::Debug for Layered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Layered").field("next", &self.next).finish()
    }
}
