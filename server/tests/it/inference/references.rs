//! References to data that model servers store for all callers.

use reqwest::Method;
use serde_json::{Value, json};

use super::client::{Manager, Reply, call};
use super::fake::{Fake, model, serving};

#[tokio::test(flavor = "multi_thread")]
async fn no_key_refers_to_stored_data_unless_the_model_allows_it() {
    let answer = json!({
        "id": "resp_1", "object": "response", "created_at": 1, "model": "m", "output": [],
        "parallel_tool_calls": true, "tool_choice": "auto", "tools": [],
    });
    let fake = Fake::always("200 OK", answer.to_string()).await;
    let of = |name: &str, api: &str, shared_store: bool| {
        let upstream = json!({"url": format!("http://{}/v1", fake.address), "api": api});
        model(
            json!({"name": name, "family": "acme", "upstreams": [upstream],
            "shared_store": shared_store}),
        )
    };
    let models = vec![
        of("acme.all", "all", false),
        of("acme.chat", "chat", false),
        of("acme.shared", "all", true),
    ];
    let server = serving(models).await;
    let manager = Manager::of(&server).await;
    let (one, two) = (manager.new_key().await.one, manager.new_key().await.one);
    let post = |secret: &str, path: &str, body: &Value| {
        Reply::of(call(&server, secret, Method::POST, path).json(body))
    };
    let body = json!({"model": "acme.all", "input": "x", "store": true});
    let stored = post(&one, "/responses", &body).await.ok();

    let continued =
        |model: &str| json!({"model": model, "input": "x", "previous_response_id": stored["id"]});
    let item = json!({"model": "acme.all", "input": [{"type": "item_reference", "id": "msg_1"}]});
    let file = json!([{"role": "user", "content": [{"type": "input_file", "file_id": "file_1"}]}]);
    let audio = json!([{"role": "assistant", "audio": {"id": "audio_1"}}]);
    for (path, body, param) in [
        ("/responses", continued("acme.all"), "previous_response_id"),
        ("/responses", item, "input"),
        (
            "/responses",
            json!({"model": "acme.chat", "input": file}),
            "input",
        ),
        (
            "/chat/completions",
            json!({"model": "acme.all", "messages": audio}),
            "messages",
        ),
    ] {
        for secret in [&one, &two] {
            let reply = post(secret, path, &body).await;
            reply.is_inference(400, "invalid_request_error", "unsupported_parameter");
            assert_eq!(reply.body["error"]["param"], param);
            let message = reply.body["error"]["message"].as_str().unwrap();
            assert!(
                message.contains("refers to data that the upstream stores"),
                "{message}"
            );
        }
    }
    assert_eq!(fake.seen().len(), 1);

    let body = continued("acme.shared");
    post(&two, "/responses", &body).await.ok();
    assert_eq!(fake.seen()[1].1, body.to_string().as_bytes());
    assert_eq!(server.stop().await, Vec::<String>::new());
}
