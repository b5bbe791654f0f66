//! The span of a model call: the upstream, the outcome and the tokens.
//!
//! There is one span for each call, below the span of the request. Each failed attempt is an event
//! of it. The span ends with the response, which for a stream is its last byte. It contains no
//! content. The names are those of OpenTelemetry's conventions for generative AI.

use std::borrow::Cow;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use http::{HeaderMap, Uri};
use opentelemetry::KeyValue;
use opentelemetry::trace::{SpanKind, Status, TraceContextExt, Tracer};
use serde::Deserialize;

use super::events::Convention;
use super::models::{Backend, Model};
use super::sse::{Block, blocks};
use super::usage::Tokens;
use crate::kernel::Traces;
use crate::kernel::traces::{Context, context};

/// The maximum length of a model's name, in bytes. A longer one is ignored.
const MAX_NAME_LENGTH: usize = 128;

/// The span of a running model call.
#[derive(Debug)]
pub struct CallSpan {
    context: Context,
    attributes: Mutex<Attributes>,
}

/// The attributes that are set at the end.
#[derive(Debug, Default)]
struct Attributes {
    server: Option<(String, u16)>,
    model: Option<String>,
    error: Option<&'static str>,
}

impl CallSpan {
    /// Begins a span below the span of the request.
    pub fn begin(
        traces: &Traces,
        request: &Context,
        model: &Model,
        convention: Convention,
        streams: bool,
    ) -> Self {
        let kind = match model.backend {
            Backend::Servers(_) => SpanKind::Client,
            Backend::Builtin(_) => SpanKind::Internal,
        };
        let name = format!("chat {}", model.name);
        let span = traces.tracer().span_builder(name).with_kind(kind);
        let span = span.start_with_context(traces.tracer(), request);
        let call = CallSpan {
            context: request.with_span(span),
            attributes: Mutex::default(),
        };
        if call.is_recording() {
            call.context.span().set_attributes([
                KeyValue::new("gen_ai.operation.name", "chat"),
                KeyValue::new("gen_ai.provider.name", model.owned_by.clone()),
                KeyValue::new("gen_ai.request.model", model.name.clone()),
                KeyValue::new("gen_ai.request.stream", streams),
                KeyValue::new("openai.api.type", convention.api()),
            ]);
        }
        call
    }

    /// Sets this span as the caller in the headers for the model server.
    pub fn name_caller(&self, headers: &mut HeaderMap) {
        context::name_caller(&self.context, headers);
    }

    /// Records the address of an attempt.
    pub fn set_address(&self, uri: &Uri) {
        if self.is_recording() {
            self.attributes().server = server(uri);
        }
    }

    /// Records a failed attempt. Further attempts may follow.
    pub fn attempt_failed(&self, error: &'static str) {
        if !self.is_recording() {
            return;
        }
        let mut attributes = vec![KeyValue::new("error.type", error)];
        attributes.extend(address(&self.attributes()));
        let span = self.context.span();
        span.add_event("accord.attempt.failed", attributes);
    }

    /// Records that the call failed, or that its response was interrupted.
    pub fn failed(&self, error: &'static str) {
        self.attributes().error = Some(error);
    }

    /// Reads the name of the model in a response in one piece.
    pub fn read_whole(&self, body: &[u8]) {
        if self.is_recording() {
            self.attributes().model = named(body);
        }
    }

    /// Reads the name of the model in the first events of a stream.
    pub fn read_events(&self, events: &[u8]) {
        if self.is_recording() {
            self.attributes().model = named_in_events(events);
        }
    }

    /// Ends the span: with the usage, if there was a response, and the time to the first event of a
    /// stream.
    pub fn end(&self, tokens: Option<Tokens>, first: Option<Duration>) {
        let span = self.context.span();
        if !span.is_recording() {
            return;
        }
        let attributes = self.attributes();
        span.set_attributes(address(&attributes));
        if let Some(model) = &attributes.model {
            let model = KeyValue::new("gen_ai.response.model", model.clone());
            span.set_attribute(model);
        }
        if let Some(first) = first {
            let name = "gen_ai.response.time_to_first_chunk";
            span.set_attribute(KeyValue::new(name, first.as_secs_f64()));
        }
        if let Some(tokens) = tokens {
            span.set_attributes([
                KeyValue::new("gen_ai.usage.input_tokens", tokens.input),
                KeyValue::new("gen_ai.usage.output_tokens", tokens.output),
            ]);
        }
        if let Some(error) = attributes.error {
            span.set_attribute(KeyValue::new("error.type", error));
            span.set_status(Status::error(""));
        }
        span.end();
    }

    fn is_recording(&self) -> bool {
        self.context.span().is_recording()
    }

    fn attributes(&self) -> MutexGuard<'_, Attributes> {
        self.attributes
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

fn address(attributes: &Attributes) -> Vec<KeyValue> {
    let Some((host, port)) = &attributes.server else {
        return Vec::new();
    };
    vec![
        KeyValue::new("server.address", host.clone()),
        KeyValue::new("server.port", i64::from(*port)),
    ]
}

fn server(uri: &Uri) -> Option<(String, u16)> {
    let usual = match uri.scheme_str() {
        Some("https") => 443,
        _ => 80,
    };
    let port = uri.port_u16().unwrap_or(usual);
    Some((uri.host()?.to_owned(), port))
}

/// The name of the model in the first of these events that has one.
fn named_in_events(events: &[u8]) -> Option<String> {
    let mut data = blocks(events).filter_map(Block::data);
    data.find_map(|data| named(&data))
}

/// The name of the model in a response, or in an event of one.
fn named(json: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    struct NamedModel<'a> {
        #[serde(borrow, default)]
        model: Option<Cow<'a, str>>,
        #[serde(borrow, default)]
        response: Option<Within<'a>>,
    }
    #[derive(Deserialize)]
    struct Within<'a> {
        #[serde(borrow, default)]
        model: Option<Cow<'a, str>>,
    }
    let event: NamedModel<'_> = serde_json::from_slice(json).ok()?;
    let model = event
        .model
        .or(event.response.and_then(|within| within.model))?;
    (model.len() <= MAX_NAME_LENGTH).then(|| model.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_response_names_its_model_in_either_convention() {
        let chat = br#"{"id":"1","model":"chat-small-2","choices":[]}"#;
        assert_eq!(named(chat).as_deref(), Some("chat-small-2"));
        let event = br#" {"type":"response.created","response":{"model":"m"}}"#;
        assert_eq!(named(event).as_deref(), Some("m"));
        for nothing in ["[DONE]", "{}", r#"{"model":7}"#] {
            assert_eq!(named(nothing.as_bytes()), None, "{nothing}");
        }
        let long = format!(r#"{{"model":"{}"}}"#, "m".repeat(MAX_NAME_LENGTH + 1));
        assert_eq!(named(long.as_bytes()), None);
    }

    #[test]
    fn a_stream_names_its_model_with_any_line_ends() {
        for events in [
            "data: {\"model\":\"m\"}\n\n",
            ": beat\r\rdata: {}\r\rdata: {\"model\":\"m\"}\r\r",
            "data: {\r\ndata: \"model\":\"m\"}\r\n\r\n",
        ] {
            let found = named_in_events(events.as_bytes());
            assert_eq!(found.as_deref(), Some("m"), "{events:?}");
        }
    }

    #[test]
    fn a_server_without_a_port_has_the_usual_one() {
        for (uri, port) in [
            ("http://m/v1", 80),
            ("https://m/v1", 443),
            ("http://m:8000/v1", 8000),
        ] {
            let uri = uri.parse().expect("an address");
            assert_eq!(server(&uri), Some(("m".to_owned(), port)));
        }
    }
}
