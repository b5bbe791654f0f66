//! Clients that others have written complete the flow, unmodified, and so does a
//! person with a browser.

use std::future::Future;
use std::pin::Pin;

use accord_server::identity::demo;
use oauth2::basic::BasicClient;
use oauth2::{
    AuthUrl, ClientId, ClientSecret, DeviceAuthorizationUrl, HttpRequest, HttpResponse, Scope,
    StandardDeviceAuthorizationResponse, TokenResponse, TokenUrl,
};
use serde_json::{Value, json};

use super::browser::Browser;
use super::client::{ANA, PASSWORD, organizations};
use crate::harness::{Server, both_databases, tools};

both_databases! {
    async fn openid_client_completes_the_flow_as_each_kind_of_client(server: Server) {
        demo::make_robot_key(&server.app().identity).await.unwrap();
        let key_file = demo::robot_key_file(&server.app().identity);
        let arguments = [
            &server.url(""),
            ANA,
            PASSWORD,
            demo::SECRET,
            key_file.to_str().unwrap(),
        ];
        let printed = tools::node("device_flow.mjs", &arguments).await;
        let results: Vec<Value> =
            printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let scope = "accounts.read offline_access";
        let of = |client: &str, active: Value| {
            json!({"client": client, "scope": scope, "type": "bearer", "active": active})
        };
        assert_eq!(
            results,
            [
                of(demo::PUBLIC, Value::Null),
                of(demo::CONFIDENTIAL, json!([true, false])),
                of(demo::ASSERTION, Value::Null),
            ]
        );
    }

    async fn authlib_completes_the_flow_with_a_secret(server: Server) {
        let arguments = [&server.url(""), demo::CONFIDENTIAL, demo::SECRET, ANA, PASSWORD];
        let printed = tools::python("authlib_device_flow.py", &arguments).await;
        assert_eq!(printed.trim().lines().last(), Some("success"));
    }

    async fn a_person_connects_a_device_and_looks_after_it(server: Server) {
        let printed = tools::node("identity_pages.mjs", &[
            tools::browser().to_str().unwrap(),
            &server.url(""),
            ANA,
            PASSWORD,
            &tools::pictures_of(&server),
        ]).await;
        assert_eq!(printed.trim().lines().last(), Some("success"));
    }

    async fn the_oauth2_crate_completes_the_flow_with_and_without_a_secret(server: Server) {
        for (id, secret) in [(demo::PUBLIC, None), (demo::CONFIDENTIAL, Some(demo::SECRET))] {
            // It asks for an authorization endpoint, and does not use it here.
            let mut client = BasicClient::new(ClientId::new(id.into()))
                .set_auth_uri(AuthUrl::new(server.url("/none")).unwrap())
                .set_token_uri(TokenUrl::new(server.url("/oauth2/v1/token")).unwrap())
                .set_device_authorization_url(
                    DeviceAuthorizationUrl::new(server.url("/oauth2/v1/device")).unwrap(),
                );
            if let Some(secret) = secret {
                client = client.set_client_secret(ClientSecret::new(secret.into()));
            }
            let http = transport(&server);
            let details: StandardDeviceAuthorizationResponse = client
                .exchange_device_code()
                .add_scope(Scope::new("accounts.read".into()))
                .request_async(&http)
                .await
                .unwrap();
            let mut browser = Browser::signed_in(&server, ANA, PASSWORD).await;
            browser.decide(details.user_code().secret(), "approve").await;
            let token = client
                .exchange_device_access_token(&details)
                .request_async(&http, tokio::time::sleep, None)
                .await
                .unwrap();
            assert_eq!(organizations(&server, token.access_token().secret()).await, 200);
        }
    }
}

/// The crate brings no connection of its own here.
fn transport(
    server: &Server,
) -> impl Fn(
    HttpRequest,
) -> Pin<Box<dyn Future<Output = Result<HttpResponse, oauth2::http::Error>> + Send>>
+ use<> {
    let http = server.http().clone();
    move |request| {
        let http = http.clone();
        Box::pin(async move {
            let (parts, body) = request.into_parts();
            let response = http
                .request(parts.method, parts.uri.to_string())
                .headers(parts.headers)
                .body(body)
                .send()
                .await
                .unwrap();
            let mut answer = oauth2::http::Response::builder().status(response.status());
            for (name, value) in response.headers() {
                answer = answer.header(name, value);
            }
            answer.body(response.bytes().await.unwrap().to_vec())
        })
    }
}
