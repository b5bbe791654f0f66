//! Translates a request of the responses convention into one of the chat convention.

use serde_json::{Map, Value, json};

use crate::inference::problem::{Code, Fault, Problem};

/// Members that require a server with storage of its own.
pub const STORED: [&str; 4] = [
    "previous_response_id",
    "conversation",
    "background",
    "prompt",
];
/// The value of `include` that no translated response supports.
const LOGPROBS: &str = "message.output_text.logprobs";
/// Members that do not change the output, and those that the translation sets itself.
const LEFT_OUT: [&str; 5] = ["include", "store", "truncation", "model", "stream_options"];

/// The chat form, without the model's name.
pub fn translate(members: &Map<String, Value>) -> Result<Map<String, Value>, Problem> {
    let mut chat = Map::new();
    let mut messages = Vec::new();
    if let Some(Value::String(text)) = members.get("instructions") {
        messages.push(json!({"role": "system", "content": text}));
    }
    for (name, value) in members {
        match name.as_str() {
            "instructions" => {}
            "include" if includes(value, LOGPROBS) => return Err(unsupported("include")),
            name if LEFT_OUT.contains(&name) => {}
            _ if value.is_null() => {}
            // A response has one choice.
            "n" if value.as_u64() != Some(1) => return Err(unsupported("n")),
            "n" => {}
            name if STORED.contains(&name) => {
                if *value != Value::Bool(false) {
                    return Err(unsupported(name));
                }
            }
            "input" => add_input(value, &mut messages)?,
            "max_output_tokens" => {
                chat.insert("max_tokens".into(), value.clone());
            }
            "tools" => {
                chat.insert("tools".into(), tools(value)?);
            }
            "tool_choice" => {
                chat.insert("tool_choice".into(), tool_choice(value)?);
            }
            "text" => add_text_format(value, &mut chat),
            "reasoning" => {
                if let Some(effort) = value.get("effort").filter(|effort| !effort.is_null()) {
                    chat.insert("reasoning_effort".into(), effort.clone());
                }
            }
            "logprobs" | "top_logprobs" => {
                if *value != Value::Bool(false) && value.as_u64() != Some(0) {
                    return Err(unsupported(name));
                }
            }
            _ => {
                chat.insert(name.clone(), value.clone());
            }
        }
    }
    if chat.get("stream") == Some(&Value::Bool(true)) {
        chat.insert("stream_options".into(), json!({"include_usage": true}));
    }
    chat.insert("messages".into(), messages.into());
    Ok(chat)
}

fn includes(include: &Value, name: &str) -> bool {
    let mut names = include.as_array().into_iter().flatten();
    names.any(|included| included == name)
}

fn unsupported(name: &str) -> Problem {
    let message = format!(
        "{name} is unsupported: the upstream of this model supports chat completions only."
    );
    Problem::new(Fault::Request, Code::UnsupportedParameter, message).param(name)
}

/// Adds the messages of an input.
fn add_input(input: &Value, messages: &mut Vec<Value>) -> Result<(), Problem> {
    match input {
        Value::String(text) => messages.push(json!({"role": "user", "content": text})),
        Value::Array(items) => {
            for item in items {
                add_item(item, messages)?;
            }
        }
        _ => return Err(unsupported("input")),
    }
    Ok(())
}

/// Adds an input item: as a message, or to the calls of the last one.
fn add_item(item: &Value, messages: &mut Vec<Value>) -> Result<(), Problem> {
    match item.get("type").and_then(Value::as_str) {
        None | Some("message") => {
            let role = item.get("role").filter(|role| !role.is_null());
            let role = role.cloned().unwrap_or(json!("user"));
            let content = item.get("content").unwrap_or(&Value::Null);
            messages.push(json!({"role": role, "content": parts(content)?}));
        }
        Some("function_call") => {
            let call = json!({
                "id": item.get("call_id"),
                "type": "function",
                "function": {"name": item.get("name"), "arguments": item.get("arguments")},
            });
            // Calls that the model made together are one message.
            let last = messages.last_mut().and_then(|m| m.get_mut("tool_calls"));
            match last.and_then(Value::as_array_mut) {
                Some(calls) => calls.push(call),
                None => messages
                    .push(json!({"role": "assistant", "content": null, "tool_calls": [call]})),
            }
        }
        Some("function_call_output") => {
            let output = item.get("output").unwrap_or(&Value::Null);
            messages.push(json!({
                "role": "tool",
                "tool_call_id": item.get("call_id"),
                "content": parts(output)?,
            }));
        }
        // The chat convention has no member for a model's reasoning, and some of its servers reject
        // a request that contains it.
        Some("reasoning") => {}
        Some("item_reference") => {
            let id = item.get("id").and_then(Value::as_str).unwrap_or_default();
            let message = format!(
                "The upstream does not store items, so item {id} is unknown. \
                 Send the whole item instead of its reference."
            );
            let problem = Problem::new(Fault::Request, Code::UnsupportedParameter, message);
            return Err(problem.param("input"));
        }
        Some(_) => return Err(unsupported("input")),
    }
    Ok(())
}

/// The content of a message: a text, or a list of parts.
fn parts(content: &Value) -> Result<Value, Problem> {
    let Value::Array(parts) = content else {
        return Ok(content.clone());
    };
    let part = |part: &Value| match part.get("type").and_then(Value::as_str) {
        Some("input_text" | "output_text") => Ok(json!({"type": "text", "text": part.get("text")})),
        Some("refusal") => Ok(json!({"type": "text", "text": part.get("refusal")})),
        Some("input_image") => {
            let url = part.get("image_url").filter(|url| url.is_string());
            let url = url.ok_or_else(|| unsupported("input"))?;
            let mut image = json!({"url": url});
            if let Some(detail) = part.get("detail").filter(|detail| !detail.is_null()) {
                image["detail"] = detail.clone();
            }
            Ok(json!({"type": "image_url", "image_url": image}))
        }
        Some("input_audio") => Ok(part.clone()),
        Some("input_file") => {
            let mut file = part.clone();
            if let Some(file) = file.as_object_mut() {
                file.remove("type");
            }
            Ok(json!({"type": "file", "file": file}))
        }
        _ => Err(unsupported("input")),
    };
    parts.iter().map(part).collect::<Result<_, _>>()
}

fn tools(tools: &Value) -> Result<Value, Problem> {
    let tools = tools.as_array().ok_or_else(|| unsupported("tools"))?;
    let tool = |tool: &Value| match tool.get("type").and_then(Value::as_str) {
        Some("function") => {
            let mut function = tool.as_object().cloned().unwrap_or_default();
            function.remove("type");
            function.retain(|_, value| !value.is_null());
            Ok(json!({"type": "function", "function": function}))
        }
        _ => Err(unsupported("tools")),
    };
    tools.iter().map(tool).collect::<Result<_, _>>()
}

fn tool_choice(choice: &Value) -> Result<Value, Problem> {
    match choice.get("type").and_then(Value::as_str) {
        None if choice.is_string() => Ok(choice.clone()),
        Some("function") => {
            Ok(json!({"type": "function", "function": {"name": choice.get("name")}}))
        }
        _ => Err(unsupported("tool_choice")),
    }
}

/// Adds the verbosity and the format of the response's text.
fn add_text_format(text: &Value, chat: &mut Map<String, Value>) {
    if let Some(verbosity) = text.get("verbosity").filter(|value| !value.is_null()) {
        chat.insert("verbosity".into(), verbosity.clone());
    }
    let Some(format) = text.get("format").and_then(Value::as_object) else {
        return;
    };
    let format = match format.get("type").and_then(Value::as_str) {
        Some("json_schema") => {
            let mut schema = format.clone();
            schema.remove("type");
            json!({"type": "json_schema", "json_schema": schema})
        }
        Some("text") => return,
        _ => Value::Object(format.clone()),
    };
    chat.insert("response_format".into(), format);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn translated(members: Value) -> Result<Value, Problem> {
        let members = members.as_object().cloned().unwrap_or_default();
        translate(&members).map(Value::Object)
    }

    #[test]
    fn a_conversation_with_a_tool_becomes_a_chat() {
        let chat = translated(json!({
            "model": "m",
            "instructions": "Be brief.",
            "input": [
                {"role": "user", "content": [
                    {"type": "input_text", "text": "What is this?"},
                    {"type": "input_image", "image_url": "data:,x", "detail": "low"},
                ]},
                {"type": "reasoning", "id": "r", "summary": []},
                {"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}"},
                {"type": "function_call", "call_id": "c2", "name": "g", "arguments": "{}"},
                {"type": "function_call_output", "call_id": "c1", "output": "1"},
                {"type": "message", "role": "assistant",
                    "content": [{"type": "output_text", "text": "A cat."}]},
            ],
            "tools": [{"type": "function", "name": "f", "parameters": {"type": "object"}, "strict": true}],
            "tool_choice": {"type": "function", "name": "f"},
            "max_output_tokens": 9,
            "temperature": 0.5,
            "reasoning": {"effort": "low"},
            "text": {"format": {"type": "json_schema", "name": "n", "schema": {}}},
            "stream": true,
            "store": false,
            "odd": [1],
        }));
        let expected = json!({
            "tools": [{"type": "function",
                "function": {"name": "f", "parameters": {"type": "object"}, "strict": true}}],
            "tool_choice": {"type": "function", "function": {"name": "f"}},
            "max_tokens": 9,
            "temperature": 0.5,
            "reasoning_effort": "low",
            "response_format": {"type": "json_schema", "json_schema": {"name": "n", "schema": {}}},
            "stream": true,
            "odd": [1],
            "stream_options": {"include_usage": true},
            "messages": [
                {"role": "system", "content": "Be brief."},
                {"role": "user", "content": [
                    {"type": "text", "text": "What is this?"},
                    {"type": "image_url", "image_url": {"url": "data:,x", "detail": "low"}},
                ]},
                {"role": "assistant", "content": null, "tool_calls": [
                    {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}},
                    {"id": "c2", "type": "function", "function": {"name": "g", "arguments": "{}"}},
                ]},
                {"role": "tool", "tool_call_id": "c1", "content": "1"},
                {"role": "assistant", "content": [{"type": "text", "text": "A cat."}]},
            ],
        });
        assert_eq!(chat, Ok(expected));
    }

    #[test]
    fn a_message_without_a_role_is_the_users() {
        let messages = json!([{"role": "user", "content": "x"}]);
        for input in [
            json!([{"content": "x"}]),
            json!([{"role": null, "content": "x"}]),
        ] {
            let chat = translated(json!({"input": input})).expect("a message");
            assert_eq!(chat["messages"], messages);
        }
    }

    #[test]
    fn a_member_that_chat_cannot_express_is_rejected_by_its_name() {
        for (more, name) in [
            (json!({"previous_response_id": "r"}), "previous_response_id"),
            (json!({"background": true}), "background"),
            (json!({"n": 2}), "n"),
            (json!({"top_logprobs": 3}), "top_logprobs"),
            (json!({"logprobs": true}), "logprobs"),
            (json!({"include": ["a", LOGPROBS]}), "include"),
            (json!({"tools": [{"type": "web_search"}]}), "tools"),
            (json!({"tool_choice": {"type": "mcp"}}), "tool_choice"),
            (
                json!({"input": [{"type": "item_reference", "id": "i"}]}),
                "input",
            ),
            (
                json!({"input": [{"role": "user", "content": [{"type": "odd"}]}]}),
                "input",
            ),
        ] {
            let problem = translated(more).expect_err(name);
            assert_eq!(problem.param.as_deref(), Some(name));
        }
        let nothing = json!({"input": "x", "background": false, "top_logprobs": 0,
            "include": ["reasoning.encrypted_content"]});
        assert_eq!(translated(nothing), translated(json!({"input": "x"})));
        let one = translated(json!({"input": "x", "n": 1})).expect("one response");
        assert_eq!(one.get("n"), None);
    }

    #[test]
    fn an_item_that_is_only_referred_to_is_named_with_the_way_out() {
        let problem = translated(json!({"input": [{"type": "item_reference", "id": "item_7"}]}));
        let message = problem.expect_err("a reference").message;
        assert!(message.contains("item_7"), "{message}");
        assert!(message.contains("Send the whole item"), "{message}");
    }
}
