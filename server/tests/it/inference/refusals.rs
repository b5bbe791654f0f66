//! What is refused before an operation begins, in both shapes of the document.

use reqwest::Method;
use serde_json::{Value, json};

use accord_server::accounts::demo::ADMINISTRATOR;
use accord_server::area::Area;
use accord_server::inference::keys::secrets::PlainSecret;
use accord_server::kernel::SystemRandom;

use super::client::{COMPARTMENT, Manager, Reply, call, chat, two_secrets};
use crate::harness::{self, Database, Server, both_databases, on_sqlite};

const REQUEST_ID: &str = "run-7_A";

both_databases! {
    async fn managing_keys_takes_a_token_with_the_scope(server: Server) {
        let manager = Manager::of(&server).await;
        let key = manager.new_key().await;
        let with = |token: &str| Manager { token: token.into(), ..manager.clone() };
        let path = format!("/{}", key.id);
        for token in ["nonsense", &key.one, &format!("{}x", manager.token)] {
            let reply = with(token).get(&path).await;
            reply.is(401, "NotAuthenticated");
            assert!(reply.header("www-authenticate").unwrap().starts_with("Bearer"));
        }
        let url = format!("{}/20231130/apikeys/x", server.area(Area::Inference));
        let without = Reply::of(server.http().get(&url)).await;
        without.is(401, "NotAuthenticated");
        assert_eq!(without.header("www-authenticate"), Some(r#"Bearer realm="accord""#));

        let reader = Manager::named(&server, ADMINISTRATOR, "apikeys.read").await;
        reader.get(&path).await.ok();
        reader.renew(&key, "one").await.is(403, "NotAuthorized");
        let writer = Manager::named(&server, ADMINISTRATOR, "apikeys.write").await;
        let refused = writer.get(&path).await;
        refused.is(403, "NotAuthorized");
        assert_eq!(
            refused.header("www-authenticate"),
            Some(r#"Bearer realm="accord", error="insufficient_scope", scope="apikeys.read""#)
        );
        writer.renew(&key, "one").await.ok();
        server.advance(30 * 86_400);
        manager.get(&path).await.is(401, "NotAuthenticated");
    }

    async fn a_body_that_is_no_request_changes_nothing(server: Server) {
        let manager = Manager::of(&server).await;
        let post = || manager.request(Method::POST, "");
        let json = "application/json";
        Reply::of(post()).await.is(400, "MissingParameter");
        Reply::of(post().header("content-type", json).body("{\"displayName\":")).await
            .is(400, "CannotParseRequest");
        Reply::of(post().header("content-type", json).body("[".repeat(10_000))).await
            .is(400, "CannotParseRequest");
        Reply::of(post().header("content-type", "text/plain").body("{}")).await
            .is(415, "UnsupportedMediaType");
        Reply::of(post().header("content-type", json).body(" ".repeat((1 << 20) + 1))).await
            .is(413, "RequestEntityTooLarge");
        let body = serde_json::to_string(&two_secrets("x", COMPARTMENT)).unwrap();
        let long = post().header("accord-retry-token", "t".repeat(256));
        Reply::of(long.header("content-type", json).body(body)).await.is(400, "InvalidParameter");
        let list = manager.get("?compartmentId=compartment.demo").await.ok();
        assert_eq!(list, json!({"items": []}));
    }

    async fn every_secret_that_is_not_accepted_gets_the_same_answer(server: Server) {
        let manager = Manager::of(&server).await;
        let key = manager.new_key().await;
        let unknown = PlainSecret::generate(&SystemRandom).expose().to_owned();
        for secret in [&key.two, &unknown, "sk-short-but-more-than-twenty-characters", &manager.token] {
            for path in ["/chat/completions", "/responses"] {
                let reply = Reply::of(call(&server, secret, Method::POST, path).body("{")).await;
                reply.is_inference(401, "invalid_request_error", "invalid_api_key");
                let message = reply.body["error"]["message"].as_str().unwrap().to_owned();
                assert!(message.starts_with("Incorrect API key provided: "));
                assert!(!message.contains(secret));
            }
        }
        let url = format!("{}/20231130/actions/v1/models", server.area(Area::Inference));
        let without = Reply::of(server.http().get(&url)).await;
        without.is_inference(401, "invalid_request_error", "invalid_api_key");
        assert_eq!(without.header("www-authenticate"), Some(r#"Bearer realm="accord""#));
    }
}

on_sqlite! {
    async fn a_path_knows_its_methods(server: Server) {
        let manager = Manager::of(&server).await;
        let reply = Reply::of(manager.request(Method::PATCH, "")).await;
        reply.is(405, "MethodNotAllowed");
        let mut allow: Vec<_> = reply.header("allow").unwrap().split(", ").collect();
        allow.sort_unstable();
        assert_eq!(allow, ["GET", "HEAD", "POST"]);
        let reply = Reply::of(call(&server, "x", Method::GET, "/chat/completions")).await;
        reply.is_inference(405, "invalid_request_error", "method_not_allowed");
        assert_eq!(reply.header("allow"), Some("POST"));
    }

    async fn a_callers_request_id_is_echoed_when_it_is_well_formed(server: Server) {
        let manager = Manager::of(&server).await;
        let get = |id: &str| {
            manager.request(Method::GET, "/x").header("accord-request-id", id.to_owned())
        };
        let reply = Reply::of(get(REQUEST_ID)).await;
        assert_eq!(reply.header("accord-request-id"), Some(REQUEST_ID));
        let reply = Reply::of(get("a b")).await;
        let made = reply.header("accord-request-id").unwrap();
        assert!(made != "a b" && !made.is_empty());
        let request = call(&server, "x", Method::GET, "/models").header("accord-request-id", REQUEST_ID);
        let reply = Reply::of(request).await;
        assert!(reply.header("x-request-id").is_some());
        assert_eq!(reply.header("accord-request-id"), Some(REQUEST_ID));
        assert_ne!(reply.header("x-request-id"), Some(REQUEST_ID));
        let reply = Reply::of(call(&server, "x", Method::GET, "/models")).await;
        assert_eq!(reply.header("x-request-id"), reply.header("accord-request-id"));
    }

    async fn a_request_has_one_id(server: Server) {
        let manager = Manager::of(&server).await;
        let key = manager.new_key().await;
        let twice = |request: reqwest::RequestBuilder| {
            request.header("accord-request-id", "a").header("accord-request-id", "b")
        };
        let document = harness::source("inference");
        let example = |response: &str| {
            document["components"]["responses"][response]["content"]["application/json"]["examples"]
                ["repeated"]["value"].clone()
        };
        let reply = Reply::of(twice(manager.request(Method::GET, "/x"))).await;
        assert_eq!((reply.status, reply.body), (400, example("InvalidParameter")));
        let models = call(&server, &key.one, Method::GET, "/models");
        let reply = Reply::of(twice(models)).await;
        assert_eq!((reply.status, reply.body), (400, example("InvalidModelsRequest")));
    }

    async fn a_model_call_that_is_none_is_refused_in_the_conventions_shape(server: Server) {
        let key = Manager::of(&server).await.new_key().await;
        let invalid = "invalid_request_error";
        let post = |path| call(&server, &key.one, Method::POST, path);
        let json = "application/json";
        for (path, second) in [("/chat/completions", "messages"), ("/responses", "input")] {
            let missing = Reply::of(post(path).json(&json!({"model": "accord.echo"}))).await;
            missing.is_inference(400, invalid, "missing_required_parameter");
            assert_eq!(missing.body["error"]["param"], second);
            let broken = post(path).header("content-type", json).body("{\"model\":");
            Reply::of(broken).await.is_inference(400, invalid, "invalid_json");
            let deep = post(path).header("content-type", json).body("[".repeat(10_000));
            Reply::of(deep).await.is_inference(400, invalid, "invalid_json");
            let none = Reply::of(post(path)).await;
            none.is_inference(400, invalid, "missing_required_parameter");
            let text = post(path).header("content-type", "text/plain").body("{}");
            Reply::of(text).await.is_inference(415, invalid, "unsupported_media_type");
            let large = post(path).header("content-type", json).body(" ".repeat((10 << 20) + 1));
            Reply::of(large).await.is_inference(413, invalid, "request_too_large");
            let good = json!({"model": "accord.echo", second: "x"});
            let html = post(path).header("accept", "text/html").json(&good);
            Reply::of(html).await.is_inference(406, invalid, "not_acceptable");
            let unknown = json!({"model": "nobody", second: [{"role": "user", "content": "x"}]});
            let unknown = Reply::of(post(path).json(&unknown)).await;
            unknown.is_inference(404, invalid, "model_not_found");
            assert_eq!(unknown.body["error"]["param"], "model");
        }
        let body = json!({"model": "accord.echo", "messages": []});
        let empty = Reply::of(post("/chat/completions").json(&body)).await;
        empty.is_inference(400, invalid, "invalid_value");
        let body = json!({"model": "accord.echo", "messages": [{"content": "x"}]});
        let nobody = Reply::of(post("/chat/completions").json(&body)).await;
        nobody.is_inference(400, invalid, "missing_required_parameter");
        assert_eq!(nobody.body["error"]["param"], "messages[0].role");
        let body = json!({"model": "meta.echo", "input": "x"});
        let meta = Reply::of(post("/responses").json(&body)).await;
        meta.is_inference(400, invalid, "unsupported_model");
        assert_eq!(meta.body["error"]["param"], "model");
        chat(&server, &key.one, "meta.echo").await.ok();
    }

    async fn the_limits_of_the_conventions_are_checked(server: Server) {
        let key = Manager::of(&server).await.new_key().await;
        let ask = async |member: &str, value: Value| {
            let mut body = json!({
                "model": "accord.echo",
                "messages": [{"role": "user", "content": "x"}],
                "input": "x",
            });
            body[member] = value;
            let path = match member {
                "max_output_tokens" => "/responses",
                _ => "/chat/completions",
            };
            Reply::of(call(&server, &key.one, Method::POST, path).json(&body)).await
        };
        for (member, within, beyond) in [
            ("n", vec![json!(1), json!(128)], vec![json!(0), json!(129)]),
            ("max_tokens", vec![json!(1)], vec![json!(0)]),
            ("max_completion_tokens", vec![json!(1)], vec![json!(0)]),
            ("max_output_tokens", vec![json!(1)], vec![json!(0)]),
            ("temperature", vec![json!(0), json!(2)], vec![json!(-0.1), json!(2.1)]),
            ("top_p", vec![json!(0), json!(1)], vec![json!(-0.1), json!(1.1)]),
            ("top_logprobs", vec![json!(0), json!(20)], vec![json!(-1), json!(21)]),
            ("presence_penalty", vec![json!(-2), json!(2)], vec![json!(-2.1), json!(2.1)]),
            ("frequency_penalty", vec![json!(-2), json!(2)], vec![json!(-2.1), json!(2.1)]),
            ("logit_bias", vec![json!({"7": -100}), json!({"7": 100})], vec![json!({"7": 101})]),
            ("stop", vec![json!("y"), json!(["a", "b", "c", "d"])], vec![json!(["a", "b", "c", "d", "e"])]),
        ] {
            for value in within.into_iter().chain([Value::Null]) {
                let reply = ask(member, value.clone()).await;
                assert_eq!(reply.status, 200, "{member}: {value}: {reply:?}");
            }
            for value in beyond {
                let reply = ask(member, value).await;
                reply.is_inference(400, "invalid_request_error", "invalid_value");
                let param = reply.body["error"]["param"].as_str().unwrap();
                assert!(param.starts_with(member), "{reply:?}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_is_too_fast_is_told_how_long_to_wait() {
    let server = Server::start_with(Database::Sqlite, |layer| {
        layer.inference.requests_per_minute = Some(2);
        layer.inference.management_requests_per_minute = Some(3);
    })
    .await;
    let manager = Manager::of(&server).await;
    let key = manager.new_key().await;
    let other = manager.new_key().await;
    for _ in 0..2 {
        chat(&server, &key.one, "accord.echo").await.ok();
    }
    let refused = chat(&server, &key.one, "accord.echo").await;
    refused.is_inference(429, "rate_limit_error", "rate_limit_exceeded");
    let wait: i64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((29..=30).contains(&wait), "{wait}");
    let models = Reply::of(call(&server, &key.one, Method::GET, "/models")).await;
    models.is_inference(429, "rate_limit_error", "rate_limit_exceeded");
    // A key's allowance is its own.
    chat(&server, &other.one, "accord.echo").await.ok();
    server.advance(wait);
    chat(&server, &key.one, "accord.echo").await.ok();

    let path = format!("/{}", key.id);
    while manager.get(&path).await.status == 200 {}
    let refused = manager.get(&path).await;
    refused.is(429, "TooManyRequests");
    assert!(refused.header("retry-after").is_some());
    assert_eq!(server.stop().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_delay_that_the_operator_sets_keeps_a_revoked_secret_open() {
    let server = Server::start_with(Database::Sqlite, |layer| {
        layer.inference.propagation_seconds = Some(60);
    })
    .await;
    let manager = Manager::of(&server).await;
    let key = manager.new_key().await;
    manager.set_state(&key, "one", "REVOKED").await.ok();
    manager.set_state(&key, "two", "REVOKED").await.ok();
    assert!(super::client::accepted(&server, &key.one).await);
    assert!(!super::client::accepted(&server, &key.two).await);
    server.advance(61);
    assert!(!super::client::accepted(&server, &key.one).await);
}
