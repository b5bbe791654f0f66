//! An event stream on its way through the gateway.
//!
//! Bytes are passed on as they come, but only up to the end of the last whole
//! event: should the model server die within one, the caller is not left with
//! half an event. Pieces nearly always end where events do, so nothing waits.
//!
//! A stream is whole when its end mark has been passed on: `[DONE]` of a chat, or
//! the last event of a response. A stream that ends without it, however its
//! connection was closed, ends with the convention's error event instead. A chat may also
//! end with an error of the model server's own, which no other follows.

use std::fmt::Display;
use std::pin::Pin;
use std::sync::LazyLock;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use futures::{Stream, StreamExt};
use memchr::memmem::Finder;
use serde::Deserialize;
use serde_json::{Value, json};

use super::said::Said;
use super::sse::{Block, blocks};
use crate::inference::problem::{Code, Fault, Problem};

/// The largest event that is passed on; clients of this service read no larger one.
pub const LARGEST_EVENT: usize = 16 << 20;
/// The most pieces that are joined to one.
const JOINED: usize = 32;
/// How long a connection may stay open behind the end mark. A connection that ends
/// within this time is used again.
const LINGER: Duration = Duration::from_secs(1);
/// The data of the event that ends a chat.
pub const DONE: &[u8] = b"[DONE]";
/// Finds an end mark, or what may be one.
static FIND_DONE: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(DONE));
/// Finds an error, or what may be one.
static FIND_ERROR: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"\"error\""));
/// Finds events, as opposed to comments.
static FIND_DATA: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"data"));
/// The event that ends a response with an error.
const FAILED: &str = "response.failed";
/// The events that end a response.
const LAST_EVENTS: [&str; 5] = [
    "response.completed",
    "response.incomplete",
    FAILED,
    "response.cancelled",
    "error",
];

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

/// What of a stream is sent next: whole events, or the end of a stream that is not whole.
pub type Piece = Result<Bytes, BrokenOff>;

/// The end of a stream that is not whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrokenOff {
    /// The error event for the caller. It is empty if the last event sent is an error of
    /// the model server.
    pub event: Bytes,
    /// Whether the connection to the model server failed, as it does when the server goes
    /// down. What a server sends over a connection that holds is no such sign.
    pub is_outage: bool,
}

/// What is sent, whatever it tells.
pub fn bytes(piece: &Piece) -> &Bytes {
    match piece {
        Ok(events) => events,
        Err(broken_off) => &broken_off.event,
    }
}

/// Joins the pieces that have already arrived, so that they are looked at, counted and sent as one:
/// a model server sends each event in a piece of its own. None waits for another.
pub fn joined<E>(source: impl Stream<Item = Result<Bytes, E>>) -> impl Stream<Item = Result<Bytes, E>> {
    source.ready_chunks(JOINED).flat_map(|pieces| {
        let mut joined = BytesMut::new();
        let mut parts = Vec::new();
        for piece in pieces {
            match piece {
                Ok(piece) => joined.extend_from_slice(&piece),
                Err(error) => parts.push(Err(error)),
            }
        }
        if !joined.is_empty() {
            parts.insert(0, Ok(joined.freeze()));
        }
        futures::stream::iter(parts)
    })
}

/// Passes a model server's stream on. A stream that is not whole ends with an
/// error as its last piece. Errors are passed on without these secrets, which the model
/// server was sent and may quote.
pub fn relay<E: Display>(
    source: impl Stream<Item = Result<Bytes, E>> + Send + 'static,
    convention: Convention,
    secrets: Vec<String>,
) -> impl Stream<Item = Piece> + Send + 'static {
    let state = Relay {
        source: Some(Box::pin(source.fuse())),
        frames: Frames::default(),
        last: Bytes::new(),
        convention,
        secrets,
        is_whole: false,
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
    /// The last events passed on.
    last: Bytes,
    convention: Convention,
    /// The credentials that the model server was sent.
    secrets: Vec<String>,
    /// Whether the end mark has been passed on.
    is_whole: bool,
}

impl<S, E> Relay<S>
where
    S: Stream<Item = Result<Bytes, E>>,
    E: Display,
{
    async fn next(&mut self) -> Option<Piece> {
        loop {
            let source = self.source.as_mut()?;
            if self.is_whole {
                // What follows the end mark is not passed on.
                let rest = source.by_ref().for_each(|_| std::future::ready(()));
                let _ = tokio::time::timeout(LINGER, rest).await;
                self.source = None;
                return None;
            }
            let piece = match source.next().await {
                Some(Ok(piece)) => piece,
                Some(Err(error)) => return Some(self.broken_off(&error, true)),
                None => return Some(self.ended()),
            };
            match self.frames.take_whole(piece) {
                Ok(Some(events)) => {
                    let events = self.pass(events);
                    if !events.is_empty() {
                        return Some(Ok(events));
                    }
                }
                Ok(None) => {}
                Err(error) => return Some(self.broken_off(&error, false)),
            }
        }
    }

    /// The source ended as if all had been said.
    fn ended(&mut self) -> Piece {
        // An end mark or an error that no empty line ends is one all the same.
        if let Some(rest) = self.frames.take_rest() {
            let events = self.pass(rest);
            if self.is_whole || self.has_passed_error() {
                return Ok(events);
            }
        }
        if self.has_passed_error() {
            self.source = None;
            return Err(BrokenOff {
                event: Bytes::new(),
                is_outage: false,
            });
        }
        self.broken_off(&"it ended without its end mark", false)
    }

    /// Whether the last event passed on is a chat's error, after which some model servers
    /// say nothing more.
    fn has_passed_error(&self) -> bool {
        self.convention == Convention::Chat && is_chat_error(&self.last)
    }

    fn broken_off(&mut self, error: &dyn Display, is_outage: bool) -> Piece {
        tracing::warn!(%error, "a model server broke a stream off");
        self.source = None;
        let event = failure(self.convention, &self.last, &broken());
        Err(BrokenOff { event, is_outage })
    }

    /// The events as they are passed on, up to the end mark.
    fn pass(&mut self, events: Bytes) -> Bytes {
        let events = match self.convention {
            Convention::Chat => self.pass_chat(events),
            Convention::Responses => self.pass_responses(events),
        };
        if has_data(&events) {
            self.last = events.clone();
        }
        events
    }

    fn pass_chat(&mut self, events: Bytes) -> Bytes {
        if FIND_ERROR.find(&events).is_some() {
            return self.pass_errors(&events);
        }
        if FIND_DONE.find(&events).is_none() {
            return events;
        }
        let mut end = 0;
        for block in blocks(&events) {
            end += block.bytes().len();
            if is_done(block) {
                self.is_whole = true;
                break;
            }
        }
        events.slice(..end)
    }

    /// Events of a chat that may be errors. An error is passed on as the document
    /// describes it.
    fn pass_errors(&mut self, events: &Bytes) -> Bytes {
        let mut passed = BytesMut::new();
        for block in blocks(events) {
            match chat_error(block) {
                Some(said) => {
                    let problem = self.masked(said).in_stream();
                    passed.extend_from_slice(&failure(Convention::Chat, &[], &problem));
                }
                None => passed.extend_from_slice(block.bytes()),
            }
            if is_done(block) {
                self.is_whole = true;
                break;
            }
        }
        passed.freeze()
    }

    /// Events of a response have a name. One without it gets its type as its name:
    /// some model servers leave names out, and clients tell events apart by them.
    fn pass_responses(&mut self, events: Bytes) -> Bytes {
        let mut passed = BytesMut::new();
        let mut end = 0;
        let mut is_changed = false;
        for block in blocks(&events) {
            end += block.bytes().len();
            let kind = match block.name() {
                Some(name) => std::str::from_utf8(name).ok().map(str::to_owned),
                None if is_done(block) => {
                    is_changed = true;
                    continue;
                }
                None => {
                    let kind = kind(block);
                    if let Some(kind) = kind.as_ref().filter(|kind| *kind != "error") {
                        is_changed = true;
                        passed.extend_from_slice(format!("event: {kind}\n").as_bytes());
                    }
                    kind
                }
            };
            if kind.as_deref() == Some("error")
                && let Some((number, said)) = response_error(block)
            {
                let before = || [&self.last[..], &events[..]].concat();
                let number = number.unwrap_or_else(|| next_number(&before()));
                passed.extend_from_slice(&error_event(number, &self.masked(said).in_stream()));
                self.is_whole = true;
                return passed.freeze();
            }
            let masked = match kind.as_deref() {
                Some(FAILED) => self.masked_failure(block),
                _ => None,
            };
            match masked {
                Some(lines) => {
                    is_changed = true;
                    passed.extend_from_slice(lines.as_bytes());
                }
                None => passed.extend_from_slice(block.bytes()),
            }
            if kind.is_some_and(|kind| LAST_EVENTS.contains(&kind.as_str())) {
                self.is_whole = true;
                break;
            }
        }
        match is_changed {
            true => passed.freeze(),
            false => events.slice(..end),
        }
    }

    /// An error without the secrets.
    fn masked(&self, said: Said) -> Said {
        said.without(self.secrets.iter().map(String::as_str))
    }

    /// The lines of an event [`FAILED`] without the secrets; `None` if the error quotes none.
    fn masked_failure(&self, block: Block<'_>) -> Option<String> {
        let mut event: Value = serde_json::from_slice(&block.data()?).ok()?;
        let error = event.pointer_mut("/response/error")?;
        let message = error.get("message")?.as_str()?.to_owned();
        let masked = self.masked(Said::of(error)).message?;
        if masked == message {
            return None;
        }
        error["message"] = masked.into();
        // An event without a name has got one.
        let name = block.name().map(|_| format!("event: {FAILED}\n"));
        let name = name.unwrap_or_default();
        Some(format!("{name}data: {event}\n\n"))
    }
}

/// The error of a chat's event.
fn chat_error(block: Block<'_>) -> Option<Said> {
    let event: Value = serde_json::from_slice(&block.data()?).ok()?;
    let error = event.get("error").filter(|error| !error.is_null())?;
    Some(Said::of(error))
}

/// The number and the error of a response's event `error`. Some model servers put the
/// error into a member of it.
fn response_error(block: Block<'_>) -> Option<(Option<u64>, Said)> {
    let event: Value = serde_json::from_slice(&block.data()?).ok()?;
    let nested = event.get("error").filter(|error| !error.is_null());
    let number = event.get("sequence_number").and_then(Value::as_u64);
    Some((number, Said::of(nested.unwrap_or(&event))))
}

/// Cuts a stream's bytes at the ends of events. Each byte is looked at once.
#[derive(Debug, Default)]
struct Frames {
    /// The beginning of an event that is not whole yet.
    held: BytesMut,
    has_begun: bool,
}

/// An event that does not end within the bound.
#[derive(Debug, thiserror::Error)]
#[error("an event is larger than {LARGEST_EVENT} bytes")]
struct EventTooLarge;

impl Frames {
    /// What is held and `piece`, up to the end of the last whole event.
    fn take_whole(&mut self, mut piece: Bytes) -> Result<Option<Bytes>, EventTooLarge> {
        if !std::mem::replace(&mut self.has_begun, true) && piece.starts_with(b"\xEF\xBB\xBF") {
            // A byte order mark is no part of the first event.
            piece = piece.slice(3..);
        }
        let events = if self.held.is_empty() {
            let end = whole(&piece);
            self.held.extend_from_slice(&piece[end..]);
            piece.slice(..end)
        } else {
            // What is held has no empty line, but may hold the beginning of one.
            let from = self.held.len().saturating_sub(3);
            self.held.extend_from_slice(&piece);
            match whole(&self.held[from..]) {
                0 => Bytes::new(),
                end => self.held.split_to(from + end).freeze(),
            }
        };
        if self.held.len() > LARGEST_EVENT {
            return Err(EventTooLarge);
        }
        Ok(Some(events).filter(|events| !events.is_empty()))
    }

    /// What is held when nothing follows, as if an empty line did.
    fn take_rest(&mut self) -> Option<Bytes> {
        let mut rest = std::mem::take(&mut self.held);
        if rest.is_empty() {
            return None;
        }
        rest.extend_from_slice(b"\n\n");
        Some(rest.freeze())
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

/// Whether these are events, as opposed to comments only.
pub fn has_data(events: &[u8]) -> bool {
    FIND_DATA.find(events).is_some()
}

/// Whether a block is the end mark of a chat.
pub fn is_done(block: Block<'_>) -> bool {
    block.data().is_some_and(|data| data.trim_ascii() == DONE)
}

/// Whether the last of these events is a chat's error.
fn is_chat_error(events: &[u8]) -> bool {
    let last = blocks(events).filter(|block| block.data().is_some()).last();
    last.is_some_and(|block| chat_error(block).is_some())
}

/// The `type` of an event, where it can be a name.
fn kind(block: Block<'_>) -> Option<String> {
    #[derive(Deserialize)]
    struct Typed {
        #[serde(rename = "type")]
        kind: String,
    }
    let typed: Typed = serde_json::from_slice(&block.data()?).ok()?;
    let is_name = !typed.kind.is_empty() && typed.kind.bytes().all(|byte| byte.is_ascii_graphic());
    is_name.then_some(typed.kind)
}

/// The problem of a stream that ends too early.
pub fn broken() -> Problem {
    let message = "The upstream closed the stream before its end.";
    Problem::new(Fault::Upstream, Code::UpstreamFailed, message)
}

/// The event that tells of a failure, numbered after the `last` one.
pub fn failure(convention: Convention, last: &[u8], problem: &Problem) -> Bytes {
    match convention {
        Convention::Chat => {
            let Problem {
                fault,
                message,
                param,
                code,
                ..
            } = problem;
            let error = json!({"error": {
                "message": message, "type": fault.kind(), "param": param, "code": code,
            }});
            format!("data: {error}\n\n").into()
        }
        Convention::Responses => error_event(next_number(last), problem),
    }
}

/// The event `error` of a response.
fn error_event(number: u64, problem: &Problem) -> Bytes {
    let Problem {
        message,
        param,
        code,
        ..
    } = problem;
    let error = json!({
        "type": "error",
        "sequence_number": number,
        "code": code,
        "message": message,
        "param": param,
    });
    format!("event: error\ndata: {error}\n\n").into()
}

/// One more than the `sequence_number` of the last event in `bytes`.
fn next_number(bytes: &[u8]) -> u64 {
    #[derive(Deserialize)]
    struct Numbered {
        sequence_number: u64,
    }
    let numbered = blocks(bytes)
        .filter_map(|block| serde_json::from_slice::<Numbered>(&block.data()?).ok())
        .last();
    numbered.map_or(0, |event| event.sequence_number.saturating_add(1))
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    #[tokio::test]
    async fn pieces_that_are_there_are_joined_and_none_is_waited_for() {
        let there = [Ok("data: 1\n\n"), Ok("data: 2\n\n")].map(|piece| piece.map(Bytes::from));
        let waits = futures::stream::iter(there.clone()).chain(futures::stream::pending());
        let mut pieces = std::pin::pin!(joined::<&str>(waits));
        let both = Bytes::from("data: 1\n\ndata: 2\n\n");
        assert_eq!(pieces.next().await, Some(Ok(both.clone())));
        assert!(pieces.next().now_or_never().is_none());
        let fails = futures::stream::iter(there).chain(futures::stream::iter([Err("reset")]));
        let pieces: Vec<_> = joined(fails).collect().await;
        assert_eq!(pieces, [Ok(both), Err("reset")]);
    }

    async fn relayed(
        pieces: &[Result<&'static str, &'static str>],
        convention: Convention,
    ) -> Vec<String> {
        let source: Vec<_> = pieces.iter().map(|piece| piece.map(Bytes::from)).collect();
        relay(futures::stream::iter(source), convention, Vec::new())
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
        let pieces = ["data: 1\n\nda", "ta: 2", "\n\n", "data: [DONE]\n\n"];
        let out = relayed(&pieces.map(Ok), Convention::Chat).await;
        assert_eq!(out, ["data: 1\n\n", "data: 2\n\n", "data: [DONE]\n\n"]);
    }

    #[tokio::test]
    async fn an_end_mark_that_no_empty_line_ends_is_passed_at_the_end() {
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
            let source = futures::stream::iter([Ok::<_, String>(error.into())]);
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
    async fn an_error_of_the_model_server_is_passed_on_as_the_document_describes_it() {
        let chat = [
            "data: {\"choices\":[],\"error\":null}\n\n",
            "data: {\"error\":{\"message\":\"No.\",\"type\":\"Bad\",\"code\":400}}\n\ndata: [DONE]\n\n",
        ];
        let out = relayed(&chat.map(Ok), Convention::Chat).await;
        let error = "data: {\"error\":{\"message\":\"No.\",\"type\":\"server_error\",\"param\":null,\"code\":\"upstream_failed\"}}\n\n";
        assert_eq!(
            out,
            [chat[0].to_owned(), format!("{error}data: [DONE]\n\n")]
        );
        let known = "data: {\"error\":{\"message\":\"No.\",\"code\":\"content_filter\"}}\n\n";
        let out = relayed(&[Ok(known)], Convention::Chat).await.concat();
        assert!(out.contains("\"code\":\"content_filter\""), "{out}");
        assert!(out.contains("\"type\":\"invalid_request_error\""), "{out}");

        let event = "event: a\ndata: {\"type\":\"a\",\"sequence_number\":6}\n\n";
        let expected = "event: error\ndata: {\"type\":\"error\",\"sequence_number\":7,\"code\":\"upstream_failed\",\"message\":\"No.\",\"param\":null}\n\n";
        for error in [
            "event: error\ndata: {\"error\":{\"message\":\"No.\"}}\n\n",
            "data: {\"type\":\"error\",\"code\":\"oops\",\"message\":\"No.\",\"sequence_number\":7}\n\n",
        ] {
            let both: &str = format!("{event}{error}").leak();
            let out = relayed(&[Ok(both)], Convention::Responses).await;
            assert_eq!(out, [format!("{event}{expected}")]);
        }
    }

    #[tokio::test]
    async fn an_error_that_quotes_a_credential_is_passed_on_without_it() {
        for (convention, event) in [
            (
                Convention::Chat,
                "data: {\"error\":{\"message\":\"Bad hf_upstream.\"}}\n\n",
            ),
            (
                Convention::Responses,
                "event: error\ndata: {\"type\":\"error\",\"message\":\"Bad hf_upstream.\"}\n\n",
            ),
            (
                Convention::Responses,
                "event: response.failed\ndata: {\"type\":\"response.failed\",\"response\":{\"error\":{\"code\":\"x\",\"message\":\"Bad hf_upstream.\"}}}\n\n",
            ),
            (
                Convention::Responses,
                "data: {\"type\":\"response.failed\",\"response\":{\"error\":{\"code\":\"x\",\"message\":\"Bad hf_upstream.\"}}}\n\n",
            ),
        ] {
            let source = futures::stream::iter([Ok::<_, String>(Bytes::from(event))]);
            let secrets = vec!["hf_upstream".to_owned()];
            let out: Vec<_> = relay(source, convention, secrets).collect().await;
            let text = String::from_utf8_lossy(bytes(&out[0]));
            assert!(text.contains("\"message\":\"Bad ….\""), "{text}");
            let names = text.matches("event: ").count();
            assert_eq!(names, usize::from(convention == Convention::Responses));
        }
    }

    #[tokio::test]
    async fn what_follows_the_end_mark_is_not_passed_on() {
        let pieces = [
            Ok("data: 1\n\ndata: [DONE]\n\ndata: 2\n\n"),
            Ok("data: 3\n\n"),
            Err("reset"),
        ];
        let out = relayed(&pieces, Convention::Chat).await;
        assert_eq!(out, ["data: 1\n\ndata: [DONE]\n\n"]);
    }

    #[tokio::test]
    async fn a_connection_that_stays_open_behind_the_end_mark_is_left() {
        let source = futures::stream::iter([Ok::<_, String>(Bytes::from("data: [DONE]\n\n"))]);
        let source = source.chain(futures::stream::pending());
        let out: Vec<_> = relay(source, Convention::Chat, Vec::new()).collect().await;
        assert_eq!(out.len(), 1);
    }

    #[tokio::test]
    async fn an_event_of_a_response_without_a_name_is_named_by_its_type() {
        let pieces = [
            "data: {\"type\":\"response.created\"}\n\n: beat\n\n",
            "data: {\"type\":\"a\\nevent: b\"}\n\n",
            "data: {\"type\":\"response.completed\"}\r\n\r\ndata: [DONE]\n\n",
        ];
        let out = relayed(&pieces.map(Ok), Convention::Responses).await;
        let expected = [
            "event: response.created\ndata: {\"type\":\"response.created\"}\n\n: beat\n\n",
            // Not a name.
            pieces[1],
            "event: response.completed\ndata: {\"type\":\"response.completed\"}\r\n\r\n",
        ];
        assert_eq!(out, expected);
    }

    #[tokio::test]
    async fn a_byte_order_mark_is_not_passed_on() {
        let out = relayed(&[Ok("\u{feff}data: [DONE]\n\n")], Convention::Chat).await;
        assert_eq!(out, ["data: [DONE]\n\n"]);
    }

    /// As many bytes as a model server sends in one piece.
    fn filler() -> Bytes {
        Bytes::from_static(&[b'x'; 16 << 10])
    }

    #[tokio::test]
    async fn an_event_without_an_end_is_bounded() {
        let endless = futures::stream::repeat_with(|| Ok::<_, String>(filler()));
        let begin = futures::stream::iter([Ok(Bytes::from("data: {}\n\ndata: "))]);
        let out: Vec<_> = relay(begin.chain(endless), Convention::Chat, Vec::new())
            .map(|piece| bytes(&piece).clone())
            .collect()
            .await;
        assert_eq!(out, ["data: {}\n\n", BROKEN]);
    }

    #[test]
    fn an_event_in_many_pieces_is_looked_at_once() {
        // Its square would be 2^43 bytes to look at.
        let mut frames = Frames::default();
        let pieces = LARGEST_EVENT / 64 - 1;
        for _ in 0..pieces {
            let piece = Bytes::from_static(&[b'x'; 64]);
            assert!(
                frames
                    .take_whole(piece)
                    .expect("within the bound")
                    .is_none()
            );
        }
        for piece in ["\r", "\n\r"] {
            assert!(frames.take_whole(piece.into()).is_ok());
        }
        let rest = frames.take_whole("\ny\n\n".into()).expect("a whole event");
        assert_eq!(rest.as_deref(), Some(&b"\ny\n\n"[..]));
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
