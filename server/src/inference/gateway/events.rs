//! An event stream on its way through the gateway.
//!
//! Bytes are passed on as they come, but only up to the end of the last whole
//! event: should the model server die within one, the caller is not left with
//! half an event, and an event that says what happened can follow. Pieces
//! nearly always end where events do, so nothing waits.

use std::fmt::Display;
use std::pin::Pin;

use bytes::{Bytes, BytesMut};
use futures::{Stream, StreamExt};

/// Which convention a stream follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Convention {
    /// Chat completions: data only.
    Chat,
    /// Responses: named and numbered events.
    Responses,
}

impl Convention {
    /// What it is called in figures and traces.
    pub fn api(self) -> &'static str {
        match self {
            Convention::Chat => "chat_completions",
            Convention::Responses => "responses",
        }
    }
}

/// What of a stream is sent next: whole events, or the one that tells that the
/// model server broke the stream off.
pub type Piece = Result<Bytes, BrokenOff>;

/// The event that tells that a stream was broken off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrokenOff(pub Bytes);

/// What is sent, whatever it tells.
pub fn bytes(piece: &Piece) -> &Bytes {
    match piece {
        Ok(events) => events,
        Err(BrokenOff(event)) => event,
    }
}

/// What is said when the model server goes away.
const BROKEN: &str = "The model server closed the stream before its end.";

/// Passes a model server's stream on. An error of the source becomes the last
/// piece.
pub fn relay<E: Display>(
    source: impl Stream<Item = Result<Bytes, E>> + Send + 'static,
    convention: Convention,
) -> impl Stream<Item = Piece> + Send + 'static {
    let state = Relay {
        source: Box::pin(source),
        held: BytesMut::new(),
        last: Bytes::new(),
        convention,
        ended: false,
    };
    futures::stream::unfold(state, |mut state| async move {
        let piece = state.next().await?;
        Some((piece, state))
    })
}

struct Relay<S> {
    source: Pin<Box<S>>,
    /// The beginning of an event that is not whole yet.
    held: BytesMut,
    /// The last piece passed on, for its number.
    last: Bytes,
    convention: Convention,
    ended: bool,
}

impl<S, E> Relay<S>
where
    S: Stream<Item = Result<Bytes, E>>,
    E: Display,
{
    async fn next(&mut self) -> Option<Piece> {
        while !self.ended {
            match self.source.next().await {
                Some(Ok(piece)) => {
                    if let Some(whole) = self.take_whole(piece) {
                        self.last = whole.clone();
                        return Some(Ok(whole));
                    }
                }
                Some(Err(error)) => {
                    tracing::warn!(%error, "a model server broke a stream off");
                    self.ended = true;
                    let event = failure(self.convention, &self.last);
                    return Some(Err(BrokenOff(event)));
                }
                None => {
                    self.ended = true;
                    // Not ended by an empty line, and yet the server's last word.
                    let rest = std::mem::take(&mut self.held).freeze();
                    return (!rest.is_empty()).then_some(Ok(rest));
                }
            }
        }
        None
    }

    /// What is held and `piece`, up to the end of the last whole event.
    fn take_whole(&mut self, piece: Bytes) -> Option<Bytes> {
        if self.held.is_empty() {
            let end = whole(&piece);
            self.held.extend_from_slice(&piece[end..]);
            return (end > 0).then(|| piece.slice(..end));
        }
        self.held.extend_from_slice(&piece);
        let end = whole(&self.held);
        (end > 0).then(|| self.held.split_to(end).freeze())
    }
}

/// Where the last whole event in `bytes` ends: behind the last empty line. A
/// line ends with CR LF, LF or CR (WHATWG HTML, section 9.2.5).
fn whole(bytes: &[u8]) -> usize {
    let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let mut end = bytes.len();
    while let Some(at) = bytes[..end].iter().rposition(is_end) {
        let line_end = match bytes[..at].last() {
            Some(b'\r') if bytes[at] == b'\n' => at - 1,
            _ => at,
        };
        if bytes[..line_end].last().is_some_and(is_end) {
            return at + 1;
        }
        end = line_end;
    }
    0
}

/// The event that tells of a failure, numbered after the `last` one.
pub(in crate::inference) fn failure(convention: Convention, last: &[u8]) -> Bytes {
    match convention {
        Convention::Chat => {
            let error = serde_json::json!({"error": {
                "message": BROKEN, "type": "server_error", "param": null, "code": null,
            }});
            format!("data: {error}\n\n").into()
        }
        Convention::Responses => {
            let error = serde_json::json!({
                "type": "error",
                "sequence_number": next_number(last),
                "code": "server_error",
                "message": BROKEN,
                "param": null,
            });
            format!("event: error\ndata: {error}\n\n").into()
        }
    }
}

/// One more than the `sequence_number` of the last event in `bytes`.
fn next_number(bytes: &[u8]) -> u64 {
    #[derive(serde::Deserialize)]
    struct Numbered {
        sequence_number: u64,
    }
    String::from_utf8_lossy(bytes)
        .lines()
        .rev()
        .filter_map(|line| line.strip_prefix("data:"))
        .find_map(|data| serde_json::from_str::<Numbered>(data).ok())
        .map_or(0, |event| event.sequence_number + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn relayed(
        pieces: &[Result<&'static str, &'static str>],
        convention: Convention,
    ) -> Vec<String> {
        let source: Vec<_> = pieces.iter().map(|piece| piece.map(Bytes::from)).collect();
        relay(futures::stream::iter(source), convention)
            .map(|piece| String::from_utf8_lossy(bytes(&piece)).into_owned())
            .collect()
            .await
    }

    #[test]
    fn an_event_ends_at_an_empty_line_of_any_line_end() {
        for (text, end) in [
            ("", 0),
            ("data: 1", 0),
            ("data: 1\n", 0),
            ("data: 1\r\n", 0),
            ("data: 1\n\n", 9),
            ("data: 1\r\n\r\n", 11),
            ("data: 1\r\r", 9),
            ("data: 1\n\ndata: 2\n", 9),
            ("data: 1\n\ndata: 2\n\n: x", 18),
        ] {
            assert_eq!(whole(text.as_bytes()), end, "{text:?}");
        }
    }

    #[tokio::test]
    async fn pieces_that_end_with_events_pass_as_they_are() {
        let pieces = [
            "data: 1\n\n",
            "data: 2\n\ndata: 3\n\n",
            ": beat\n\n",
            "data: [DONE]\n\n",
        ];
        let out = relayed(&pieces.map(Ok), Convention::Chat).await;
        assert_eq!(out, pieces);
    }

    #[tokio::test]
    async fn an_event_in_pieces_is_put_together() {
        let pieces = ["data: 1\n\nda", "ta: 2", "\n\n"];
        let out = relayed(&pieces.map(Ok), Convention::Chat).await;
        assert_eq!(out, ["data: 1\n\n", "data: 2\n\n"]);
    }

    #[tokio::test]
    async fn what_the_server_leaves_open_is_passed_at_the_end() {
        let out = relayed(&[Ok("data: 1\n\ndata: [DONE]")], Convention::Chat).await;
        assert_eq!(out, ["data: 1\n\n", "data: [DONE]"]);
    }

    #[tokio::test]
    async fn a_server_that_dies_within_an_event_leaves_none_of_it() {
        let pieces = [Ok("data: {}\n\ndata: {\"ch"), Err("reset")];
        let out = relayed(&pieces, Convention::Chat).await;
        assert_eq!(out.len(), 2);
        assert_eq!(out[0], "data: {}\n\n");
        let prefix = "data: {\"error\":{\"message\":";
        assert!(out[1].starts_with(prefix), "{}", out[1]);
    }

    #[tokio::test]
    async fn an_error_event_is_numbered_after_the_last_one() {
        let event = "event: a\ndata: {\"type\":\"a\",\"sequence_number\":6}\n\n";
        let out = relayed(&[Ok(event), Err("reset")], Convention::Responses).await;
        let prefix = "event: error\ndata: {\"type\":\"error\",\"sequence_number\":7,";
        assert!(out[1].starts_with(prefix), "{}", out[1]);
    }
}
