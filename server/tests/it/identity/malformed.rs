//! Requests that are wrong in form. Nothing comes of them, and each is told in
//! the document's words.

use accord_server::identity::demo;

use super::client::{Answer, DEVICE_CODE, Device, answer, post};
use crate::harness::shared::on_shared_service;
use crate::harness::{Server, both_databases};

const TOKEN: &str = "/oauth2/v1/token";
const DEVICE: &str = "/oauth2/v1/device";

async fn raw(server: &Server, path: &str, content_type: Option<&str>, body: String) -> Answer {
    let mut request = server.http().post(server.url(path)).body(body);
    if let Some(content_type) = content_type {
        request = request.header("content-type", content_type);
    }
    answer(request).await
}

const FORM: Option<&str> = Some("application/x-www-form-urlencoded");

on_shared_service! {
    async fn a_missing_or_empty_parameter_is_an_invalid_request(server: Server) {
        let id = ("client_id", demo::PUBLIC);
        for (path, form, named) in [
            (DEVICE, vec![("response_type", "device_code")], "client_id"),
            (DEVICE, vec![("response_type", "device_code"), ("client_id", "")], "client_id"),
            (TOKEN, vec![id], "grant_type"),
            (TOKEN, vec![id, ("grant_type", "")], "grant_type"),
            (TOKEN, vec![id, ("grant_type", DEVICE_CODE)], "device_code"),
            (TOKEN, vec![id, ("grant_type", DEVICE_CODE), ("device_code", "")], "device_code"),
            (TOKEN, vec![id, ("grant_type", "refresh_token")], "refresh_token"),
            ("/oauth2/v1/introspect", vec![id], "token"),
            ("/oauth2/v1/revoke", vec![id], "token"),
        ] {
            let answer = post(&server, path, &form).await;
            assert_eq!(answer.error(), (400, "invalid_request"), "{path} {form:?}");
            let description = answer.text("error_description");
            assert_eq!(description, format!("A required parameter is missing: {named}."));
        }
    }

    async fn a_parameter_that_is_sent_twice_is_an_invalid_request(server: Server) {
        let id = ("client_id", demo::PUBLIC);
        let answer = post(&server, DEVICE, &[id, id]).await;
        assert_eq!(answer.error(), (400, "invalid_request"));
        // Parameters keep the names that callers know them by.
        assert_eq!(answer.text("error_description"), "The parameter client_id is repeated.");
        let device = Device::ask(&server, "accounts.read").await;
        let mut form = device.form(&[id]);
        form.push(("device_code", "x"));
        assert_eq!(post(&server, TOKEN, &form).await.error(), (400, "invalid_request"));
    }

    async fn an_unknown_parameter_is_ignored(server: Server) {
        let form = [("client_id", demo::PUBLIC), ("colour", "blue"), ("audience", "")];
        assert_eq!(post(&server, DEVICE, &form).await.status, 200);
    }

    async fn another_grant_type_is_not_supported(server: Server) {
        for grant_type in ["password", "client_credentials", "authorization_code", "DEVICE"] {
            let form = [("grant_type", grant_type), ("client_id", demo::PUBLIC)];
            let answer = post(&server, TOKEN, &form).await;
            assert_eq!(answer.error(), (400, "unsupported_grant_type"));
        }
    }

    async fn a_body_that_is_no_form_is_an_invalid_request(server: Server) {
        let body = || format!("client_id={}", demo::PUBLIC);
        for content_type in ["application/json", "text/plain", "multipart/form-data; boundary=x"] {
            let answer = raw(&server, DEVICE, Some(content_type), body()).await;
            assert_eq!(answer.error(), (400, "invalid_request"), "{content_type}");
        }
        for body in ["", "{\"client_id\":\"accord-cli\"}", "%", "a=%ff"] {
            let answer = raw(&server, DEVICE, FORM, body.into()).await;
            assert_eq!(answer.error(), (400, "invalid_request"), "{body}");
        }
        let charset = Some("application/x-www-form-urlencoded; charset=utf-8");
        assert_eq!(raw(&server, DEVICE, charset, body()).await.status, 200);
    }

    async fn every_value_can_be_odd_and_none_is_a_failure_of_the_server(server: Server) {
        let odd = ["\0", "a\0b", "\u{202e}", "'; DROP TABLE x;--", "%00", "🦀", " ", "\r\nX: y"];
        for value in odd {
            for name in ["client_id", "scope", "response_type", "client_assertion"] {
                let form = match name {
                    "client_id" => vec![(name, value)],
                    _ => vec![("client_id", demo::PUBLIC), (name, value)],
                };
                let answer = post(&server, DEVICE, &form).await;
                assert!((400..402).contains(&answer.status), "{name}={value:?}: {answer:?}");
            }
            for name in ["grant_type", "device_code", "client_id", "refresh_token", "scope"] {
                let mut form = vec![
                    ("grant_type", "refresh_token"),
                    ("device_code", "x"),
                    ("client_id", demo::PUBLIC),
                    ("refresh_token", "rt_x"),
                ];
                form.retain(|(one, _)| *one != name);
                form.push((name, value));
                let answer = post(&server, TOKEN, &form).await;
                assert!((400..402).contains(&answer.status), "{name}={value:?}: {answer:?}");
            }
            let poll = [("grant_type", DEVICE_CODE), ("device_code", value), ("client_id", value)];
            let answer = post(&server, TOKEN, &poll).await;
            assert!((400..402).contains(&answer.status), "{value:?}: {answer:?}");
        }
    }

    async fn another_method_is_told_which_ones_there_are(server: Server) {
        for (path, method, allow) in [
            (DEVICE, "GET", "POST"),
            (TOKEN, "PUT", "POST"),
            ("/oauth2/v1/introspect", "DELETE", "POST"),
            ("/.well-known/oauth-authorization-server", "POST", "GET, HEAD"),
            ("/admin/v1/SigningCert/jwk", "PATCH", "GET, HEAD"),
        ] {
            let request = server.http().request(method.parse().unwrap(), server.url(path));
            let answer = answer(request).await;
            assert_eq!(answer.error(), (405, "invalid_request"), "{method} {path}");
            assert_eq!(answer.header("allow"), allow);
        }
    }
}

both_databases! {
    /// The server may close connections in this test, so that no other test shares the service.
    async fn a_huge_body_is_too_large(server: Server) {
        let body = format!("client_id={}", "x".repeat(20 << 20));
        // The server may close the connection while the body is on its way.
        let request = server.http().post(server.url(DEVICE)).body(body);
        let request = request.header("content-type", "application/x-www-form-urlencoded");
        if let Ok(response) = request.send().await {
            assert_eq!(response.status(), 413);
        }
        let answer = raw(&server, DEVICE, FORM, format!("client_id={}", "x".repeat(65536))).await;
        assert_eq!(answer.error(), (413, "invalid_request"));
        assert_eq!(answer.header("cache-control"), "no-store");
    }
}
