//! Filters the events of a model server on their way to the caller.
//!
//! Events pass unchanged, up to the end mark. An error is rewritten in the document's form, without
//! the secrets that the model server received and may quote. An event without a name, in the
//! convention of responses, gets its type as its name.

use std::sync::LazyLock;

use bytes::{Bytes, BytesMut};
use memchr::memmem::Finder;
use serde::Deserialize;
use serde_json::Value;

use super::events::{Convention, DONE, error_event, failure, has_data, next_number};
use super::sse::{Block, blocks};
use super::upstream_error::{FIND_ERROR, UpstreamError};
use crate::inference::problem::Problem;

/// Finds a possible end mark.
static FIND_DONE: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(DONE));
/// The event that ends a response with an error.
const FAILED: &str = "response.failed";
/// The events that end a response.
pub const LAST_EVENTS: [&str; 5] = [
    "response.completed",
    "response.incomplete",
    FAILED,
    "response.cancelled",
    "error",
];

/// A filter for the events of one stream.
pub struct Filter {
    convention: Convention,
    /// The credentials that the model server received.
    secrets: Vec<String>,
    /// The last events that were sent.
    last: Bytes,
    /// Whether the end mark has been sent.
    is_whole: bool,
}

impl Filter {
    /// Creates the filter of a stream of which nothing was sent.
    pub fn new(convention: Convention, secrets: Vec<String>) -> Self {
        Filter {
            convention,
            secrets,
            last: Bytes::new(),
            is_whole: false,
        }
    }

    /// Whether the end mark has been sent.
    pub fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Whether the last event was a chat's error, after which some model servers send nothing more.
    pub fn has_passed_error(&self) -> bool {
        self.convention == Convention::Chat && is_chat_error(&self.last)
    }

    /// The event that ends the stream early.
    pub fn failure(&self, problem: &Problem) -> Bytes {
        failure(self.convention, &self.last, problem)
    }

    /// The events for the caller, up to the end mark.
    pub fn pass(&mut self, events: Bytes) -> Bytes {
        let events = match self.convention {
            Convention::Chat => self.pass_chat(events),
            Convention::Responses => self.pass_responses(events),
        };
        if has_data(&events) {
            self.last = events.clone();
        }
        events
    }

    /// Passes events of a chat. Errors are rewritten in the document's form.
    fn pass_chat(&mut self, events: Bytes) -> Bytes {
        if FIND_ERROR.find(&events).is_none() && FIND_DONE.find(&events).is_none() {
            return events;
        }
        let mut passed = BytesMut::new();
        for block in blocks(&events) {
            match chat_error(block) {
                Some(error) => {
                    let problem = self.masked(error).in_stream();
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

    /// Passes events of a response. An event without a name gets its type as its name: some model
    /// servers omit names, and clients distinguish events by them.
    fn pass_responses(&mut self, events: Bytes) -> Bytes {
        let mut passed = BytesMut::new();
        let mut end = 0;
        let mut is_changed = false;
        for block in blocks(&events) {
            end += block.bytes().len();
            let is_named = block.name().is_some();
            // The end mark of chats has no meaning here.
            if !is_named && is_done(block) {
                is_changed = true;
                continue;
            }
            let kind = response_kind(block);
            if kind.as_deref() == Some("error")
                && let Some((number, error)) = response_error(block)
            {
                let before = || [&self.last[..], &events[..]].concat();
                let number = number.unwrap_or_else(|| next_number(&before()));
                passed.extend_from_slice(&error_event(number, &self.masked(error).in_stream()));
                self.is_whole = true;
                return passed.freeze();
            }
            if !is_named && let Some(kind) = &kind {
                is_changed = true;
                passed.extend_from_slice(format!("event: {kind}\n").as_bytes());
            }
            let is_failed = kind.as_deref() == Some(FAILED);
            match is_failed.then(|| self.masked_failure(block)).flatten() {
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
    fn masked(&self, error: UpstreamError) -> UpstreamError {
        error.without(&self.secrets)
    }

    /// The lines of an event [`FAILED`] without the secrets. `None` if the error quotes none.
    fn masked_failure(&self, block: Block<'_>) -> Option<String> {
        let mut event: Value = serde_json::from_slice(&block.data()?).ok()?;
        let error = event.pointer_mut("/response/error")?;
        if !UpstreamError::mask(error, &self.secrets) {
            return None;
        }
        // `pass_responses` has already named an event without a name.
        let name = block.name().map(|_| format!("event: {FAILED}\n"));
        let name = name.unwrap_or_default();
        Some(format!("{name}data: {event}\n\n"))
    }
}

/// The error of a chat's event.
fn chat_error(block: Block<'_>) -> Option<UpstreamError> {
    let event: Value = serde_json::from_slice(&block.data()?).ok()?;
    let error = event.get("error").filter(|error| !error.is_null())?;
    Some(UpstreamError::of(error))
}

/// The number and the error of a response's event `error`. Some model servers nest the error in a
/// member.
fn response_error(block: Block<'_>) -> Option<(Option<u64>, UpstreamError)> {
    let event: Value = serde_json::from_slice(&block.data()?).ok()?;
    let nested = event.get("error").filter(|error| !error.is_null());
    let number = event.get("sequence_number").and_then(Value::as_u64);
    Some((number, UpstreamError::of(nested.unwrap_or(&event))))
}

/// Whether a block is the end mark of a chat.
fn is_done(block: Block<'_>) -> bool {
    block.data().is_some_and(|data| data.trim_ascii() == DONE)
}

/// Whether the last of these events is a chat's error.
fn is_chat_error(events: &[u8]) -> bool {
    let last = blocks(events).filter(|block| block.data().is_some()).last();
    last.is_some_and(|block| chat_error(block).is_some())
}

/// The name of a response's event, or else its type. An error in the form of a chat has neither.
fn response_kind(block: Block<'_>) -> Option<String> {
    match block.name() {
        Some(name) => std::str::from_utf8(name).ok().map(str::to_owned),
        None => kind(block).or_else(|| chat_error(block).map(|_| "error".to_owned())),
    }
}

/// The `type` of an event, if it can be a name.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn passed(pieces: &[&'static str], convention: Convention) -> Vec<String> {
        let mut filter = Filter::new(convention, vec!["hf_upstream".into()]);
        let passed = pieces.iter().map(|piece| filter.pass((*piece).into()));
        passed
            .map(|events| String::from_utf8_lossy(&events).into_owned())
            .collect()
    }

    #[test]
    fn an_error_of_the_model_server_is_passed_on_as_the_document_describes_it() {
        let chat = [
            "data: {\"choices\":[],\"error\":null}\n\n",
            "data: {\"error\":{\"message\":\"No.\",\"type\":\"Bad\",\"code\":400}}\n\ndata: [DONE]\n\n",
        ];
        let out = passed(&chat, Convention::Chat);
        let error = "data: {\"error\":{\"message\":\"No.\",\"type\":\"server_error\",\"param\":null,\"code\":\"upstream_failed\"}}\n\n";
        assert_eq!(
            out,
            [chat[0].to_owned(), format!("{error}data: [DONE]\n\n")]
        );
        let known = "data: {\"error\":{\"message\":\"No.\",\"code\":\"content_filter\"}}\n\n";
        let out = passed(&[known], Convention::Chat).concat();
        assert!(out.contains("\"code\":\"content_filter\""), "{out}");
        assert!(out.contains("\"type\":\"invalid_request_error\""), "{out}");

        let event = "event: a\ndata: {\"type\":\"a\",\"sequence_number\":6}\n\n";
        let expected = "event: error\ndata: {\"type\":\"error\",\"sequence_number\":7,\"code\":\"upstream_failed\",\"message\":\"No.\",\"param\":null}\n\n";
        for error in [
            "event: error\ndata: {\"error\":{\"message\":\"No.\"}}\n\n",
            "data: {\"error\":{\"message\":\"No.\"}}\n\n",
            "data: {\"type\":\"error\",\"code\":\"oops\",\"message\":\"No.\",\"sequence_number\":7}\n\n",
        ] {
            let both: &str = format!("{event}{error}").leak();
            let out = passed(&[both], Convention::Responses);
            assert_eq!(out, [format!("{event}{expected}")]);
        }
    }

    #[test]
    fn an_error_that_quotes_a_credential_is_passed_on_without_it() {
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
                "data: {\"error\":{\"message\":\"Bad hf_upstream.\"}}\n\n",
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
            let text = passed(&[event], convention).concat();
            assert!(text.contains("\"message\":\"Bad ….\""), "{text}");
            let names = text.matches("event: ").count();
            assert_eq!(names, usize::from(convention == Convention::Responses));
        }
    }

    #[test]
    fn an_event_of_a_response_without_a_name_is_named_by_its_type() {
        let pieces = [
            "data: {\"type\":\"response.created\"}\n\n: beat\n\n",
            "data: {\"type\":\"a\\nevent: b\"}\n\n",
            "data: {\"type\":\"response.completed\"}\r\n\r\ndata: [DONE]\n\n",
        ];
        let out = passed(&pieces, Convention::Responses);
        let expected = [
            "event: response.created\ndata: {\"type\":\"response.created\"}\n\n: beat\n\n",
            // Not a name.
            pieces[1],
            "event: response.completed\ndata: {\"type\":\"response.completed\"}\r\n\r\n",
        ];
        assert_eq!(out, expected);
    }
}
