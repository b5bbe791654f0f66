//! Chat completions of the built-in models.

use accord_inference_server::types;
use bytes::Bytes;
use serde_json::{Value, json};

use super::behavior::{BuiltinKind, PlannedResponse};
use super::echo::{Echo, Stamp, split, text_of};
use crate::inference::gateway::ModelResponse;
use crate::inference::gateway::events::Convention;
use crate::inference::problem::Problem;

/// The maximum of choices that the document allows.
const MAX_CHOICES: i64 = 128;

/// Repeats the last message of the user, with the model's behavior.
///
/// # Errors
///
/// When the selected behavior is a failure.
pub async fn chat(
    kind: BuiltinKind,
    request: &types::ChatCompletionRequest,
    stamp: &Stamp,
) -> Result<ModelResponse, Problem> {
    let last = request
        .messages
        .iter()
        .rev()
        .find(|message| message.role == "user");
    let text = text_of(
        last.or(request.messages.last())
            .and_then(|m| m.content.as_ref()?.as_ref()),
    );
    let (behavior, text) = kind.plan(&text)?;
    let limit = request
        .max_completion_tokens
        .flatten()
        .or(request.max_tokens.flatten());
    let choices = request.n.flatten().unwrap_or(1).clamp(1, MAX_CHOICES);
    let completion = Completion {
        request,
        stamp,
        echo: Echo::new(
            text,
            &stops(request.stop.as_ref().and_then(Option::as_ref)),
            limit,
            choices,
        ),
        choices,
    };
    let planned = match request.stream.flatten() {
        Some(true) => PlannedResponse::Events(completion.events()),
        _ => PlannedResponse::Whole(completion.whole().to_string(), completion.echo.tokens()),
    };
    behavior.respond(planned, Convention::Chat).await
}

fn stops(stop: Option<&types::StopSequences>) -> Vec<String> {
    match stop {
        None => Vec::new(),
        Some(types::StopSequences::String(stop)) => vec![stop.clone()],
        Some(types::StopSequences::Array(stops)) => stops.clone(),
    }
}

struct Completion<'a> {
    request: &'a types::ChatCompletionRequest,
    stamp: &'a Stamp,
    echo: Echo,
    choices: i64,
}

impl Completion<'_> {
    fn whole(&self) -> Value {
        let text = self.echo.text();
        let choices: Vec<Value> = (0..self.choices)
            .map(|index| {
                json!({
                    "index": index,
                    "message": {"role": "assistant", "content": text, "refusal": null},
                    "logprobs": null,
                    "finish_reason": self.finish_reason(),
                })
            })
            .collect();
        json!({
            "id": self.id(),
            "object": "chat.completion",
            "created": self.stamp.at.timestamp(),
            "model": self.request.model,
            "choices": choices,
            "usage": self.usage(),
        })
    }

    fn events(&self) -> Vec<Bytes> {
        let first = json!({"role": "assistant", "content": ""});
        let mut events = vec![self.chunk(&first, None)];
        for piece in &self.echo.pieces {
            events.push(self.chunk(&json!({"content": piece}), None));
        }
        events.push(self.chunk(&json!({}), Some(self.finish_reason())));
        let options = self
            .request
            .stream_options
            .as_ref()
            .and_then(Option::as_ref);
        if options.and_then(|options| options.include_usage.flatten()) == Some(true) {
            events.push(self.event(&json!([]), Some(self.usage())));
        }
        events.push("data: [DONE]\n\n".into());
        events
    }

    /// A chunk with the same delta for every choice.
    fn chunk(&self, delta: &Value, finish_reason: Option<&str>) -> Bytes {
        let choices: Vec<Value> = (0..self.choices)
            .map(|index| {
                json!({
                    "index": index,
                    "delta": delta,
                    "logprobs": null,
                    "finish_reason": finish_reason,
                })
            })
            .collect();
        self.event(&choices.into(), None)
    }

    fn event(&self, choices: &Value, usage: Option<Value>) -> Bytes {
        let mut data = json!({
            "id": self.id(),
            "object": "chat.completion.chunk",
            "created": self.stamp.at.timestamp(),
            "model": self.request.model,
            "choices": choices,
        });
        if let Some(usage) = usage {
            data["usage"] = usage;
        }
        format!("data: {data}\n\n").into()
    }

    fn id(&self) -> String {
        format!("chatcmpl-{}", self.stamp.id)
    }

    fn finish_reason(&self) -> &'static str {
        if self.echo.is_cut { "length" } else { "stop" }
    }

    fn usage(&self) -> Value {
        let messages = self.request.messages.iter();
        let prompt: usize = messages
            .map(|m| split(&text_of(m.content.as_ref().and_then(Option::as_ref))).count())
            .sum();
        let completion = self.echo.tokens() * usize::try_from(self.choices).unwrap_or(1);
        json!({
            "prompt_tokens": prompt,
            "completion_tokens": completion,
            "total_tokens": prompt + completion,
        })
    }
}
