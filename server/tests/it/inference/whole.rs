//! Answers of model servers that are not whole, or not what they say they are.

use accord_server::inference::admission::usage::{self, Counts, Line};
use accord_server::inference::gateway::usage::Tokens;
use reqwest::Method;
use serde_json::{Value, json};

use super::calls::events;
use super::client::{Key, Manager, Reply, call, chat};
use super::fake::{Exchange, Fake, model, serving};
use crate::harness::{Server, both_databases};

/// A service with a model server behind two models: `acme.all` passes responses on,
/// `acme.chat` translates them.
async fn behind(fake: &Fake) -> (Server, String) {
    let url = format!("http://{}/v1", fake.address);
    let of = |name: &str, api: &str| {
        let upstream = json!({"url": url, "api": api});
        model(json!({"name": name, "family": "acme", "upstreams": [upstream]}))
    };
    let server = serving(vec![of("acme.all", "all"), of("acme.chat", "chat")]).await;
    let secret = Manager::of(&server).await.new_key().await.one;
    (server, secret)
}

/// The body of a stream.
async fn stream(server: &Server, secret: &str, path: &str, model: &str) -> String {
    let body = json!({"model": model, "stream": true, "input": "x",
        "messages": [{"role": "user", "content": "x"}]});
    let request = call(server, secret, Method::POST, path).json(&body);
    let response = request.send().await.unwrap();
    assert_eq!(response.status(), 200);
    response.text().await.unwrap()
}

const CHUNK: &str = r#"{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"x"},"finish_reason":null}]}"#;
const CREATED: &str = r#"{"type":"response.created","sequence_number":0,"response":{"id":"r","object":"response","created_at":1,"model":"m","output":[],"parallel_tool_calls":true,"tool_choice":"auto","tools":[]}}"#;

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_without_its_end_mark_ends_with_an_error_however_it_was_closed() {
    for ending in ["close", "chunk", "cut", "reset"] {
        let fake = Fake::start(move |mut exchange: Exchange| async move {
            let event = match exchange.head.contains("/responses") {
                true => format!("event: response.created\ndata: {CREATED}\n\n"),
                false => format!("data: {CHUNK}\n\n"),
            };
            if ending == "close" {
                exchange.begin_unframed_stream().await;
                return exchange.send(event).await;
            }
            exchange.begin_stream().await;
            exchange.piece(&event).await;
            match ending {
                "chunk" => exchange.end_stream().await,
                "reset" => {
                    // What was sent before a reset may be lost with it.
                    tokio::time::sleep(std::time::Duration::from_secs(2)).await;
                    exchange.reset();
                }
                _ => {}
            }
        })
        .await;
        let (server, secret) = behind(&fake).await;
        let text = stream(&server, &secret, "/chat/completions", "acme.all").await;
        let (_, last) = events(&text).pop().unwrap();
        let error: Value = serde_json::from_str(&last).unwrap();
        assert_eq!(error["error"]["type"], "server_error", "{ending}: {text}");
        for (model, expected) in [("acme.all", "error"), ("acme.chat", "response.failed")] {
            let text = stream(&server, &secret, "/responses", model).await;
            let (name, data) = events(&text).pop().unwrap();
            assert_eq!(name.as_deref(), Some(expected), "{ending}: {text}");
            let data: Value = serde_json::from_str(&data).unwrap();
            assert!(
                data["sequence_number"].as_u64() > Some(0),
                "{ending}: {text}"
            );
        }
        assert_eq!(server.stop().await, Vec::<String>::new());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_is_labelled_json_and_is_none_is_a_502() {
    for body in ["<html>oops</html>", "", "{\"id\":\"c\"", "[1]", "{} {}"] {
        let fake = Fake::always("200 OK", body).await;
        let (server, secret) = behind(&fake).await;
        let reply = chat(&server, &secret, "acme.all").await;
        reply.is_inference(502, "server_error", "upstream_failed");
        for model in ["acme.all", "acme.chat"] {
            let request = call(&server, &secret, Method::POST, "/responses");
            let reply = Reply::of(request.json(&json!({"model": model, "input": "x"}))).await;
            reply.is_inference(502, "server_error", "upstream_failed");
        }
        assert_eq!(server.stop().await, Vec::<String>::new());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_is_compressed_unasked_is_a_502() {
    for media_type in ["application/json", "text/event-stream"] {
        let fake = Fake::start(move |mut exchange: Exchange| async move {
            let coding = "content-encoding: gzip\r\n";
            exchange.answer("200 OK", media_type, coding, "{}").await;
        })
        .await;
        let (server, secret) = behind(&fake).await;
        let reply = chat(&server, &secret, "acme.all").await;
        reply.is_inference(502, "server_error", "upstream_failed");
        let (head, _) = fake.seen().remove(0);
        assert!(head.contains("accept-encoding: identity\r\n"), "{head}");
        assert_eq!(server.stop().await, Vec::<String>::new());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_member_that_a_model_server_may_take_for_another_is_refused() {
    let fake = Fake::start(async |_: Exchange| {}).await;
    let (server, secret) = behind(&fake).await;
    for name in ["MODEL", "Stream", "\u{17f}tream"] {
        for path in ["/chat/completions", "/responses"] {
            let mut body = json!({"model": "acme.all", "input": "x",
                "messages": [{"role": "user", "content": "x"}]});
            body[name] = "acme.secret".into();
            let reply = Reply::of(call(&server, &secret, Method::POST, path).json(&body)).await;
            reply.is_inference(400, "invalid_request_error", "ambiguous_parameter");
            assert_eq!(reply.body["error"]["param"], name);
        }
    }
    assert_eq!(fake.seen().len(), 0);
    assert_eq!(server.stop().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_member_that_chooses_another_model_or_the_id_of_the_engine_is_refused() {
    let fake = Fake::start(async |_: Exchange| {}).await;
    let (server, secret) = behind(&fake).await;
    for name in [
        "models",
        "fallbacks",
        "lora",
        "lora_path",
        "request_id",
        "rid",
        "extra_body",
    ] {
        for (path, model) in [
            ("/chat/completions", "acme.all"),
            ("/responses", "acme.all"),
            ("/responses", "acme.chat"),
        ] {
            let mut body = json!({"model": model, "input": "x",
                "messages": [{"role": "user", "content": "x"}]});
            body[name] = json!(["acme.secret"]);
            let reply = Reply::of(call(&server, &secret, Method::POST, path).json(&body)).await;
            reply.is_inference(400, "invalid_request_error", "unsupported_parameter");
            assert_eq!(reply.body["error"]["param"], name);
        }
    }
    assert_eq!(fake.seen().len(), 0);
    assert_eq!(server.stop().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_item_that_cannot_be_found_is_named_with_the_way_out() {
    let fake = Fake::start(async |_: Exchange| {}).await;
    let (server, secret) = behind(&fake).await;
    let body = json!({"model": "acme.chat", "input": [
        {"type": "item_reference", "id": "item_UP1_0"},
        {"role": "user", "content": "x"},
    ]});
    let reply = Reply::of(call(&server, &secret, Method::POST, "/responses").json(&body)).await;
    reply.is_inference(400, "invalid_request_error", "unsupported_parameter");
    let message = reply.body["error"]["message"].as_str().unwrap();
    assert!(message.contains("item_UP1_0"), "{message}");
    assert!(message.contains("Send the whole item"), "{message}");
    assert_eq!(server.stop().await, Vec::<String>::new());
}

both_databases! {
    async fn absurd_token_counts_stop_neither_usage_nor_budgets(server: Server) {
        let manager = Manager::of(&server).await;
        let (one, two) = (manager.new_key().await, manager.new_key().await);
        let inference = &server.app().inference;
        for key in [&one, &two] {
            chat(&server, &key.one, "accord.echo").await.ok();
        }
        let day = server.app().clock.now().date_naive();
        let line = Line { key_id: one.id.clone(), model: "accord.echo".into(), day };
        let counts = Counts {
            requests: 1,
            tokens: Tokens { input: i64::MAX, output: i64::MAX },
            ..Counts::default()
        };
        for _ in 0..3 {
            inference.admission.ledger.add(&line, counts);
            inference.admission.ledger.add(&line, counts);
            inference.admission.write_usage(inference).await.unwrap();
        }
        let lines: Vec<(Line, Counts)> = server.read(move |tx| usage::read(tx, day)).await;
        let of = |key: &Key| lines.iter().find(|(line, _)| line.key_id == key.id).unwrap().1;
        assert_eq!((of(&one).requests, of(&one).tokens.input), (7, 1 << 48));
        assert_eq!((of(&two).requests, of(&two).tokens.input), (1, 2));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn counts_of_a_model_server_that_cannot_be_are_estimated() {
    let answer = format!(
        r#"{{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[],"usage":{{"prompt_tokens":{0},"completion_tokens":{0},"total_tokens":0}}}}"#,
        i64::MAX
    );
    let fake = Fake::always("200 OK", answer).await;
    let (server, secret) = behind(&fake).await;
    let inference = &server.app().inference;
    for _ in 0..2 {
        chat(&server, &secret, "acme.all").await.ok();
        inference.admission.write_usage(inference).await.unwrap();
    }
    let lines: Vec<(Line, Counts)> = server
        .read(|tx| usage::read(tx, chrono::NaiveDate::MIN))
        .await;
    // A token for every four bytes of the two requests and responses.
    assert!(
        (40..1_000).contains(&lines[0].1.tokens.total()),
        "{lines:?}"
    );
    assert_eq!(server.stop().await, Vec::<String>::new());
}

/// The service's check of its own responses finds nothing in them: `stop` returns its findings.
#[tokio::test(flavor = "multi_thread")]
async fn counts_that_a_model_server_leaves_null_are_passed_on() {
    let fake = Fake::start(async |mut exchange: Exchange| {
        let input = json!({"cached_tokens": null});
        let output = json!({"reasoning_tokens": null});
        let body = match exchange.head.contains("/responses") {
            true => json!({
                "id": "r", "object": "response", "created_at": 1, "model": "m", "output": [],
                "status": "completed", "parallel_tool_calls": true, "tool_choice": "auto",
                "tools": [],
                "usage": {"input_tokens": 3, "output_tokens": 4, "total_tokens": 7,
                    "input_tokens_details": input, "output_tokens_details": output},
            }),
            false => json!({
                "id": "c", "object": "chat.completion", "created": 1, "model": "m",
                "choices": [{"index": 0, "finish_reason": "stop",
                    "message": {"role": "assistant", "content": "x"}}],
                "usage": {"prompt_tokens": 3, "completion_tokens": 4, "total_tokens": 7,
                    "prompt_tokens_details": input, "completion_tokens_details": output},
            }),
        };
        let body = body.to_string();
        exchange
            .answer("200 OK", "application/json", "", &body)
            .await;
    })
    .await;
    let (server, secret) = behind(&fake).await;
    let usage = chat(&server, &secret, "acme.all").await.ok()["usage"].take();
    let null = json!(null);
    assert_eq!(usage["prompt_tokens_details"]["cached_tokens"], null);
    assert_eq!(usage["completion_tokens_details"]["reasoning_tokens"], null);
    for (model, expected) in [("acme.all", null), ("acme.chat", json!(0))] {
        let request = call(&server, &secret, Method::POST, "/responses");
        let reply = Reply::of(request.json(&json!({"model": model, "input": "x"}))).await;
        let usage = reply.ok()["usage"].take();
        assert_eq!(usage["input_tokens_details"]["cached_tokens"], expected);
        assert_eq!(usage["output_tokens_details"]["reasoning_tokens"], expected);
    }
    assert_eq!(server.stop().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_credential_that_a_model_server_quotes_does_not_reach_the_caller() {
    let message = "No model for upstream-key, nor for sk-upstream-SECRET.";
    let body = json!({"error": {"message": message}}).to_string();
    let fake = Fake::always("400 Bad Request", body).await;
    // With the key `upstream-key`.
    let server = fake.behind().await;
    let secret = Manager::of(&server).await.new_key().await.one;
    let reply = chat(&server, &secret, "acme.chat").await;
    reply.is_inference(400, "invalid_request_error", "upstream_rejected");
    let message = "No model for …, nor for sk-….";
    assert_eq!(reply.body["error"]["message"], message);
    assert_eq!(server.stop().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_error_with_the_status_200_is_an_error() {
    let message = "No model for sk-upstream-SECRET.";
    let fake = Fake::always("200 OK", json!({"error": {"message": message}}).to_string()).await;
    let (server, secret) = behind(&fake).await;
    let failed = |reply: Reply| {
        reply.is_inference(502, "server_error", "upstream_failed");
        assert_eq!(reply.body["error"]["message"], "No model for sk-….");
    };
    failed(chat(&server, &secret, "acme.all").await);
    for model in ["acme.all", "acme.chat"] {
        let request = call(&server, &secret, Method::POST, "/responses");
        failed(Reply::of(request.json(&json!({"model": model, "input": "x"}))).await);
    }
    assert_eq!(server.stop().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_credential_that_a_stream_quotes_does_not_reach_the_caller() {
    let fake = Fake::start(async |mut exchange: Exchange| {
        let message = "No model for upstream-key, nor for sk-upstream-SECRET.";
        let events = match exchange.head.contains("/responses") {
            true => {
                let error = json!({"type": "error", "message": message});
                format!(
                    "event: response.created\ndata: {CREATED}\n\nevent: error\ndata: {error}\n\n"
                )
            }
            false => {
                let error = json!({"error": {"message": message}});
                format!("data: {CHUNK}\n\ndata: {error}\n\n")
            }
        };
        exchange
            .answer("200 OK", "text/event-stream", "", &events)
            .await;
    })
    .await;
    // With the key `upstream-key`.
    let server = fake.behind().await;
    let secret = Manager::of(&server).await.new_key().await.one;
    for path in ["/chat/completions", "/responses"] {
        let text = stream(&server, &secret, path, "acme.chat").await;
        let (_, last) = events(&text).pop().unwrap();
        assert!(last.contains("No model for …, nor for sk-…."), "{text}");
    }
    assert_eq!(server.stop().await, Vec::<String>::new());
}
