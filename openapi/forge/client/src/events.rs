//! The typed events of a `text/event-stream` response.

use crate::json_errors::without_values;
use crate::{Buffered, Failure, Session};
use dropforge_events::{Event, EventParser, EventTooLarge};
use futures_util::{Stream, StreamExt};
use progenitor_client::{ByteStream, ResponseValue};
use reqwest::{
    StatusCode,
    header::{CONTENT_TYPE, HeaderMap},
};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::{
    collections::VecDeque,
    error::Error,
    fmt,
    marker::PhantomData,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};
use tokio::{
    runtime::Handle,
    time::{Instant, Sleep, sleep, timeout},
};

/// The timeout for the end of a response after the end mark of its stream.
const END_TIMEOUT: Duration = Duration::from_millis(100);

/// The maximum number of bytes that are read after the end mark.
const END_LIMIT: usize = 8 * 1024;

/// The description of the events: `x-dropforge-stream` of the document.
///
/// Generated code and tests write one with [`Framing::new`], and a later version may add fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Framing {
    /// The data of the event that ends the stream, which callers do not receive. A stream without it was truncated.
    pub terminator: Option<&'static str>,
    /// The property whose value is the name of the event.
    pub event: Option<&'static str>,
    /// The data is text, not JSON.
    pub text: bool,
}

impl Framing {
    /// Events of JSON without names, that end with the connection.
    pub const fn new() -> Self {
        Self {
            terminator: None,
            event: None,
            text: false,
        }
    }

    /// Sets `terminator`.
    pub const fn with_terminator(mut self, terminator: &'static str) -> Self {
        self.terminator = Some(terminator);
        self
    }

    /// Sets `event`.
    pub const fn with_event(mut self, event: &'static str) -> Self {
        self.event = Some(event);
        self
    }

    /// Sets `text` to true.
    pub const fn with_text(mut self) -> Self {
        self.text = true;
        self
    }
}

/// Why a stream ended early, or an event could not be read.
///
/// Neither `Display` nor `Debug` prints the data of an event: it may contain secrets.
#[non_exhaustive]
pub enum StreamError {
    /// The connection failed.
    Connection(reqwest::Error),
    /// The stream ended without its end mark.
    Truncated,
    /// No data arrived for this long.
    Silent(Duration),
    /// An event is larger than a client keeps in memory.
    TooLong(EventTooLarge),
    /// The data of an event does not match the document. The stream continues.
    Unreadable {
        /// The name of the event.
        name: String,
        /// The data of the event, unparsed.
        data: String,
        /// Why the data does not match. It has no value of the data.
        reason: String,
    },
}

impl fmt::Debug for StreamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Connection(error) => f.debug_tuple("Connection").field(error).finish(),
            Self::Truncated => f.write_str("Truncated"),
            Self::Silent(time) => f.debug_tuple("Silent").field(time).finish(),
            Self::TooLong(error) => f.debug_tuple("TooLong").field(error).finish(),
            Self::Unreadable { name, reason, .. } => f
                .debug_struct("Unreadable")
                .field("name", name)
                .field("reason", reason)
                .finish_non_exhaustive(),
        }
    }
}

impl fmt::Display for StreamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Connection(_) => f.write_str("the event stream was interrupted"),
            Self::Truncated => f.write_str("the event stream ended before its end mark"),
            Self::Silent(time) => write!(f, "the event stream was silent for {time:?}"),
            Self::TooLong(error) => error.fmt(f),
            Self::Unreadable { reason, .. } => {
                write!(f, "an event does not match the document: {reason}")
            }
        }
    }
}

impl Error for StreamError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Connection(error) => Some(error),
            Self::Truncated | Self::Silent(_) | Self::TooLong(_) | Self::Unreadable { .. } => None,
        }
    }
}

impl From<EventTooLarge> for StreamError {
    fn from(error: EventTooLarge) -> Self {
        Self::TooLong(error)
    }
}

/// The events of a response, in their order.
///
/// Dropping the stream closes the connection, which makes the server stop.
///
/// Three limits end a stream with an error: an event of more than 16 MiB ([`EventStream::limit`]), silence for longer than
/// [`Transport::stream_timeout`](crate::Transport::stream_timeout), and a duration of more than
/// [`STREAM_DEADLINE`](crate::STREAM_DEADLINE), 24 hours, unless the request has another timeout.
///
/// The client never connects again by itself. A program that does finds [`EventStream::last_event_id`] and
/// [`EventStream::retry`].
pub struct EventStream<T> {
    bytes: Option<ByteStream>,
    /// How long the stream may be silent.
    silence: Option<Duration>,
    /// The timer that ends a stream that is silent for too long.
    alarm: Option<Pin<Box<Sleep>>>,
    /// Whether the timer is running, which it is while the stream waits for data.
    is_set: bool,
    parser: EventParser,
    ready: VecDeque<Event>,
    /// The error that ends the stream after the events that are ready.
    failure: Option<StreamError>,
    /// The `id` field of the last event that the caller has received.
    last_id: String,
    framing: Framing,
    status: StatusCode,
    headers: HeaderMap,
    item: PhantomData<fn() -> T>,
}

impl<T> EventStream<T> {
    /// Reads the events of a response, which must be a `text/event-stream`.
    ///
    /// The session says how long the stream may be silent.
    ///
    /// # Errors
    ///
    /// When the response is of another media type.
    pub async fn open(
        response: ResponseValue<ByteStream>,
        framing: Framing,
        session: &Session,
    ) -> Result<Self, Failure> {
        let status = response.status();
        let headers = response.headers().clone();
        let media_type = headers
            .get(CONTENT_TYPE)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default();
        let essence = media_type.split(';').next().unwrap_or_default().trim();
        if !essence.eq_ignore_ascii_case("text/event-stream") {
            let reason =
                format!("the media type should be text/event-stream, and is {media_type:?}");
            let stream = response.into_inner_stream();
            let response = Buffered::beginning(status, headers, stream).await;
            return Err(response.unreadable(reason));
        }
        Ok(Self {
            bytes: Some(response.into_inner()),
            silence: session.stream_timeout(),
            alarm: None,
            is_set: false,
            parser: EventParser::default(),
            ready: VecDeque::new(),
            failure: None,
            last_id: String::new(),
            framing,
            status,
            headers,
            item: PhantomData,
        })
    }

    /// Sets the maximum size of an event in bytes. The default is 16 MiB. A larger event ends the stream with
    /// [`StreamError::TooLong`].
    pub fn limit(mut self, bytes: usize) -> Self {
        self.parser.set_limit(bytes);
        self
    }

    /// The `id` field of the last received event, or of the last one before it that had one. A server that supports it
    /// continues after this event, by the header `Last-Event-ID`.
    pub fn last_event_id(&self) -> Option<&str> {
        Some(self.last_id.as_str()).filter(|id| !id.is_empty())
    }

    /// The time to wait before connecting again, if the server has sent the field `retry`.
    pub fn retry(&self) -> Option<Duration> {
        self.parser.retry()
    }

    /// The status of the response.
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// The headers of the response.
    pub fn headers(&self) -> &HeaderMap {
        &self.headers
    }
}

impl<T: DeserializeOwned> EventStream<T> {
    /// The next event; `None` at the end of the stream.
    ///
    /// # Errors
    ///
    /// When the stream is interrupted, or an event does not match the document. The stream continues after
    /// [`StreamError::Unreadable`] only.
    pub async fn next_event(&mut self) -> Result<Option<T>, StreamError> {
        self.next().await.transpose()
    }

    /// The next piece of the response; an error if none arrives in time. The time between two polls of a slow caller
    /// does not count.
    fn poll_piece(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<bytes::Bytes, StreamError>>> {
        let Some(bytes) = &mut self.bytes else {
            return Poll::Ready(None);
        };
        if let Poll::Ready(piece) = bytes.poll_next_unpin(context) {
            self.is_set = false;
            return Poll::Ready(piece.map(|piece| piece.map_err(StreamError::Connection)));
        }
        let Some(silence) = self.silence else {
            return Poll::Pending;
        };
        // A limit beyond the range of the clock needs no timer.
        let Some(end) = Instant::now().checked_add(silence) else {
            return Poll::Pending;
        };
        let alarm = self.alarm.get_or_insert_with(|| Box::pin(sleep(silence)));
        if !self.is_set {
            self.is_set = true;
            alarm.as_mut().reset(end);
        }
        match alarm.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Some(Err(StreamError::Silent(silence)))),
            Poll::Pending => Poll::Pending,
        }
    }

    fn read(&mut self, event: Event) -> Result<T, StreamError> {
        let Event { name, data, id, .. } = event;
        self.last_id = id;
        self.decode(&name, &data).map_err(|error| {
            let reason = without_values(&error);
            StreamError::Unreadable { name, data, reason }
        })
    }

    fn decode(&self, name: &str, data: &str) -> Result<T, serde_json::Error> {
        if self.framing.text {
            return serde_json::from_value(Value::String(data.to_owned()));
        }
        match self.framing.event {
            // The name of the event fills the property, so senders need not repeat it.
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
                    this.ready.clear();
                    this.failure = None;
                    if let Some(bytes) = this.bytes.take() {
                        finish(bytes, context);
                    }
                    return Poll::Ready(None);
                }
                return Poll::Ready(Some(this.read(event)));
            }
            if this.bytes.is_none() {
                return Poll::Ready(this.failure.take().map(Err));
            }
            this.failure = match ready!(this.poll_piece(context)) {
                Some(Ok(piece)) => {
                    let ready = &mut this.ready;
                    match this.parser.feed(&piece, |event| ready.push_back(event)) {
                        Ok(()) => continue,
                        Err(too_long) => Some(too_long.into()),
                    }
                }
                Some(Err(failure)) => Some(failure),
                None if this.framing.terminator.is_some() => Some(StreamError::Truncated),
                None => None,
            };
            this.bytes = None;
        }
    }
}

/// Reads a response to its end, which may come a moment after the end mark of the stream. A connection with an
/// incomplete response cannot be reused.
fn finish(mut bytes: ByteStream, context: &mut Context<'_>) {
    if let Poll::Ready(None | Some(Err(_))) = bytes.poll_next_unpin(context) {
        return;
    }
    if let Ok(runtime) = Handle::try_current() {
        let rest = async move {
            let mut read = 0;
            while let Some(Ok(piece)) = bytes.next().await {
                read += piece.len();
                if read > END_LIMIT {
                    break;
                }
            }
        };
        // A response that does not end is dropped, and its connection closed.
        runtime.spawn(timeout(END_TIMEOUT, rest));
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
    use futures_util::{StreamExt, stream};

    fn response(media_type: &'static str, pieces: Vec<&'static str>) -> ResponseValue<ByteStream> {
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
        let response = response("text/event-stream; charset=utf-8", pieces);
        let stream = EventStream::<i64>::open(response, framing, &Session::default()).await;
        let stream = stream.expect("an event stream");
        stream
            .map(|event| event.map_err(|error| error.to_string()))
            .collect()
            .await
    }

    #[tokio::test]
    async fn a_terminator_ends_the_stream() {
        let framing = Framing::new().with_terminator("[DONE]");
        let events = numbers(
            framing,
            vec!["data: 1\n\nda", "ta: 2\n\ndata: [DONE]\n\ndata: 3\n\n"],
        )
        .await;
        assert_eq!(events, [Ok(1), Ok(2)]);
    }

    #[tokio::test]
    async fn a_missing_terminator_is_an_error() {
        let framing = Framing::new().with_terminator("[DONE]");
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
                .is_err_and(|error| error.starts_with("an event does not match"))
        );
        assert_eq!(events[1], Ok(2));
    }

    #[tokio::test]
    async fn the_id_is_that_of_the_last_received_event() {
        let text = "retry: 1500\ndata: 1\n\nid: a\ndata: 2\n\ndata: 3\n\nid: b\ndata: 4\n\n";
        let response = response("text/event-stream", vec![text]);
        let (framing, session) = (Framing::default(), Session::default());
        let stream = EventStream::<i64>::open(response, framing, &session).await;
        let mut stream = stream.expect("a stream");
        for (event, id) in [(1, None), (2, Some("a")), (3, Some("a")), (4, Some("b"))] {
            let next = stream.next_event().await.expect("a good event");
            assert_eq!((next, stream.last_event_id()), (Some(event), id));
        }
        assert_eq!(stream.retry(), Some(Duration::from_millis(1500)));
    }

    #[tokio::test]
    async fn an_event_beyond_the_limit_ends_the_stream() {
        let text = "data: 1\n\ndata: 1000000000\n\ndata: 2\n\n";
        let response = response("text/event-stream", vec![text]);
        let (framing, session) = (Framing::default(), Session::default());
        let stream = EventStream::<i64>::open(response, framing, &session).await;
        let events = stream.expect("a stream").limit(12).collect::<Vec<_>>();
        let events = events.await;
        assert!(
            matches!(events[..], [Ok(1), Err(StreamError::TooLong(_))]),
            "{events:?}"
        );
    }

    #[tokio::test]
    async fn the_name_of_an_event_fills_its_property() {
        let pieces = vec!["event: delta\ndata: {\"text\":\"x\"}\n\n"];
        let framing = Framing::new().with_event("type");
        let response = response("text/event-stream", pieces);
        let stream = EventStream::<Value>::open(response, framing, &Session::default()).await;
        let mut stream = stream.expect("a stream");
        let event = stream.next_event().await.expect("a good event");
        let event = event.expect("one event");
        assert_eq!(event, serde_json::json!({"text": "x", "type": "delta"}));
    }

    #[test]
    fn an_unreadable_event_prints_its_reason_and_not_its_data() {
        let error = StreamError::Unreadable {
            name: "delta".to_owned(),
            data: "sk-1".to_owned(),
            reason: "invalid type: null".to_owned(),
        };
        let printed = format!("{error:?}");
        assert_eq!(
            printed,
            r#"Unreadable { name: "delta", reason: "invalid type: null", .. }"#
        );
    }

    #[tokio::test]
    async fn a_response_of_another_media_type_is_an_error_with_its_body() {
        let response = response("application/json", vec!["{\"why\"", ":1}"]);
        let (framing, session) = (Framing::default(), Session::default());
        let refused = EventStream::<i64>::open(response, framing, &session).await;
        let failure = refused.expect_err("no stream");
        assert!(
            failure.to_string().contains("application/json"),
            "{failure}"
        );
        assert_eq!(failure.response().expect("a response").body, "{\"why\":1}");
    }

    #[tokio::test]
    async fn a_stream_without_a_limit_of_its_silence_is_read() {
        #[derive(Debug)]
        struct Patient;
        impl crate::Transport for Patient {
            fn stream_timeout(&self) -> Option<Duration> {
                Some(Duration::MAX)
            }
        }
        let pieces = stream::once(async {
            sleep(Duration::from_millis(10)).await;
            Ok::<_, reqwest::Error>(bytes::Bytes::from("data: 1\n\n"))
        });
        let headers = response("text/event-stream", vec![]).headers().clone();
        let bytes = ByteStream::new(Box::pin(pieces));
        let response = ResponseValue::new(bytes, StatusCode::OK, headers);
        let session = Session::new(Patient);
        let stream = EventStream::<i64>::open(response, Framing::default(), &session).await;
        let mut stream = stream.expect("a stream");
        assert_eq!(stream.next().await.expect("one").expect("good"), 1);
        assert!(stream.next().await.is_none());
    }

    #[tokio::test]
    async fn a_silent_stream_ends_and_a_slow_caller_does_not_end_it() {
        #[derive(Debug)]
        struct Brief;
        impl crate::Transport for Brief {
            fn stream_timeout(&self) -> Option<Duration> {
                Some(Duration::from_secs(1))
            }
        }
        let pieces = stream::iter(["data: 1\n\n", "data: 2\n\n"])
            .then(|piece| async move {
                sleep(Duration::from_millis(10)).await;
                Ok(bytes::Bytes::from(piece))
            })
            .chain(stream::pending());
        let headers = response("text/event-stream", vec![]).headers().clone();
        let bytes = ByteStream::new(Box::pin(pieces));
        let response = ResponseValue::new(bytes, StatusCode::OK, headers);
        let session = Session::new(Brief);
        let stream = EventStream::<i64>::open(response, Framing::default(), &session).await;
        let mut stream = stream.expect("a stream");
        assert_eq!(stream.next().await.expect("one").expect("good"), 1);
        sleep(Duration::from_millis(1500)).await;
        assert_eq!(stream.next().await.expect("one").expect("good"), 2);
        let end = stream.next().await.expect("an error");
        assert!(matches!(end, Err(StreamError::Silent(_))), "{end:?}");
        assert!(stream.next().await.is_none());
    }
}
