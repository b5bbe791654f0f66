//! The typed events of a `text/event-stream` answer.

use crate::sse::{Event, Parser, TooLong};
use futures::Stream;
use progenitor_client::{ByteStream, Error, ResponseValue};
use reqwest::{
    StatusCode,
    header::{CONTENT_TYPE, HeaderMap},
};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::{
    collections::VecDeque,
    fmt,
    marker::PhantomData,
    pin::Pin,
    task::{Context, Poll, ready},
};

/// What the document says of its events in `x-dropforge-stream`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Framing {
    /// The data of the event that ends the stream; it is no event of the caller's. A stream that ends without it was
    /// cut off.
    pub terminator: Option<&'static str>,
    /// The property whose value is the name of the event.
    pub event: Option<&'static str>,
    /// The data is text, not JSON.
    pub text: bool,
}

/// Why a stream ended early, or an event could not be read.
#[derive(Debug, thiserror::Error)]
pub enum StreamError {
    /// The connection failed.
    #[error("the event stream broke off")]
    Connection(#[source] reqwest::Error),
    /// The stream ended without the mark that ends it.
    #[error("the event stream ended before its end mark")]
    Truncated,
    /// An event is larger than a client keeps in memory.
    #[error(transparent)]
    TooLong(#[from] TooLong),
    /// The data of an event is not what the document says. The stream goes on.
    #[error("an event is not what the document describes: {source}")]
    Unreadable {
        /// The name of the event.
        name: String,
        /// Its data, as it came.
        data: String,
        /// What is wrong with it.
        source: serde_json::Error,
    },
}

/// The events of an answer, in order.
///
/// Dropping the stream closes the connection, which tells the server to stop.
pub struct EventStream<T> {
    bytes: Option<ByteStream>,
    parser: Parser,
    ready: VecDeque<Event>,
    framing: Framing,
    status: StatusCode,
    headers: HeaderMap,
    item: PhantomData<fn() -> T>,
}

impl<T> EventStream<T> {
    /// Reads the events of an answer, which must be a `text/event-stream`.
    pub fn new(response: ResponseValue<ByteStream>, framing: Framing) -> Result<Self, Error<()>> {
        let status = response.status();
        let headers = response.headers().clone();
        let media_type = headers
            .get(CONTENT_TYPE)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default();
        let essence = media_type.split(';').next().unwrap_or_default().trim();
        if !essence.eq_ignore_ascii_case("text/event-stream") {
            return Err(Error::Custom(format!(
                "the answer should be text/event-stream, and is {media_type:?}"
            )));
        }
        Ok(Self {
            bytes: Some(response.into_inner()),
            parser: Parser::default(),
            ready: VecDeque::new(),
            framing,
            status,
            headers,
            item: PhantomData,
        })
    }

    /// The status of the answer.
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// The headers of the answer.
    pub fn headers(&self) -> &HeaderMap {
        &self.headers
    }
}

impl<T: DeserializeOwned> EventStream<T> {
    fn read(&self, event: Event) -> Result<T, StreamError> {
        let Event { name, data, id: _ } = event;
        self.decode(&name, &data)
            .map_err(|source| StreamError::Unreadable { name, data, source })
    }

    fn decode(&self, name: &str, data: &str) -> Result<T, serde_json::Error> {
        if self.framing.text {
            return serde_json::from_value(Value::String(data.to_owned()));
        }
        match self.framing.event {
            // The name of the event is the property; senders need not say it twice.
            Some(property) if !name.is_empty() => {
                let mut value: Value = serde_json::from_str(data)?;
                if let Value::Object(object) = &mut value {
                    object
                        .entry(property)
                        .or_insert_with(|| Value::String(name.to_owned()));
                }
                serde_json::from_value(value)
            }
            _ => serde_json::from_str(data),
        }
    }
}

impl<T: DeserializeOwned> Stream for EventStream<T> {
    type Item = Result<T, StreamError>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        loop {
            if let Some(event) = this.ready.pop_front() {
                if this.framing.terminator == Some(event.data.as_str()) {
                    this.bytes = None;
                    this.ready.clear();
                    return Poll::Ready(None);
                }
                return Poll::Ready(Some(this.read(event)));
            }
            let Some(bytes) = &mut this.bytes else {
                return Poll::Ready(None);
            };
            let failure = match ready!(bytes.as_mut().poll_next(context)) {
                Some(Ok(piece)) => {
                    let ready = &mut this.ready;
                    match this.parser.push(&piece, |event| ready.push_back(event)) {
                        Ok(()) => continue,
                        Err(too_long) => too_long.into(),
                    }
                }
                Some(Err(error)) => StreamError::Connection(error),
                None if this.framing.terminator.is_some() => StreamError::Truncated,
                None => {
                    this.bytes = None;
                    continue;
                }
            };
            this.bytes = None;
            return Poll::Ready(Some(Err(failure)));
        }
    }
}

impl<T> fmt::Debug for EventStream<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventStream")
            .field("status", &self.status)
            .field("headers", &self.headers)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::{StreamExt, stream};

    fn answer(media_type: &'static str, pieces: Vec<&'static str>) -> ResponseValue<ByteStream> {
        let pieces = pieces
            .into_iter()
            .map(|piece| Ok(bytes::Bytes::from(piece)));
        let headers =
            HeaderMap::from_iter([(CONTENT_TYPE, media_type.parse().expect("a header value"))]);
        ResponseValue::new(
            ByteStream::new(Box::pin(stream::iter(pieces))),
            StatusCode::OK,
            headers,
        )
    }

    async fn numbers(framing: Framing, pieces: Vec<&'static str>) -> Vec<Result<i64, String>> {
        let stream =
            EventStream::<i64>::new(answer("text/event-stream; charset=utf-8", pieces), framing);
        let stream = stream.expect("an event stream");
        stream
            .map(|event| event.map_err(|error| error.to_string()))
            .collect()
            .await
    }

    #[tokio::test]
    async fn a_terminator_ends_the_stream() {
        let framing = Framing {
            terminator: Some("[DONE]"),
            ..Framing::default()
        };
        let events = numbers(
            framing,
            vec!["data: 1\n\nda", "ta: 2\n\ndata: [DONE]\n\ndata: 3\n\n"],
        )
        .await;
        assert_eq!(events, [Ok(1), Ok(2)]);
    }

    #[tokio::test]
    async fn a_missing_terminator_is_an_error() {
        let framing = Framing {
            terminator: Some("[DONE]"),
            ..Framing::default()
        };
        let events = numbers(framing, vec!["data: 1\n\n"]).await;
        assert_eq!(
            events,
            [
                Ok(1),
                Err("the event stream ended before its end mark".to_owned())
            ]
        );
    }

    #[tokio::test]
    async fn an_unreadable_event_does_not_end_the_stream() {
        let events = numbers(Framing::default(), vec!["data: no\n\ndata: 2\n\n"]).await;
        assert!(
            events[0]
                .as_ref()
                .is_err_and(|error| error.starts_with("an event is not what"))
        );
        assert_eq!(events[1], Ok(2));
    }

    #[tokio::test]
    async fn the_name_of_an_event_fills_its_property() {
        let pieces = vec!["event: delta\ndata: {\"text\":\"x\"}\n\n"];
        let framing = Framing {
            event: Some("type"),
            ..Framing::default()
        };
        let mut stream = EventStream::<Value>::new(answer("text/event-stream", pieces), framing)
            .expect("a stream");
        let event = stream
            .next()
            .await
            .expect("one event")
            .expect("a good event");
        assert_eq!(event, serde_json::json!({"text": "x", "type": "delta"}));
    }

    #[test]
    fn another_media_type_is_no_stream() {
        let refused =
            EventStream::<i64>::new(answer("application/json", vec![]), Framing::default());
        assert!(
            matches!(refused, Err(Error::Custom(message)) if message.contains("application/json"))
        );
    }
}
