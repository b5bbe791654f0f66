//! Passes a request from dropshot to the implementer, and the response back.

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::time::Instant;

use dropshot::{
    Body, HEADER_REQUEST_ID, HttpError, NoCompression, RawRequest, RequestContext, ServerContext,
};
use futures::FutureExt;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode, header};

use crate::call::Call;
use crate::decision::Decision;
use crate::exchange::Exchange;
use crate::guard;
use crate::head::without_body;
use crate::observe::Observe;
use crate::outgoing::{Outgoing, ResponseObserver};
use crate::rejection::Rejection;
use crate::reply::{Reply, ReplyBody};
use crate::table;
use crate::table::{Api, HeaderSource, Operation};
use crate::unwritten;

/// The table for the exchange of a request that reaches no operation.
static NO_EXCHANGE: Operation = table::NO_OPERATION;

/// Turns every rejection by the runtime into the document's own form.
pub type Reject<C> = fn(&Call<C>, Rejection) -> Reply;

/// Serves one request of an operation.
///
/// `handler` serves the operation. `reject` turns its rejections and panics into replies.
///
/// Not an `async fn`: the future of one holds the arguments, and moves them into each future
/// that it awaits.
pub(crate) fn serve<C, F, Fut>(
    api: &'static Api,
    operation: &'static Operation,
    rqctx: RequestContext<C>,
    request: RawRequest,
    reject: Reject<C>,
    handler: F,
) -> impl Future<Output = Result<Response<Body>, HttpError>> + Send
where
    C: Observe + ServerContext,
    F: FnOnce(Exchange<C>) -> Fut,
    Fut: Future<Output = Result<Reply, Rejection>> + Send,
{
    let arrived = Instant::now();
    let call = Call::new(api, rqctx, Some(operation));
    let exchange = Exchange::new(call.clone(), operation, request.into_inner());
    // On the heap: there are many of these futures, and each caller's future would move it.
    let handler = Box::pin(handler(exchange));
    async move {
        let outcome = match AssertUnwindSafe(handler).catch_unwind().await {
            Ok(outcome) => outcome,
            Err(panic) => Err(match unwritten::operation(&*panic) {
                Some(operation) => Rejection::NotImplemented { operation },
                None => Rejection::Internal {
                    message: format!("the handler panicked: {}", panic_text(&*panic)),
                },
            }),
        };
        if let Err(rejection) = &outcome {
            call.decided(Decision::Rejected(rejection));
        }
        Ok(send(api, call, Some(operation), arrived, reject, outcome))
    }
}

/// Responds to a request that reaches no operation: 405 if the document has the path under other
/// methods, else 404.
pub(crate) async fn refuse<C>(
    api: &'static Api,
    rqctx: RequestContext<C>,
    request: RawRequest,
    reject: Reject<C>,
) -> Result<Response<Body>, HttpError>
where
    C: Observe + ServerContext,
{
    let arrived = Instant::now();
    let path = rqctx.request.uri().path();
    let allow = api.methods(path);
    let (rejection, described_by) = if allow.is_empty() {
        (Rejection::NotFound, api.not_found(path))
    } else {
        // Each operation of a path has the 405 of the path.
        let mut neighbors = api.operations_at(path);
        let described_by = neighbors.find(|operation| operation.method_not_allowed.is_some());
        (Rejection::MethodNotAllowed { allow }, described_by)
    };
    let call = Call::new(api, rqctx, None);
    // Takes the body off the connection.
    drop(Exchange::new(
        call.clone(),
        &NO_EXCHANGE,
        request.into_inner(),
    ));
    Ok(send(
        api,
        call,
        described_by,
        arrived,
        reject,
        Err(rejection),
    ))
}

/// `described_by` is the operation whose table describes the response, if there is one.
fn send<C: Observe + ServerContext>(
    api: &'static Api,
    call: Call<C>,
    described_by: Option<&'static Operation>,
    arrived: Instant,
    reject: Reject<C>,
    outcome: Result<Reply, Rejection>,
) -> Response<Body> {
    let mut reply = outcome.unwrap_or_else(|rejection| rejected(&call, reject, rejection));
    if let Some(fault) = reply.fault.take() {
        let message = format!("a reply cannot be sent: {fault}");
        reply = rejected(&call, reject, Rejection::Internal { message });
        if reply.fault.is_some() {
            reply = Reply::empty(StatusCode::INTERNAL_SERVER_ERROR);
        }
    }
    let watching = described_by.filter(|_| guard::is_watched());
    identify(api, &call, described_by, &mut reply, watching.is_some());
    let is_head = call.method() == Method::HEAD;
    let observer = ResponseObserver::new(call, arrived, &reply, watching);
    if !is_head {
        reply.remove_known_length();
    }
    let response = respond(reply, observer);
    match is_head {
        true => without_body(response),
        false => response,
    }
}

/// The document's response to a rejection, with `Allow`, which RFC 9110, section 15.5.6, requires.
fn rejected<C: ServerContext>(call: &Call<C>, reject: Reject<C>, rejection: Rejection) -> Reply {
    if let Rejection::Internal { message } = &rejection {
        tracing::error!(request_id = call.request_id(), %message, "internal error");
    }
    let allow = match &rejection {
        Rejection::MethodNotAllowed { allow } => {
            let names: Vec<&str> = allow.iter().map(Method::as_str).collect();
            Some(names.join(", "))
        }
        _ => None,
    };
    let reply = reject(call, rejection);
    match allow {
        Some(allow) if !reply.headers.contains_key(header::ALLOW) => {
            reply.header(header::ALLOW, allow)
        }
        _ => reply,
    }
}

/// Sets the headers that carry the request's id: those that the document lists for the response,
/// or, if it lists none, all that it lists anywhere. Dropshot adds its own header
/// later, so it is set here only for the guard to see.
fn identify<C: ServerContext>(
    api: &'static Api,
    call: &Call<C>,
    described_by: Option<&'static Operation>,
    reply: &mut Reply,
    watched: bool,
) {
    let status = reply.status;
    let mut put = |response: &table::Response| {
        let headers = response.headers.iter();
        for header in headers.filter(|header| watched || header.name != HEADER_REQUEST_ID) {
            put_id(api, header, call, reply);
        }
    };
    let listed = match call.operation() {
        Some(operation) => operation.response(status),
        None => described_by.and_then(|described_by| described_by.refusal(status)),
    };
    match (call.operation(), listed) {
        (_, Some(response)) => put(response),
        (Some(_), None) => {}
        (None, None) => {
            let names = api.request_ids.iter();
            for name in names.filter(|name| watched || **name != HEADER_REQUEST_ID) {
                insert_id(name.clone(), call, reply);
            }
        }
    }
}

fn put_id<C: ServerContext>(api: &Api, header: &table::Header, call: &Call<C>, reply: &mut Reply) {
    if header.source == HeaderSource::RequestId
        && let Some(name) = header_name(api, header.name)
    {
        insert_id(name, call, reply);
    }
}

fn insert_id<C: ServerContext>(name: HeaderName, call: &Call<C>, reply: &mut Reply) {
    if let Ok(id) = HeaderValue::from_str(call.request_id()) {
        reply.headers.insert(name, id);
    }
}

/// The name of a header. One that the table of the document has is not parsed again.
fn header_name(api: &Api, name: &str) -> Option<HeaderName> {
    let known = api
        .request_ids
        .iter()
        .find(|known| **known == *name)
        .cloned();
    known.or_else(|| HeaderName::from_bytes(name.as_bytes()).ok())
}

fn respond<C: Observe + ServerContext>(
    reply: Reply,
    observer: ResponseObserver<C>,
) -> Response<Body> {
    let Reply {
        status,
        headers,
        body,
        fault: _,
    } = reply;
    let mut response = match body {
        ReplyBody::Empty => {
            observer.finish();
            Response::new(Body::empty())
        }
        ReplyBody::Whole(bytes) => {
            observer.finish();
            Response::new(Body::with_content(bytes))
        }
        ReplyBody::Stream(stream) => {
            let mut response = Response::new(Body::wrap(Outgoing::new(stream, observer)));
            // Compression would delay events.
            response.extensions_mut().insert(NoCompression);
            response
        }
    };
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    forbid_storing_to_old_caches(response.headers_mut());
    response
}

/// Caches of HTTP/1.0 do not know `Cache-Control` (RFC 6749, section 5.1).
fn forbid_storing_to_old_caches(headers: &mut HeaderMap) {
    if headers
        .get(header::CACHE_CONTROL)
        .is_some_and(|value| value == "no-store")
    {
        headers.insert(header::PRAGMA, HeaderValue::from_static("no-cache"));
    }
}

/// The message of a panic.
pub(crate) fn panic_text(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
}
