//! What `/metrics` says of model calls.

use reqwest::Method;
use serde_json::json;

use super::client::{Manager, Reply, call, chat};
use super::fake::{Fake, serving};

#[tokio::test(flavor = "multi_thread")]
async fn calls_are_measured_by_the_names_for_generative_ai() {
    let server = serving(Vec::new()).await;
    let key = Manager::of(&server).await.new_key().await;
    chat(&server, &key.one, "accord.echo").await.ok();
    let body = json!({
        "model": "accord.echo", "stream": true,
        "messages": [{"role": "user", "content": "one two three four"}],
    });
    let request = call(&server, &key.one, Method::POST, "/chat/completions").json(&body);
    let events = request.send().await.unwrap().bytes().await.unwrap();
    assert!(events.ends_with(b"data: [DONE]\n\n"));
    let metrics = server.http().get(server.url("/metrics"));
    let metrics = metrics.send().await.unwrap().text().await.unwrap();
    let labels = "gen_ai_operation_name=\"chat\",gen_ai_provider_name=\"accord\",gen_ai_request_model=\"accord.echo\",openai_api_type=\"chat_completions\"";
    for (name, count) in [
        ("gen_ai_server_request_duration_seconds", 2),
        // Of the stream only.
        ("gen_ai_server_time_to_first_token_seconds", 1),
        ("gen_ai_server_time_per_output_token_seconds", 1),
    ] {
        let line = format!("{name}_count{{{labels}}} {count}\n");
        assert!(metrics.contains(&line), "{line}{metrics}");
    }
    // The buckets of the conventions.
    for (name, most) in [
        ("gen_ai_server_request_duration_seconds", "81.92"),
        ("gen_ai_server_time_to_first_token_seconds", "7.5"),
        ("gen_ai_server_time_per_output_token_seconds", "0.075"),
    ] {
        let line = format!("{name}_bucket{{{labels},le=\"{most}\"}} ");
        assert!(metrics.contains(&line), "{line}{metrics}");
    }
    assert!(metrics.contains(",le=\"67108864\"} 2\n"), "{metrics}");
    for kind in ["input", "output"] {
        let line =
            format!("gen_ai_client_token_usage_count{{{labels},gen_ai_token_type=\"{kind}\"}} 2\n");
        assert!(metrics.contains(&line), "{line}{metrics}");
    }
    assert_eq!(server.stop().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_is_not_answered_is_measured_as_such() {
    let fake = Fake::always("500 No", r#"{"error":{"message":"no"}}"#).await;
    let server = fake.behind().await;
    let key = Manager::of(&server).await.new_key().await;
    let reply: Reply = chat(&server, &key.one, "acme.chat").await;
    assert_eq!(reply.status, 502);
    let metrics = server.http().get(server.url("/metrics"));
    let metrics = metrics.send().await.unwrap().text().await.unwrap();
    let line = "gen_ai_server_request_duration_seconds_count{gen_ai_operation_name=\"chat\",gen_ai_provider_name=\"acme inc\",gen_ai_request_model=\"acme.chat\",openai_api_type=\"chat_completions\",error_type=\"upstream_failed\"} 1\n";
    assert!(metrics.contains(line), "{metrics}");
    assert_eq!(server.stop().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_that_the_model_server_breaks_off_is_measured_as_such() {
    let fake = Fake::start(async |mut exchange| {
        exchange.begin_stream().await;
        exchange.piece("data: {\"choices\":[]}\n\n").await;
    })
    .await;
    let server = fake.behind().await;
    let key = Manager::of(&server).await.new_key().await;
    let models = [("acme.chat", "acme inc"), ("builtin/broken", "accord")];
    for (model, _) in models {
        for path in ["/chat/completions", "/responses"] {
            let body = json!({"model": model, "stream": true, "input": "die:1 Hi",
                "messages": [{"role": "user", "content": "die:1 Hi"}]});
            let request = call(&server, &key.one, Method::POST, path).json(&body);
            let text = request.send().await.unwrap().text().await.unwrap();
            assert!(text.contains("closed the stream before its end"), "{text}");
        }
    }
    let metrics = server.http().get(server.url("/metrics"));
    let metrics = metrics.send().await.unwrap().text().await.unwrap();
    for (model, owner) in models {
        for api in ["chat_completions", "responses"] {
            let labels = format!(
                "gen_ai_operation_name=\"chat\",gen_ai_provider_name=\"{owner}\",gen_ai_request_model=\"{model}\",openai_api_type=\"{api}\""
            );
            let failed = format!(
                "gen_ai_server_request_duration_seconds_count{{{labels},error_type=\"upstream_broke_off\"}} 1\n"
            );
            assert!(metrics.contains(&failed), "{failed}{metrics}");
            // What was sent until then counts.
            let first = format!("gen_ai_server_time_to_first_token_seconds_count{{{labels}}} 1\n");
            assert!(metrics.contains(&first), "{first}{metrics}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chat_that_the_model_server_ends_with_an_error_is_neither_broken_off_nor_an_outage() {
    let fake = Fake::start(async |mut exchange| {
        exchange.begin_stream().await;
        exchange
            .piece("data: {\"error\":{\"message\":\"no\"}}\n\n")
            .await;
        exchange.end_stream().await;
    })
    .await;
    let server = fake.behind().await;
    let key = Manager::of(&server).await.new_key().await;
    let body = json!({"model": "acme.chat", "stream": true,
        "messages": [{"role": "user", "content": "x"}]});
    // More than the failures that would open the circuit.
    for _ in 0..8 {
        let request = call(&server, &key.one, Method::POST, "/chat/completions").json(&body);
        let text = request.send().await.unwrap().text().await.unwrap();
        assert_eq!(text.matches("data: ").count(), 1, "{text}");
        assert!(text.contains("\"message\":\"no\""), "{text}");
    }
    assert_eq!(fake.seen().len(), 8);
    let metrics = server.http().get(server.url("/metrics"));
    let metrics = metrics.send().await.unwrap().text().await.unwrap();
    let line = "gen_ai_server_request_duration_seconds_count{gen_ai_operation_name=\"chat\",gen_ai_provider_name=\"acme inc\",gen_ai_request_model=\"acme.chat\",openai_api_type=\"chat_completions\"} 8\n";
    assert!(metrics.contains(line), "{metrics}");
    assert_eq!(server.stop().await, Vec::<String>::new());
}
