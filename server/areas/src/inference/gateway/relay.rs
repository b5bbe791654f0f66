//! Relays an event stream through the gateway.
//!
//! The relay forwards bytes as they arrive, but only up to the end of the last whole event. If the
//! model server dies within an event, the caller does not receive half of it. Pieces nearly always
//! end where events do, so nothing waits.
//!
//! A stream is complete when its end mark has been sent: `[DONE]` of a chat, or the last event of a
//! response. A stream without it, even after an orderly close, ends with the convention's error
//! event instead. A chat may also end with an error of the model server's own, and no other error
//! follows it.

use std::fmt::Display;
use std::pin::Pin;
use std::time::Duration;

use bytes::Bytes;
use futures::{Stream, StreamExt};

use super::events::{BrokenOff, Convention, Piece, broken};
use super::filter::Filter;
use super::frames::{EventTooLarge, Frames};
use crate::inference::problem::{Code, Fault, Problem};

/// The time that the body of a model server may continue after the end mark. If it ends within this
/// time, its connection is used again.
const LINGER: Duration = Duration::from_secs(1);

impl From<EventTooLarge> for Problem {
    fn from(_: EventTooLarge) -> Problem {
        let message = "The upstream sent an event that is too large.";
        Problem::new(Fault::Upstream, Code::UpstreamFailed, message)
    }
}

/// Relays a model server's stream. An incomplete stream ends with an error as its last piece.
/// Errors are sent without `secrets`, which the model server received and may quote.
pub fn relay<E: Display + Into<Problem>>(
    source: impl Stream<Item = Result<Bytes, E>> + Send + 'static,
    convention: Convention,
    secrets: Vec<String>,
) -> impl Stream<Item = Piece> + Send + 'static {
    let state = Relay {
        source: Some(Box::pin(source.fuse())),
        frames: Frames::default(),
        filter: Filter::new(convention, secrets),
    };
    futures::stream::unfold(state, |mut state| async move {
        let piece = state.next().await?;
        Some((piece, state))
    })
}

struct Relay<S> {
    /// `None` once the stream has ended.
    source: Option<Pin<Box<S>>>,
    frames: Frames,
    filter: Filter,
}

impl<S, E> Relay<S>
where
    S: Stream<Item = Result<Bytes, E>> + Send + 'static,
    E: Display + Into<Problem>,
{
    async fn next(&mut self) -> Option<Piece> {
        loop {
            if self.filter.is_whole() {
                // Bytes after the end mark are not sent, and the caller does not wait for them.
                let rest = self.source.take()?.for_each(|_| std::future::ready(()));
                tokio::spawn(tokio::time::timeout(LINGER, rest));
                return None;
            }
            let source = self.source.as_mut()?;
            let piece = match source.next().await {
                Some(Ok(piece)) => piece,
                Some(Err(error)) => {
                    let cause = error.to_string();
                    return Some(self.broken_off(&cause, &error.into(), true));
                }
                None => return Some(self.ended()),
            };
            match self.frames.take_whole(piece) {
                Ok(Some(events)) => {
                    let events = self.filter.pass(events);
                    if !events.is_empty() {
                        return Some(Ok(events));
                    }
                }
                Ok(None) => {}
                Err(error) => {
                    let cause = error.to_string();
                    return Some(self.broken_off(&cause, &error.into(), false));
                }
            }
        }
    }

    /// The last piece, after the source ended in order.
    fn ended(&mut self) -> Piece {
        // An end mark or an error counts even without an empty line after it.
        if let Some(rest) = self.frames.take_rest() {
            let events = self.filter.pass(rest);
            if self.filter.is_whole() || self.filter.has_passed_error() {
                return Ok(events);
            }
        }
        if self.filter.has_passed_error() {
            self.source = None;
            return Err(BrokenOff {
                event: Bytes::new(),
                is_outage: false,
            });
        }
        self.broken_off("the stream ended without its end mark", &broken(), false)
    }

    /// The last piece of an interrupted stream.
    fn broken_off(&mut self, error: &str, problem: &Problem, is_outage: bool) -> Piece {
        tracing::warn!(error, "a model server interrupted a stream");
        self.source = None;
        let event = self.filter.failure(problem);
        Err(BrokenOff { event, is_outage })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use tokio::sync::oneshot::error::TryRecvError;

    use super::*;
    use crate::inference::gateway::events::bytes;
    use crate::inference::gateway::filter::LAST_EVENTS;

    /// The error of a source.
    #[derive(Debug, Clone, Copy, thiserror::Error)]
    #[error("reset")]
    struct Reset;

    impl From<Reset> for Problem {
        fn from(_: Reset) -> Problem {
            broken()
        }
    }

    async fn relayed(
        pieces: &[Result<&'static str, Reset>],
        convention: Convention,
    ) -> Vec<String> {
        let source: Vec<_> = pieces.iter().map(|piece| piece.map(Bytes::from)).collect();
        relay(futures::stream::iter(source), convention, Vec::new())
            .map(|piece| String::from_utf8_lossy(bytes(&piece)).into_owned())
            .collect()
            .await
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
        let pieces = ["data: 1\n\nda", "ta: 2", "\n\n", "data: [DONE]\n\n"];
        let out = relayed(&pieces.map(Ok), Convention::Chat).await;
        assert_eq!(out, ["data: 1\n\n", "data: 2\n\n", "data: [DONE]\n\n"]);
    }

    #[tokio::test]
    async fn an_end_mark_without_an_empty_line_is_passed_on_at_the_end() {
        let out = relayed(&[Ok("data: 1\n\ndata: [DONE]")], Convention::Chat).await;
        assert_eq!(out, ["data: 1\n\n", "data: [DONE]\n\n"]);
    }

    const BROKEN: &str = "data: {\"error\":{\"message\":\"The upstream closed the stream before its end.\",\"type\":\"server_error\",\"param\":null,\"code\":\"upstream_failed\"}}\n\n";

    #[tokio::test]
    async fn a_chat_that_ends_without_its_end_mark_ends_with_an_error() {
        let out = relayed(&[Ok("data: {}\n\n")], Convention::Chat).await;
        assert_eq!(out, ["data: {}\n\n", BROKEN]);
        let out = relayed(&[Ok("data: {}\n\ndata: {\"a\"")], Convention::Chat).await;
        assert_eq!(out, ["data: {}\n\n", BROKEN]);
        assert_eq!(relayed(&[], Convention::Chat).await, [BROKEN]);
        // A text is not an end mark.
        let text = "data: {\"content\":\"data: [DONE]\"}\n\n";
        assert_eq!(relayed(&[Ok(text)], Convention::Chat).await, [text, BROKEN]);
    }

    #[tokio::test]
    async fn a_chat_that_ends_with_an_error_of_the_model_server_gets_no_other() {
        for line_end in ["", "\n", "\n\n"] {
            let error = format!("data: {{\"error\":{{\"message\":\"No.\"}}}}{line_end}");
            let source = futures::stream::iter([Ok::<_, Reset>(error.into())]);
            let out: Vec<_> = relay(source, Convention::Chat, Vec::new()).collect().await;
            let [Ok(error), end] = &out[..] else {
                panic!("an error and the end: {out:?}");
            };
            let error = String::from_utf8_lossy(error);
            assert!(error.contains("\"message\":\"No.\""), "{error}");
            let broken_off = BrokenOff {
                event: Bytes::new(),
                is_outage: false,
            };
            assert_eq!(*end, Err(broken_off));
        }
    }

    #[tokio::test]
    async fn a_response_that_ends_without_its_last_event_ends_with_an_error() {
        let event = "event: a\ndata: {\"type\":\"a\",\"sequence_number\":6}\n\n";
        let beat = ": beat\n\n";
        let out = relayed(&[Ok(event), Ok(beat)], Convention::Responses).await;
        assert_eq!(&out[..2], [event, beat]);
        let prefix = "event: error\ndata: {\"type\":\"error\",\"sequence_number\":7,";
        assert!(out[2].starts_with(prefix), "{}", out[2]);
        for last in LAST_EVENTS.into_iter().filter(|last| *last != "error") {
            let last: &str = format!("event: {last}\ndata: {{}}\n\n").leak();
            assert_eq!(relayed(&[Ok(last)], Convention::Responses).await, [last]);
        }
    }

    #[tokio::test]
    async fn bytes_after_the_end_mark_are_not_passed_on() {
        let pieces = [
            Ok("data: 1\n\ndata: [DONE]\n\ndata: 2\n\n"),
            Ok("data: 3\n\n"),
            Err(Reset),
        ];
        let out = relayed(&pieces, Convention::Chat).await;
        assert_eq!(out, ["data: 1\n\ndata: [DONE]\n\n"]);
    }

    #[tokio::test]
    async fn the_caller_does_not_wait_for_bytes_after_the_end_mark() {
        let begun = Instant::now();
        // Dropped with the source.
        let (open, mut closed) = tokio::sync::oneshot::channel::<()>();
        let source = futures::stream::iter([Ok::<_, Reset>(Bytes::from("data: [DONE]\n\n"))]);
        let source = source.chain(futures::stream::pending().inspect(move |_| _ = &open));
        let out: Vec<_> = relay(source, Convention::Chat, Vec::new()).collect().await;
        assert_eq!(out.len(), 1);
        assert_eq!(closed.try_recv(), Err(TryRecvError::Empty), "it has waited");
        // A connection that stays open is left.
        assert!(closed.await.is_err());
        assert!(begun.elapsed() >= LINGER);
    }

    #[tokio::test]
    async fn a_byte_order_mark_is_not_passed_on() {
        let out = relayed(&[Ok("\u{feff}data: [DONE]\n\n")], Convention::Chat).await;
        assert_eq!(out, ["data: [DONE]\n\n"]);
        // Nor if it arrives in pieces.
        let pieces = [&b""[..], b"\xEF", b"\xBB\xBFdata: ", b"[DONE]"];
        let source = futures::stream::iter(pieces.map(|piece| Ok::<_, Reset>(piece.into())));
        let out: Vec<_> = relay(source, Convention::Chat, Vec::new()).collect().await;
        assert_eq!(out, [Ok("data: [DONE]\n\n".into())]);
    }

    /// As many bytes as a model server sends in one piece.
    fn filler() -> Bytes {
        Bytes::from_static(&[b'x'; 16 << 10])
    }

    #[tokio::test]
    async fn an_event_without_an_end_is_bounded() {
        let endless = futures::stream::repeat_with(|| Ok::<_, Reset>(filler()));
        let begin = futures::stream::iter([Ok(Bytes::from("data: {}\n\ndata: "))]);
        let out: Vec<_> = relay(begin.chain(endless), Convention::Chat, Vec::new())
            .map(|piece| bytes(&piece).clone())
            .collect()
            .await;
        let large = BROKEN.replace(
            "The upstream closed the stream before its end.",
            "The upstream sent an event that is too large.",
        );
        assert_eq!(out, ["data: {}\n\n", large.as_str()]);
    }

    #[tokio::test]
    async fn a_server_that_dies_within_an_event_leaves_none_of_it() {
        let pieces = [Ok("data: {}\n\ndata: {\"ch"), Err(Reset)];
        let out = relayed(&pieces, Convention::Chat).await;
        assert_eq!(out.len(), 2);
        assert_eq!(out[0], "data: {}\n\n");
        let prefix = "data: {\"error\":{\"message\":";
        assert!(out[1].starts_with(prefix), "{}", out[1]);
    }

    #[tokio::test]
    async fn an_error_event_is_numbered_after_the_last_one() {
        let event = "event: a\ndata: {\"type\":\"a\",\"sequence_number\":6}\n\n";
        // A comment is not an event, with any text.
        for comment in [": beat\n\n", ": no data yet\n\n"] {
            let pieces = [Ok(event), Ok(comment), Err(Reset)];
            let out = relayed(&pieces, Convention::Responses).await;
            let prefix = "event: error\ndata: {\"type\":\"error\",\"sequence_number\":7,";
            assert!(out[2].starts_with(prefix), "{}", out[2]);
        }
    }
}
