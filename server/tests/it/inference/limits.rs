//! What a key may use, and what it has used.

use std::sync::Arc;
use std::time::{Duration, Instant};

use accord_server::inference::admission::limits::Limits;
use accord_server::inference::admission::period::Period;
use accord_server::inference::admission::usage;
use accord_server::inference::operator;
use accord_server::store::StoreError;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::sync::Notify;

use super::client::{Key, Manager, Reply, call, chat};
use super::fake::{Exchange, Fake};
use crate::harness::{Server, both_databases, http};

/// Gives a key limits, as the operator's command does.
async fn limit(server: &Server, key: &Key, limits: Limits) {
    let id = key.id.clone();
    server
        .write(move |tx| operator::put_limits(tx, &id, Some(&limits)))
        .await;
    server.app().inference.admission.invalidate();
}

/// Records six tokens, as another replica does.
async fn use_elsewhere(server: &Server, key: &Key) {
    let app = server.app();
    let (id, day) = (key.id.clone(), app.clock.now().date_naive().to_string());
    let written = app.store.write(move |tx| {
        tx.execute(
            "INSERT INTO inference_usage VALUES ($1, 'elsewhere', $2, 1, 0, 3, 3)",
            accord_server::params![&id, &day],
        )
    });
    written
        .await
        .unwrap_or_else(|error: StoreError| panic!("{error}"));
}

fn number(reply: &Reply, name: &str) -> Option<i64> {
    reply.header(name).map(|text| text.parse().unwrap())
}

async fn say(server: &Server, secret: &str, words: &str) -> Reply {
    let body = json!({"model": "accord.echo", "messages": [{"role": "user", "content": words}]});
    Reply::of(call(server, secret, Method::POST, "/chat/completions").json(&body)).await
}

both_databases! {
    async fn requests_a_minute_are_limited_for_each_key_and_told(server: Server) {
        let manager = Manager::of(&server).await;
        let (key, other) = (manager.new_key().await, manager.new_key().await);
        limit(&server, &key, Limits { requests_per_minute: Some(2), ..Limits::default() }).await;
        for left in [1, 0] {
            let reply = chat(&server, &key.one, "accord.echo").await;
            assert_eq!(number(&reply, "x-ratelimit-limit-requests"), Some(2));
            assert_eq!(number(&reply, "x-ratelimit-remaining-requests"), Some(left));
            assert!(reply.header("x-ratelimit-limit-tokens").is_none());
            reply.ok();
        }
        let reply = chat(&server, &key.one, "accord.echo").await;
        reply.is_inference(429, "rate_limit_error", "rate_limit_exceeded");
        let wait = number(&reply, "retry-after").unwrap();
        assert!((1..=30).contains(&wait), "{wait}");
        assert_eq!(number(&reply, "x-ratelimit-remaining-requests"), Some(0));
        assert!(reply.header("x-ratelimit-reset-requests").unwrap().ends_with('s'));
        let open = chat(&server, &other.one, "accord.echo").await;
        assert!(open.header("x-ratelimit-limit-requests").is_none());
        open.ok();
        server.advance(wait);
        chat(&server, &key.one, "accord.echo").await.ok();
        for path in ["/models", "/models/accord.echo"] {
            server.advance(60);
            let models = Reply::of(call(&server, &key.one, Method::GET, path)).await;
            assert_eq!(number(&models, "x-ratelimit-limit-requests"), Some(2), "{path}");
            assert_eq!(number(&models, "x-ratelimit-remaining-requests"), Some(1), "{path}");
            models.ok();
        }
    }

    async fn tokens_of_an_answer_make_the_next_call_wait(server: Server) {
        let key = Manager::of(&server).await.new_key().await;
        limit(&server, &key, Limits { tokens_per_minute: Some(10), ..Limits::default() }).await;
        // Six tokens in, and as many out.
        say(&server, &key.one, "one two three four five six").await.ok();
        let reply = chat(&server, &key.one, "accord.echo").await;
        reply.is_inference(429, "rate_limit_error", "rate_limit_exceeded");
        assert_eq!(number(&reply, "x-ratelimit-limit-tokens"), Some(10));
        assert_eq!(number(&reply, "x-ratelimit-remaining-tokens"), Some(0));
        server.advance(number(&reply, "retry-after").unwrap());
        chat(&server, &key.one, "accord.echo").await.ok();
    }

    async fn a_budget_is_spent_across_replicas_and_begins_anew(server: Server) {
        let key = Manager::of(&server).await.new_key().await;
        let budget = Some((10, Period::Day));
        limit(&server, &key, Limits { budget, ..Limits::default() }).await;
        chat(&server, &key.one, "accord.echo").await.ok();
        // What another replica has counted comes with the next write.
        let inference = &server.app().inference;
        use_elsewhere(&server, &key).await;
        inference.admission.write_usage(inference).await.unwrap();
        let reply = chat(&server, &key.one, "accord.echo").await;
        reply.is_inference(429, "rate_limit_error", "insufficient_quota");
        let wait = number(&reply, "retry-after").unwrap();
        assert!((1..=86_401).contains(&wait), "{wait}");
        server.advance(wait);
        chat(&server, &key.one, "accord.echo").await.ok();
    }

    async fn the_first_call_is_judged_by_what_was_used_elsewhere(server: Server) {
        let manager = Manager::of(&server).await;
        let (key, other) = (manager.new_key().await, manager.new_key().await);
        let limits = |period| Limits { budget: Some((6, period)), ..Limits::default() };
        limit(&server, &key, limits(Period::Day)).await;
        // Both keys are known from now on.
        chat(&server, &other.one, "accord.echo").await.ok();
        use_elsewhere(&server, &key).await;
        let spent = |reply: Reply| reply.is_inference(429, "rate_limit_error", "insufficient_quota");
        spent(chat(&server, &key.one, "accord.echo").await);
        // Another period has another sum.
        limit(&server, &key, limits(Period::Month)).await;
        spent(chat(&server, &key.one, "accord.echo").await);
    }

    async fn usage_is_counted_by_key_model_and_day(server: Server) {
        let key = Manager::of(&server).await.new_key().await;
        chat(&server, &key.one, "accord.echo").await.ok();
        say(&server, &key.one, "a b c").await.ok();
        let inference = &server.app().inference;
        inference.admission.write_usage(inference).await.unwrap();
        say(&server, &key.one, "a b c").await.ok();
        inference.admission.write_usage(inference).await.unwrap();
        let day = server.app().clock.now().date_naive();
        let lines = server.read(move |tx| usage::read(tx, day)).await;
        assert_eq!(lines.len(), 1);
        let (line, counts) = &lines[0];
        assert_eq!((&*line.key_id, &*line.model), (&*key.id, "accord.echo"));
        assert_eq!((counts.requests, counts.errors), (3, 0));
        assert_eq!((counts.tokens.input, counts.tokens.output), (8, 8));
    }
}

/// A model server whose responses do not end. Streams begin with this many events.
async fn without_end(events: usize) -> Fake {
    Fake::start(move |mut exchange: Exchange| async move {
        if exchange.json()["stream"] == true {
            exchange.begin_stream().await;
            for _ in 0..events {
                let chunk = json!({
                    "id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m",
                    "choices": [{"index": 0, "delta": {"content": "x"}, "finish_reason": null}],
                });
                exchange.piece(&format!("data: {chunk}\n\n")).await;
            }
        }
        exchange.gone().await;
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_at_once_are_limited_whether_they_stream_or_not() {
    let fake = without_end(1).await;
    let server = fake.behind().await;
    let key = Manager::of(&server).await.new_key().await;
    let limits = Limits {
        concurrent_calls: Some(1),
        ..Limits::default()
    };
    limit(&server, &key, limits).await;
    for streams in [false, true] {
        let body = json!({
            "model": "acme.chat",
            "stream": streams,
            "messages": [{"role": "user", "content": "x"}],
        });
        let request = call(&server, &key.one, Method::POST, "/chat/completions").json(&body);
        let first = tokio::spawn(async move {
            let mut response = request.send().await.unwrap();
            while response.chunk().await.unwrap().is_some() {}
        });
        // The first call is in progress once the model server has its request.
        while fake.seen().len() < usize::from(streams) + 1 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        let second = chat(&server, &key.one, "accord.echo").await;
        second.is_inference(429, "rate_limit_error", "rate_limit_exceeded");
        assert_eq!(number(&second, "retry-after"), Some(1));
        let message = second.body["error"]["message"].as_str().unwrap();
        assert!(
            message.contains("its limit of concurrent calls"),
            "{message}"
        );
        // A list of models holds no place.
        Reply::of(call(&server, &key.one, Method::GET, "/models"))
            .await
            .ok();
        // The caller leaves.
        first.abort();
        let since = Instant::now();
        while chat(&server, &key.one, "accord.echo").await.status != 200 {
            assert!(since.elapsed() < Duration::from_secs(60));
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
    assert_eq!(server.stop().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn streams_at_once_are_limited_and_a_stream_cut_short_is_counted_to_what_was_sent() {
    let fake = without_end(3).await;
    let server = fake.behind().await;
    let key = Manager::of(&server).await.new_key().await;
    let limits = Limits {
        concurrent_streams: Some(1),
        ..Limits::default()
    };
    limit(&server, &key, limits).await;
    let body = json!({"model": "acme.chat", "stream": true, "messages": [{"role": "user", "content": "x"}]});
    let request = |body: &Value| {
        let client = http().build().unwrap();
        let request = call(&server, &key.one, Method::POST, "/chat/completions").json(body);
        let request = request.build().unwrap();
        async move { client.execute(request).await.unwrap() }
    };
    let mut first = request(&body).await;
    let mut seen = 0;
    while seen < 3 {
        let piece = first.chunk().await.unwrap().unwrap();
        seen += String::from_utf8_lossy(&piece).matches("data: ").count();
    }
    let second = request(&body).await;
    assert_eq!(second.status(), 429);
    // What is no stream may pass.
    chat(&server, &key.one, "accord.echo").await.ok();
    drop(first);
    let since = Instant::now();
    loop {
        let third = request(&body).await;
        if third.status() == 200 {
            break;
        }
        assert!(since.elapsed() < Duration::from_secs(60));
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let inference = &server.app().inference;
    inference.admission.write_usage(inference).await.unwrap();
    let day = server.app().clock.now().date_naive();
    let lines = server.read(move |tx| usage::read(tx, day)).await;
    let (_, counts) = lines
        .iter()
        .find(|(line, _)| line.model == "acme.chat")
        .unwrap();
    assert!(counts.tokens.output >= 3, "{counts:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_budget_that_a_key_gets_during_a_stream_counts_the_rest_of_it() {
    let go = Arc::new(Notify::new());
    let told = Arc::clone(&go);
    let fake = Fake::start(move |mut exchange: Exchange| {
        let told = Arc::clone(&told);
        async move {
            exchange.begin_stream().await;
            exchange.piece("data: {}\n\n").await;
            told.notified().await;
            exchange.piece(&"data: {}\n\n".repeat(200)).await;
            exchange.piece("data: [DONE]\n\n").await;
            exchange.end_stream().await;
        }
    })
    .await;
    let server = fake.behind().await;
    let key = Manager::of(&server).await.new_key().await;
    let body = json!({"model": "acme.chat", "stream": true, "messages": [{"role": "user", "content": "x"}]});
    let request = call(&server, &key.one, Method::POST, "/chat/completions").json(&body);
    let mut response = request.send().await.unwrap();
    response.chunk().await.unwrap().unwrap();
    let limits = Limits {
        budget: Some((150, Period::Day)),
        ..Limits::default()
    };
    limit(&server, &key, limits).await;
    chat(&server, &key.one, "accord.echo").await.ok();
    go.notify_one();
    while response.chunk().await.unwrap().is_some() {}
    let inference = &server.app().inference;
    inference.admission.write_usage(inference).await.unwrap();
    let reply = chat(&server, &key.one, "accord.echo").await;
    reply.is_inference(429, "rate_limit_error", "insufficient_quota");
}
