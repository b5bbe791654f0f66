//! The span of a request: the service's part of a trace.
//!
//! It is named after the operation, and has no more data of the request than the log. It omits the
//! path, the query and the caller. The names of the attributes are those of OpenTelemetry's
//! conventions for HTTP servers.

use std::borrow::Cow;

use dropforge_runtime::{Arrived, End, Finished};
use http::{HeaderMap, Method, StatusCode};
use opentelemetry::KeyValue;
use opentelemetry::trace::{SpanKind, Status, TraceContextExt, Tracer};

use crate::area::Area;
use crate::contract;
use crate::kernel::Traces;
use crate::kernel::traces::{Context, context};

/// The value for a method that HTTP does not define.
const OTHER: &str = "_OTHER";

/// A request for which to begin a span.
#[derive(Debug, Clone)]
pub(super) struct Entered<'a> {
    pub method: &'a Method,
    /// The scheme that the caller used.
    pub scheme: &'static str,
    pub headers: &'a HeaderMap,
    pub request_id: &'a str,
    /// The pattern of its path; `None` if no route matched.
    pub route: Option<Cow<'static, str>>,
    pub operation: Option<&'static str>,
    pub area: Option<&'static str>,
}

impl<'a> Entered<'a> {
    /// The request of an operation.
    pub fn of(arrived: &Arrived<'a>, scheme: &'static str) -> Self {
        let operation = arrived.operation;
        let area = operation.and_then(contract::area);
        Entered {
            method: arrived.method,
            scheme,
            headers: arrived.headers,
            request_id: arrived.request_id,
            route: operation.map(|operation| operation.path.into()),
            operation: operation.map(|operation| operation.id),
            area: area.map(Area::name),
        }
    }
}

/// Begins the span of a request, as a child of the caller's span if there is
/// one.
pub(super) fn begin(traces: &Traces, entered: &Entered<'_>) -> Context {
    let caller = context::caller(entered.headers);
    let method = known(entered.method);
    let name = match &entered.route {
        Some(route) => format!("{method} {route}"),
        None => method.replace(OTHER, "HTTP"),
    };
    let span = traces
        .tracer()
        .span_builder(name)
        .with_kind(SpanKind::Server);
    let span = caller.with_span(span.start_with_context(traces.tracer(), &caller));
    if !span.span().is_recording() {
        return span;
    }
    span.span().set_attributes([
        KeyValue::new("http.request.method", method),
        KeyValue::new("url.scheme", entered.scheme),
        KeyValue::new("accord.request_id", entered.request_id.to_owned()),
    ]);
    if let Some(route) = &entered.route {
        span.span().set_attributes([
            KeyValue::new("http.route", route.clone()),
            // The path itself can have codes and personal data.
            KeyValue::new("url.path", route.clone()),
        ]);
    }
    for (name, value) in [
        ("accord.operation", entered.operation),
        ("accord.area", entered.area),
    ] {
        if let Some(value) = value {
            span.span().set_attribute(KeyValue::new(name, value));
        }
    }
    span
}

/// Ends the span of an operation's request.
pub(super) fn finish(context: &Context, finished: &Finished<'_>) {
    let interrupted = matches!(finished.end, End::Interrupted { .. });
    end(context, finished.status, interrupted);
}

/// Ends the span of a request with a complete or interrupted response.
pub(super) fn end(context: &Context, status: StatusCode, interrupted: bool) {
    let span = context.span();
    if !span.is_recording() {
        return;
    }
    let code = KeyValue::new("http.response.status_code", i64::from(status.as_u16()));
    span.set_attribute(code);
    let error = match interrupted {
        _ if status.is_server_error() => Some(status.as_str().to_owned()),
        true => Some("interrupted".to_owned()),
        false => None,
    };
    if let Some(error) = error {
        span.set_attribute(KeyValue::new("error.type", error));
        span.set_status(Status::error(""));
    }
    span.end();
}

/// The id of the trace of a request, if the trace is sampled.
pub(super) fn trace_id(finished: &Finished<'_>) -> Option<String> {
    let context = finished.extensions.get::<Context>()?;
    let span = context.span();
    let span = span.span_context();
    span.is_sampled().then(|| span.trace_id().to_string())
}

/// The method if HTTP defines it: others could be any text of the caller.
fn known(method: &Method) -> &'static str {
    const KNOWN: [(&Method, &str); 9] = [
        (&Method::GET, "GET"),
        (&Method::POST, "POST"),
        (&Method::PUT, "PUT"),
        (&Method::DELETE, "DELETE"),
        (&Method::PATCH, "PATCH"),
        (&Method::HEAD, "HEAD"),
        (&Method::OPTIONS, "OPTIONS"),
        (&Method::TRACE, "TRACE"),
        (&Method::CONNECT, "CONNECT"),
    ];
    let found = KNOWN.iter().find(|(known, _)| *known == method);
    found.map_or(OTHER, |(_, name)| *name)
}
