//! Responses of the built-in models.

use accord_inference_server::types;
use bytes::Bytes;
use serde_json::{Map, Value, json};

use super::behavior::{BuiltinKind, PlannedResponse};
use super::echo::{Echo, Stamp, split, text_of};
use crate::inference::gateway::ModelResponse;
use crate::inference::gateway::events::Convention;
use crate::inference::problem::{Code, Fault, Problem};

/// Repeats the text, or the last message of the user, with the model's behavior.
///
/// # Errors
///
/// When the request refers to stored state, or the selected behavior is a failure.
pub async fn respond(
    kind: BuiltinKind,
    request: &types::ModelResponseRequest,
    members: &Map<String, Value>,
    stamp: &Stamp,
) -> Result<ModelResponse, Problem> {
    reject_stored_state(members)?;
    let text = last_user_text(&request.input);
    let (behavior, text) = kind.plan(&text)?;
    let response = Response {
        members,
        stamp,
        model: &request.model,
        echo: Echo::new(text, &[], request.max_output_tokens.flatten(), 1),
        input_tokens: input_tokens(request),
    };
    let planned = match request.stream.flatten() {
        Some(true) => PlannedResponse::Events(response.events()),
        _ => PlannedResponse::Whole(response.ended().to_string(), response.echo.tokens()),
    };
    behavior.respond(planned, Convention::Responses).await
}

/// Rejects a request that needs stored responses: the built-in models store none.
fn reject_stored_state(members: &Map<String, Value>) -> Result<(), Problem> {
    for name in ["previous_response_id", "conversation", "background"] {
        let asked = members
            .get(name)
            .is_some_and(|v| !v.is_null() && *v != Value::Bool(false));
        if asked {
            let message = format!("{name} is unsupported: the built-in models store nothing.");
            let problem = Problem::new(Fault::Request, Code::UnsupportedParameter, message);
            return Err(problem.param(name));
        }
    }
    Ok(())
}

fn last_user_text(input: &types::ModelInput) -> String {
    match input {
        types::ModelInput::String(text) => text.clone(),
        types::ModelInput::Array(items) => {
            let user = items
                .iter()
                .rev()
                .find(|item| item.role.as_ref().and_then(Option::as_deref) == Some("user"));
            text_of(
                user.or(items.last())
                    .and_then(|item| item.content.as_ref()?.as_ref()),
            )
        }
    }
}

fn input_tokens(request: &types::ModelResponseRequest) -> usize {
    let instructions = request.instructions.as_ref().and_then(Option::as_deref);
    let input = match &request.input {
        types::ModelInput::String(text) => split(text).count(),
        types::ModelInput::Array(items) => items
            .iter()
            .map(|item| split(&text_of(item.content.as_ref().and_then(Option::as_ref))).count())
            .sum(),
    };
    input + split(instructions.unwrap_or_default()).count()
}

struct Response<'a> {
    /// The request, whose settings a response repeats.
    members: &'a Map<String, Value>,
    stamp: &'a Stamp,
    model: &'a str,
    echo: Echo,
    input_tokens: usize,
}

impl Response<'_> {
    fn events(&self) -> Vec<Bytes> {
        let mut events = NumberedEvents::default();
        let item_id = self.item_id();
        let place = json!({"item_id": item_id, "output_index": 0, "content_index": 0});
        let begun = self.response("in_progress", &json!([]), &Value::Null);
        events.push("response.created", json!({"response": begun}));
        events.push("response.in_progress", json!({"response": begun}));
        let item = self.item("in_progress", &json!([]));
        events.push(
            "response.output_item.added",
            json!({"output_index": 0, "item": item}),
        );
        events.push_at(
            &place,
            "response.content_part.added",
            json!({"part": part("")}),
        );
        for piece in &self.echo.pieces {
            let delta = json!({"delta": piece, "logprobs": []});
            events.push_at(&place, "response.output_text.delta", delta);
        }
        let text = self.echo.text();
        let done = json!({"text": text, "logprobs": []});
        events.push_at(&place, "response.output_text.done", done);
        events.push_at(
            &place,
            "response.content_part.done",
            json!({"part": part(&text)}),
        );
        let item = self.whole_item();
        events.push(
            "response.output_item.done",
            json!({"output_index": 0, "item": item}),
        );
        let last = format!("response.{}", self.status());
        events.push(&last, json!({"response": self.ended()}));
        events.framed
    }

    /// The whole response.
    fn ended(&self) -> Value {
        let usage = json!({
            "input_tokens": self.input_tokens,
            "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
            "output_tokens": self.echo.tokens(),
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": self.input_tokens + self.echo.tokens(),
        });
        self.response(self.status(), &json!([self.whole_item()]), &usage)
    }

    fn response(&self, status: &str, output: &Value, usage: &Value) -> Value {
        let details = (status == "incomplete").then(|| json!({"reason": "max_output_tokens"}));
        json!({
            "id": format!("resp_{}", self.stamp.id),
            "object": "response",
            "created_at": self.stamp.at.timestamp(),
            "status": status,
            "model": self.model,
            "error": null,
            "incomplete_details": details,
            "instructions": self.setting("instructions", Value::Null),
            "max_output_tokens": self.setting("max_output_tokens", Value::Null),
            "metadata": self.setting("metadata", json!({})),
            "parallel_tool_calls": self.setting("parallel_tool_calls", json!(true)),
            "temperature": self.setting("temperature", json!(1.0)),
            "top_p": self.setting("top_p", json!(1.0)),
            "tool_choice": self.setting("tool_choice", json!("auto")),
            "tools": self.setting("tools", json!([])),
            "output": output,
            "usage": usage,
        })
    }

    fn setting(&self, name: &str, default: Value) -> Value {
        let given = self.members.get(name).filter(|value| !value.is_null());
        given.cloned().unwrap_or(default)
    }

    fn status(&self) -> &'static str {
        if self.echo.is_cut {
            "incomplete"
        } else {
            "completed"
        }
    }

    fn item_id(&self) -> String {
        format!("msg_{}", self.stamp.id)
    }

    fn whole_item(&self) -> Value {
        self.item(self.status(), &json!([part(&self.echo.text())]))
    }

    fn item(&self, status: &str, content: &Value) -> Value {
        json!({
            "type": "message",
            "id": self.item_id(),
            "status": status,
            "role": "assistant",
            "content": content,
        })
    }
}

fn part(text: &str) -> Value {
    json!({"type": "output_text", "text": text, "annotations": []})
}

/// Events that are named and numbered in their order.
#[derive(Default)]
struct NumberedEvents {
    framed: Vec<Bytes>,
}

impl NumberedEvents {
    fn push(&mut self, name: &str, members: Value) {
        self.push_at(&json!({}), name, members);
    }

    fn push_at(&mut self, place: &Value, name: &str, members: Value) {
        let mut data = json!({"type": name, "sequence_number": self.framed.len()});
        for more in [place, &members] {
            if let (Some(data), Some(more)) = (data.as_object_mut(), more.as_object()) {
                data.extend(more.clone());
            }
        }
        self.framed
            .push(format!("event: {name}\ndata: {data}\n\n").into());
    }
}
