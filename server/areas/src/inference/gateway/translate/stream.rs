//! Translates the chunks of a chat completion into the events of a response.
//!
//! The order is that of the convention: the response is created, each item is added, filled and
//! done, and the last event contains all of it. A part that cannot be translated ends the response
//! as failed, because omitting it silently would change the response.

use bytes::Bytes;
use serde_json::{Map, Value, json};

use super::items::{CallPiece, Events, Excess, Items};
use super::resource::{Resource, annotations, arguments, is_first, texts, unique};
use crate::inference::gateway::events::DONE;
use crate::inference::gateway::sse::{Block, blocks};
use crate::inference::gateway::upstream_error::UpstreamError;
use crate::inference::problem::Problem;

/// The number of the call in a message of the older form, which has one call at most.
const ONLY_CALL: u64 = u64::MAX;

/// A stream in translation.
#[derive(Debug)]
pub struct Translation {
    request: Map<String, Value>,
    resource: Resource,
    items: Items,
    events: Events,
    has_begun: bool,
    has_ended: bool,
}

/// Why a chunk is the last one.
enum Failure {
    /// The chunk cannot be translated.
    Unfit(&'static str),
    /// The response has become too large.
    Excess,
}

impl From<Excess> for Failure {
    fn from(Excess: Excess) -> Self {
        Failure::Excess
    }
}

const UNREADABLE: Failure = Failure::Unfit("The upstream sent an unreadable event.");
const UNKNOWN: Failure = Failure::Unfit("The upstream sent content that cannot be translated.");
const TOO_LARGE: &str = "The upstream sent a response above 64 MiB.";
const NAMELESS: &str = "The upstream called a function without a name.";

impl Translation {
    /// Starts the response to this request.
    pub fn new(request: Map<String, Value>) -> Self {
        Translation {
            request,
            resource: Resource::default(),
            items: Items::default(),
            events: Events::default(),
            has_begun: false,
            has_ended: false,
        }
    }

    /// Whether the last event has been written.
    pub fn is_ended(&self) -> bool {
        self.has_ended
    }

    /// The events for a piece of whole chunks. A comment is replaced by one of the service.
    pub fn piece(&mut self, piece: &[u8]) -> Bytes {
        for block in blocks(piece) {
            if self.has_ended {
                break;
            }
            match block.data() {
                Some(data) => self.data(data.trim_ascii()),
                None if is_comment(block) => self.events.beat(),
                None => {}
            }
        }
        self.events.take()
    }

    /// The events that are left when the chunks have ended without an end mark.
    pub fn broken_off(&mut self) -> Bytes {
        if !self.has_ended {
            self.resource.finish_reason = None;
            self.finish();
        }
        self.events.take()
    }

    fn data(&mut self, data: &[u8]) {
        if data == DONE {
            return self.finish();
        }
        match self.chunk(data) {
            Ok(()) => {}
            Err(Failure::Unfit(message)) => {
                self.resource.error = Some(message);
                self.finish();
            }
            Err(Failure::Excess) => {
                self.resource.error = Some(TOO_LARGE);
                // The last event would repeat all of it.
                self.items = Items::default();
                self.finish();
            }
        }
    }

    fn chunk(&mut self, data: &[u8]) -> Result<(), Failure> {
        let chunk: Value = serde_json::from_slice(data).map_err(|_| UNREADABLE)?;
        if !chunk.is_object() {
            return Err(UNREADABLE);
        }
        if let Some(error) = chunk.get("error").filter(|error| !error.is_null()) {
            let problem = UpstreamError::of(error).in_stream();
            self.write_error(&problem);
            return Ok(());
        }
        self.begin(&chunk);
        if let Some(usage) = chunk.get("usage").filter(|usage| usage.is_object()) {
            self.resource.usage = usage.clone();
        }
        let choices = match chunk.get("choices") {
            None | Some(Value::Null) => return Ok(()),
            Some(choices) => choices.as_array().ok_or(UNREADABLE)?,
        };
        for choice in choices.iter().filter(|choice| is_first(choice)) {
            self.choice(choice)?;
        }
        Ok(())
    }

    fn choice(&mut self, choice: &Value) -> Result<(), Failure> {
        let delta = choice.get("delta").filter(|delta| !delta.is_null());
        let delta = delta
            .or_else(|| choice.get("message"))
            .unwrap_or(&Value::Null);
        for (kind, text) in texts(delta).ok_or(UNKNOWN)? {
            self.items.text(kind, &text, &mut self.events)?;
        }
        for annotation in annotations(delta).ok_or(UNKNOWN)? {
            self.items.annotate(annotation, &mut self.events)?;
        }
        let calls = match delta.get("tool_calls") {
            None | Some(Value::Null) => &[][..],
            Some(calls) => calls.as_array().ok_or(UNREADABLE)?,
        };
        for (position, call) in calls.iter().enumerate() {
            let function = call.get("function").unwrap_or(&Value::Null);
            let piece = CallPiece {
                number: call.get("index").and_then(Value::as_u64),
                position,
                count: calls.len(),
                id: text(call, "id"),
                name: text(function, "name"),
                arguments: arguments(function),
            };
            self.items.call(&piece, &mut self.events)?;
        }
        if let Some(function) = delta.get("function_call").filter(|call| !call.is_null()) {
            let piece = CallPiece {
                number: Some(ONLY_CALL),
                name: text(function, "name"),
                arguments: arguments(function),
                ..CallPiece::default()
            };
            self.items.call(&piece, &mut self.events)?;
        }
        if let Some(reason) = choice.get("finish_reason").and_then(Value::as_str) {
            self.resource.finish_reason = Some(reason.to_owned());
        }
        Ok(())
    }

    fn begin(&mut self, chunk: &Value) {
        if self.has_begun {
            return;
        }
        self.has_begun = true;
        self.resource.id = unique(chunk.get("id").and_then(Value::as_str));
        self.items.unique.clone_from(&self.resource.id);
        self.resource.created = chunk.get("created").and_then(Value::as_i64).unwrap_or(0);
        let response = self.resource.response(&self.request, "in_progress");
        let begun = json!({"response": response});
        self.events.write("response.created", begun.clone());
        self.events.write("response.in_progress", begun);
    }

    fn write_error(&mut self, problem: &Problem) {
        self.has_ended = true;
        let Problem {
            code,
            message,
            param,
            ..
        } = problem;
        let members = json!({"code": code, "message": message, "param": param});
        self.events.write("error", members);
    }

    fn finish(&mut self) {
        self.begin(&Value::Null);
        if self.items.has_nameless_call() {
            self.resource.error.get_or_insert(NAMELESS);
        }
        let status = self.resource.status();
        let of_items = match status {
            "completed" => "completed",
            _ => "incomplete",
        };
        self.resource.output = self.items.finish(of_items, &mut self.events);
        let response = self.resource.response(&self.request, status);
        let last = json!({"response": response});
        self.events.write(&format!("response.{status}"), last);
        self.has_ended = true;
    }
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn is_comment(block: Block<'_>) -> bool {
    block.lines().any(|line| line.starts_with(b":"))
}

#[cfg(test)]
mod tests;
