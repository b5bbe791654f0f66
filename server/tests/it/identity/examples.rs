//! Every documented error of identity, provoked: the response is the example, word for word.

use std::collections::BTreeMap;

use accord_server::identity::clients::{Kind, add_secret};
use accord_server::identity::demo;
use serde_json::{Value, json};

use super::browser::Browser;
use super::client::{
    ANA, Answer, DEVICE_CODE, Device, JWT_BEARER, PASSWORD, WEB, answer, post, post_as, register,
    tokens,
};
use crate::examples::{documented, hide};
use crate::harness::{Server, both_databases};

const DEVICE: &str = "/oauth2/v1/device";
const TOKEN: &str = "/oauth2/v1/token";
const INTROSPECT: &str = "/oauth2/v1/introspect";
const REVOKE: &str = "/oauth2/v1/revoke";
const METADATA: &str = "/.well-known/oauth-authorization-server";
const PUBLIC: (&str, &str) = ("client_id", demo::PUBLIC);
const POLL: (&str, &str) = ("grant_type", DEVICE_CODE);
/// Examples of a flood and of an outage.
const NOT_HERE: [&str; 2] = ["tooManyRequests", "temporarilyUnavailable"];

/// Responses with the names of their examples.
type Provoked = Vec<(&'static str, Answer)>;

async fn of_device_requests(server: &Server) -> Provoked {
    let other_type = [PUBLIC, ("response_type", "token")];
    let request = || server.http().post(server.url(DEVICE));
    let form = "application/x-www-form-urlencoded";
    let large = request().header("content-type", form);
    let large = large.body("x".repeat((64 << 10) + 1));
    vec![
        (
            "createDeviceAuthorization400/missingParameter",
            post(server, DEVICE, &[("response_type", "device_code")]).await,
        ),
        (
            "createDeviceAuthorization400/notAForm",
            answer(request().json(&json!({}))).await,
        ),
        (
            "createDeviceAuthorization400/otherResponseType",
            post(server, DEVICE, &other_type).await,
        ),
        (
            "createDeviceAuthorization400/scopeNotAllowed",
            post(server, DEVICE, &[PUBLIC, ("scope", "openid")]).await,
        ),
        (
            "createDeviceAuthorization400/unauthorizedClient",
            post(server, DEVICE, &[("client_id", "grantless")]).await,
        ),
        (
            "InvalidClient/invalidClient",
            post(server, DEVICE, &[("client_id", "nobody")]).await,
        ),
        ("TooLarge/tooLarge", answer(large).await),
    ]
}

async fn of_polls(server: &Server) -> Provoked {
    let device = Device::ask(server, "accounts.read").await;
    let pending = device.poll(server).await;
    let early = device.poll(server).await;
    let mut browser = Browser::signed_in(server, ANA, PASSWORD).await;
    browser.decide(&device.user_code, "deny").await;
    let denied = device.poll(server).await;
    let device = Device::ask(server, "accounts.read").await;
    server.advance(301);
    let expired = device.poll(server).await;
    let grantless = [("client_id", "grantless"), POLL, ("device_code", "x")];
    let unknown = [PUBLIC, POLL, ("device_code", "x")];
    let unsupported = [PUBLIC, ("grant_type", "password")];
    vec![
        ("createToken400/authorizationPending", pending),
        ("createToken400/slowDown", early),
        ("createToken400/accessDenied", denied),
        ("createToken400/expiredToken", expired),
        (
            "createToken400/invalidGrant",
            post(server, TOKEN, &unknown).await,
        ),
        (
            "createToken400/unsupportedGrantType",
            post(server, TOKEN, &unsupported).await,
        ),
        (
            "createToken400/unauthorizedClient",
            post(server, TOKEN, &grantless).await,
        ),
        (
            "createToken400/invalidRequest",
            post(server, TOKEN, &[PUBLIC, POLL]).await,
        ),
    ]
}

async fn of_tokens(server: &Server) -> Provoked {
    let issued = tokens(server, "accounts.read offline_access").await;
    let token = issued.text("refresh_token");
    let wider = [
        PUBLIC,
        ("grant_type", "refresh_token"),
        ("refresh_token", token),
        ("scope", "accounts.write"),
    ];
    let twice = [
        ("token", token),
        ("client_assertion_type", JWT_BEARER),
        ("client_assertion", "a.b.c"),
    ];
    let silent = ("silent", "a secret");
    let named = [("client_id", demo::CONFIDENTIAL)];
    vec![
        (
            "createToken400/invalidScope",
            post(server, TOKEN, &wider).await,
        ),
        (
            "revokeToken400/missingParameter",
            post(server, REVOKE, &[PUBLIC]).await,
        ),
        (
            "revokeToken400/foreignToken",
            post_as(server, WEB, REVOKE, &[("token", token)]).await,
        ),
        (
            "InvalidRequest/missingParameter",
            post_as(server, WEB, INTROSPECT, &named).await,
        ),
        (
            "InvalidRequest/twoIdentifications",
            post_as(server, WEB, INTROSPECT, &twice).await,
        ),
        (
            "InvalidRequest/unauthorizedClient",
            post_as(server, silent, INTROSPECT, &[("token", token)]).await,
        ),
    ]
}

async fn of_metadata(server: &Server) -> Provoked {
    let get = |path| server.http().get(server.url(path));
    let repeated = get(METADATA).header("accord-request-id", "a");
    let repeated = repeated.header("accord-request-id", "b");
    let html = get(METADATA).header("accept", "text/html");
    let delete = server.http().delete(server.url(METADATA));
    vec![
        (
            "UnknownPath/unknown",
            answer(get("/oauth2/v1/nowhere")).await,
        ),
        ("RepeatedRequestId/repeated", answer(repeated).await),
        ("NotAcceptable/notAcceptable", answer(html).await),
        ("MethodNotAllowed/methodNotAllowed", answer(delete).await),
    ]
}

both_databases! {
    async fn every_error_of_identity_is_as_documented(server: Server) {
        register(&server, |client| {
            client.id = "grantless".into();
            client.grants = Vec::new();
        })
        .await;
        register(&server, |client| {
            client.id = "silent".into();
            client.kind = Kind::Confidential;
        })
        .await;
        let context = server.app().clone();
        let add = move |tx: &mut accord_server::store::Tx<'_>| {
            add_secret(tx, &context.server_keys, "silent", "a secret", 0)
        };
        server.write(add).await;

        let mut provoked = of_device_requests(&server).await;
        provoked.extend(of_polls(&server).await);
        provoked.extend(of_tokens(&server).await);
        provoked.extend(of_metadata(&server).await);
        hide(&server, "device_grants").await;
        let poll = [PUBLIC, POLL, ("device_code", "x")];
        provoked.push(("ServerError/serverError", post(&server, TOKEN, &poll).await));

        let mut documented = documented("identity");
        documented.retain(|name, _| NOT_HERE.iter().all(|example| !name.ends_with(*example)));
        let provoked = provoked.into_iter().map(|(name, answer)| (name.to_owned(), answer.body));
        let provoked: BTreeMap<String, Value> = provoked.collect();
        assert_eq!(provoked, documented);
    }
}
