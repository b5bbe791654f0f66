//! Model calls that the service answers itself.

use reqwest::Method;
use serde_json::{Value, json};

use super::client::{Manager, Reply, call, chat, item};
use crate::harness::{Server, both_databases, on_sqlite};

/// The events of a stream: their names and their data.
pub fn events(text: &str) -> Vec<(Option<String>, String)> {
    text.split_terminator("\n\n")
        .map(|block| {
            let mut name = None;
            let mut data = String::new();
            for line in block.lines() {
                match line.split_once(": ").unwrap() {
                    ("event", value) => name = Some(value.to_owned()),
                    ("data", value) => data.push_str(value),
                    other => panic!("{other:?}"),
                }
            }
            (name, data)
        })
        .collect()
}

async fn stream(
    server: &Server,
    secret: &str,
    path: &str,
    body: &Value,
) -> Vec<(Option<String>, String)> {
    let response = call(server, secret, Method::POST, path)
        .json(body)
        .send()
        .await
        .unwrap();
    assert_eq!(response.status(), 200);
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    assert!(response.headers().contains_key("x-request-id"));
    events(&response.text().await.unwrap())
}

fn parsed(data: &str) -> Value {
    serde_json::from_str(data).unwrap()
}

both_databases! {
    async fn the_models_are_those_that_the_key_may_call(server: Server) {
        let manager = Manager::of(&server).await;
        let models = async |secret: &str| {
            Reply::of(call(&server, secret, Method::GET, "/models")).await.ok()
        };
        let open = models(&manager.new_key().await.one).await;
        assert_eq!(open["object"], "list");
        let names: Vec<_> = open["data"].as_array().unwrap().iter().map(|m| m["id"].clone()).collect();
        assert_eq!(names, ["accord.echo", "meta.echo", "builtin/slow", "builtin/broken"]);
        assert_eq!(open["data"][1]["family"], "meta");
        assert_eq!(open["data"][0]["region"], "local");
        let closed = manager.new_key_in("compartment.closed").await;
        assert_eq!(models(&closed.one).await["data"], json!([]));
        let refused = chat(&server, &closed.one, "accord.echo").await;
        refused.is_inference(403, "invalid_request_error", "insufficient_permissions");
        assert_eq!(refused.body["error"]["param"], "model");
    }

    async fn a_secret_that_is_used_says_when(server: Server) {
        let manager = Manager::of(&server).await;
        let key = manager.new_key().await;
        let read = async || manager.get(&format!("/{}", key.id)).await.ok();
        assert!(item(&read().await, "one").get("timeLastUsed").is_none());
        chat(&server, &key.one, "accord.echo").await.ok();
        chat(&server, &key.two, "accord.echo").await;
        let body = read().await;
        let first = item(&body, "one")["timeLastUsed"].as_str().unwrap().to_owned();
        assert!(item(&body, "two").get("timeLastUsed").is_none());
        // Its use is no change of the key.
        assert_eq!(body["timeUpdated"], body["timeCreated"]);
        server.advance(5);
        chat(&server, &key.one, "accord.echo").await.ok();
        assert!(*item(&read().await, "one")["timeLastUsed"].as_str().unwrap() > *first);
    }
}

on_sqlite! {
    async fn a_chat_is_answered_whole(server: Server) {
        let key = Manager::of(&server).await.new_key().await;
        let body = json!({
            "model": "accord.echo",
            "messages": [
                {"role": "system", "content": "Be brief."},
                {"role": "user", "content": [{"type": "text", "text": "one two three four"}]},
                {"role": "assistant", "content": null, "tool_calls": [
                    {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}},
                ]},
            ],
            "n": 2,
            "max_tokens": 3,
            "something_new": {"a": [1]},
        });
        let answer = Reply::of(call(&server, &key.one, Method::POST, "/chat/completions").json(&body)).await.ok();
        assert_eq!(answer["object"], "chat.completion");
        assert_eq!(answer["model"], "accord.echo");
        for index in 0..2 {
            let choice = &answer["choices"][index];
            assert_eq!(choice["index"], index);
            assert_eq!(choice["message"]["role"], "assistant");
            assert_eq!(choice["message"]["content"], "one two three");
            assert_eq!(choice["finish_reason"], "length");
        }
        let usage = json!({"prompt_tokens": 6, "completion_tokens": 6, "total_tokens": 12});
        assert_eq!(answer["usage"], usage);
    }

    async fn a_chat_is_streamed_piece_by_piece_and_ends_with_done(server: Server) {
        let key = Manager::of(&server).await.new_key().await;
        let body = json!({
            "model": "accord.echo",
            "messages": [{"role": "user", "content": "Hello big world"}],
            "stream": true,
            "stream_options": {"include_usage": true},
        });
        let mut events = stream(&server, &key.one, "/chat/completions", &body).await;
        assert_eq!(events.pop(), Some((None, "[DONE]".into())));
        let chunks: Vec<Value> = events.iter().map(|(_, data)| parsed(data)).collect();
        for chunk in &chunks {
            assert_eq!(chunk["object"], "chat.completion.chunk");
            assert_eq!(chunk["id"], chunks[0]["id"]);
        }
        let (usage, chunks) = chunks.split_last().unwrap();
        assert_eq!(usage["choices"], json!([]));
        assert_eq!(usage["usage"]["total_tokens"], 6);
        assert_eq!(chunks[0]["choices"][0]["delta"], json!({"role": "assistant", "content": ""}));
        let (last, middle) = chunks[1..].split_last().unwrap();
        assert_eq!(last["choices"][0]["delta"], json!({}));
        assert_eq!(last["choices"][0]["finish_reason"], "stop");
        let text: Vec<_> = middle.iter().map(|c| c["choices"][0]["delta"]["content"].as_str().unwrap()).collect();
        assert_eq!(text, ["Hello", " big", " world"]);
        for chunk in &chunks[..chunks.len() - 1] {
            assert_eq!(chunk["choices"][0]["finish_reason"], Value::Null);
            assert!(chunk.get("usage").is_none());
        }
    }

    async fn a_response_is_answered_whole(server: Server) {
        let key = Manager::of(&server).await.new_key().await;
        let post = |body: Value| Reply::of(call(&server, &key.one, Method::POST, "/responses").json(&body));
        let answer = post(json!({
            "model": "accord.echo",
            "input": "Hello there",
            "instructions": "Be brief.",
            "metadata": {"a": "b"},
            "tools": [{"type": "function", "name": "f"}],
        })).await.ok();
        assert_eq!(answer["object"], "response");
        assert_eq!(answer["status"], "completed");
        assert_eq!(answer["output"][0]["content"][0]["text"], "Hello there");
        assert_eq!(answer["instructions"], "Be brief.");
        assert_eq!(answer["metadata"], json!({"a": "b"}));
        assert_eq!(answer["tools"], json!([{"type": "function", "name": "f"}]));
        assert_eq!(answer["tool_choice"], "auto");
        assert_eq!(answer["usage"]["input_tokens"], 4);
        assert_eq!(answer["usage"]["output_tokens"], 2);
        let cut = post(json!({
            "model": "accord.echo",
            "input": [{"role": "user", "content": "one two three"}],
            "max_output_tokens": 2,
        })).await.ok();
        assert_eq!(cut["status"], "incomplete");
        assert_eq!(cut["incomplete_details"], json!({"reason": "max_output_tokens"}));
        assert_eq!(cut["output"][0]["content"][0]["text"], "one two");
        for (name, value) in [
            ("previous_response_id", json!("r")),
            ("conversation", json!("c")),
            ("background", json!(true)),
            ("prompt", json!({"id": "p"})),
        ] {
            let stored = post(json!({"model": "accord.echo", "input": "x", (name): value})).await;
            stored.is_inference(400, "invalid_request_error", "unsupported_parameter");
        }
    }

    async fn a_response_is_streamed_in_the_order_of_the_conventions(server: Server) {
        let key = Manager::of(&server).await.new_key().await;
        for (limit, last) in [(None, "response.completed"), (Some(2), "response.incomplete")] {
            let body = json!({
                "model": "accord.echo",
                "input": [{"role": "user", "content": [{"type": "input_text", "text": "Hello there all"}]}],
                "max_output_tokens": limit,
                "stream": true,
            });
            let events = stream(&server, &key.one, "/responses", &body).await;
            let names: Vec<_> = events.iter().map(|(name, _)| name.as_deref().unwrap()).collect();
            let deltas = limit.unwrap_or(3);
            let mut expected = vec![
                "response.created",
                "response.in_progress",
                "response.output_item.added",
                "response.content_part.added",
            ];
            expected.extend(std::iter::repeat_n("response.output_text.delta", deltas));
            expected.extend([
                "response.output_text.done",
                "response.content_part.done",
                "response.output_item.done",
                last,
            ]);
            assert_eq!(names, expected);
            let mut text = String::new();
            for (number, (name, data)) in events.iter().enumerate() {
                let data = parsed(data);
                assert_eq!(data["sequence_number"], number);
                assert_eq!(data["type"], name.as_deref().unwrap());
                text.push_str(data["delta"].as_str().unwrap_or_default());
                if name.as_deref() == Some("response.output_text.done") {
                    assert_eq!(data["text"], *text);
                }
            }
            let end = parsed(&events.last().unwrap().1);
            assert_eq!(end["response"]["output"][0]["content"][0]["text"], *text);
            assert_eq!(end["response"]["id"], parsed(&events[0].1)["response"]["id"]);
            assert_eq!(end["response"]["usage"]["output_tokens"], deltas);
        }
    }
}
