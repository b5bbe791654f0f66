//! Streams that their model server keeps waiting, usage that only the service asks
//! for, and reading one model.

use std::time::{Duration, Instant};

use accord_server::inference::admission::usage::{self, Counts, Line};
use accord_server::store::StoreError;
use chrono::TimeDelta;
use futures::StreamExt;
use reqwest::Method;
use serde_json::{Value, json};

use super::client::{Key, Manager, Reply, call, chat};
use super::commands::succeed;
use super::fake::{Exchange, Fake, model};
use super::replicas::within;
use crate::harness::{Database, Server, both_databases};

/// A service with a model server behind two models: `acme.all` passes responses on,
/// `acme.chat` translates them. Silent streams beat each second.
async fn behind(fake: &Fake) -> (Server, Key) {
    let url = format!("http://{}/v1", fake.address);
    let of = |name: &str, api: &str| {
        let upstream = json!({"url": url, "api": api});
        model(json!({"name": name, "family": "acme", "upstreams": [upstream]}))
    };
    let models = vec![of("acme.all", "all"), of("acme.chat", "chat")];
    let server = Server::start_with(Database::Sqlite, |layer| {
        layer.inference.models = Some(models);
        layer.inference.heartbeat_seconds = Some(1);
    })
    .await;
    let key = Manager::of(&server).await.new_key().await;
    (server, key)
}

const CHUNK: &str = r#"{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"x"},"finish_reason":null}]}"#;
const CREATED: &str = r#"{"type":"response.created","sequence_number":0,"response":{"id":"r","object":"response","created_at":1,"model":"m","output":[],"parallel_tool_calls":true,"tool_choice":"auto","tools":[]}}"#;

/// One that says a word and then nothing.
pub async fn silent() -> Fake {
    Fake::start(async |mut exchange: Exchange| {
        exchange.begin_stream().await;
        let event = match exchange.head.contains("/responses") {
            true => format!("data: {CREATED}\n\n"),
            false => format!("data: {CHUNK}\n\n"),
        };
        exchange.piece(&event).await;
        exchange.gone().await;
    })
    .await
}

pub fn stream(server: &Server, key: &Key, path: &str, model: &str) -> reqwest::RequestBuilder {
    let body = json!({"model": model, "stream": true, "input": "x",
        "messages": [{"role": "user", "content": "x"}]});
    call(server, &key.one, Method::POST, path).json(&body)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_caller_hears_of_a_stream_whose_model_server_is_silent() {
    let fake = silent().await;
    let (server, key) = behind(&fake).await;
    for (path, model) in [
        ("/chat/completions", "acme.all"),
        ("/responses", "acme.all"),
        ("/responses", "acme.chat"),
    ] {
        let response = stream(&server, &key, path, model).send().await.unwrap();
        let mut pieces = response.bytes_stream();
        let mut text = String::new();
        while !text.ends_with(": keep-alive\n\n") {
            let piece = tokio::time::timeout(Duration::from_secs(60), pieces.next()).await;
            let piece = piece.expect("a sign of life").unwrap().unwrap();
            text.push_str(&String::from_utf8_lossy(&piece));
        }
        // Events of a response have a name, also where the model server gives none.
        let is_named = text.starts_with("event: response.created\ndata: ");
        assert_eq!(is_named, path == "/responses", "{text}");
    }
}

/// Revokes a new key during two streams. Returns how long they went on.
async fn until_streams_end(server: &Server) -> Duration {
    let manager = Manager::of(server).await;
    let key = manager.new_key().await;
    let chat = stream(server, &key, "/chat/completions", "acme.all").send();
    let respond = stream(server, &key, "/responses", "acme.chat").send();
    let (chat, respond) = (chat.await.unwrap(), respond.await.unwrap());
    assert_eq!(manager.set_state(&key, "one", "REVOKED").await.status, 200);
    let revoked = Instant::now();
    let both = async { tokio::join!(chat.text(), respond.text()) };
    let both = tokio::time::timeout(Duration::from_secs(60), both).await;
    let (chat, respond) = both.expect("the streams end");
    let time = revoked.elapsed();
    let (chat, respond) = (chat.unwrap(), respond.unwrap());
    assert_eq!(code(&chat), "insufficient_permissions");
    let last = respond.split_terminator("\n\n").last().unwrap();
    assert!(last.starts_with("event: error\n"), "{respond}");
    time
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_ends_within_two_seconds_when_its_key_is_revoked() {
    let fake = silent().await;
    let (server, _) = behind(&fake).await;
    within(Duration::from_secs(2), async || {
        until_streams_end(&server).await
    })
    .await;
}

/// What an error event that ends a chat says.
pub fn code(chat: &str) -> Value {
    let last = chat.split_terminator("\n\n").last().unwrap();
    let error: Value = serde_json::from_str(last.strip_prefix("data: ").unwrap()).unwrap();
    error["error"]["code"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_ends_when_its_key_is_moved_or_deleted_or_its_policy_is_removed() {
    let fake = silent().await;
    let (server, key) = behind(&fake).await;
    let manager = Manager::of(&server).await;
    for end in ["moved", "deleted", "policy removed"] {
        // Each with a key of its own; the policy is removed last.
        let key = manager.new_key().await;
        let request = stream(&server, &key, "/chat/completions", "acme.all");
        let mut pieces = request.send().await.unwrap().bytes_stream();
        let mut text = String::new();
        while !text.contains("data: ") {
            let piece = pieces.next().await.unwrap().unwrap();
            text.push_str(&String::from_utf8_lossy(&piece));
        }
        match end {
            "moved" => {
                let path = format!("/{}/actions/changeCompartment", key.id);
                let body = json!({"compartmentId": "compartment.closed"});
                assert_eq!(manager.post(&path, &body).await.status, 204);
            }
            "deleted" => assert_eq!(manager.delete(&key.id).await.status, 204),
            _ => drop(succeed(&server, "policy remove policy.demo").await),
        }
        let rest = async {
            while let Some(piece) = pieces.next().await {
                text.push_str(&String::from_utf8_lossy(&piece.unwrap()));
            }
        };
        let ended = tokio::time::timeout(Duration::from_secs(60), rest).await;
        assert!(ended.is_ok(), "{end}");
        assert_eq!(code(&text), "insufficient_permissions", "{end}");
    }
    chat(&server, &key.one, "acme.all").await.is_inference(
        403,
        "invalid_request_error",
        "insufficient_permissions",
    );
}

/// A stream as a server tells it that is asked for usage, and as others do.
async fn telling() -> Fake {
    Fake::start(async |mut exchange: Exchange| {
        let asked = exchange.json()["stream_options"]["include_usage"] == true;
        let mut chunk: Value = serde_json::from_str(CHUNK).unwrap();
        exchange.begin_stream().await;
        if asked {
            chunk["usage"] = Value::Null;
        }
        exchange.piece(&format!("data: {chunk}\n\n")).await;
        if asked {
            chunk["choices"] = json!([]);
            chunk["usage"] =
                json!({"prompt_tokens": 1_000, "completion_tokens": 500, "total_tokens": 1_500});
            exchange.piece(&format!("data: {chunk}\n\n")).await;
        }
        exchange.piece("data: [DONE]\n\n").await;
        exchange.end_stream().await;
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_is_asked_for_its_usage_and_its_caller_is_not_told_who_did_not_ask() {
    let fake = telling().await;
    let (server, key) = behind(&fake).await;
    let request = stream(&server, &key, "/chat/completions", "acme.all");
    let text = request.send().await.unwrap().text().await.unwrap();
    assert_eq!(text, format!("data: {CHUNK}\n\ndata: [DONE]\n\n"));
    let body = json!({"model": "acme.all", "stream": true, "stream_options": {"include_usage": true},
        "messages": [{"role": "user", "content": "x"}]});
    let request = call(&server, &key.one, Method::POST, "/chat/completions").json(&body);
    let text = request.send().await.unwrap().text().await.unwrap();
    assert!(
        text.contains("\"usage\":null") && text.contains("\"total_tokens\":1500"),
        "{text}"
    );
    let inference = &server.app().inference;
    inference.admission.write_usage(inference).await.unwrap();
    let read = server
        .app()
        .store
        .read(|tx| usage::read(tx, chrono::NaiveDate::MIN));
    let lines: Result<Vec<(Line, Counts)>, StoreError> = read.await;
    let (_, counts) = lines.unwrap().remove(0);
    assert_eq!((counts.requests, counts.tokens.total()), (2, 3_000));
    assert_eq!(server.stop().await, Vec::<String>::new());
}

both_databases! {
    async fn one_model_is_read_by_its_name_if_the_key_may_call_it(server: Server) {
        let manager = Manager::of(&server).await;
        let key = manager.new_key().await;
        let read = async |secret: &str, name: &str| {
            Reply::of(call(&server, secret, Method::GET, &format!("/models/{name}"))).await
        };
        let echo = read(&key.one, "accord.echo").await.ok();
        assert_eq!((&echo["id"], &echo["object"]), (&"accord.echo".into(), &"model".into()));
        // Neither when this replica started nor what its clock says.
        assert_eq!(echo["created"], 1_767_225_600);
        assert_eq!(read(&key.one, "builtin%2Fslow").await.ok()["id"], "builtin/slow");
        // By its alias.
        assert_eq!(read(&key.one, "builtin%2Fecho").await.ok(), echo);
        let unknown = read(&key.one, "accord.unknown").await;
        unknown.is_inference(404, "invalid_request_error", "model_not_found");
        let closed = manager.new_key_in("compartment.closed").await;
        let hidden = read(&closed.one, "accord.echo").await;
        hidden.is_inference(404, "invalid_request_error", "model_not_found");
        let message = hidden.body["error"]["message"].as_str().unwrap().replace("accord.echo", "accord.unknown");
        assert_eq!(unknown.body["error"]["message"], message);
        chat(&server, &key.one, "accord.echo").await.ok();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_is_as_old_as_the_configuration_says_on_every_replica() {
    let list = async |shift: TimeDelta| {
        let of =
            |name: &str| json!({"name": name, "family": "acme", "url": "http://127.0.0.1:1/v1"});
        let mut dated = of("acme.dated");
        dated["created"] = "2025-05-01T12:00:00Z".into();
        let models = vec![model(dated), model(of("acme.chat"))];
        let server = Server::start_at(Database::Sqlite, shift, |layer| {
            layer.inference.models = Some(models);
        })
        .await;
        let key = Manager::of(&server).await.new_key().await;
        let reply = Reply::of(call(&server, &key.one, Method::GET, "/models")).await;
        reply.ok()["data"].take()
    };
    let models = list(TimeDelta::zero()).await;
    assert_eq!(models, list(TimeDelta::days(1)).await);
    let created = |name: &str| {
        let mut models = models.as_array().unwrap().iter();
        models.find(|model| model["id"] == name).unwrap()["created"].clone()
    };
    assert_eq!(created("acme.dated"), 1_746_100_800);
    assert_eq!(created("acme.chat"), 1_767_225_600);
}
