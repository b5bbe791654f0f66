//! Responses of the built-in models.

use accord_inference_server::types;
use bytes::Bytes;
use serde_json::{Map, Value, json};

use super::behavior::{BuiltinKind, PlannedResponse};
use super::echo::{Echo, Stamp, split, text_of};
use crate::inference::gateway::ModelResponse;
use crate::inference::gateway::events::Convention;
use crate::inference::gateway::translate::{Events, ItemKind, Resource, STORED};
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
        begun: Resource {
            id: stamp.id.clone(),
            created: stamp.at.timestamp(),
            ..Resource::default()
        },
        echo: Echo::new(text, &[], request.max_output_tokens.flatten(), 1),
        input_tokens: input_tokens(request),
    };
    let planned = match request.stream.flatten() {
        Some(true) => PlannedResponse::Events(response.events()),
        _ => PlannedResponse::Whole(response.ended().0.to_string(), response.echo.tokens()),
    };
    behavior.respond(planned, Convention::Responses).await
}

/// Rejects a request that needs stored data: the built-in models store none.
fn reject_stored_state(members: &Map<String, Value>) -> Result<(), Problem> {
    for name in STORED {
        let is_given = members
            .get(name)
            .is_some_and(|value| !value.is_null() && *value != Value::Bool(false));
        if is_given {
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

/// The response to a request, before its output.
struct Response<'a> {
    /// The request, whose settings a response repeats.
    members: &'a Map<String, Value>,
    begun: Resource,
    echo: Echo,
    input_tokens: usize,
}

impl Response<'_> {
    fn events(&self) -> Vec<Bytes> {
        let (mut numbered, mut framed) = (Events::default(), Vec::new());
        let mut write = |name: &str, members: Value| {
            numbered.write(name, members);
            framed.push(numbered.take());
        };
        let begun = json!({"response": self.begun.response(self.members, "in_progress")});
        write("response.created", begun.clone());
        write("response.in_progress", begun);
        let id = self.item_id();
        let item = ItemKind::Text.item(&id, "in_progress", None, &[]);
        write(
            "response.output_item.added",
            json!({"output_index": 0, "item": item}),
        );
        let mut write_of_part = |name: &str, more: Value| {
            let mut members = json!({"item_id": id, "output_index": 0, "content_index": 0});
            if let (Some(members), Value::Object(more)) = (members.as_object_mut(), more) {
                members.extend(more);
            }
            write(name, members);
        };
        let part = |text: &str| json!({"part": ItemKind::Text.part(text, &[])});
        write_of_part("response.content_part.added", part(""));
        for piece in &self.echo.pieces {
            let delta = json!({"delta": piece, "logprobs": []});
            write_of_part("response.output_text.delta", delta);
        }
        let text = self.echo.text();
        let done = json!({"text": text, "logprobs": []});
        write_of_part("response.output_text.done", done);
        write_of_part("response.content_part.done", part(&text));
        let (ended, status) = self.ended();
        let item = &ended["output"][0];
        write(
            "response.output_item.done",
            json!({"output_index": 0, "item": item}),
        );
        write(&format!("response.{status}"), json!({"response": ended}));
        framed
    }

    /// The whole response, and its status.
    fn ended(&self) -> (Value, &'static str) {
        let reason = if self.echo.is_cut { "length" } else { "stop" };
        let mut resource = Resource {
            finish_reason: Some(reason.to_owned()),
            usage: json!({
                "prompt_tokens": self.input_tokens,
                "completion_tokens": self.echo.tokens(),
            }),
            ..self.begun.clone()
        };
        let status = resource.status();
        let item = ItemKind::Text.item(&self.item_id(), status, Some(&self.echo.text()), &[]);
        resource.output.push(item);
        (resource.response(self.members, status), status)
    }

    fn item_id(&self) -> String {
        format!("msg_{}", self.begun.id)
    }
}
