//! The built-in models that are slow or fail, as a client meets them.

use std::time::{Duration, Instant};

use futures::StreamExt;
use reqwest::{Method, Response};
use serde_json::{Value, json};

use super::client::{Manager, Reply, call, chat};
use crate::harness::{Database, Server};

async fn start() -> (Server, String) {
    let server = Server::start(Database::Sqlite).await;
    let secret = Manager::of(&server).await.new_key().await.one;
    (server, secret)
}

fn body(model: &str, text: &str, stream: bool) -> Value {
    json!({
        "model": model,
        "stream": stream,
        "messages": [{"role": "user", "content": text}],
        "input": text,
    })
}

async fn ask(server: &Server, secret: &str, model: &str, text: &str) -> Reply {
    let request = call(server, secret, Method::POST, "/chat/completions");
    Reply::of(request.json(&body(model, text, false))).await
}

async fn stream(server: &Server, secret: &str, path: &str, model: &str, text: &str) -> Response {
    let request = call(server, secret, Method::POST, path);
    let request = request.json(&body(model, text, true));
    let response = request.send().await.unwrap();
    assert_eq!(response.status(), 200);
    response
}

#[tokio::test(flavor = "multi_thread")]
async fn the_slow_model_takes_its_time_for_each_piece() {
    let (server, secret) = start().await;
    let begun = Instant::now();
    let answer = ask(
        &server,
        &secret,
        "builtin/slow",
        "pace:20 one two three four",
    )
    .await;
    assert!(begun.elapsed() >= Duration::from_millis(80));
    let message = &answer.ok()["choices"][0]["message"]["content"];
    assert_eq!(message, "one two three four");

    let begun = Instant::now();
    let text = "pace:30 one two";
    let response = stream(&server, &secret, "/chat/completions", "builtin/slow", text).await;
    let mut pieces = response.bytes_stream();
    let first = pieces.next().await.unwrap().unwrap();
    assert!(!first.is_empty());
    let mut rest = String::new();
    while let Some(piece) = pieces.next().await {
        rest.push_str(&String::from_utf8_lossy(&piece.unwrap()));
    }
    // The role, two words, the end, and [DONE].
    assert!(begun.elapsed() >= Duration::from_millis(150));
    assert!(rest.ends_with("data: [DONE]\n\n"), "{rest}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_slow_model_does_not_answer_faster_than_it_is_configured() {
    let server = Server::start_with(Database::Sqlite, |layer| {
        layer.inference.builtin_pace_milliseconds = Some(60);
    })
    .await;
    let secret = Manager::of(&server).await.new_key().await.one;
    let begun = Instant::now();
    ask(&server, &secret, "builtin/slow", "one two").await.ok();
    assert!(begun.elapsed() >= Duration::from_millis(120));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_broken_model_fails_with_the_status_that_it_is_told() {
    let (server, secret) = start().await;
    let failed = async |text: &str| ask(&server, &secret, "builtin/broken", text).await;
    let invalid = "invalid_request_error";
    for (status, kind, code) in [
        (400, invalid, "invalid_value"),
        (403, invalid, "insufficient_permissions"),
        (404, invalid, "model_not_found"),
        (429, "rate_limit_error", "rate_limit_exceeded"),
        (500, "server_error", "server_error"),
        (502, "server_error", "upstream_failed"),
        (503, "server_error", "upstream_overloaded"),
    ] {
        let reply = failed(&format!("status:{status} Hello")).await;
        reply.is_inference(status, kind, code);
        let waits = reply.header("retry-after").is_some();
        assert_eq!(waits, matches!(status, 429 | 503), "{status}");
    }
    let reply = failed("Hello").await;
    reply.is_inference(400, "invalid_request_error", "unsupported_value");
    let help = reply.body["error"]["message"].as_str().unwrap();
    assert!(help.contains("malformed:EVENTS"), "{help}");
    for text in ["die:1 Hello", "end:1 Hello", "half:1 Hello"] {
        failed(text)
            .await
            .is_inference(502, "server_error", "upstream_failed");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_broken_model_breaks_streams_as_it_is_told() {
    let (server, secret) = start().await;
    let said = async |path: &str, text: &str| {
        let response = stream(&server, &secret, path, "builtin/broken", text).await;
        response.text().await.unwrap()
    };
    let chat = async |text: &str| said("/chat/completions", text).await;

    let died = chat("die:2 one two three").await;
    let events: Vec<_> = died.split_terminator("\n\n").collect();
    assert_eq!(events.len(), 3, "{died}");
    assert!(events[1].contains("one"), "{died}");
    let error: Value = serde_json::from_str(&events[2]["data: ".len()..]).unwrap();
    assert_eq!(error["error"]["type"], "server_error");

    let died = said("/responses", "die:3 one two three").await;
    let last = died.split_terminator("\n\n").last().unwrap();
    assert!(last.starts_with("event: error\ndata: {"), "{died}");
    assert!(last.contains("\"sequence_number\":3"), "{died}");

    let ended = chat("end:2 one two three").await;
    assert_eq!(ended.matches("\n\n").count(), 2, "{ended}");
    let half = chat("half:2 one two three").await;
    assert!(
        half.starts_with(&ended[..12]) && !half.ends_with("\n\n"),
        "{half}"
    );

    let malformed = chat("malformed:1 one").await;
    let events: Vec<_> = malformed.split_terminator("\n\n").collect();
    let bad = events[1].strip_prefix("data: ").unwrap();
    assert!(serde_json::from_str::<Value>(bad).is_err(), "{malformed}");
    assert_eq!(events.last(), Some(&"data: [DONE]"));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_is_no_json_is_what_the_caller_gets_who_asks_for_it() {
    let (server, secret) = start().await;
    let request = call(&server, &secret, Method::POST, "/chat/completions");
    let request = request.json(&body("builtin/broken", "malformed:0 one", false));
    let response = request.send().await.unwrap();
    assert_eq!(response.status(), 200);
    let text = response.text().await.unwrap();
    assert!(serde_json::from_str::<Value>(&text).is_err(), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_that_hangs_is_there_until_the_caller_leaves() {
    let (server, secret) = start().await;
    let text = "hang:1 one";
    let response = stream(
        &server,
        &secret,
        "/chat/completions",
        "builtin/broken",
        text,
    )
    .await;
    let mut pieces = response.bytes_stream();
    assert!(pieces.next().await.unwrap().is_ok());
    let silence = tokio::time::timeout(Duration::from_millis(200), pieces.next()).await;
    assert!(silence.is_err());
    drop(pieces);
    chat(&server, &secret, "builtin/echo").await.ok();
}
