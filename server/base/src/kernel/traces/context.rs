//! A trace across programs: the headers `traceparent` and `tracestate` (W3C
//! Trace Context).

use http::{HeaderMap, HeaderName};
use opentelemetry::Context;
use opentelemetry::propagation::TextMapPropagator;
use opentelemetry_http::{HeaderExtractor, HeaderInjector};
use opentelemetry_sdk::propagation::TraceContextPropagator;

/// The span of the caller.
pub const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");
/// Data that tracing systems pass to each other.
pub const TRACESTATE: HeaderName = HeaderName::from_static("tracestate");

/// The caller's span, if the headers name one.
pub fn caller(headers: &HeaderMap) -> Context {
    let nobody = Context::new();
    TraceContextPropagator::new().extract_with_context(&nobody, &HeaderExtractor(headers))
}

/// Replaces the caller in the headers by a span.
pub fn name_caller(context: &Context, headers: &mut HeaderMap) {
    headers.remove(TRACEPARENT);
    headers.remove(TRACESTATE);
    TraceContextPropagator::new().inject_context(context, &mut HeaderInjector(headers));
    if headers
        .get(TRACESTATE)
        .is_some_and(|state| state.is_empty())
    {
        headers.remove(TRACESTATE);
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn passed_on(traceparent: &'static str, tracestate: &'static str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(TRACEPARENT, HeaderValue::from_static(traceparent));
        headers.insert(TRACESTATE, HeaderValue::from_static(tracestate));
        name_caller(&caller(&headers), &mut headers);
        headers
    }

    #[test]
    fn a_caller_is_named_as_it_named_itself() {
        let traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00";
        let next = passed_on(traceparent, "a=1,b=2");
        assert_eq!(next[TRACEPARENT], traceparent);
        assert_eq!(next[TRACESTATE], "a=1,b=2");
        assert!(!passed_on(traceparent, "").contains_key(TRACESTATE));
    }

    #[test]
    fn what_names_nobody_is_not_passed_on() {
        for text in [
            "",
            "00-0-0-01",
            "00-00000000000000000000000000000000-0000000000000000-01",
        ] {
            assert_eq!(passed_on(text, "a=1"), HeaderMap::new(), "{text}");
        }
    }
}
