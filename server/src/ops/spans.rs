//! The span of a request: the service's part of a trace.
//!
//! It is named after the operation, and says no more of the request than the log
//! does: neither the path as it was sent, nor the query, nor who asks. The names
//! of the attributes are those of OpenTelemetry's conventions for HTTP servers.

use dropforge_runtime::{Arrived, End, Finished};
use http::Method;
use opentelemetry::KeyValue;
use opentelemetry::trace::{SpanKind, Status, TraceContextExt, Tracer};

use crate::area::Area;
use crate::kernel::Traces;
use crate::kernel::traces::{Context, context};

/// Stands for a method that HTTP does not know.
const OTHER: &str = "_OTHER";

/// Begins the span of a request, below the caller's if the caller names one.
pub(super) fn begin(traces: &Traces, arrived: &Arrived<'_>) -> Context {
    let caller = context::caller(arrived.headers);
    let method = known(arrived.method);
    let name = match arrived.operation {
        Some(operation) => format!("{method} {}", operation.path),
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
        KeyValue::new("url.scheme", "http"),
        KeyValue::new("accord.request_id", arrived.request_id.to_owned()),
    ]);
    if let Some(operation) = arrived.operation {
        span.span().set_attributes([
            KeyValue::new("http.route", operation.path),
            // The path itself can hold codes and names of people.
            KeyValue::new("url.path", operation.path),
            KeyValue::new("accord.operation", operation.id),
        ]);
        if let Some(area) = Area::of(operation) {
            let area = KeyValue::new("accord.area", area.name());
            span.span().set_attribute(area);
        }
    }
    span
}

/// Ends the span of a request that is finished.
pub(super) fn end(context: &Context, finished: &Finished<'_>) {
    let span = context.span();
    if !span.is_recording() {
        return;
    }
    let status = finished.status;
    let code = KeyValue::new("http.response.status_code", i64::from(status.as_u16()));
    span.set_attribute(code);
    let error = match finished.end {
        _ if status.is_server_error() => Some(status.as_str().to_owned()),
        End::Interrupted { .. } => Some("interrupted".to_owned()),
        End::Whole | End::Streamed { .. } => None,
    };
    if let Some(error) = error {
        span.set_attribute(KeyValue::new("error.type", error));
        span.set_status(Status::error(""));
    }
    span.end();
}

/// The id of the trace that a request is part of, if it is kept.
pub(super) fn trace_id(finished: &Finished<'_>) -> Option<String> {
    let context = finished.extensions.get::<Context>()?;
    let span = context.span();
    let span = span.span_context();
    span.is_sampled().then(|| span.trace_id().to_string())
}

/// The method, if it is one of HTTP's: others are the caller's own words.
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
