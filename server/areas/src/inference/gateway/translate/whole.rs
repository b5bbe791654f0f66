//! Translates a whole chat completion into a response.

use serde_json::{Map, Value};

use super::resource::{
    ItemKind, Resource, annotations, arguments, call_id, is_first, texts, unique,
};
use crate::inference::problem::{Code, Fault, Problem};

/// The response to `request` that a chat completion represents.
///
/// # Errors
///
/// When the body is not a chat completion, or has parts that a response cannot express.
pub fn translate(request: &Map<String, Value>, body: &[u8]) -> Result<Value, Problem> {
    let chat: Value = serde_json::from_slice(body).map_err(|_| invalid_response())?;
    let choices = chat.get("choices").and_then(Value::as_array);
    let choice = choices.and_then(|choices| choices.iter().find(|choice| is_first(choice)));
    let choice = choice.ok_or_else(invalid_response)?;
    let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
    let id = unique(chat.get("id").and_then(Value::as_str));
    let mut resource = Resource {
        id,
        created: chat.get("created").and_then(Value::as_i64).unwrap_or(0),
        finish_reason: text(choice.get("finish_reason")),
        usage: chat.get("usage").cloned().unwrap_or(Value::Null),
        ..Resource::default()
    };
    let message = choice.get("message").filter(|message| message.is_object());
    let message = message.ok_or_else(invalid_response)?;
    let mut items = texts(message).ok_or_else(invalid_response)?;
    let annotations = annotations(message).ok_or_else(invalid_response)?;
    let is_text = |(kind, _): &(ItemKind, String)| *kind == ItemKind::Text;
    if !annotations.is_empty() && !items.iter().any(is_text) {
        items.push((ItemKind::Text, String::new()));
    }
    let annotated = items.iter().rposition(is_text);
    for (id, function) in calls(message).ok_or_else(invalid_response)? {
        let kind = ItemKind::Call {
            call_id: match id {
                "" => call_id(&resource.id, items.len()),
                id => id.to_owned(),
            },
            name: text(function.get("name"))
                .filter(|name| !name.is_empty())
                .ok_or_else(invalid_response)?,
        };
        items.push((kind, arguments(function).into_owned()));
    }
    let status = resource.status();
    for (index, (kind, content)) in items.iter().enumerate() {
        let item_id = format!("item_{}_{index}", resource.id);
        // Only the last item can be truncated.
        let status = match status {
            "completed" => "completed",
            _ if index + 1 < items.len() => "completed",
            _ => "incomplete",
        };
        let annotations = match annotated == Some(index) {
            true => &annotations[..],
            false => &[],
        };
        let item = kind.item(&item_id, status, Some(content), annotations);
        resource.output.push(item);
    }
    Ok(resource.response(request, status))
}

/// The ids and functions of the calls of a message, in the newer and the older form.
fn calls(message: &Value) -> Option<Vec<(&str, &Value)>> {
    let mut calls = Vec::new();
    match message.get("tool_calls") {
        None | Some(Value::Null) => {}
        Some(all) => {
            for call in all.as_array()? {
                let id = call.get("id").and_then(Value::as_str);
                calls.push((id.unwrap_or_default(), call.get("function")?));
            }
        }
    }
    let old = message.get("function_call");
    calls.extend(old.filter(|call| !call.is_null()).map(|call| ("", call)));
    Some(calls)
}

fn invalid_response() -> Problem {
    Problem::new(
        Fault::Upstream,
        Code::UpstreamFailed,
        "The upstream returned a response that is not a chat completion.",
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
    fn a_truncated_response_is_incomplete() {
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
    fn a_body_that_is_not_a_chat_completion_is_an_upstream_failure() {
        for body in [
            "",
            "[]",
            "{}",
            r#"{"choices":[]}"#,
            r#"{"choices":[{"message":null,"finish_reason":"stop"}]}"#,
            r#"{"choices":[{"message":{"content":7},"finish_reason":"stop"}]}"#,
            r#"{"choices":[{"message":{"tool_calls":[{"id":"c"}]},"finish_reason":"stop"}]}"#,
        ] {
            let problem = translate(&Map::new(), body.as_bytes()).expect_err(body);
            assert_eq!(problem.fault, Fault::Upstream);
        }
    }

    #[test]
    fn a_response_is_whole_in_every_form_that_model_servers_send() {
        let output =
            |choices: Value| translated(json!({"id": "7", "choices": choices}))["output"].take();
        let parts = json!([{"type": "text", "text": "A"}, {"type": "text", "text": "B"}]);
        let listed = output(json!([
            {"index": 1, "finish_reason": "stop", "message": {"content": "other"}},
            {"index": 0, "finish_reason": "stop", "message": {"content": parts}},
        ]));
        assert_eq!(listed[0]["content"][0]["text"], "AB");
        let called = output(json!([{"finish_reason": "tool_calls", "message": {
            "tool_calls": [{"function": {"name": "f", "arguments": {"x": 1}}}],
            "function_call": {"name": "g", "arguments": "{}"},
        }}]));
        assert_eq!(called[0]["arguments"], r#"{"x":1}"#);
        assert_eq!(
            (&called[0]["call_id"], &called[1]["name"]),
            (&json!("call_7_0"), &json!("g"))
        );
    }

    #[test]
    fn annotations_are_those_of_the_text() {
        let cited = json!({"type": "url_citation", "url_citation": {"url": "u", "start_index": 0}});
        let message = |content: &str, annotations: Value| {
            json!({"choices": [{"finish_reason": "stop", "message": {
                "content": content, "reasoning": "Hm.", "annotations": annotations}}]})
        };
        let expected = json!([{"type": "url_citation", "url": "u", "start_index": 0}]);
        for content in ["Yes.", ""] {
            let response = translated(message(content, json!([cited])));
            let part = &response["output"][1]["content"][0];
            assert_eq!(
                (&part["text"], &part["annotations"]),
                (&content.into(), &expected)
            );
        }
        let none = translated(message("Yes.", json!([])));
        assert_eq!(none["output"][1]["content"][0]["annotations"], json!([]));
        let body = message("Yes.", json!([7])).to_string();
        assert!(translate(&Map::new(), body.as_bytes()).is_err());
    }

    #[test]
    fn a_response_without_a_finish_reason_has_failed() {
        let response = translated(json!({"choices": [{"message": {"content": "On"}}]}));
        assert_eq!(response["status"], "failed");
        assert_eq!(response["output"][0]["status"], "incomplete");
        assert!(response["error"]["message"].is_string());
    }

    #[test]
    fn impossible_counts_are_omitted() {
        let usage = |usage: Value| {
            translated(
                json!({"choices": [{"message": {"content": "x"}, "finish_reason": "stop"}],
                "usage": usage}),
            )["usage"]
                .take()
        };
        let of = |input: Value, output: Value| {
            usage(json!({"prompt_tokens": input, "completion_tokens": output}))
        };
        assert_eq!(of(json!(i64::MAX), json!(i64::MAX)), Value::Null);
        assert_eq!(of(json!(-5_000_000), json!(1)), Value::Null);
        assert_eq!(of(json!("7"), json!(1)), Value::Null);
        assert_eq!(of(json!(7.0), json!(2))["total_tokens"], 9);
    }
}
