//! Writes values as the bytes of an event stream.

use std::pin::Pin;

use bytes::Bytes;
use futures::Stream;
use futures::stream::{self, StreamExt};
use serde::Serialize;
use serde_json::Value;

use crate::stream::{BoxError, ByteStream};
use crate::table::Framing;

/// The values of a stream.
pub(super) type Boxed<T> = Pin<Box<dyn Stream<Item = Result<T, BoxError>> + Send>>;

/// Writes each value as one event, and the terminator after the last. After an error there is no
/// terminator: the stream is incomplete.
pub(super) fn encode<T: Serialize + 'static>(events: Boxed<T>, framing: Framing) -> ByteStream {
    // The state is the rest of the stream; none after its last bytes.
    stream::unfold(Some(events), move |events| async move {
        let mut events = events?;
        match events.next().await {
            Some(event) => match event.and_then(|event| encode_event(&event, framing)) {
                Ok(bytes) => Some((Ok(bytes), Some(events))),
                Err(error) => Some((Err(error), None)),
            },
            None => {
                let terminator = Bytes::from(format!("data: {}\n\n", framing.terminator?));
                Some((Ok(terminator), None))
            }
        }
    })
    .boxed()
}

/// Writes a value as one event: a line `event` if the framing has it, and a line `data`.
fn encode_event<T: Serialize>(event: &T, framing: Framing) -> Result<Bytes, BoxError> {
    let mut bytes = Vec::with_capacity(256);
    if let Some(property) = framing.event {
        let value = serde_json::to_value(event)?;
        if let Some(Value::String(name)) = value.get(property) {
            bytes.extend_from_slice(b"event: ");
            // A line end would end the field.
            bytes.extend_from_slice(name.replace(['\r', '\n'], " ").as_bytes());
            bytes.push(b'\n');
        }
    }
    bytes.extend_from_slice(b"data: ");
    // JSON text has no line ends of its own.
    serde_json::to_writer(&mut bytes, event)?;
    bytes.extend_from_slice(b"\n\n");
    Ok(Bytes::from(bytes))
}

#[cfg(test)]
mod tests {
    use futures::StreamExt;
    use serde_json::json;

    use super::*;
    use crate::EventStream;

    async fn collect(stream: EventStream<Value>, framing: Framing) -> (String, bool) {
        let chunks: Vec<_> = stream.into_bytes(framing).collect().await;
        let failed = chunks.iter().any(Result::is_err);
        let text = chunks
            .into_iter()
            .flatten()
            .fold(String::new(), |text, chunk| {
                text + std::str::from_utf8(&chunk).unwrap()
            });
        (text, failed)
    }

    fn events(values: Vec<Result<Value, &'static str>>) -> EventStream<Value> {
        EventStream::events(stream::iter(values))
    }

    #[tokio::test]
    async fn each_value_is_one_event_and_the_terminator_follows_the_last() {
        let framing = Framing {
            terminator: Some("[DONE]"),
            event: None,
        };
        let stream = events(vec![Ok(json!({"a": "x\ny"})), Ok(json!(2))]);
        let expected = "data: {\"a\":\"x\\ny\"}\n\ndata: 2\n\ndata: [DONE]\n\n";
        assert_eq!(collect(stream, framing).await, (expected.into(), false));
    }

    #[tokio::test]
    async fn a_property_names_the_event() {
        let framing = Framing {
            terminator: None,
            event: Some("type"),
        };
        let stream = events(vec![Ok(json!({"type": "a.b"})), Ok(json!({"other": 1}))]);
        let expected = "event: a.b\ndata: {\"type\":\"a.b\"}\n\ndata: {\"other\":1}\n\n";
        assert_eq!(collect(stream, framing).await, (expected.into(), false));
    }

    #[tokio::test]
    async fn a_failed_stream_ends_without_the_terminator() {
        let framing = Framing {
            terminator: Some("[DONE]"),
            event: None,
        };
        let stream = events(vec![Ok(json!(1)), Err("gone"), Ok(json!(2))]);
        assert_eq!(collect(stream, framing).await, ("data: 1\n\n".into(), true));
    }

    #[tokio::test]
    async fn raw_bytes_pass_through() {
        let chunks = vec![
            Ok::<_, &str>(Bytes::from("da")),
            Ok(Bytes::from("ta: x\n\n")),
        ];
        let stream = EventStream::<Value>::raw(stream::iter(chunks));
        let expected = ("data: x\n\n".to_owned(), false);
        assert_eq!(collect(stream, Framing::default()).await, expected);
    }
}
