//! Model servers that fail, are slow or have too much to do.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use futures::StreamExt;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::Notify;

use super::client::{Manager, Reply, call, chat};
use super::fake::{Exchange, Fake, model, serving};
use crate::harness::Server;

async fn secret(server: &Server) -> String {
    Manager::of(server).await.new_key().await.one
}

/// An answer that says who gave it.
fn signed(name: &str) -> String {
    json!({"id": "c", "object": "chat.completion", "created": 1, "model": name, "choices": []})
        .to_string()
}

/// A model server that always gives this answer.
async fn always(status: &'static str, more: &'static str, name: &'static str) -> Fake {
    Fake::start(move |mut exchange: Exchange| async move {
        let body = signed(name);
        exchange
            .answer(status, "application/json", more, &body)
            .await
    })
    .await
}

/// A model server that gives this status to requests with this content only.
async fn picky(content: &'static str, status: &'static str) -> Fake {
    Fake::start(move |mut exchange: Exchange| async move {
        let status = match exchange.json()["messages"][0]["content"] == content {
            true => status,
            false => "200 OK",
        };
        let body = signed("picky");
        exchange.answer(status, "application/json", "", &body).await;
    })
    .await
}

fn upstream(fake: &Fake) -> Value {
    json!({"url": format!("http://{}/v1", fake.address)})
}

/// A service whose model `acme.chat` has these upstreams.
async fn behind(upstreams: Vec<Value>, more: Value) -> Server {
    let mut members = json!({"name": "acme.chat", "family": "acme", "upstreams": upstreams});
    if let (Some(members), Value::Object(more)) = (members.as_object_mut(), more) {
        members.extend(more);
    }
    serving(vec![model(members)]).await
}

#[tokio::test(flavor = "multi_thread")]
async fn another_model_server_answers_for_one_that_fails() {
    let good = always("200 OK", "", "good").await;
    for status in [
        "500 Internal Server Error",
        "502 Bad Gateway",
        "503 Service Unavailable",
        "429 Too Many Requests",
        "401 Unauthorized",
    ] {
        let bad = always(status, "", "bad").await;
        let server = behind(vec![upstream(&bad), upstream(&good)], json!({})).await;
        let secret = secret(&server).await;
        for _ in 0..4 {
            let answer = chat(&server, &secret, "acme.chat").await.ok();
            assert_eq!(answer["model"], "good", "{status}");
        }
        assert_eq!(bad.seen().len(), 2, "{status}: each has its share");
    }
    // What is said against the request is the same everywhere.
    let bad = always("400 Bad Request", "", "bad").await;
    let server = behind(vec![upstream(&bad), upstream(&good)], json!({})).await;
    let secret = secret(&server).await;
    let replies = [
        chat(&server, &secret, "acme.chat").await,
        chat(&server, &secret, "acme.chat").await,
    ];
    assert!(replies.iter().any(|reply| reply.status == 400));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_error_without_an_end_does_not_hold_the_call_up() {
    let bad = Fake::start(async |mut exchange: Exchange| {
        let head = "HTTP/1.1 503 Busy\r\ncontent-type: application/json";
        let part = format!("{head}\r\ncontent-length: 90\r\n\r\n{{\"error\"");
        exchange.send(part).await;
        exchange.gone().await;
    })
    .await;
    let good = always("200 OK", "", "good").await;
    let server = behind(vec![upstream(&bad), upstream(&good)], json!({})).await;
    let secret = secret(&server).await;
    let begun = Instant::now();
    for _ in 0..2 {
        let answer = chat(&server, &secret, "acme.chat").await.ok();
        assert_eq!(answer["model"], "good");
    }
    assert_eq!(bad.seen().len(), 1);
    assert!(begun.elapsed() < Duration::from_secs(60));
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_are_shared_out_by_weight() {
    let one = always("200 OK", "", "one").await;
    let two = always("200 OK", "", "two").await;
    let mut heavy = upstream(&one);
    heavy["weight"] = 3.into();
    let server = behind(vec![heavy, upstream(&two)], json!({})).await;
    let secret = secret(&server).await;
    for _ in 0..8 {
        chat(&server, &secret, "acme.chat").await.ok();
    }
    assert_eq!((one.seen().len(), two.seen().len()), (6, 2));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_server_that_keeps_failing_is_left_alone() {
    let bad = always("502 Bad Gateway", "", "bad").await;
    let server = behind(vec![upstream(&bad)], json!({"retries": 0})).await;
    let secret = secret(&server).await;
    for _ in 0..5 {
        let reply = chat(&server, &secret, "acme.chat").await;
        reply.is_inference(502, "server_error", "upstream_failed");
    }
    let reply = chat(&server, &secret, "acme.chat").await;
    reply.is_inference(503, "server_error", "upstream_overloaded");
    assert!(reply.header("retry-after").is_some());
    assert_eq!(bad.seen().len(), 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_server_whose_streams_keep_breaking_is_left_alone() {
    let bad = Fake::start(async |mut exchange: Exchange| {
        exchange.begin_stream().await;
        exchange.piece("data: {\"choices\":[]}\n\n").await;
    })
    .await;
    let server = behind(vec![upstream(&bad)], json!({"retries": 0})).await;
    let secret = secret(&server).await;
    let body = json!({"model": "acme.chat", "stream": true,
        "messages": [{"role": "user", "content": "x"}]});
    let stream = || call(&server, &secret, Method::POST, "/chat/completions").json(&body);
    for _ in 0..5 {
        let response = stream().send().await.unwrap();
        assert_eq!(response.status(), 200);
        assert!(response.text().await.unwrap().contains("upstream_failed"));
    }
    let reply = Reply::of(stream()).await;
    reply.is_inference(503, "server_error", "upstream_overloaded");
    assert_eq!(bad.seen().len(), 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_server_whose_whole_answers_keep_breaking_is_left_alone() {
    let bad = Fake::start(async |mut exchange: Exchange| {
        let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json";
        let part = format!("{head}\r\ncontent-length: 90\r\n\r\n{{\"id\"");
        exchange.send(part).await;
    })
    .await;
    let server = behind(vec![upstream(&bad)], json!({"retries": 0})).await;
    let secret = secret(&server).await;
    for _ in 0..5 {
        let reply = chat(&server, &secret, "acme.chat").await;
        reply.is_inference(502, "server_error", "upstream_failed");
    }
    let reply = chat(&server, &secret, "acme.chat").await;
    reply.is_inference(503, "server_error", "upstream_overloaded");
    assert_eq!(bad.seen().len(), 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_timeouts_of_one_key_shut_the_model_for_nobody_else() {
    let fake = picky("slow", "504 Gateway Timeout").await;
    let server = behind(vec![upstream(&fake)], json!({"retries": 0})).await;
    let (slow, other) = (secret(&server).await, secret(&server).await);
    let messages = json!([{"role": "user", "content": "slow"}]);
    let body = json!({"model": "acme.chat", "messages": messages});
    let slow = || call(&server, &slow, Method::POST, "/chat/completions").json(&body);
    for _ in 0..5 {
        let reply = Reply::of(slow()).await;
        reply.is_inference(502, "server_error", "upstream_failed");
    }
    let reply = Reply::of(slow()).await;
    reply.is_inference(503, "server_error", "upstream_overloaded");
    // Nobody else has called so far.
    chat(&server, &other, "acme.chat").await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_makes_a_model_server_fail_shuts_the_model_for_nobody() {
    let fake = picky("poison", "500 Internal Server Error").await;
    let server = behind(vec![upstream(&fake)], json!({})).await;
    let (poisoner, other) = (secret(&server).await, secret(&server).await);
    let messages = json!([{"role": "user", "content": "poison"}]);
    let body = json!({"model": "acme.chat", "messages": messages});
    for _ in 0..12 {
        let request = call(&server, &poisoner, Method::POST, "/chat/completions").json(&body);
        let reply = Reply::of(request).await;
        reply.is_inference(502, "server_error", "upstream_failed");
        chat(&server, &other, "acme.chat").await.ok();
        chat(&server, &poisoner, "acme.chat").await.ok();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_error_of_the_request_is_tried_on_one_other_model_server_only() {
    let bad = always("500 Internal Server Error", "", "bad").await;
    let upstreams = (0..4).map(|_| upstream(&bad)).collect();
    let server = behind(upstreams, json!({"retries": 9})).await;
    let reply = chat(&server, &secret(&server).await, "acme.chat").await;
    reply.is_inference(502, "server_error", "upstream_failed");
    assert_eq!(bad.seen().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_limit_of_the_model_server_is_told_apart_from_the_keys_own() {
    let busy = always("429 Too Many Requests", "retry-after: 17\r\n", "busy").await;
    let server = behind(vec![upstream(&busy)], json!({})).await;
    let reply = chat(&server, &secret(&server).await, "acme.chat").await;
    assert_eq!(reply.header("retry-after"), Some("17"));
    assert_eq!(reply.header("x-ratelimit-limit-requests"), None);
    reply.is_inference(429, "rate_limit_error", "upstream_rate_limit_exceeded");
    let times =
        "date: Wed, 21 Oct 2026 07:28:00 GMT\r\nretry-after: Wed, 21 Oct 2026 07:28:17 GMT\r\n";
    let busy = always("503 Service Unavailable", times, "busy").await;
    let server = behind(vec![upstream(&busy)], json!({})).await;
    let reply = chat(&server, &secret(&server).await, "acme.chat").await;
    assert_eq!(reply.header("retry-after"), Some("17"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_server_that_falls_silent_ends_the_call_and_frees_its_slot() {
    let fake = Fake::start(async |mut exchange: Exchange| {
        if exchange.json()["stream"] == true {
            exchange.begin_stream().await;
            exchange.piece("data: {\"a\":1}\n\n").await;
        } else {
            let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json";
            let part = format!("{head}\r\ncontent-length: 90\r\n\r\n{{\"id\"");
            exchange.send(part).await;
        }
        exchange.gone().await;
    })
    .await;
    let mut narrow = upstream(&fake);
    narrow["max_concurrent"] = 1.into();
    narrow["idle_timeout_seconds"] = 1.into();
    let server = behind(vec![narrow], json!({"queue": 0, "retries": 0})).await;
    let secret = secret(&server).await;
    let body = json!({"model": "acme.chat", "stream": true, "messages": [{"role": "user", "content": "x"}]});
    for _ in 0..2 {
        let request = call(&server, &secret, Method::POST, "/chat/completions").json(&body);
        let text = request.send().await.unwrap().text().await.unwrap();
        assert!(
            text.starts_with("data: {\"a\":1}\n\ndata: {\"error\"")
                && text.contains("\"code\":\"upstream_timeout\""),
            "{text}"
        );
        let reply = chat(&server, &secret, "acme.chat").await;
        reply.is_inference(502, "server_error", "upstream_timeout");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_has_begun_is_not_begun_again() {
    let fake = Fake::start(async |mut exchange: Exchange| {
        exchange.begin_stream().await;
        exchange.piece("data: {\"a\":1}\n\n").await;
    })
    .await;
    let server = behind(vec![upstream(&fake), upstream(&fake)], json!({})).await;
    let secret = secret(&server).await;
    let body = json!({"model": "acme.chat", "stream": true, "messages": [{"role": "user", "content": "x"}]});
    let request = call(&server, &secret, Method::POST, "/chat/completions").json(&body);
    let text = request.send().await.unwrap().text().await.unwrap();
    assert!(text.starts_with("data: {\"a\":1}\n\ndata: {\"error\""));
    assert_eq!(fake.seen().len(), 1);
}

/// Answers two requests on each connection, and closes it as the second comes
/// in: what a client meets whose connection was kept too long.
#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_was_kept_too_long_is_not_the_callers_concern() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                let mut bytes = [0; 4096];
                let _ = stream.read(&mut bytes).await;
                let body = signed("late");
                let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length";
                let answer = format!("{head}: {}\r\n\r\n{body}", body.len());
                let _ = stream.write_all(answer.as_bytes()).await;
                let _ = stream.read(&mut bytes).await;
            });
        }
    });
    let upstreams = vec![json!({"url": format!("http://{address}/v1")})];
    let server = behind(upstreams, json!({})).await;
    let secret = secret(&server).await;
    for _ in 0..6 {
        chat(&server, &secret, "acme.chat").await.ok();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_wait_for_room_and_are_turned_away_when_too_many_wait() {
    let inside = Arc::new(AtomicUsize::new(0));
    let most = Arc::new(AtomicUsize::new(0));
    let go = Arc::new(Notify::new());
    let fake = Fake::start({
        let (inside, most, go) = (inside.clone(), most.clone(), go.clone());
        move |mut exchange: Exchange| {
            let (inside, most, go) = (inside.clone(), most.clone(), go.clone());
            async move {
                let now = inside.fetch_add(1, Ordering::SeqCst) + 1;
                most.fetch_max(now, Ordering::SeqCst);
                go.notified().await;
                inside.fetch_sub(1, Ordering::SeqCst);
                // A slot is held to the end of a stream.
                exchange.begin_stream().await;
                exchange.piece("data: [DONE]\n\n").await;
                exchange.end_stream().await;
            }
        }
    })
    .await;
    let mut narrow = upstream(&fake);
    narrow["max_concurrent"] = 1.into();
    let server = behind(vec![narrow], json!({"queue": 2, "queue_seconds": 20})).await;
    let secret = secret(&server).await;
    let body = json!({"model": "acme.chat", "stream": true, "messages": [{"role": "user", "content": "x"}]});
    let request = || call(&server, &secret, Method::POST, "/chat/completions").json(&body);
    let calls: Vec<_> = (0..3).map(|_| tokio::spawn(request().send())).collect();
    let pool = &server.app().inference;
    let settings = pool.settings();
    let found = settings.models.find("acme.chat").unwrap().clone();
    let waiting = || match &found.backend {
        accord_server::inference::gateway::models::Backend::Servers(pool) => pool.waiting(),
        accord_server::inference::gateway::models::Backend::Builtin(_) => 0,
    };
    let since = Instant::now();
    while waiting() < 2 {
        assert!(since.elapsed() < Duration::from_secs(60));
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let turned_away = Reply::of(request()).await;
    turned_away.is_inference(503, "server_error", "upstream_overloaded");
    assert_eq!(turned_away.header("retry-after"), Some("1"));
    tokio::spawn(async move {
        loop {
            go.notify_one();
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    });
    for call in calls {
        let response = call.await.unwrap().unwrap();
        assert_eq!(response.status(), 200);
        assert_eq!(response.text().await.unwrap(), "data: [DONE]\n\n");
    }
    assert_eq!(most.load(Ordering::SeqCst), 1);
    assert_eq!(waiting(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn names_and_headers_are_rewritten_as_configured() {
    let fake = always("200 OK", "", "there").await;
    let mut renamed = upstream(&fake);
    renamed["model"] = "org/small".into();
    renamed["set_headers"] = json!({"x-team": "a", "traceparent": "none"});
    renamed["forward_headers"] = json!(["x-trace"]);
    let server = behind(vec![renamed], json!({"aliases": ["small"]})).await;
    let secret = secret(&server).await;
    let body = r#"{ "model" : "small","messages":[{"role":"user","content":"model"}], "z":1.50 }"#;
    let request = call(&server, &secret, Method::POST, "/chat/completions")
        .header("content-type", "application/json")
        .header("x-trace", "t")
        .header("x-trace", "u")
        .header("x-other", "o")
        .header("traceparent", "mine")
        .body(body);
    assert_eq!(Reply::of(request).await.ok()["model"], "there");
    let (head, sent) = fake.seen().remove(0);
    let expected = body.replace("\"small\"", "\"org/small\"");
    assert_eq!(String::from_utf8(sent).unwrap(), expected);
    assert!(
        head.contains("x-team: a\r\n") && head.contains("x-trace: t\r\nx-trace: u\r\n"),
        "{head}"
    );
    assert!(head.contains("traceparent: none\r\n"), "{head}");
    assert!(
        !head.contains("x-other") && !head.contains("mine"),
        "{head}"
    );
    let models = Reply::of(call(&server, &secret, Method::GET, "/models"))
        .await
        .ok();
    assert_eq!(models["data"].as_array().unwrap().len(), 5);
}

/// A thousand streams at once, each with a content of its own.
#[tokio::test(flavor = "multi_thread")]
async fn every_event_of_a_thousand_parallel_streams_arrives_in_order() {
    const STREAMS: usize = 1_000;
    const EVENTS: usize = 20;
    fn event(stream: u64, number: usize) -> String {
        let text = format!("{stream}-{number}-").repeat(1 + number % 7);
        format!("data: {{\"choices\":[{{\"delta\":{{\"content\":\"{text}\"}}}}]}}\n\n")
    }
    let fake = Fake::start(async |mut exchange: Exchange| {
        let stream = exchange.json()["seed"].as_u64().unwrap();
        exchange.begin_stream().await;
        for number in 0..EVENTS {
            let text = event(stream, number);
            // Pieces end anywhere.
            let (one, two) = text.split_at(number * 3 % text.len());
            if !one.is_empty() {
                exchange.piece(one).await;
                tokio::task::yield_now().await;
            }
            exchange.piece(two).await;
        }
        exchange.piece("data: [DONE]\n\n").await;
        exchange.end_stream().await;
    })
    .await;
    let server = behind(vec![upstream(&fake)], json!({})).await;
    let secret = secret(&server).await;
    let mut streams = futures::stream::iter(0..STREAMS as u64)
        .map(|seed| {
            let body = json!({"model": "acme.chat", "stream": true, "seed": seed,
                "messages": [{"role": "user", "content": "x"}]});
            let request = call(&server, &secret, Method::POST, "/chat/completions").json(&body);
            tokio::spawn(async move {
                let response = request.send().await.unwrap();
                assert_eq!(response.status(), 200);
                (seed, response.bytes().await.unwrap())
            })
        })
        .buffer_unordered(STREAMS);
    let mut arrived = 0;
    while let Some(outcome) = streams.next().await {
        let (seed, bytes) = outcome.unwrap();
        let mut expected: String = (0..EVENTS).map(|number| event(seed, number)).collect();
        expected += "data: [DONE]\n\n";
        // A slow machine is silent for longer than the interval of the heartbeats.
        let text = str::from_utf8(&bytes)
            .unwrap()
            .replace(": keep-alive\n\n", "");
        assert_eq!(text, expected, "stream {seed}");
        arrived += 1;
    }
    assert_eq!(arrived, STREAMS);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_of_invented_secrets_waits_and_nobody_else_does() {
    let server = serving(Vec::new()).await;
    let good = secret(&server).await;
    let invented = |number: u32| {
        let secret = format!("sk-{number:043}");
        call(&server, &secret, Method::GET, "/models")
    };
    // So many at once that nobody is asked twice before all were refused.
    let begun = Instant::now();
    let flood = (0..1_000).map(|number| {
        let request = invented(number);
        async move { Reply::of(request).await }
    });
    let flood = tokio::spawn(futures::future::join_all(flood.collect::<Vec<_>>()));
    let valid = async {
        for _ in 0..20 {
            chat(&server, &good, "accord.echo").await.ok();
        }
    };
    let (replies, ()) = tokio::join!(flood, valid);
    for reply in replies.unwrap() {
        reply.is_inference(401, "invalid_request_error", "invalid_api_key");
    }
    assert!(
        begun.elapsed() >= Duration::from_secs(1),
        "none was held back"
    );
    assert_eq!(server.stop().await, Vec::<String>::new());
}
