//! The events of streams in either convention: those to send next, and the error that ends a stream
//! early.

use bytes::Bytes;
use serde::Deserialize;
use serde_json::json;

use super::sse::blocks;
use crate::inference::problem::{Code, Fault, Problem};

/// The data of the event that ends a chat.
pub const DONE: &[u8] = b"[DONE]";

/// The convention of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Convention {
    /// Chat completions: data only.
    Chat,
    /// Responses: named and numbered events.
    Responses,
}

impl Convention {
    /// The convention's name in metrics and traces.
    pub fn api(self) -> &'static str {
        match self {
            Convention::Chat => "chat_completions",
            Convention::Responses => "responses",
        }
    }
}

/// The next part of a stream to send: whole events, or the end of an incomplete stream.
pub type Piece = Result<Bytes, BrokenOff>;

/// The end of an incomplete stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrokenOff {
    /// The error event for the caller. It is empty if the last event sent is an error of
    /// the model server.
    pub event: Bytes,
    /// Whether the connection to the model server failed, which happens when the server goes down.
    /// An error over a working connection does not count.
    pub is_outage: bool,
}

/// The bytes of either variant.
pub fn bytes(piece: &Piece) -> &Bytes {
    match piece {
        Ok(events) => events,
        Err(broken_off) => &broken_off.event,
    }
}

/// Whether these are events, as opposed to comments only.
pub fn has_data(events: &[u8]) -> bool {
    blocks(events).any(|block| block.data().is_some())
}

/// The problem of a stream that ends too early.
pub fn broken() -> Problem {
    let message = "The upstream closed the stream before its end.";
    Problem::new(Fault::Upstream, Code::UpstreamFailed, message)
}

/// The event that reports a failure, numbered after the `last` one.
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
pub(super) fn error_event(number: u64, problem: &Problem) -> Bytes {
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
pub(super) fn next_number(bytes: &[u8]) -> u64 {
    #[derive(Deserialize)]
    struct Numbered {
        sequence_number: u64,
    }
    let numbered = blocks(bytes)
        .filter_map(|block| serde_json::from_slice::<Numbered>(&block.data()?).ok())
        .last();
    numbered.map_or(0, |event| event.sequence_number.saturating_add(1))
}
