//! The parts of a response that its whole form and its events have in common.

use serde_json::{Map, Value, json};

/// What a response says of itself.
#[derive(Debug, Clone, Default)]
pub struct Resource {
    /// The unique part of all ids.
    pub id: String,
    /// When it was made, in Unix seconds.
    pub created: i64,
    /// Why the model stopped, in the words of the chat convention.
    pub finish_reason: Option<String>,
    /// The output's items.
    pub output: Vec<Value>,
    /// What was used, in the words of the chat convention.
    pub usage: Value,
}

impl Resource {
    /// The status that the reason for the end stands for.
    pub fn status(&self) -> &'static str {
        match self.finish_reason.as_deref() {
            Some("length" | "content_filter") => "incomplete",
            _ => "completed",
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
        let error =
            (status == "failed").then(|| json!({"code": "server_error", "message": FAILED}));
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

/// What a response that failed says.
const FAILED: &str = "The model server ended its answer early.";

/// An item of the output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// A message of text.
    Text,
    /// A message that refuses.
    Refusal,
    /// What the model thought before it answered.
    Reasoning,
    /// A call of the caller's function.
    Call {
        /// The call's id.
        call_id: String,
        /// The function.
        name: String,
    },
}

impl Kind {
    /// The item with this id, status and content; a call's content is its
    /// arguments.
    pub fn item(&self, id: &str, status: &str, content: Option<&str>) -> Value {
        match self {
            Kind::Text | Kind::Refusal => json!({
                "type": "message",
                "id": id,
                "status": status,
                "role": "assistant",
                "content": content.map(|text| self.part(text)).into_iter().collect::<Vec<_>>(),
            }),
            Kind::Reasoning => json!({
                "type": "reasoning",
                "id": id,
                "status": status,
                "summary": [],
                "content": content.map(|text| self.part(text)).into_iter().collect::<Vec<_>>(),
            }),
            Kind::Call { call_id, name } => json!({
                "type": "function_call",
                "id": id,
                "status": status,
                "call_id": call_id,
                "name": name,
                "arguments": content.unwrap_or_default(),
            }),
        }
    }

    /// The part of a message, or of thoughts.
    pub fn part(&self, text: &str) -> Value {
        match self {
            Kind::Refusal => json!({"type": "refusal", "refusal": text}),
            Kind::Reasoning => json!({"type": "reasoning_text", "text": text}),
            _ => json!({"type": "output_text", "text": text, "annotations": []}),
        }
    }
}

/// The texts of a message, or of a piece of one, in the order in which they are
/// meant. Model servers call thoughts by one of two names, or by both.
pub fn texts(message: &Value) -> impl Iterator<Item = (Kind, &str)> {
    let text = |name: &str| {
        let text = message.get(name).and_then(Value::as_str);
        text.filter(|text| !text.is_empty())
    };
    let thoughts = text("reasoning_content").or_else(|| text("reasoning"));
    let texts = [
        (Kind::Reasoning, thoughts),
        (Kind::Text, text("content")),
        (Kind::Refusal, text("refusal")),
    ];
    let given = |(kind, text): (Kind, Option<_>)| Some((kind, text?));
    texts.into_iter().filter_map(given)
}

/// The unique part of a chat completion's id.
pub fn unique(id: Option<&str>) -> String {
    let id = id.unwrap_or_default();
    id.strip_prefix("chatcmpl-").unwrap_or(id).to_owned()
}

fn usage(chat: &Value) -> Value {
    if !chat.is_object() {
        return Value::Null;
    }
    let number = |value: Option<&Value>| value.and_then(Value::as_i64).unwrap_or(0);
    let details = |name: &str, detail: &str| number(chat.get(name).and_then(|d| d.get(detail)));
    let input = number(chat.get("prompt_tokens"));
    let output = number(chat.get("completion_tokens"));
    json!({
        "input_tokens": input,
        "input_tokens_details": {
            "cached_tokens": details("prompt_tokens_details", "cached_tokens"),
            "cache_write_tokens": 0,
        },
        "output_tokens": output,
        "output_tokens_details": {
            "reasoning_tokens": details("completion_tokens_details", "reasoning_tokens"),
        },
        "total_tokens": chat.get("total_tokens").and_then(Value::as_i64).unwrap_or(input + output),
    })
}
