//! A collector that keeps what it is sent.

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::{KeyValue, any_value::Value as Any};
use opentelemetry_proto::tonic::trace::v1::{Span, span::SpanKind, status::StatusCode};
use prost::Message;
use serde_json::{Map, Value, json};

use crate::inference::fake::Fake;

/// A collector: OTLP, protobuf over HTTP.
pub struct Collector {
    fake: Fake,
}

impl Collector {
    pub async fn start() -> Collector {
        Collector::answering("200 OK").await
    }

    /// One that answers each batch with this status.
    pub async fn answering(status: &'static str) -> Collector {
        let answer = async move |mut exchange: crate::inference::fake::Exchange| {
            let media_type = "application/x-protobuf";
            exchange.answer(status, media_type, "", "").await;
        };
        Collector {
            fake: Fake::start(answer).await,
        }
    }

    pub fn url(&self) -> String {
        format!("http://{}/", self.fake.address)
    }

    /// The heads of the requests, in lower case.
    pub fn heads(&self) -> Vec<String> {
        let seen = self.fake.seen().into_iter();
        seen.map(|(head, _)| head).collect()
    }

    /// What was sent, decoded.
    pub fn requests(&self) -> Vec<ExportTraceServiceRequest> {
        let seen = self.fake.seen().into_iter();
        seen.map(|(_, body)| ExportTraceServiceRequest::decode(&body[..]).unwrap())
            .collect()
    }

    /// The spans that were sent.
    pub fn spans(&self) -> Vec<Seen> {
        let requests = self.requests().into_iter();
        let resources = requests.flat_map(|request| request.resource_spans);
        let scopes = resources.flat_map(|resource| resource.scope_spans);
        scopes
            .flat_map(|scope| scope.spans.into_iter().map(Seen))
            .collect()
    }

    /// The one span of this name.
    pub fn span(&self, name: &str) -> Seen {
        let spans = self.spans();
        let names: Vec<_> = spans.iter().map(|span| span.0.name.clone()).collect();
        let mut found: Vec<_> = spans.into_iter().filter(|s| s.0.name == name).collect();
        assert_eq!(found.len(), 1, "{name}: {names:?}");
        found.remove(0)
    }

    /// Whether any batch holds these bytes.
    pub fn holds(&self, text: &str) -> bool {
        let seen = self.fake.seen();
        let text = text.as_bytes();
        seen.iter()
            .any(|(_, body)| body.windows(text.len()).any(|window| window == text))
    }
}

/// A span as it was sent.
pub struct Seen(pub Span);

impl Seen {
    pub fn trace_id(&self) -> String {
        base16ct::lower::encode_string(&self.0.trace_id)
    }

    pub fn id(&self) -> String {
        base16ct::lower::encode_string(&self.0.span_id)
    }

    pub fn parent(&self) -> String {
        base16ct::lower::encode_string(&self.0.parent_span_id)
    }

    pub fn is(&self, kind: SpanKind) -> bool {
        self.0.kind() == kind
    }

    /// The class of the error that it ended with.
    pub fn error(&self) -> Option<String> {
        let code = self.0.status.as_ref().map(|status| status.code());
        let failed = code == Some(StatusCode::Error);
        let attributes = self.attributes();
        let error = attributes.get("error.type");
        assert_eq!(failed, error.is_some(), "{:?}", self.0);
        error.map(|error| error.as_str().unwrap().to_owned())
    }

    pub fn attributes(&self) -> Map<String, Value> {
        map(&self.0.attributes)
    }

    /// Names and attributes of its events.
    pub fn events(&self) -> Vec<(String, Map<String, Value>)> {
        let events = self.0.events.iter();
        events
            .map(|event| (event.name.clone(), map(&event.attributes)))
            .collect()
    }
}

/// Attributes as JSON; none is there twice.
pub fn map(attributes: &[KeyValue]) -> Map<String, Value> {
    let mut map = Map::new();
    for attribute in attributes {
        let value = attribute.value.as_ref().and_then(|any| any.value.as_ref());
        let value = match value.unwrap() {
            Any::StringValue(text) => json!(text),
            Any::BoolValue(is) => json!(is),
            Any::IntValue(number) => json!(number),
            Any::DoubleValue(number) => json!(number),
            other => panic!("{other:?}"),
        };
        let before = map.insert(attribute.key.clone(), value);
        assert_eq!(before, None, "{}", attribute.key);
    }
    map
}
