//! One request as an implementer sees it. Its parameters and its body's value are separate
//! arguments.

use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use dropshot::{RequestContext, ServerContext};
use http::{Extensions, HeaderMap, HeaderName, Method, Uri};

use crate::decision::{Decided, Decision};
use crate::observe::{Arrived, Observe};
use crate::part::Part;
use crate::table::{Api, Operation};

/// The header in which a caller may name its request, even if the document does not list it.
const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The maximum length of a request id that the server adopts.
const MAX_ID_LENGTH: usize = 128;

/// One request. Cheap to clone.
pub struct Call<C: ServerContext> {
    shared: Arc<Shared<C>>,
    body: Bytes,
    parts: Option<Arc<[Part]>>,
}

struct Shared<C: ServerContext> {
    rqctx: RequestContext<C>,
    operation: Option<&'static Operation>,
    /// The caller's own id, if it is harmless.
    inbound_id: Option<String>,
    extensions: Extensions,
    body_time: Duration,
    max_body_bytes: usize,
}

impl<C: Observe + ServerContext> Call<C> {
    /// A request that has just arrived. Notifies the context.
    pub(crate) fn new(
        api: &'static Api,
        rqctx: RequestContext<C>,
        operation: Option<&'static Operation>,
    ) -> Self {
        let inbound_id = inbound_id(api, rqctx.request.headers()).map(str::to_owned);
        let extensions = rqctx.context().arrived(&Arrived {
            operation,
            method: rqctx.request.method(),
            headers: rqctx.request.headers(),
            remote: rqctx.request.remote_addr(),
            request_id: inbound_id.as_deref().unwrap_or(&rqctx.request_id),
        });
        let body_time = rqctx.context().body_time();
        let limit = |operation| rqctx.context().max_body_bytes(operation);
        let max_body_bytes = operation.map_or(0, limit);
        Call {
            shared: Arc::new(Shared {
                rqctx,
                operation,
                inbound_id,
                extensions,
                body_time,
                max_body_bytes,
            }),
            body: Bytes::new(),
            parts: None,
        }
    }

    /// Notifies the context of a decision.
    pub(crate) fn decided(&self, decision: Decision<'_>) {
        if let Some(operation) = self.operation() {
            self.context().decided(&Decided {
                operation,
                headers: self.headers(),
                decision,
            });
        }
    }
}

impl<C: ServerContext> Call<C> {
    pub(crate) fn set_body(&mut self, body: Bytes, parts: Vec<Part>) {
        self.body = body;
        if !parts.is_empty() {
            self.parts = Some(parts.into());
        }
    }

    /// The largest body that is read, in bytes.
    pub(crate) fn max_body_bytes(&self) -> usize {
        self.shared.max_body_bytes
    }

    /// The maximum time in which the body must arrive.
    pub(crate) fn body_time(&self) -> Duration {
        self.shared.body_time
    }

    /// The server's context.
    pub fn context(&self) -> &C {
        self.shared.rqctx.context()
    }

    /// The called operation. `None` if the request reached no operation (404, 405).
    pub fn operation(&self) -> Option<&'static Operation> {
        self.shared.operation
    }

    /// The request's id. A caller may send it in a header of the document that carries it, or in
    /// `x-request-id`: 1 to 128 letters, digits, `-` and `_`. Otherwise the server generates one.
    pub fn request_id(&self) -> &str {
        let Shared {
            inbound_id, rqctx, ..
        } = &*self.shared;
        inbound_id.as_ref().unwrap_or(&rqctx.request_id)
    }

    /// The request's headers.
    pub fn headers(&self) -> &HeaderMap {
        self.shared.rqctx.request.headers()
    }

    /// The first header of this name, if it is text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers().get(name)?.to_str().ok()
    }

    /// The request's method.
    pub fn method(&self) -> &Method {
        self.shared.rqctx.request.method()
    }

    /// The request's target.
    pub fn uri(&self) -> &Uri {
        self.shared.rqctx.request.uri()
    }

    /// The address at the other end of the connection.
    pub fn remote_addr(&self) -> SocketAddr {
        self.shared.rqctx.request.remote_addr()
    }

    /// The value that the context gave this call when it arrived ([`Observe::arrived`]).
    pub fn extensions(&self) -> &Extensions {
        &self.shared.extensions
    }

    /// The body as it arrived. Empty before it is read, and if the operation has no body.
    pub fn body(&self) -> &Bytes {
        &self.body
    }

    /// The heads of a multipart body's parts, in the order of the body: file names, media types
    /// and headers. The values are in the body's type, where the elements of an array are in the
    /// order of the parts of that name. Empty before the body is read, and for other bodies.
    pub fn parts(&self) -> &[Part] {
        self.parts.as_deref().unwrap_or_default()
    }

    /// Dropshot's logger of this request.
    pub fn log(&self) -> &slog::Logger {
        &self.shared.rqctx.log
    }
}

impl<C: ServerContext> Clone for Call<C> {
    fn clone(&self) -> Self {
        Call {
            shared: Arc::clone(&self.shared),
            body: self.body.clone(),
            parts: self.parts.clone(),
        }
    }
}

impl<C: ServerContext> fmt::Debug for Call<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call")
            .field("operation", &self.operation().map(|operation| operation.id))
            .field("method", self.method())
            .field("path", &self.uri().path())
            .field("request_id", &self.request_id())
            .finish_non_exhaustive()
    }
}

/// The id that the caller gave its request: in a header of the document, else in `x-request-id`.
fn inbound_id<'h>(api: &Api, headers: &'h HeaderMap) -> Option<&'h str> {
    let names = api.request_ids.iter();
    names
        .chain([&X_REQUEST_ID])
        .filter_map(|name| headers.get(name)?.to_str().ok())
        .find(|id| is_request_id(id))
}

fn is_request_id(id: &str) -> bool {
    (1..=MAX_ID_LENGTH).contains(&id.len())
        && id
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_harmless_request_id_of_a_caller_is_adopted() {
        static IDS: [HeaderName; 1] = [HeaderName::from_static("shop-id")];
        let api = Api {
            request_ids: &IDS,
            ..crate::table::NO_API
        };
        let mut headers = HeaderMap::new();
        assert_eq!(inbound_id(&api, &headers), None);
        headers.insert("x-request-id", http::HeaderValue::from_static("b_2"));
        assert_eq!(inbound_id(&api, &headers), Some("b_2"));
        headers.insert("shop-id", http::HeaderValue::from_static("a-1"));
        assert_eq!(inbound_id(&api, &headers), Some("a-1"));
        headers.insert("shop-id", http::HeaderValue::from_static("a 1"));
        assert_eq!(inbound_id(&api, &headers), Some("b_2"));
        assert!(!is_request_id(&"x".repeat(129)));
        assert!(!is_request_id(""));
    }
}
