//! From a whole chat completion to a response.

use serde_json::{Map, Value};

use super::resource::{Kind, Resource, texts, unique};
use crate::inference::problem::{Fault, Problem};

/// The response to `request` that a chat completion stands for.
///
/// # Errors
///
/// When the body is no chat completion.
pub fn translate(request: &Map<String, Value>, body: &[u8]) -> Result<Value, Problem> {
    let chat: Value = serde_json::from_slice(body).map_err(|_| no_answer())?;
    let choice = chat.pointer("/choices/0").ok_or_else(no_answer)?;
    let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
    let id = unique(chat.get("id").and_then(Value::as_str));
    let mut resource = Resource {
        id,
        created: chat.get("created").and_then(Value::as_i64).unwrap_or(0),
        finish_reason: text(choice.get("finish_reason")),
        output: Vec::new(),
        usage: chat.get("usage").cloned().unwrap_or(Value::Null),
    };
    let message = choice.get("message").ok_or_else(no_answer)?;
    let mut items = Vec::new();
    items.extend(texts(message).map(|(kind, text)| (kind, text.to_owned())));
    let calls = message.get("tool_calls").and_then(Value::as_array);
    for call in calls.into_iter().flatten() {
        let kind = Kind::Call {
            call_id: text(call.get("id")).unwrap_or_default(),
            name: text(call.pointer("/function/name")).unwrap_or_default(),
        };
        let arguments = text(call.pointer("/function/arguments"));
        items.push((kind, arguments.unwrap_or_default()));
    }
    let status = resource.status();
    for (index, (kind, content)) in items.iter().enumerate() {
        let item_id = format!("item_{}_{index}", resource.id);
        // What came before the last item was not cut.
        let status = match index + 1 == items.len() {
            true => status,
            false => "completed",
        };
        let item = kind.item(&item_id, status, Some(content));
        resource.output.push(item);
    }
    Ok(resource.response(request, status))
}

fn no_answer() -> Problem {
    Problem::new(
        Fault::Upstream,
        "upstream_failed",
        "The model server sent what is no chat completion.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn translated(chat: Value) -> Value {
        let request = json!({"model": "m", "temperature": 0.5});
        let request = request.as_object().cloned().unwrap_or_default();
        translate(&request, chat.to_string().as_bytes()).expect("a chat completion")
    }

    #[test]
    fn text_and_calls_become_items_and_usage_is_kept() {
        let response = translated(json!({
            "id": "chatcmpl-7", "created": 5,
            "choices": [{"index": 0, "finish_reason": "tool_calls", "message": {
                "role": "assistant", "content": "Wait.", "refusal": null,
                "tool_calls": [{"id": "c", "type": "function",
                    "function": {"name": "f", "arguments": "{\"a\":1}"}}],
            }}],
            "usage": {"prompt_tokens": 3, "completion_tokens": 4, "total_tokens": 7,
                "completion_tokens_details": {"reasoning_tokens": 2}},
        }));
        assert_eq!(response["id"], "resp_7");
        assert_eq!(response["status"], "completed");
        assert_eq!(response["model"], "m");
        assert_eq!(response["temperature"], 0.5);
        assert_eq!(response["output"][0]["content"][0]["text"], "Wait.");
        assert_eq!(response["output"][1]["type"], "function_call");
        assert_eq!(response["output"][1]["call_id"], "c");
        assert_eq!(response["output"][1]["arguments"], "{\"a\":1}");
        assert_eq!(response["usage"]["input_tokens"], 3);
        assert_eq!(
            response["usage"]["output_tokens_details"]["reasoning_tokens"],
            2
        );
    }

    #[test]
    fn thoughts_become_an_item_before_the_message_by_either_name() {
        for message in [
            json!({"reasoning_content": "Hm.", "content": "Yes."}),
            json!({"content": "Yes.", "reasoning": "Hm.", "reasoning_content": null}),
            json!({"reasoning": "Hm.", "reasoning_content": "Hm.", "content": "Yes."}),
        ] {
            let response = translated(json!({
                "id": "7", "choices": [{"finish_reason": "length", "message": message}],
            }));
            let expected = json!({
                "type": "reasoning", "id": "item_7_0", "status": "completed", "summary": [],
                "content": [{"type": "reasoning_text", "text": "Hm."}],
            });
            assert_eq!(response["output"][0], expected);
            assert_eq!(response["output"][1]["content"][0]["text"], "Yes.");
            assert_eq!(response["output"][1]["status"], "incomplete");
            assert_eq!(response["output"][2], Value::Null);
        }
    }

    #[test]
    fn an_answer_that_was_cut_is_incomplete() {
        let response = translated(json!({
            "choices": [{"finish_reason": "length", "message": {"content": "On"}}],
        }));
        assert_eq!(response["status"], "incomplete");
        assert_eq!(
            response["incomplete_details"]["reason"],
            "max_output_tokens"
        );
        assert_eq!(response["output"][0]["status"], "incomplete");
        assert_eq!(response["usage"], Value::Null);
    }

    #[test]
    fn what_is_no_chat_completion_is_the_model_servers_fault() {
        for body in ["", "[]", "{}", r#"{"choices":[]}"#] {
            let problem = translate(&Map::new(), body.as_bytes()).expect_err(body);
            assert_eq!(problem.fault, Fault::Upstream);
        }
    }
}
