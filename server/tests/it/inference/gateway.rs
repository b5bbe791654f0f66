//! Model calls that a model server answers.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::StreamExt;
use reqwest::Method;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::{Notify, mpsc};
use url::Url;

use accord_server::area::Area;

use super::client::{Manager, Reply, call, chat};
use super::fake::Fake;
use crate::harness::{Server, http};

/// Odd, but JSON: order, spelling of numbers and unknown members must survive.
const ODD_REQUEST: &str = r#"{ "messages":[{"content":"hi","role":"user","x_new":[1e2]}],
  "temperature":1.50, "model":"acme.chat" ,"unknown":{"b":1,"a":2}, "seed":1234567890123456789 }"#;
const ODD_ANSWER: &str = r#"{"id":"c","object":"chat.completion","created":1,"model":"other",
 "choices":[{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[]},"finish_reason":"tool_calls"}],
 "usage":null, "x":1.10 }"#;

async fn secret(server: &Server) -> String {
    Manager::of(server).await.new_key().await.one
}

async fn stop(server: Server) {
    assert_eq!(server.stop().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn bytes_pass_both_ways_as_they_are() {
    let fake = Fake::start(async |mut exchange| {
        exchange
            .answer(
                "200 OK",
                "application/json; charset=utf-8",
                "x-internal: 1\r\n",
                ODD_ANSWER,
            )
            .await;
    })
    .await;
    let server = fake.behind().await;
    let secret = secret(&server).await;
    let request = call(&server, &secret, Method::POST, "/chat/completions")
        .header("content-type", "application/json")
        .header("accord-request-id", "the-id")
        .header(
            "traceparent",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        )
        .header("cookie", "a=b")
        .body(ODD_REQUEST);
    let response = request.send().await.unwrap();
    assert_eq!(response.status(), 200);
    assert_eq!(response.headers()["content-type"], "application/json");
    assert_eq!(response.headers()["accord-request-id"], "the-id");
    assert!(!response.headers().contains_key("x-internal"));
    assert_eq!(response.text().await.unwrap(), ODD_ANSWER);

    let seen = fake.seen();
    let (head, body) = &seen[0];
    assert_eq!(body, ODD_REQUEST.as_bytes());
    assert!(
        head.starts_with("post /v1/chat/completions http/1.1\r\n"),
        "{head}"
    );
    assert!(
        head.contains("authorization: bearer upstream-key\r\n"),
        "{head}"
    );
    let sent = head
        .lines()
        .find_map(|line| line.strip_prefix("x-request-id: "));
    assert!(uuid::Uuid::parse_str(sent.unwrap()).is_ok(), "{head}");
    assert!(!head.contains("the-id"), "{head}");
    assert!(
        head.contains("traceparent: 00-0af7651916cd43dd8448eb211c80319c-"),
        "{head}"
    );
    assert!(!head.contains("cookie") && !head.contains("sk-"), "{head}");
    stop(server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn tool_calls_of_other_types_pass_both_ways_with_their_members() {
    let call_of_model = json!({
        "id": "call_1", "type": "custom", "custom": {"name": "sql", "input": "SELECT 1"},
    });
    let answer = json!({
        "id": "c", "object": "chat.completion", "created": 1, "model": "acme.chat",
        "choices": [{
            "index": 0,
            "message": {"role": "assistant", "content": null, "tool_calls": [&call_of_model]},
            "finish_reason": "tool_calls",
        }],
    })
    .to_string();
    let fake = Fake::always("200 OK", answer.as_str()).await;
    let server = fake.behind().await;
    let secret = secret(&server).await;
    let request = json!({
        "model": "acme.chat",
        "tools": [{"type": "custom", "custom": {"name": "sql"}}],
        "messages": [
            {"role": "user", "content": "one"},
            {"role": "assistant", "content": null, "tool_calls": [&call_of_model]},
            {"role": "tool", "tool_call_id": "call_1", "content": "1"},
        ],
    });
    let response = call(&server, &secret, Method::POST, "/chat/completions")
        .json(&request)
        .send()
        .await
        .unwrap();
    assert_eq!(response.status(), 200);
    assert_eq!(response.text().await.unwrap(), answer);
    assert_eq!(fake.seen()[0].1, request.to_string().as_bytes());
    stop(server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn responses_go_to_their_own_path_and_not_for_the_meta_family() {
    let answer = json!({
        "id": "r", "object": "response", "created_at": 1, "model": "m", "output": [],
        "parallel_tool_calls": true, "tool_choice": "auto", "tools": [],
    })
    .to_string();
    let fake = Fake::always("200 OK", answer).await;
    let server = fake.behind().await;
    let secret = secret(&server).await;
    let post = |model: &str| {
        let body = json!({"model": model, "input": "x"});
        Reply::of(call(&server, &secret, Method::POST, "/responses").json(&body))
    };
    assert_eq!(post("acme.chat").await.ok()["id"], "r");
    post("acme.meta")
        .await
        .is_inference(400, "invalid_request_error", "unsupported_model");
    post("acme.elsewhere")
        .await
        .is_inference(404, "invalid_request_error", "model_not_found");
    // The service could not count its tokens.
    let body = json!({"model": "acme.chat", "input": "x", "background": true});
    let reply = Reply::of(call(&server, &secret, Method::POST, "/responses").json(&body)).await;
    reply.is_inference(400, "invalid_request_error", "unsupported_parameter");
    assert_eq!(reply.body["error"]["param"], "background");
    let seen = fake.seen();
    assert_eq!(seen.len(), 1);
    assert!(seen[0].0.starts_with("post /v1/responses http/1.1\r\n"));
    let models = Reply::of(call(&server, &secret, Method::GET, "/models"))
        .await
        .ok();
    assert_eq!(models["data"][4]["id"], "acme.chat");
    assert_eq!(models["data"][4]["owned_by"], "acme inc");
    stop(server).await;
}

const CHUNK: &str = r#"{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"x"}}]}"#;

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_passes_byte_for_byte_and_without_waiting() {
    let pieces: Vec<String> = [
        format!("data: {CHUNK}\n\n"),
        ": heartbeat\n\n".into(),
        format!("data:{CHUNK}\r\n\r\n"),
        format!("id: 7\nevent: odd\ndata: {CHUNK}\n\ndata: {CHUNK}\n\n"),
        "data: [DONE]\n\n".into(),
    ]
    .into();
    let (next, turns) = mpsc::unbounded_channel::<()>();
    let turns = Arc::new(tokio::sync::Mutex::new(turns));
    let sent = pieces.clone();
    let fake = Fake::start(move |mut exchange| {
        let (pieces, turns) = (sent.clone(), turns.clone());
        async move {
            exchange.begin_stream().await;
            for piece in pieces {
                turns.lock().await.recv().await.unwrap();
                exchange.piece(&piece).await;
            }
            exchange.end_stream().await;
        }
    })
    .await;
    let server = fake.behind().await;
    let secret = secret(&server).await;
    let body = json!({"model": "acme.chat", "stream": true, "messages": [{"role": "user", "content": "x"}]});
    let request = call(&server, &secret, Method::POST, "/chat/completions").json(&body);
    let response = request.send().await.unwrap();
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let mut stream = response.bytes_stream();
    for piece in &pieces {
        // The model server says the next thing only when the last one is here.
        next.send(()).unwrap();
        let mut arrived = Vec::new();
        while arrived.len() < piece.len() {
            let bytes = tokio::time::timeout(Duration::from_secs(60), stream.next()).await;
            arrived.extend(bytes.expect("nothing is held back").unwrap().unwrap());
        }
        assert_eq!(String::from_utf8_lossy(&arrived), *piece);
    }
    assert!(stream.next().await.is_none());
    stop(server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn events_that_follow_closely_are_not_held_for_an_acknowledgement() {
    const EVENTS: usize = 21;
    let fake = Fake::start(async |mut exchange| {
        exchange.begin_stream().await;
        for _ in 0..EVENTS {
            exchange.piece(&format!("data: {CHUNK}\n\n")).await;
            tokio::task::yield_now().await;
        }
        exchange.piece("data: [DONE]\n\n").await;
        exchange.end_stream().await;
    })
    .await;
    let server = fake.behind().await;
    let secret = secret(&server).await;
    let body = json!({"model": "acme.chat", "stream": true, "messages": [{"role": "user", "content": "x"}]});
    let (mut elapsed, mut fast) = (Vec::new(), 0);
    while fast < 6 {
        assert!(elapsed.len() < 200, "{elapsed:?}");
        let request = call(&server, &secret, Method::POST, "/chat/completions").json(&body);
        let response = request.send().await.unwrap();
        let begun = Instant::now();
        let text = response.text().await.unwrap();
        assert_eq!(text.matches("data: ").count(), EVENTS + 1);
        elapsed.push(begun.elapsed());
        // With Nagle's algorithm on, every stream stalls for 40 ms and more, unless its
        // connection is new. On a busy machine, many streams take as long without it.
        fast += usize::from(begun.elapsed() < Duration::from_millis(40));
    }
    stop(server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_server_that_dies_within_a_stream_leaves_an_error_event() {
    let fake = Fake::start(async |mut exchange| {
        exchange.begin_stream().await;
        let piece = match exchange.head.contains("/responses") {
            true => "event: response.x\ndata: {\"type\":\"response.x\",\"sequence_number\":4}\n\nevent: resp",
            false => "data: {\"a\":1}\n\ndata: {\"cho",
        };
        exchange.piece(piece).await;
    })
    .await;
    let server = fake.behind().await;
    let secret = secret(&server).await;
    let text = async |path: &str, body: &serde_json::Value| {
        let request = call(&server, &secret, Method::POST, path).json(body);
        request.send().await.unwrap().text().await.unwrap()
    };
    let message = "The upstream closed the stream before its end.";
    let body = json!({"model": "acme.chat", "stream": true, "messages": [{"role": "user", "content": "x"}]});
    let error = json!({"error": {"message": message, "type": "server_error", "param": null, "code": "upstream_failed"}});
    let expected = format!("data: {{\"a\":1}}\n\ndata: {error}\n\n");
    assert_eq!(text("/chat/completions", &body).await, expected);
    let body = json!({"model": "acme.chat", "stream": true, "input": "x"});
    let error = json!({"type": "error", "sequence_number": 5, "code": "upstream_failed", "message": message, "param": null});
    let whole = "event: response.x\ndata: {\"type\":\"response.x\",\"sequence_number\":4}\n\n";
    let expected = format!("{whole}event: error\ndata: {error}\n\n");
    assert_eq!(text("/responses", &body).await, expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_caller_who_leaves_stops_the_model_server() {
    for streams in [true, false] {
        let gone = Arc::new(Notify::new());
        let tell = gone.clone();
        let begun = Arc::new(Notify::new());
        let tell_begun = begun.clone();
        let fake = Fake::start(move |mut exchange| {
            let (tell, tell_begun) = (tell.clone(), tell_begun.clone());
            async move {
                if streams {
                    exchange.begin_stream().await;
                    exchange.piece(&format!("data: {CHUNK}\n\n")).await;
                }
                tell_begun.notify_one();
                exchange.gone().await;
                tell.notify_one();
            }
        })
        .await;
        let server = fake.behind().await;
        let secret = secret(&server).await;
        let body = json!({"model": "acme.chat", "stream": streams, "messages": [{"role": "user", "content": "x"}]});
        // A client of its own, whose connection goes with it.
        let client = http().build().unwrap();
        let request = call(&server, &secret, Method::POST, "/chat/completions").json(&body);
        let request = request.build().unwrap();
        let caller = tokio::spawn(async move {
            let response = client.execute(request).await.unwrap();
            let mut stream = response.bytes_stream();
            while stream.next().await.is_some() {}
        });
        begun.notified().await;
        tokio::time::sleep(Duration::from_millis(50)).await;
        caller.abort();
        let stopped = tokio::time::timeout(Duration::from_secs(60), gone.notified()).await;
        assert!(stopped.is_ok(), "stream: {streams}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_model_server_refuses_becomes_the_documents_error() {
    let invalid = "invalid_request_error";
    let server_error = "server_error";
    let own_words = r#"{"error":{"message":"too long","type":"t","param":"messages","code":"context_length_exceeded"}}"#;
    type Case = ([&'static str; 3], (u16, &'static str, &'static str));
    let unknown = r#"{"error":{"message":"too long","param":"messages","code":"E_TOO_LONG"}}"#;
    let cases: [Case; 11] = [
        (
            ["400 Bad Request", "", unknown],
            (400, invalid, "upstream_rejected"),
        ),
        (
            ["400 Bad Request", "", own_words],
            (400, invalid, "context_length_exceeded"),
        ),
        (
            ["409 Conflict", "", own_words],
            (400, invalid, "context_length_exceeded"),
        ),
        (
            ["422 Unprocessable Content", "", own_words],
            (400, invalid, "context_length_exceeded"),
        ),
        (
            ["401 Unauthorized", "", own_words],
            (502, server_error, "upstream_failed"),
        ),
        (
            ["403 Forbidden", "", own_words],
            (502, server_error, "upstream_failed"),
        ),
        (
            ["404 Not Found", "", "<html>"],
            (404, invalid, "model_not_found"),
        ),
        (
            ["429 Too Many Requests", "retry-after: 7\r\n", ""],
            (429, "rate_limit_error", "upstream_rate_limit_exceeded"),
        ),
        (
            ["500 Internal Server Error", "", own_words],
            (502, server_error, "upstream_failed"),
        ),
        (
            ["503 Service Unavailable", "retry-after: 7\r\n", ""],
            (503, server_error, "upstream_overloaded"),
        ),
        (
            ["302 Found", "location: http://127.0.0.1:1/\r\n", ""],
            (502, server_error, "upstream_failed"),
        ),
    ];
    let turn = Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let next = turn.clone();
    let fake = Fake::start(move |mut exchange| {
        let case = cases[next.fetch_add(1, std::sync::atomic::Ordering::SeqCst)];
        async move {
            let [said, more, body] = case.0;
            exchange.answer(said, "application/json", more, body).await
        }
    })
    .await;
    let server = fake.behind().await;
    let secret = secret(&server).await;
    for ([said, more, _], (status, kind, code)) in cases {
        let reply = chat(&server, &secret, "acme.chat").await;
        assert_eq!(reply.status, status, "{said}: {reply:?}");
        reply.is_inference(status, kind, code);
        if status == 400 {
            assert_eq!(reply.body["error"]["message"], "too long");
            assert_eq!(reply.body["error"]["param"], "messages");
        }
        if !more.is_empty() && status != 502 {
            assert_eq!(reply.header("retry-after"), Some("7"));
        }
    }
    stop(server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_server_that_gives_no_answer_is_a_502() {
    let turn = Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let fake = Fake::start(move |mut exchange| {
        let turn = turn.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        async move {
            match turn {
                0 => exchange.answer("200 OK", "text/html", "", "<html>").await,
                1 => exchange.send("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{").await,
                2 => exchange.gone().await,
                // Nothing comes, so it is tried again.
                _ => {}
            }
        }
    })
    .await;
    let server = fake.behind_with(Duration::from_secs(10)).await;
    let secret = secret(&server).await;
    for code in [
        "upstream_failed",
        "upstream_failed",
        "upstream_timeout",
        "upstream_unreachable",
    ] {
        let reply = chat(&server, &secret, "acme.chat").await;
        reply.is_inference(502, "server_error", code);
    }
    stop(server).await;
}

/// Each write to a caller is a system call, and a wakeup of the caller. With one worker, nothing else runs between them.
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn events_that_arrive_together_leave_together() {
    const EVENTS: usize = 20;
    let fake = Fake::start(async |mut exchange| {
        exchange.begin_stream().await;
        let event =
            r#"{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[]}"#;
        let mut events = vec![format!("data: {event}\n\n"); EVENTS];
        events.push("data: [DONE]\n\n".to_owned());
        let chunks = events
            .iter()
            .map(|event| format!("{:x}\r\n{event}\r\n", event.len()));
        exchange
            .send(chunks.collect::<String>() + "0\r\n\r\n")
            .await;
    })
    .await;
    let server = fake.behind().await;
    let secret = secret(&server).await;
    let mut connection = TcpStream::connect(server.address()).await.unwrap();
    let body = json!({"model": "acme.chat", "stream": true, "messages": [{"role": "user", "content": "hi"}]});
    let path = Url::parse(server.area(Area::Inference))
        .unwrap()
        .path()
        .to_owned();
    let request = format!(
        "POST {path}/20231130/actions/v1/chat/completions HTTP/1.1\r\nhost: accord\r\nconnection: close\r\n\
         authorization: Bearer {secret}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.to_string().len()
    );
    connection.write_all(request.as_bytes()).await.unwrap();
    let mut response = String::new();
    connection.read_to_string(&mut response).await.unwrap();
    assert_eq!(response.matches("data: ").count(), EVENTS + 1, "{response}");
    // A chunk begins with its size on a line.
    let chunks = response
        .lines()
        .filter(|line| u32::from_str_radix(line, 16).is_ok())
        .count()
        - 1;
    assert!(chunks <= 3, "{chunks} chunks: {response}");
    stop(server).await;
}
