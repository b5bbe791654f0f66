//! From the chunks of a chat completion to the events of a response.
//!
//! The order is the conventions': the response is created, each item is added,
//! filled and done, and the last event holds all of it. A message, or what the
//! model thinks, is done when something else begins; calls, which may arrive interleaved, are done at the
//! end.

use bytes::Bytes;
use serde_json::{Map, Value, json};

use super::resource::{Kind, Resource, texts, unique};

/// A stream on its way.
#[derive(Debug)]
pub struct Translation {
    request: Map<String, Value>,
    resource: Resource,
    items: Vec<Item>,
    begun: bool,
    ended: bool,
    number: u64,
    out: String,
}

#[derive(Debug)]
struct Item {
    kind: Kind,
    id: String,
    content: String,
    /// A call's index among the chunk's calls.
    call: Option<u64>,
    open: bool,
}

impl Translation {
    /// The answer to this request.
    pub fn new(request: Map<String, Value>) -> Self {
        Translation {
            request,
            resource: Resource::default(),
            items: Vec::new(),
            begun: false,
            ended: false,
            number: 0,
            out: String::new(),
        }
    }

    /// Whether the last event has been said.
    pub fn is_ended(&self) -> bool {
        self.ended
    }

    /// The events that a piece of whole chunks stands for.
    pub fn piece(&mut self, piece: &[u8]) -> Bytes {
        let text = String::from_utf8_lossy(piece);
        for line in text.lines() {
            if self.ended {
                break;
            }
            if let Some(data) = line.strip_prefix("data:") {
                self.data(data.trim());
            } else if line.starts_with(':') {
                self.out.push_str(line);
                self.out.push_str("\n\n");
            }
        }
        std::mem::take(&mut self.out).into()
    }

    /// The events that are left when the chunks have ended.
    pub fn end(&mut self) -> Bytes {
        if !self.ended {
            self.finish();
        }
        std::mem::take(&mut self.out).into()
    }

    fn data(&mut self, data: &str) {
        if data == "[DONE]" {
            return self.finish();
        }
        let Ok(chunk) = serde_json::from_str::<Value>(data) else {
            return;
        };
        if let Some(error) = chunk.get("error").filter(|error| !error.is_null()) {
            let message = error.get("message").cloned();
            let members = json!({
                "code": error.get("code").filter(|code| code.is_string()).cloned().unwrap_or(json!("server_error")),
                "message": message.filter(Value::is_string).unwrap_or(json!("The model server failed.")),
                "param": null,
            });
            self.ended = true;
            return self.event("error", members);
        }
        self.begin(&chunk);
        if let Some(usage) = chunk.get("usage").filter(|usage| usage.is_object()) {
            self.resource.usage = usage.clone();
        }
        let Some(choice) = chunk.pointer("/choices/0") else {
            return;
        };
        let delta = choice.get("delta").unwrap_or(&Value::Null);
        for (kind, text) in texts(delta) {
            self.text(kind, text);
        }
        let calls = delta.get("tool_calls").and_then(Value::as_array);
        for call in calls.into_iter().flatten() {
            self.call(call);
        }
        if let Some(reason) = choice.get("finish_reason").and_then(Value::as_str) {
            self.resource.finish_reason = Some(reason.to_owned());
        }
    }

    fn begin(&mut self, chunk: &Value) {
        if self.begun {
            return;
        }
        self.begun = true;
        self.resource.id = unique(chunk.get("id").and_then(Value::as_str));
        self.resource.created = chunk.get("created").and_then(Value::as_i64).unwrap_or(0);
        let response = self.resource.response(&self.request, "in_progress");
        self.event("response.created", json!({"response": response}));
        self.event("response.in_progress", json!({"response": response}));
    }

    fn text(&mut self, kind: Kind, text: &str) {
        let open = |item: &Item| item.open && item.kind == kind;
        let index = match self.items.iter().position(open) {
            Some(index) => index,
            None => {
                self.close_messages("completed");
                self.add(kind, None)
            }
        };
        let item = &mut self.items[index];
        item.content.push_str(text);
        let (name, more) = match item.kind {
            Kind::Refusal => ("response.refusal.delta", json!({"delta": text})),
            Kind::Reasoning => ("response.reasoning_text.delta", json!({"delta": text})),
            _ => (
                "response.output_text.delta",
                json!({"delta": text, "logprobs": []}),
            ),
        };
        self.event_at(index, Some(0), name, more);
    }

    fn call(&mut self, call: &Value) {
        let number = call.get("index").and_then(Value::as_u64).unwrap_or(0);
        let text = |pointer: &str| call.pointer(pointer).and_then(Value::as_str);
        let index = match self.items.iter().position(|i| i.call == Some(number)) {
            Some(index) => index,
            None => {
                self.close_messages("completed");
                let kind = Kind::Call {
                    call_id: text("/id").unwrap_or_default().to_owned(),
                    name: text("/function/name").unwrap_or_default().to_owned(),
                };
                self.add(kind, Some(number))
            }
        };
        let arguments = text("/function/arguments").unwrap_or_default();
        if !arguments.is_empty() {
            self.items[index].content.push_str(arguments);
            let name = "response.function_call_arguments.delta";
            self.event_at(index, None, name, json!({"delta": arguments}));
        }
    }

    fn add(&mut self, kind: Kind, call: Option<u64>) -> usize {
        let index = self.items.len();
        let id = format!("item_{}_{index}", self.resource.id);
        let item = kind.item(&id, "in_progress", None);
        let part = call.is_none().then(|| kind.part(""));
        self.items.push(Item {
            kind,
            id,
            content: String::new(),
            call,
            open: true,
        });
        let added = json!({"output_index": index, "item": item});
        self.event("response.output_item.added", added);
        if let Some(part) = part {
            let name = "response.content_part.added";
            self.event_at(index, Some(0), name, json!({"part": part}));
        }
        index
    }

    fn close_messages(&mut self, status: &str) {
        for index in 0..self.items.len() {
            if self.items[index].call.is_none() {
                self.close(index, status);
            }
        }
    }

    fn close(&mut self, index: usize, status: &str) {
        let item = &mut self.items[index];
        if !std::mem::replace(&mut item.open, false) {
            return;
        }
        let content = item.content.clone();
        let whole = item.kind.item(&item.id, status, Some(&content));
        let part = item.call.is_none().then(|| item.kind.part(&content));
        let (name, more) = match &item.kind {
            Kind::Text => (
                "response.output_text.done",
                json!({"text": content, "logprobs": []}),
            ),
            Kind::Refusal => ("response.refusal.done", json!({"refusal": content})),
            Kind::Reasoning => ("response.reasoning_text.done", json!({"text": content})),
            Kind::Call { name, .. } => (
                "response.function_call_arguments.done",
                json!({"name": name, "arguments": content}),
            ),
        };
        let at = part.is_some().then_some(0);
        self.event_at(index, at, name, more);
        if let Some(part) = part {
            let name = "response.content_part.done";
            self.event_at(index, at, name, json!({"part": part}));
        }
        self.resource.output.push(whole.clone());
        let done = json!({"output_index": index, "item": whole});
        self.event("response.output_item.done", done);
    }

    /// A model that does not say why it stopped did not come to its end.
    fn finish(&mut self) {
        self.begin(&Value::Null);
        let status = match self.resource.finish_reason {
            Some(_) => self.resource.status(),
            None => "failed",
        };
        let of_items = match status {
            "completed" => "completed",
            _ => "incomplete",
        };
        for index in 0..self.items.len() {
            self.close(index, of_items);
        }
        let response = self.resource.response(&self.request, status);
        self.event(&format!("response.{status}"), json!({"response": response}));
        self.ended = true;
    }

    fn event_at(&mut self, index: usize, content: Option<u64>, name: &str, more: Value) {
        let mut members = json!({"item_id": self.items[index].id, "output_index": index});
        if let Some(content) = content {
            members["content_index"] = content.into();
        }
        if let (Some(members), Value::Object(more)) = (members.as_object_mut(), more) {
            members.extend(more);
        }
        self.event(name, members);
    }

    fn event(&mut self, name: &str, members: Value) {
        let mut data = json!({"type": name, "sequence_number": self.number});
        self.number += 1;
        if let (Some(data), Value::Object(members)) = (data.as_object_mut(), members) {
            data.extend(members);
        }
        self.out
            .push_str(&format!("event: {name}\ndata: {data}\n\n"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk(delta: Value, finish_reason: Option<&str>) -> String {
        let chunk = json!({"id": "chatcmpl-7", "created": 5, "choices": [
            {"index": 0, "delta": delta, "finish_reason": finish_reason}]});
        format!("data: {chunk}\n\n")
    }

    /// Names and data of the events.
    fn translated(pieces: &[String]) -> Vec<(String, Value)> {
        let request = json!({"model": "m"});
        let mut translation = Translation::new(request.as_object().cloned().unwrap_or_default());
        let mut text = String::new();
        for piece in pieces {
            text += &String::from_utf8_lossy(&translation.piece(piece.as_bytes()));
        }
        text += &String::from_utf8_lossy(&translation.end());
        let event = |block: &str| {
            let (name, data) = block.split_once('\n').expect("two lines");
            let data = data.strip_prefix("data: ").expect("data");
            let data: Value = serde_json::from_str(data).expect("JSON");
            assert_eq!(
                name,
                format!("event: {}", data["type"].as_str().unwrap_or(""))
            );
            (data["type"].as_str().unwrap_or_default().to_owned(), data)
        };
        let events: Vec<_> = text.split_terminator("\n\n").map(event).collect();
        for (number, (_, data)) in events.iter().enumerate() {
            assert_eq!(data["sequence_number"], number);
        }
        events
    }

    fn names(events: &[(String, Value)]) -> Vec<&str> {
        let names = events.iter().map(|(name, _)| name.as_str());
        names
            .map(|n| n.strip_prefix("response.").unwrap_or(n))
            .collect()
    }

    #[test]
    fn text_is_told_in_the_order_of_the_conventions() {
        let events = translated(&[
            chunk(json!({"role": "assistant", "content": ""}), None),
            chunk(json!({"content": "Hel"}), None) + &chunk(json!({"content": "lo"}), None),
            chunk(json!({}), Some("stop")),
            "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":2}}\n\n"
                .into(),
            "data: [DONE]\n\n".into(),
        ]);
        let expected = [
            "created",
            "in_progress",
            "output_item.added",
            "content_part.added",
            "output_text.delta",
            "output_text.delta",
            "output_text.done",
            "content_part.done",
            "output_item.done",
            "completed",
        ];
        assert_eq!(names(&events), expected);
        assert_eq!(events[6].1["text"], "Hello");
        let last = &events[9].1["response"];
        assert_eq!(last["output"][0]["content"][0]["text"], "Hello");
        assert_eq!(last["usage"]["total_tokens"], 3);
    }

    #[test]
    fn thoughts_are_an_item_of_their_own_that_is_done_when_the_message_begins() {
        let events = translated(&[
            chunk(json!({"role": "assistant", "reasoning_content": "H"}), None),
            chunk(json!({"reasoning": "m."}), None),
            chunk(json!({"reasoning_content": null, "content": "Yes."}), None),
            chunk(json!({}), Some("stop")),
        ]);
        let expected = [
            "created",
            "in_progress",
            "output_item.added",
            "content_part.added",
            "reasoning_text.delta",
            "reasoning_text.delta",
            "reasoning_text.done",
            "content_part.done",
            "output_item.done",
            "output_item.added",
            "content_part.added",
            "output_text.delta",
            "output_text.done",
            "content_part.done",
            "output_item.done",
            "completed",
        ];
        assert_eq!(names(&events), expected);
        assert_eq!(events[2].1["item"]["type"], "reasoning");
        assert_eq!(events[2].1["item"]["content"], json!([]));
        assert_eq!(events[6].1["text"], "Hm.");
        assert_eq!(events[5].1["output_index"], 0);
        assert_eq!(events[11].1["output_index"], 1);
        let output = &events[15].1["response"]["output"];
        let thoughts = json!({"type": "reasoning_text", "text": "Hm."});
        assert_eq!(output[0]["content"][0], thoughts);
        assert_eq!(output[1]["content"][0]["text"], "Yes.");
    }

    #[test]
    fn thoughts_that_were_cut_are_incomplete() {
        let events = translated(&[
            chunk(json!({"reasoning_content": "H"}), None),
            chunk(json!({}), Some("length")),
        ]);
        let (name, data) = events.last().expect("events");
        assert_eq!(name, "response.incomplete");
        assert_eq!(data["response"]["output"][0]["status"], "incomplete");
    }

    #[test]
    fn interleaved_calls_are_kept_apart() {
        let call = |index: u64, more: Value| {
            let mut call = json!({"index": index});
            if let (Some(call), Value::Object(more)) = (call.as_object_mut(), more) {
                call.extend(more);
            }
            chunk(json!({"tool_calls": [call]}), None)
        };
        let events = translated(&[
            chunk(json!({"content": "Wait."}), None),
            call(
                0,
                json!({"id": "a", "function": {"name": "f", "arguments": ""}}),
            ),
            call(
                1,
                json!({"id": "b", "function": {"name": "g", "arguments": "{"}}),
            ),
            call(0, json!({"function": {"arguments": "{}"}})),
            call(1, json!({"function": {"arguments": "}"}})),
            chunk(json!({}), Some("tool_calls")),
        ]);
        let output = &events.last().expect("events").1["response"]["output"];
        assert_eq!(output[0]["content"][0]["text"], "Wait.");
        for (index, id, name) in [(1, "a", "f"), (2, "b", "g")] {
            assert_eq!(output[index]["call_id"], id);
            assert_eq!(output[index]["name"], name);
            assert_eq!(output[index]["arguments"], "{}");
        }
        let names = names(&events);
        let done = names.iter().position(|name| *name == "output_item.done");
        let call = names.iter().rposition(|name| *name == "output_item.added");
        assert!(done < call, "a message is done before a call begins");
    }

    #[test]
    fn a_stream_that_ends_early_or_fails_says_so() {
        let begun = chunk(json!({"content": "On"}), None);
        let cut = translated(std::slice::from_ref(&begun));
        let (name, data) = cut.last().expect("events");
        assert_eq!(name, "response.failed");
        assert_eq!(data["response"]["status"], "failed");
        let failed = translated(&[begun, "data: {\"error\":{\"message\":\"No.\"}}\n\n".into()]);
        let (name, data) = failed.last().expect("events");
        assert_eq!(name, "error");
        assert_eq!(data["message"], "No.");
    }

    #[test]
    fn heartbeats_pass() {
        let mut translation = Translation::new(Map::new());
        assert_eq!(translation.piece(b": beat\n\n"), ": beat\n\n");
    }
}
