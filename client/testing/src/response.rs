//! A response before it is sent, and its comparison with the document.

use std::time::Duration;

use dropforge_runtime::check::{Direction, check};
use dropforge_runtime::http::{HeaderName, StatusCode};
use dropforge_runtime::table::{Codec, HeaderSource, MediaType};
use dropforge_runtime::{Accept, EventStream, Location, Reply, findings};
use futures::{StreamExt as _, stream};
use serde_json::Value;

use crate::catalog::Known;

/// A response of an operation.
#[derive(Debug, Clone)]
pub(crate) struct Response {
    pub(crate) status: StatusCode,
    pub(crate) headers: Vec<(HeaderName, String)>,
    pub(crate) content: Content,
    /// The time before the response.
    pub(crate) delay: Duration,
    /// Whether the connection breaks after the last event of a stream, without its end mark.
    pub(crate) is_cut: bool,
}

/// The body of a response.
#[derive(Debug, Clone)]
pub(crate) enum Content {
    /// No body.
    Empty,
    /// A JSON value, in the media type that the caller prefers.
    Json(Value),
    /// The data of each event of a stream.
    Events(Vec<Value>),
}

impl Response {
    /// The example of the document for a status: the one with this name, or the first. If the
    /// document has no such example, the response has no body.
    pub(crate) fn example(known: Known, status: StatusCode, name: Option<&str>) -> Self {
        let listed = known.operation.response(status);
        let media = media(known, status, Codec::Json);
        let examples = listed
            .zip(media)
            .map(|(response, media)| known.examples(response, media));
        let mut examples = examples.into_iter().flatten();
        let found = examples.find(|(listed, _)| name.is_none_or(|name| name == *listed));
        Response {
            status,
            headers: Vec::new(),
            content: found.map_or(Content::Empty, |(_, value)| Content::Json(value.clone())),
            delay: Duration::ZERO,
            is_cut: false,
        }
        .with_required_headers(known)
    }

    /// The first example of an event stream. `None` if the operation has no stream.
    pub(crate) fn stream_example(known: Known) -> Option<Self> {
        let status = known.success();
        let media = media(known, status, Codec::EventStream)?;
        let examples = known.examples(known.operation.response(status)?, media);
        let (_, text) = examples.first()?;
        let lines = text.as_str()?.lines();
        let data = lines.filter_map(|line| line.strip_prefix("data: "));
        // The terminator is not JSON.
        let events = data.filter_map(|data| serde_json::from_str(data).ok());
        let response = Response {
            status,
            headers: Vec::new(),
            content: Content::Events(events.collect()),
            delay: Duration::ZERO,
            is_cut: false,
        };
        Some(response.with_required_headers(known))
    }

    /// Adds the example of each required header that is missing.
    pub(crate) fn with_required_headers(mut self, known: Known) -> Self {
        let Some(response) = known.operation.response(self.status) else {
            return self;
        };
        for header in response.headers {
            if !header.required || header.source == HeaderSource::RequestId {
                continue;
            }
            let Ok(name) = HeaderName::try_from(header.name) else {
                continue;
            };
            let is_set = self.headers.iter().any(|(set, _)| *set == name);
            if let Some(value) = known.header(response, header.name).filter(|_| !is_set) {
                self.headers.push((name, value));
            }
        }
        self
    }

    /// The reply of the server.
    pub(crate) fn reply(&self, known: Known, accept: &Accept) -> Reply {
        let reply = match &self.content {
            Content::Empty => Reply::empty(self.status),
            Content::Json(value) => {
                let listed = known.operation.response(self.status);
                let media = listed.map_or(&[][..], |response| response.media).iter();
                let json = media.filter(|media| media.codec == Codec::Json);
                let names: Vec<&str> = json.map(|media| media.name).collect();
                Reply::negotiated(self.status, &names, accept, value)
            }
            Content::Events(events) => match media(known, self.status, Codec::EventStream) {
                Some(media) => {
                    let events = events.clone().into_iter().map(Ok::<_, &'static str>);
                    let events = stream::iter(events);
                    let events = match self.is_cut {
                        true => EventStream::events(events.chain(stream::once(cut()))),
                        false => EventStream::events(events),
                    };
                    Reply::events(self.status, media.name, media.stream, events)
                }
                None => Reply::empty(self.status),
            },
        };
        let headers = self.headers.iter().cloned();
        headers.fold(reply, |reply, (name, value)| reply.header_text(name, value))
    }

    /// Where the response violates the document. Empty if it does not.
    pub(crate) fn violations(&self, known: Known) -> Vec<String> {
        let codec = match &self.content {
            Content::Empty => None,
            Content::Json(_) => Some((Codec::Json, "JSON body")),
            Content::Events(_) => Some((Codec::EventStream, "event stream")),
        };
        if let Some((codec, kind)) = codec
            && known.operation.response(self.status).is_some()
            && media(known, self.status, codec).is_none()
        {
            return vec![format!("the response has no {kind} in the document")];
        }
        let reply = self.reply(known, &Accept::any());
        let found = findings(known.operation, &reply);
        let mut all: Vec<String> = found.iter().map(ToString::to_string).collect();
        if let Content::Events(events) = &self.content {
            let media = media(known, self.status, Codec::EventStream);
            let schema = media.and_then(|media| media.schema);
            for (index, event) in events.iter().enumerate() {
                let found =
                    schema.map(|schema| check(schema, event, Direction::Response, Location::Body));
                let found = found.into_iter().flatten();
                all.extend(found.map(|violation| {
                    format!("event {index}: {violation} ({})", violation.keyword)
                }));
            }
        }
        all
    }
}

/// The error after the last event. The server sends the events first, because it waits here.
async fn cut() -> Result<Value, &'static str> {
    tokio::task::yield_now().await;
    Err("the script cuts the stream")
}

/// The first media type of a response that is written in this way.
fn media(known: Known, status: StatusCode, codec: Codec) -> Option<&'static MediaType> {
    let mut media = known.operation.response(status)?.media.iter();
    media.find(|media| media.codec == codec)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog;

    #[test]
    fn each_operation_has_an_example_that_its_document_allows() {
        let mut streams = 0;
        for known in catalog::operations() {
            let id = known.operation.id;
            let example = Response::example(known, known.success(), None);
            assert_eq!(example.violations(known), [""; 0], "{id}");
            let stream = Response::stream_example(known);
            if let Some(stream) = &stream {
                assert_eq!(stream.violations(known), [""; 0], "{id}");
                assert!(matches!(&stream.content, Content::Events(all) if all.len() > 1));
                streams += 1;
            }
            let has_stream = media(known, known.success(), Codec::EventStream).is_some();
            assert_eq!(stream.is_some(), has_stream, "{id}");
        }
        assert_eq!(streams, 2);
    }

    #[test]
    fn each_listed_error_has_an_example_that_its_document_allows() {
        use dropforge_runtime::table::Status;
        for known in catalog::operations() {
            for response in known.operation.responses {
                let Status::Code(code) = response.status else {
                    panic!("{} lists {:?}", known.operation.id, response.status);
                };
                let status = StatusCode::from_u16(code).expect("a status");
                let example = Response::example(known, status, None);
                let id = known.operation.id;
                assert_eq!(example.violations(known), [""; 0], "{id} {code}");
            }
        }
    }
}
