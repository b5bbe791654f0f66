//! Documented errors of inference, provoked: the response is the example, word for word.
//!
//! Upstreams, limits, policies and outages provoke the other examples.

use accord_server::accounts::demo::ADMINISTRATOR;
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use super::client::{COMPARTMENT, Manager, Reply, call, two_secrets};
use crate::examples::documented;
use crate::harness::{Server, both_databases};

/// An error of JSON at column 14.
const UNREADABLE: &str = "{\"keyName\":1 x";

/// Responses with the names of their examples.
type Provoked = Vec<(&'static str, Reply)>;

/// Sends a text as JSON, or as another media type.
async fn send(request: RequestBuilder, media_type: &str, body: impl Into<String>) -> Reply {
    let request = request.header("content-type", media_type);
    Reply::of(request.body(body.into())).await
}

async fn of_requests(server: &Server, manager: &Manager, id: &str) -> Provoked {
    let reader = Manager::named(server, ADMINISTRATOR, "apikeys.read").await;
    let nobody = Manager {
        token: "x".into(),
        ..manager.clone()
    };
    let new = two_secrets("reporting_key", COMPARTMENT);
    let mut homeless = new.clone();
    homeless.as_object_mut().unwrap().remove("compartmentId");
    let mut expired = new.clone();
    expired["keyDetails"][0]["timeExpiry"] = "2020-01-01T00:00:00Z".into();
    let set_state = format!("/{id}/actions/setstate");
    let post = |path: &str| manager.request(Method::POST, path);
    let large = " ".repeat((1 << 20) + 1);
    let deletion = manager.request(Method::DELETE, "");
    vec![
        (
            "InvalidRequest/unreadable",
            send(post(&set_state), "application/json", UNREADABLE).await,
        ),
        (
            "InvalidRequest/missing",
            manager.post(&set_state, &json!({"state": "ACTIVE"})).await,
        ),
        ("InvalidParameter/missing", manager.get("").await),
        (
            "InvalidRequestOrLimit/missing",
            manager.create(&homeless).await,
        ),
        (
            "InvalidRequestOrLimit/invalid",
            manager.create(&expired).await,
        ),
        ("NotAuthenticated/noToken", nobody.create(&new).await),
        ("NotAuthorized/scope", reader.create(&new).await),
        (
            "RequestTooLarge/size",
            send(post(""), "application/json", large).await,
        ),
        (
            "UnsupportedMediaType/text",
            send(post(""), "text/plain", "{}").await,
        ),
        ("MethodNotAllowed/method", Reply::of(deletion).await),
    ]
}

async fn of_keys(manager: &Manager, id: &str) -> Provoked {
    let set_state = format!("/{id}/actions/setstate");
    let state = |state: &str| json!({"keyName": "key-one", "state": state});
    let two = manager.request(Method::POST, &set_state);
    let two = two.header("idempotency-key", "a");
    let two = two.header("accord-retry-token", "b").json(&state("ACTIVE"));
    let stale = manager.request(Method::PUT, &format!("/{id}"));
    let stale = stale.header("if-match", "\"99\"").json(&json!({}));
    manager.post(&set_state, &state("REVOKED")).await.ok();
    let there = json!({"compartmentId": COMPARTMENT});
    let mut provoked = vec![
        (
            "InvalidRequest/invalid",
            manager.post(&set_state, &state("ON")).await,
        ),
        ("InvalidRequest/retryTokens", Reply::of(two).await),
        (
            "IncorrectStateOrRetryToken/revoked",
            manager.post(&set_state, &state("ACTIVE")).await,
        ),
        (
            "CompartmentConflict/there",
            manager
                .post(&format!("/{id}/actions/changeCompartment"), &there)
                .await,
        ),
        ("NoEtagMatch/stale", Reply::of(stale).await),
        (
            "NotAuthorizedOrNotFound/unknown",
            manager.get("/apikey.local.unknown").await,
        ),
    ];
    assert_eq!(manager.delete(id).await.status, 204);
    let deleted = manager.put(id, &json!({})).await;
    provoked.push(("IncorrectState/deleted", deleted));
    provoked
}

async fn of_models(server: &Server, secret: &str) -> Provoked {
    const CHAT: &str = "/chat/completions";
    let post = |path: &str| call(server, secret, Method::POST, path);
    let json = "application/json";
    let ask = async |path: &str, body: Value| Reply::of(post(path).json(&body)).await;
    let messages = json!([{"role": "user", "content": "x"}]);
    let two_models = json!({"Model": "x", "model": "accord.echo", "messages": messages});
    let unknown = json!({"model": "accord.unknown", "messages": messages});
    let html = post(CHAT).header("accept", "text/html");
    let html = html.json(&json!({"model": "accord.echo", "messages": messages}));
    let large = " ".repeat((10 << 20) + 1);
    let deletion = call(server, secret, Method::DELETE, "/models");
    vec![
        (
            "InvalidInferenceRequest/missing",
            ask(CHAT, json!({"model": "accord.echo"})).await,
        ),
        (
            "InvalidInferenceRequest/ambiguous",
            ask(CHAT, two_models).await,
        ),
        (
            "InvalidInferenceRequest/unreadable",
            send(post(CHAT), json, UNREADABLE).await,
        ),
        (
            "InvalidResponsesRequest/family",
            ask("/responses", json!({"model": "meta.echo", "input": "x"})).await,
        ),
        (
            "InvalidResponsesRequest/missing",
            ask("/responses", json!({"model": "accord.echo"})).await,
        ),
        ("ModelNotFound/unknown", ask(CHAT, unknown).await),
        ("InferenceNotAcceptable/accept", Reply::of(html).await),
        (
            "InferenceRequestTooLarge/size",
            send(post(CHAT), json, large).await,
        ),
        (
            "InferenceUnsupportedMediaType/text",
            send(post(CHAT), "text/plain", "{}").await,
        ),
        (
            "InferenceMethodNotAllowed/method",
            Reply::of(deletion).await,
        ),
    ]
}

both_databases! {
    async fn errors_of_inference_are_as_documented(server: Server) {
        let manager = Manager::of(&server).await;
        let new = json!({
            "displayName": "reporting_key", "compartmentId": COMPARTMENT,
            "keyDetails": [{"keyName": "key-one"}],
        });
        let key = manager.create(&new).await.ok();
        let (id, secret) = (key["id"].as_str().unwrap(), key["keys"][0]["key"].as_str().unwrap());
        let mut provoked = of_requests(&server, &manager, id).await;
        provoked.extend(of_models(&server, secret).await);
        provoked.extend(of_keys(&manager, id).await);
        let documented = documented("inference");
        for (name, reply) in provoked {
            assert_eq!(Some(&reply.body), documented.get(name), "{name}");
        }
    }
}
