//! The common parts of a whole response and its events.

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use crate::inference::gateway::usage::count;

/// The message of the error of a response that ended early.
const ENDED_EARLY: &str = "The upstream ended its response early.";
/// The members of a message without a counterpart in a response. A message that has one cannot be
/// translated, because the caller would miss that part.
const WITHOUT_COUNTERPART: [&str; 2] = ["audio", "images"];

/// The members of a response.
#[derive(Debug, Clone, Default)]
pub struct Resource {
    /// The unique part of all ids.
    pub id: String,
    /// The time of its creation, in Unix seconds.
    pub created: i64,
    /// Why the model stopped, in the words of the chat convention.
    pub finish_reason: Option<String>,
    /// The output's items.
    pub output: Vec<Value>,
    /// The usage, in the words of the chat convention.
    pub usage: Value,
    /// Why the response failed, for the caller. `None` if it did not, or if it ended early.
    pub error: Option<&'static str>,
}

impl Resource {
    /// The status for the reason of the end. A response without a reason ended early, so it failed.
    pub fn status(&self) -> &'static str {
        match self.finish_reason.as_deref() {
            _ if self.error.is_some() => "failed",
            Some("length" | "content_filter") => "incomplete",
            Some(_) => "completed",
            None => "failed",
        }
    }

    /// The response, with this status.
    pub fn response(&self, request: &Map<String, Value>, status: &str) -> Value {
        let setting = |name: &str, default: Value| {
            let given = request.get(name).filter(|value| !value.is_null());
            given.cloned().unwrap_or(default)
        };
        let reason = match self.finish_reason.as_deref() {
            Some("length") => Some("max_output_tokens"),
            Some("content_filter") => Some("content_filter"),
            _ => None,
        };
        let reason = reason.filter(|_| status == "incomplete");
        let error = (status == "failed")
            .then(|| json!({"code": "server_error", "message": self.error.unwrap_or(ENDED_EARLY)}));
        json!({
            "id": format!("resp_{}", self.id),
            "object": "response",
            "created_at": self.created,
            "status": status,
            "model": setting("model", json!("")),
            "error": error,
            "incomplete_details": reason.map(|reason| json!({"reason": reason})),
            "instructions": setting("instructions", Value::Null),
            "max_output_tokens": setting("max_output_tokens", Value::Null),
            "metadata": setting("metadata", json!({})),
            "parallel_tool_calls": setting("parallel_tool_calls", json!(true)),
            "temperature": setting("temperature", json!(1.0)),
            "top_p": setting("top_p", json!(1.0)),
            "tool_choice": setting("tool_choice", json!("auto")),
            "tools": setting("tools", json!([])),
            "output": self.output,
            "usage": usage(&self.usage),
        })
    }
}

/// The kind of an item of the output, with the parts that only this kind has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ItemKind {
    /// A message of text.
    Text,
    /// A message with the model's refusal.
    Refusal,
    /// The model's reasoning before its response.
    Reasoning,
    /// A call of the caller's function.
    Call {
        /// The call's id.
        call_id: String,
        /// The function.
        name: String,
    },
}

impl ItemKind {
    /// The item with this id, status and content. The content of a call is its arguments.
    pub fn item(
        &self,
        id: &str,
        status: &str,
        content: Option<&str>,
        annotations: &[Value],
    ) -> Value {
        let parts = |text: Option<&str>| {
            let part = text.map(|text| self.part(text, annotations));
            part.into_iter().collect::<Vec<_>>()
        };
        match self {
            ItemKind::Text | ItemKind::Refusal => json!({
                "type": "message",
                "id": id,
                "status": status,
                "role": "assistant",
                "content": parts(content),
            }),
            ItemKind::Reasoning => json!({
                "type": "reasoning",
                "id": id,
                "status": status,
                "summary": [],
                "content": parts(content),
            }),
            ItemKind::Call { call_id, name } => json!({
                "type": "function_call",
                "id": id,
                "status": status,
                "call_id": call_id,
                "name": name,
                "arguments": content.unwrap_or_default(),
            }),
        }
    }

    /// The part of a message, or of reasoning.
    pub fn part(&self, text: &str, annotations: &[Value]) -> Value {
        match self {
            ItemKind::Refusal => json!({"type": "refusal", "refusal": text}),
            ItemKind::Reasoning => json!({"type": "reasoning_text", "text": text}),
            _ => json!({"type": "output_text", "text": text, "annotations": annotations}),
        }
    }
}

/// The texts of a message, or of a piece of one, in their order. Model servers use one or both of
/// two names for reasoning. `None` if the message has parts that a response cannot express.
pub fn texts(message: &Value) -> Option<Vec<(ItemKind, String)>> {
    let given = |name: &str| {
        let value = message.get(name).filter(|value| !value.is_null());
        value.filter(|value| value.as_array().is_none_or(|list| !list.is_empty()))
    };
    if WITHOUT_COUNTERPART.iter().any(|name| given(name).is_some()) {
        return None;
    }
    let mut texts = Vec::new();
    let thoughts = given("reasoning_content").or_else(|| given("reasoning"));
    read_texts(ItemKind::Reasoning, thoughts, &mut texts)?;
    read_texts(ItemKind::Text, given("content"), &mut texts)?;
    read_texts(ItemKind::Refusal, given("refusal"), &mut texts)?;
    Some(texts)
}

/// The annotations of a message, or of a piece of one, in the format of responses: the members that
/// the chat convention nests under the annotation's type are members of the annotation itself.
/// `None` if the annotations are invalid.
pub fn annotations(message: &Value) -> Option<Vec<Value>> {
    let all = match message.get("annotations") {
        None | Some(Value::Null) => return Some(Vec::new()),
        Some(all) => all.as_array()?,
    };
    let translated = all.iter().map(|annotation| {
        let mut members = annotation.as_object()?.clone();
        let kind = members.get("type")?.as_str()?.to_owned();
        if let Some(Value::Object(inner)) = members.remove(&kind) {
            members.extend(inner);
        }
        Some(Value::Object(members))
    });
    translated.collect()
}

/// Appends the texts of a content, which is a text or a list of parts. `None` if the content has
/// another type, or an unsupported part.
fn read_texts(
    kind: ItemKind,
    content: Option<&Value>,
    texts: &mut Vec<(ItemKind, String)>,
) -> Option<()> {
    match content {
        None | Some(Value::Null) => {}
        Some(Value::String(text)) => match texts.last_mut() {
            _ if text.is_empty() => {}
            Some((last, before)) if *last == kind => before.push_str(text),
            _ => texts.push((kind, text.clone())),
        },
        Some(Value::Array(parts)) => {
            for part in parts {
                read_part(&kind, part, texts)?;
            }
        }
        Some(_) => return None,
    }
    Some(())
}

/// Appends the text of one part. `kind` is the kind of a part whose type is plain text.
fn read_part(kind: &ItemKind, part: &Value, texts: &mut Vec<(ItemKind, String)>) -> Option<()> {
    let (kind, member) = match part.get("type").and_then(Value::as_str) {
        None if part.is_string() => return read_texts(kind.clone(), Some(part), texts),
        Some("text" | "output_text") => (kind.clone(), "text"),
        Some("refusal") => (ItemKind::Refusal, "refusal"),
        Some("thinking") => (ItemKind::Reasoning, "thinking"),
        Some("reasoning" | "reasoning_text") => (ItemKind::Reasoning, "text"),
        _ => return None,
    };
    read_texts(kind, Some(part.get(member)?), texts)
}

/// The arguments of a call. Some model servers send them as an object instead of as its text.
pub fn arguments(function: &Value) -> Cow<'_, str> {
    match function.get("arguments") {
        None | Some(Value::Null) => Cow::Borrowed(""),
        Some(Value::String(text)) => Cow::Borrowed(text),
        Some(other) => Cow::Owned(other.to_string()),
    }
}

/// The id of a call without an id from its model server.
pub fn call_id(unique: &str, index: usize) -> String {
    format!("call_{unique}_{index}")
}

/// Whether a choice is the one that is translated: the first. A choice without an index is the only
/// one.
pub fn is_first(choice: &Value) -> bool {
    match choice.get("index") {
        None | Some(Value::Null) => true,
        Some(index) => index.as_u64() == Some(0),
    }
}

/// The unique part of a chat completion's id.
pub fn unique(id: Option<&str>) -> String {
    let id = id.unwrap_or_default();
    id.strip_prefix("chatcmpl-").unwrap_or(id).to_owned()
}

/// The usage as the responses convention writes it; null if it is unknown.
fn usage(chat: &Value) -> Value {
    let number = |name: &str| chat.get(name).and_then(count);
    let (Some(input), Some(output)) = (number("prompt_tokens"), number("completion_tokens")) else {
        return Value::Null;
    };
    let detail = |name: &str, detail: &str| {
        let details = chat.get(name);
        details
            .and_then(|details| details.get(detail))
            .and_then(count)
    };
    json!({
        "input_tokens": input,
        "input_tokens_details": {
            "cached_tokens": detail("prompt_tokens_details", "cached_tokens").unwrap_or(0),
            "cache_write_tokens": 0,
        },
        "output_tokens": output,
        "output_tokens_details": {
            "reasoning_tokens":
                detail("completion_tokens_details", "reasoning_tokens").unwrap_or(0),
        },
        "total_tokens": number("total_tokens").unwrap_or(input + output),
    })
}
