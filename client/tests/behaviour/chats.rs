//! The helpers for chats and responses: texts, replies and tool calls of streams.

use crate::script::{EVENTS, JSON, Response, Script, client};
use accord_client::{
    Accord, ChatMessageExt, EventStream, ReplyError, ReplyEvents, StreamError,
    inference::types::{
        ChatCompletionEvent, ChatCompletionRequest, ChatMessage, FinishReason, ModelResponseEvent,
        ModelResponseRequest,
    },
};
use futures::TryStreamExt;
use serde_json::{Value, json};

/// A stream of these events, and the end mark of chats.
fn events(all: &[Value]) -> Response {
    let events = all.iter().map(|event| format!("data: {event}\n\n"));
    let body = events.collect::<String>() + "data: [DONE]\n\n";
    (EVENTS, body)
}

/// A chunk of a chat with this delta of the choice.
fn chunk(choice: i64, delta: Value, finish_reason: Option<&str>) -> Value {
    json!({
        "id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m",
        "choices": [{ "index": choice, "delta": delta, "finish_reason": finish_reason }],
    })
}

async fn accord(responses: Vec<Response>) -> (Script, Accord) {
    let script = Script::start(responses).await;
    let accord = client(&script).api_key("sk-1").build().expect("a client");
    (script, accord)
}

async fn chat(all: &[Value]) -> EventStream<ChatCompletionEvent> {
    let (_, accord) = accord(vec![events(all)]).await;
    let request = ChatCompletionRequest::new([ChatMessage::user("Hi")], "m");
    let call = accord.inference().create_chat_completion_stream();
    call.body(request).call().await.expect("a stream")
}

async fn response(all: &[Value]) -> EventStream<ModelResponseEvent> {
    let events = all.iter().map(|event| format!("data: {event}\n\n"));
    let (_, accord) = accord(vec![(EVENTS, events.collect())]).await;
    let call = accord.inference().create_response_stream();
    let call = call.body(ModelResponseRequest::new("Hi", "m"));
    call.call().await.expect("a stream")
}

/// The last event of a response.
fn completed() -> Value {
    json!({
        "type": "response.completed", "sequence_number": 9,
        "response": {
            "id": "r", "object": "response", "created_at": 1, "model": "m", "output": [],
            "parallel_tool_calls": true, "tool_choice": "auto", "tools": [],
        },
    })
}

fn delta(text: &str) -> Value {
    json!({
        "type": "response.output_text.delta", "sequence_number": 4, "item_id": "i",
        "output_index": 0, "content_index": 0, "delta": text,
    })
}

#[tokio::test]
async fn messages_have_the_roles_of_their_authors() {
    let completion = json!({
        "id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [],
    });
    let (script, accord) = accord(vec![(JSON, completion.to_string())]).await;
    let messages = [
        ChatMessage::system("Be brief."),
        ChatMessage::user("Hi"),
        ChatMessage::assistant("Hello"),
        ChatMessage::tool("call-1", "12:30"),
    ];
    let request = ChatCompletionRequest::new(messages, "m");
    let call = accord.inference().create_chat_completion().body(request);
    call.call().await.expect("a completion");
    let requests = script.requests();
    let (_, body) = requests[0].split_once("\n\n").expect("a body");
    let body: Value = serde_json::from_str(body).expect("JSON");
    let expected = json!([
        { "role": "system", "content": "Be brief." },
        { "role": "user", "content": "Hi" },
        { "role": "assistant", "content": "Hello" },
        { "role": "tool", "content": "12:30", "tool_call_id": "call-1" },
    ]);
    assert_eq!(body["messages"], expected);
}

#[tokio::test]
async fn a_message_of_a_completion_is_sent_back() {
    let message = json!({
        "role": "assistant", "content": null, "reasoning": "r",
        "tool_calls": [
            { "id": "a", "type": "function", "function": { "name": "time", "arguments": "{}" } },
        ],
    });
    let completion = json!({
        "id": "c", "object": "chat.completion", "created": 1, "model": "m",
        "choices": [{ "index": 0, "message": message, "finish_reason": "tool_calls" }],
    });
    let (_, accord) = accord(vec![(JSON, completion.to_string())]).await;
    let request = ChatCompletionRequest::new([ChatMessage::user("Hi")], "m");
    let call = accord.inference().create_chat_completion().body(request);
    let completion = call.call().await.expect("a completion").into_inner();
    let reply = completion.choices.into_iter().next().expect("a choice");
    let sent = serde_json::to_value(ChatMessage::from_reply(reply.message));
    let mut expected = message;
    expected
        .as_object_mut()
        .expect("an object")
        .remove("content");
    assert_eq!(sent.expect("JSON"), expected);
}

#[tokio::test]
async fn the_text_of_a_chat_is_that_of_its_first_choice() {
    let all = [
        chunk(0, json!({ "role": "assistant", "content": "" }), None),
        chunk(0, json!({ "content": "Good " }), None),
        chunk(1, json!({ "content": "Bad" }), None),
        json!({ "object": "chat.completion.later" }),
        chunk(0, json!({ "content": "day" }), Some("stop")),
    ];
    let texts: Vec<_> = chat(&all).await.texts().try_collect().await.expect("texts");
    assert_eq!(texts, ["Good ", "day"]);
    let text = chat(&all).await.collect_text().await;
    assert_eq!(text.expect("a text"), "Good day");
    let refusal = [chunk(0, json!({ "refusal": "No." }), Some("stop"))];
    let reply = chat(&refusal).await.collect_reply().await.expect("a reply");
    assert_eq!(
        (reply.text(), reply.message.refusal.as_deref()),
        ("", Some("No."))
    );
    let text = chat(&refusal).await.collect_text().await;
    assert_eq!(text.expect("a refusal"), "No.");
}

#[tokio::test]
async fn pieces_of_tool_calls_are_joined_by_their_index() {
    let piece = |call: Value| chunk(0, json!({ "tool_calls": [call] }), None);
    let all = [
        chunk(0, json!({ "content": "Wait.", "reasoning": "a" }), None),
        piece(json!({
            "index": 0, "id": "a", "type": "function",
            "function": { "name": "time", "arguments": "" },
        })),
        piece(json!({ "index": 2, "id": "b", "type": "custom", "custom": { "input": "x" } })),
        piece(json!({ "index": 0, "function": { "arguments": "{\"zone\":" } })),
        piece(json!({ "index": 2, "custom": { "input": "y" } })),
        piece(json!({ "index": 0, "function": { "arguments": "1}" } })),
        chunk(0, json!({ "reasoning": "b" }), Some("tool_calls")),
        json!({
            "id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m",
            "choices": [],
            "usage": { "prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3 },
        }),
    ];
    let reply = chat(&all).await.collect_reply().await.expect("a reply");
    assert_eq!(reply.text(), "Wait.");
    assert_eq!(reply.finish_reason, Some(FinishReason::ToolCalls));
    assert_eq!(
        reply.usage.as_ref().map(|usage| usage.total_tokens),
        Some(3)
    );
    assert_eq!(reply.tool_calls().len(), 2);
    let expected = json!({
        "role": "assistant", "content": "Wait.", "reasoning": "ab",
        "tool_calls": [
            {
                "id": "a", "type": "function",
                "function": { "name": "time", "arguments": "{\"zone\":1}" },
            },
            { "id": "b", "type": "custom", "custom": { "input": "xy" } },
        ],
    });
    let message = serde_json::to_value(&reply.message).expect("JSON");
    assert_eq!(message, expected);
}

#[tokio::test]
async fn an_error_in_a_chat_ends_its_text() {
    let error = json!({
        "error": {
            "message": "It no longer exists.", "type": "server_error", "param": null,
            "code": "upstream_failed",
        },
    });
    let all = [chunk(0, json!({ "content": "a" }), None), error];
    let mut texts = chat(&all).await.texts();
    assert_eq!(
        texts.try_next().await.expect("a text").as_deref(),
        Some("a")
    );
    let error = texts.try_next().await.expect_err("an error");
    let text = error.to_string();
    assert_eq!(
        text,
        "the model failed (upstream_failed): It no longer exists."
    );
    assert!(texts.try_next().await.expect("the end").is_none());
}

#[tokio::test]
async fn a_response_ends_with_its_last_event() {
    let all = [delta("Good "), delta("day"), completed()];
    let text = response(&all).await.collect_text().await;
    assert_eq!(text.expect("a text"), "Good day");
    let reply = response(&all).await.collect_reply().await;
    assert_eq!(reply.expect("a response").id, "r");
    let cut = response(&all[..2]).await.collect_text().await;
    assert!(
        matches!(cut, Err(ReplyError::Stream(StreamError::Truncated))),
        "{cut:?}"
    );
    let failed = json!({
        "type": "error", "sequence_number": 5, "code": "upstream_failed",
        "message": "It no longer exists.", "param": null,
    });
    let reply = response(&[delta("a"), failed]).await.collect_reply().await;
    let error = reply.expect_err("an error").to_string();
    assert_eq!(
        error,
        "the model failed (upstream_failed): It no longer exists."
    );
}

#[test]
fn codes_are_retryable_as_the_table_of_the_document_says() {
    let document = include_str!("../../../openapi/inference.yaml");
    let rows = document.lines().filter_map(|line| {
        let cells: Vec<&str> = line.trim().split('|').map(str::trim).collect();
        match cells[..] {
            ["", code, _, _, retry, ""] => {
                Some((code.strip_prefix('`')?.strip_suffix('`')?, retry))
            }
            _ => None,
        }
    });
    let mut counts = [0, 0];
    for (code, retry) in rows.filter(|(_, retry)| retry.starts_with(['Y', 'N'])) {
        let error = ReplyError::Model {
            code: Some(code.to_owned()),
            message: None,
        };
        assert_eq!(error.is_retryable(), retry == "Yes.", "{code}: {retry}");
        counts[usize::from(error.is_retryable())] += 1;
    }
    assert!(counts[0] > 15 && counts[1] == 8, "{counts:?}");
    assert!(ReplyError::Stream(StreamError::Truncated).is_retryable());
}
