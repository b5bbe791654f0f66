//! Model calls in a trace.

use std::sync::Arc;

use accord_server::config::telemetry::Sampler;
use futures::StreamExt;
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::sync::Notify;

use super::collector::Collector;
use super::{SPAN, TRACE, model_of, sampler, stop, traced, traceparent};
use crate::harness::Server;
use crate::inference::client::{Manager, call};
use crate::inference::fake::Fake;

const ROUTE: &str = "POST /20231130/actions/v1/chat/completions";
const ANSWER: &str = r#"{"id":"c","object":"chat.completion","created":1,"model":"chat-small-2",
 "choices":[{"index":0,"message":{"role":"assistant","content":"CANARY-ANSWER"},"finish_reason":"stop"}],
 "usage":{"prompt_tokens":7,"completion_tokens":9,"total_tokens":16}}"#;

fn chunk(text: &str, more: &str) -> String {
    format!(
        "data: {{\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"chat-small-2\",\
         \"choices\":[{{\"index\":0,\"delta\":{{\"content\":\"{text}\"}}}}]{more}}}\n\n"
    )
}

fn body(stream: bool) -> Value {
    json!({
        "model": "acme.chat", "stream": stream,
        "messages": [{"role": "user", "content": "CANARY-PROMPT"}],
    })
}

async fn secret(server: &Server) -> String {
    Manager::of(server).await.new_key().await.one
}

/// A traced service of the model server's one model, and the secret of a key.
async fn serving(collector: &Collector, fake: &Fake) -> (Server, String) {
    let models = model_of(fake);
    let server = traced(collector, |layer| layer.inference.models = Some(models)).await;
    let secret = secret(&server).await;
    (server, secret)
}

/// A chat call of the traced caller with these trace flags; status and text.
async fn chat(server: &Server, secret: &str, stream: bool, flags: &str) -> (u16, String) {
    let request = call(server, secret, Method::POST, "/chat/completions")
        .header("traceparent", traceparent(flags))
        .header("tracestate", "acme=1")
        .header("accord-request-id", "the-call")
        .json(&body(stream));
    let response = request.send().await.unwrap();
    (response.status().as_u16(), response.text().await.unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_call_is_a_span_below_its_request_and_above_the_model_server() {
    let collector = Collector::start().await;
    let fake = Fake::always("200 OK", ANSWER).await;
    let (server, secret) = serving(&collector, &fake).await;
    let called = chat(&server, &secret, false, "01").await;
    assert_eq!(called, (200, ANSWER.to_owned()));
    stop(&server).await;

    let request = collector.span(ROUTE);
    assert!(request.is(SpanKind::Server));
    assert_eq!(
        (request.trace_id(), request.parent()),
        (TRACE.into(), SPAN.into())
    );
    assert_eq!(request.0.trace_state, "acme=1");
    assert_eq!(request.error(), None);
    let expected = json!({
        "http.request.method": "POST",
        "http.route": "/20231130/actions/v1/chat/completions",
        "http.response.status_code": 200,
        "url.path": "/20231130/actions/v1/chat/completions",
        "url.scheme": "http",
        "accord.area": "inference",
        "accord.operation": "createChatCompletion",
        "accord.request_id": "the-call",
    });
    assert_eq!(Value::Object(request.attributes()), expected);

    let span = collector.span("chat acme.chat");
    assert!(span.is(SpanKind::Client));
    assert_eq!(
        (span.trace_id(), span.parent()),
        (TRACE.into(), request.id())
    );
    assert_eq!(span.error(), None);
    let expected = json!({
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "acme",
        "gen_ai.request.model": "acme.chat",
        "gen_ai.request.stream": false,
        "gen_ai.response.model": "chat-small-2",
        "gen_ai.usage.input_tokens": 7,
        "gen_ai.usage.output_tokens": 9,
        "openai.api.type": "chat_completions",
        "server.address": "127.0.0.1",
        "server.port": fake.address.port(),
    });
    assert_eq!(Value::Object(span.attributes()), expected);
    let (head, _) = &fake.seen()[0];
    let line = format!("traceparent: 00-{TRACE}-{}-01\r\n", span.id());
    assert!(head.contains(&line), "{head}");
    assert!(head.contains("tracestate: acme=1\r\n"), "{head}");

    for canary in ["CANARY", &secret, "Bearer", "127.0.0.1:"] {
        assert!(!collector.holds(canary), "{canary}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_span_of_a_stream_ends_with_it_and_knows_its_tokens() {
    let collector = Collector::start().await;
    let fake = Fake::start(async |mut exchange| {
        exchange.begin_stream().await;
        exchange.piece(&chunk("CANARY-ANSWER", "")).await;
        exchange
            .piece(&chunk(
                "b",
                ",\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":5,\"total_tokens\":8}",
            ))
            .await;
        exchange.piece("data: [DONE]\n\n").await;
        exchange.end_stream().await;
    })
    .await;
    let (server, secret) = serving(&collector, &fake).await;
    let (status, text) = chat(&server, &secret, true, "01").await;
    assert_eq!(status, 200);
    assert!(text.ends_with("data: [DONE]\n\n"), "{text}");
    stop(&server).await;

    let (request, span) = (collector.span(ROUTE), collector.span("chat acme.chat"));
    assert_eq!((request.error(), span.error()), (None, None));
    assert_eq!(span.parent(), request.id());
    assert!(request.0.start_time_unix_nano <= span.0.start_time_unix_nano);
    assert!(span.0.end_time_unix_nano <= request.0.end_time_unix_nano);
    let attributes = span.attributes();
    assert_eq!(attributes["gen_ai.request.stream"], true);
    assert_eq!(attributes["gen_ai.usage.input_tokens"], 3);
    assert_eq!(attributes["gen_ai.usage.output_tokens"], 5);
    assert_eq!(attributes["gen_ai.response.model"], "chat-small-2");
    let first = attributes["gen_ai.response.time_to_first_chunk"]
        .as_f64()
        .unwrap();
    let whole = (span.0.end_time_unix_nano - span.0.start_time_unix_nano) as f64 / 1e9;
    assert!(0.0 < first && first <= whole + 0.001, "{first} of {whole}");
    assert!(!collector.holds("CANARY"));
}

#[tokio::test(flavor = "multi_thread")]
async fn attempts_that_fail_are_events_and_the_last_one_is_the_error() {
    let collector = Collector::start().await;
    let fake = Fake::always(
        "502 Bad Gateway",
        r#"{"error":{"message":"CANARY","code":"CANARY"}}"#,
    )
    .await;
    let (server, secret) = serving(&collector, &fake).await;
    let (status, _) = chat(&server, &secret, false, "01").await;
    assert_eq!(status, 502);
    stop(&server).await;

    let (request, span) = (collector.span(ROUTE), collector.span("chat acme.chat"));
    assert_eq!(request.error().as_deref(), Some("502"));
    assert_eq!(request.attributes()["http.response.status_code"], 502);
    assert_eq!(span.error().as_deref(), Some("upstream_failed"));
    assert_eq!(span.attributes()["server.port"], fake.address.port());
    assert!(!span.attributes().contains_key("gen_ai.usage.input_tokens"));
    let events = span.events();
    assert_eq!(events.len(), fake.seen().len());
    for (name, attributes) in events {
        assert_eq!(name, "accord.attempt.failed");
        assert_eq!(attributes["error.type"], "upstream_failed");
        assert_eq!(attributes["server.address"], "127.0.0.1");
    }
    assert!(!collector.holds("CANARY"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_that_the_model_server_breaks_off_is_an_error() {
    let collector = Collector::start().await;
    let fake = Fake::start(async |mut exchange| {
        exchange.begin_stream().await;
        exchange.piece(&chunk("a", "")).await;
    })
    .await;
    let (server, secret) = serving(&collector, &fake).await;
    let (status, text) = chat(&server, &secret, true, "01").await;
    assert_eq!(status, 200);
    assert!(text.contains("\"error\""), "{text}");
    // It is not as the document has it, and the guard says so.
    server.stop().await;
    let span = collector.span("chat acme.chat");
    assert_eq!(span.error().as_deref(), Some("upstream_broke_off"));
    assert!(span.attributes().contains_key("gen_ai.usage.output_tokens"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_caller_who_leaves_ends_both_spans() {
    let collector = Collector::start().await;
    let gone = Arc::new(Notify::new());
    let seen = Arc::clone(&gone);
    let fake = Fake::start(move |mut exchange| {
        let seen = Arc::clone(&seen);
        async move {
            exchange.begin_stream().await;
            exchange.piece(&chunk("a", "")).await;
            exchange.gone().await;
            seen.notify_one();
        }
    })
    .await;
    let (server, secret) = serving(&collector, &fake).await;
    let request = call(&server, &secret, Method::POST, "/chat/completions").json(&body(true));
    let mut pieces = request.send().await.unwrap().bytes_stream();
    pieces.next().await.unwrap().unwrap();
    drop(pieces);
    gone.notified().await;
    stop(&server).await;
    let (request, span) = (collector.span(ROUTE), collector.span("chat acme.chat"));
    assert_eq!(request.error().as_deref(), Some("interrupted"));
    assert_eq!(span.attributes()["gen_ai.usage.output_tokens"], 1);
    assert_eq!(span.parent(), request.id());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_of_this_program_has_a_span_as_well() {
    let collector = Collector::start().await;
    let server = traced(&collector, |_| {}).await;
    let secret = secret(&server).await;
    let body = json!({"model": "builtin/echo", "input": "CANARY-PROMPT"});
    let request = call(&server, &secret, Method::POST, "/responses").json(&body);
    assert_eq!(request.send().await.unwrap().status(), 200);
    let body = json!({"model": "meta.echo", "input": "CANARY-PROMPT"});
    let request = call(&server, &secret, Method::POST, "/responses").json(&body);
    assert_eq!(request.send().await.unwrap().status(), 400);
    stop(&server).await;
    let span = collector.span("chat accord.echo");
    assert!(span.is(SpanKind::Internal));
    assert_eq!(span.error(), None);
    assert_eq!(span.attributes()["openai.api.type"], "responses");
    assert_eq!(span.attributes()["gen_ai.response.model"], "builtin/echo");
    assert!(!span.attributes().contains_key("server.address"));
    let refused = collector.span("chat meta.echo");
    assert_eq!(refused.error().as_deref(), Some("invalid_request"));
    assert!(!collector.holds("CANARY"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_caller_does_not_trace_is_not_traced_and_says_so_further_on() {
    let collector = Collector::start().await;
    let fake = Fake::always("200 OK", ANSWER).await;
    let (server, secret) = serving(&collector, &fake).await;
    let called = chat(&server, &secret, false, "00").await;
    assert_eq!(called.0, 200);
    stop(&server).await;
    let spans = collector.spans();
    assert!(
        spans.iter().all(|span| span.trace_id() != TRACE),
        "{}",
        spans.len()
    );
    let (head, _) = &fake.seen()[0];
    assert!(
        head.contains(&format!("traceparent: 00-{TRACE}-")),
        "{head}"
    );
    assert!(head.contains("-00\r\n"), "{head}");
    assert!(!head.contains(SPAN), "{head}");
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_sent_when_nothing_is_sampled() {
    let collector = Collector::start().await;
    let fake = Fake::always("200 OK", ANSWER).await;
    let models = model_of(&fake);
    let server = traced(&collector, |layer| {
        layer.inference.models = Some(models);
        sampler(Sampler::AlwaysOff)(layer);
    })
    .await;
    let secret = secret(&server).await;
    chat(&server, &secret, false, "01").await;
    stop(&server).await;
    assert_eq!(collector.heads(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_collector_the_callers_own_span_is_passed_on() {
    let fake = Fake::always("200 OK", ANSWER).await;
    let server = fake.behind().await;
    assert!(server.app().traces.is_none());
    let secret = secret(&server).await;
    chat(&server, &secret, false, "01").await;
    stop(&server).await;
    let (head, _) = &fake.seen()[0];
    let line = format!("traceparent: {}\r\n", traceparent("01"));
    assert!(head.contains(&line), "{head}");
    assert!(head.contains("tracestate: acme=1\r\n"), "{head}");
}
