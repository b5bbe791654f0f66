//! Responses of a model whose server has chat completions only.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use accord_server::area::Area;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::calls::events;
use super::client::{Manager, Reply, call};
use super::fake::{Exchange, Fake, model, serving};
use crate::harness::{Server, tools};

async fn behind(address: SocketAddr) -> (Server, String) {
    let upstream = json!({"url": format!("http://{address}/v1"), "api": "chat", "model": "m"});
    let config = json!({"name": "acme.chat", "family": "acme", "upstreams": [upstream]});
    let server = serving(vec![model(config)]).await;
    let secret = Manager::of(&server).await.new_key().await.one;
    (server, secret)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_response_is_translated_both_ways() {
    let answer = json!({
        "id": "chatcmpl-7", "object": "chat.completion", "created": 5, "model": "m",
        "choices": [{"index": 0, "finish_reason": "stop",
            "message": {"role": "assistant", "content": "Hello."}}],
        "usage": {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5},
    });
    let fake = Fake::always("200 OK", answer.to_string()).await;
    let (server, secret) = behind(fake.address).await;
    let post =
        |body: Value| Reply::of(call(&server, &secret, Method::POST, "/responses").json(&body));
    let answer = post(json!({"model": "acme.chat", "input": "Hi", "max_output_tokens": 5}))
        .await
        .ok();
    assert_eq!(answer["output"][0]["content"][0]["text"], "Hello.");
    assert_eq!(answer["model"], "acme.chat");
    assert_eq!(answer["usage"]["total_tokens"], 5);
    let (head, body) = fake.seen().remove(0);
    assert!(head.starts_with("post /v1/chat/completions"), "{head}");
    let sent: Value = serde_json::from_slice(&body).unwrap();
    let expected = json!({"model": "m", "max_tokens": 5,
        "messages": [{"role": "user", "content": "Hi"}]});
    assert_eq!(sent, expected);
    let refused = post(json!({"model": "acme.chat", "input": "x", "background": true})).await;
    refused.is_inference(400, "invalid_request_error", "unsupported_parameter");
    assert_eq!(refused.body["error"]["param"], "background");
    assert_eq!(fake.seen().len(), 1);
    assert_eq!(server.stop().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_streamed_response_is_translated_in_the_order_of_the_conventions() {
    let fake = Fake::start(async |mut exchange: Exchange| {
        exchange.begin_stream().await;
        for (delta, reason) in [
            (json!({"role": "assistant", "content": "Hel"}), None),
            (json!({"content": "lo"}), None),
            (json!({}), Some("length")),
        ] {
            let chunk = json!({"id": "chatcmpl-7", "object": "chat.completion.chunk", "created": 5,
                "model": "m", "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]});
            exchange.piece(&format!("data: {chunk}\n\n")).await;
        }
        exchange.piece("data: [DONE]\n\n").await;
        exchange.end_stream().await;
    })
    .await;
    let (server, secret) = behind(fake.address).await;
    let body = json!({"model": "acme.chat", "input": "Hi", "stream": true});
    let request = call(&server, &secret, Method::POST, "/responses").json(&body);
    let events = events(&request.send().await.unwrap().text().await.unwrap());
    let names: Vec<_> = events
        .iter()
        .map(|(name, _)| name.as_deref().unwrap())
        .collect();
    let expected = "response.created response.in_progress response.output_item.added \
         response.content_part.added response.output_text.delta response.output_text.delta \
         response.output_text.done response.content_part.done response.output_item.done \
         response.incomplete";
    assert_eq!(names.join(" "), expected);
    let last: Value = serde_json::from_str(&events[9].1).unwrap();
    assert_eq!(last["response"]["output"][0]["content"][0]["text"], "Hello");
    assert_eq!(server.stop().await, Vec::<String>::new());
}

/// Sends a stream for each request on a connection. The end of its body follows the end mark later.
async fn stream_each(mut connection: TcpStream) {
    let chunk = json!({"id": "chatcmpl-7", "object": "chat.completion.chunk", "created": 5,
        "model": "m", "choices": [{"index": 0, "delta": {"content": "x"}, "finish_reason": "stop"}]});
    let events = format!("data: {chunk}\n\ndata: [DONE]\n\n");
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked";
    let response = format!("{head}\r\n\r\n{:x}\r\n{events}\r\n", events.len());
    let mut request = Vec::new();
    while matches!(connection.read_buf(&mut request).await, Ok(1..)) {
        if request.ends_with(b"}") {
            request.clear();
            let _ = connection.write_all(response.as_bytes()).await;
            tokio::time::sleep(Duration::from_millis(100)).await;
            let _ = connection.write_all(b"0\r\n\r\n").await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_translated_stream_leaves_its_connection_to_the_next_call() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (server, secret) = behind(listener.local_addr().unwrap()).await;
    let accepted = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&accepted);
    tokio::spawn(async move {
        while let Ok((connection, _)) = listener.accept().await {
            count.fetch_add(1, Ordering::SeqCst);
            tokio::spawn(stream_each(connection));
        }
    });
    let body = json!({"model": "acme.chat", "input": "Hi", "stream": true});
    let mut calls = 0;
    // On a busy machine, the end of a body may come too late for the next call.
    while calls < 2 || accepted.load(Ordering::SeqCst) == calls {
        assert!(calls < 20, "no connection is used again");
        let request = call(&server, &secret, Method::POST, "/responses").json(&body);
        let text = request.send().await.unwrap().text().await.unwrap();
        assert!(text.contains("event: response.completed"), "{text}");
        calls += 1;
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    assert_eq!(server.stop().await, Vec::<String>::new());
}

/// A model server whose model thinks, as several of them tell it.
async fn thinking() -> Fake {
    Fake::start(async |mut exchange: Exchange| {
        let usage = json!({"prompt_tokens": 3, "completion_tokens": 5, "total_tokens": 8,
            "completion_tokens_details": {"reasoning_tokens": 3}});
        if exchange.json()["stream"] != true {
            let answer = json!({
                "id": "chatcmpl-7", "object": "chat.completion", "created": 5, "model": "m",
                "choices": [{"index": 0, "finish_reason": "stop", "message": {
                    "role": "assistant", "reasoning_content": "Two and two.", "content": "Four."}}],
                "usage": usage,
            });
            let answer = answer.to_string();
            return exchange
                .answer("200 OK", "application/json", "", &answer)
                .await;
        }
        exchange.begin_stream().await;
        for (delta, reason) in [
            (
                json!({"role": "assistant", "content": null, "reasoning_content": "Two "}),
                None,
            ),
            (json!({"reasoning_content": "and two."}), None),
            (json!({"content": "Four."}), None),
            (json!({}), Some("stop")),
        ] {
            let chunk = json!({"id": "chatcmpl-7", "object": "chat.completion.chunk", "created": 5,
                "model": "m", "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]});
            exchange.piece(&format!("data: {chunk}\n\n")).await;
        }
        let last = json!({"id": "chatcmpl-7", "choices": [], "usage": usage});
        exchange
            .piece(&format!("data: {last}\n\ndata: [DONE]\n\n"))
            .await;
        exchange.end_stream().await;
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_model_thinks_is_an_item_that_the_openai_package_knows() {
    let fake = thinking().await;
    let (server, secret) = behind(fake.address).await;
    let address = format!("{}/20231130/actions/v1", server.area(Area::Inference));
    let arguments = [address.as_str(), &secret, "acme.chat"];
    let printed = tools::python("openai_reasoning.py", &arguments).await;
    assert_eq!(printed.trim().lines().last(), Some("success"));
    // Given back with the next turn, it is not sent on.
    let (_, body) = fake.seen().pop().unwrap();
    let sent: Value = serde_json::from_slice(&body).unwrap();
    let answer = json!([{"type": "text", "text": "Four."}]);
    let expected = json!([
        {"role": "user", "content": "2 + 2?"},
        {"role": "assistant", "content": answer},
        {"role": "user", "content": "Sure?"},
    ]);
    assert_eq!(sent["messages"], expected);
    assert_eq!(server.stop().await, Vec::<String>::new());
}
