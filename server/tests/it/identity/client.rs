//! An OAuth client as tests need one, over plain HTTP.

use accord_server::identity::clients::{Client, Grant, Kind, Role};
use accord_server::identity::demo;
use accord_server::identity::error::ServerError;
use serde_json::Value;

use super::browser::Browser;
use crate::harness::Server;
use crate::inference::client::Reply;

/// `grant_type` of RFC 8628.
pub const DEVICE_CODE: &str = "urn:ietf:params:oauth:grant-type:device_code";
/// `client_assertion_type` of a JWT.
pub const JWT_BEARER: &str = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
/// The demo's administrator.
pub const ANA: &str = "ana@north.example";
/// Her password.
pub const PASSWORD: &str = accord_server::demo::PASSWORD;

/// An answer of an OAuth endpoint.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: reqwest::header::HeaderMap,
    pub body: Value,
}

impl Answer {
    /// Status and error code.
    pub fn error(&self) -> (u16, &str) {
        (self.status, self.text("error"))
    }

    /// A text of the body; empty when it is not there.
    pub fn text(&self, name: &str) -> &str {
        self.body[name].as_str().unwrap_or_default()
    }

    /// A header.
    pub fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }
}

/// Sends a request and reads its JSON.
pub async fn answer(request: reqwest::RequestBuilder) -> Answer {
    let Reply {
        status,
        headers,
        body,
    } = Reply::of(request).await;
    Answer {
        status,
        headers,
        body,
    }
}

/// Sends a form.
pub async fn post(server: &Server, path: &str, form: &[(&str, &str)]) -> Answer {
    answer(server.http().post(server.url(path)).form(form)).await
}

/// Sends a form with Basic credentials.
pub async fn post_as(
    server: &Server,
    (user, password): (&str, &str),
    path: &str,
    form: &[(&str, &str)],
) -> Answer {
    let request = server.http().post(server.url(path));
    answer(request.basic_auth(user, Some(password)).form(form)).await
}

/// The demo's confidential client.
pub const WEB: (&str, &str) = (demo::CONFIDENTIAL, demo::SECRET);

/// A device of a public client that has asked for scopes.
pub struct Device {
    pub client_id: String,
    pub device_code: String,
    pub user_code: String,
}

impl Device {
    /// A device of the demo's public client.
    pub async fn ask(server: &Server, scope: &str) -> Device {
        Device::ask_as(server, demo::PUBLIC, scope).await
    }

    /// A device of any client.
    pub async fn ask_as(server: &Server, client_id: &str, scope: &str) -> Device {
        let form = [
            ("response_type", "device_code"),
            ("client_id", client_id),
            ("scope", scope),
        ];
        let answer = post(server, "/oauth2/v1/device", &form).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        Device {
            client_id: client_id.into(),
            device_code: answer.text("device_code").into(),
            user_code: answer.text("user_code").into(),
        }
    }

    /// What its user has approved it for, when she has.
    pub async fn poll(&self, server: &Server) -> Answer {
        self.poll_with(server, &[("client_id", &self.client_id)])
            .await
    }

    /// The same with another identification of the client.
    pub async fn poll_with(&self, server: &Server, client: &[(&str, &str)]) -> Answer {
        post(server, "/oauth2/v1/token", &self.form(client)).await
    }

    /// The parameters of a poll.
    pub fn form<'a>(&'a self, client: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
        let mut form = vec![
            ("grant_type", DEVICE_CODE),
            ("device_code", self.device_code.as_str()),
        ];
        form.extend(client);
        form
    }

    /// Ana approves it with a browser.
    pub async fn approve(&self, server: &Server) {
        let mut browser = Browser::signed_in(server, ANA, PASSWORD).await;
        let page = browser.decide(&self.user_code, "approve").await;
        assert!(page.body.contains("Device approved"), "{}", page.body);
    }
}

/// Tokens of the demo's public client, which Ana has approved.
pub async fn tokens(server: &Server, scope: &str) -> Answer {
    let device = Device::ask(server, scope).await;
    device.approve(server).await;
    let answer = device.poll(server).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer
}

/// What an access token gets at accounts.
pub async fn organizations(server: &Server, access_token: &str) -> u16 {
    let request = server.http().get(server.url("/api/user/organizations"));
    request
        .bearer_auth(access_token)
        .send()
        .await
        .unwrap()
        .status()
        .as_u16()
}

/// Registers a client.
pub async fn register(server: &Server, change: impl FnOnce(&mut Client)) {
    let mut client = Client {
        id: "another".into(),
        name: "Another application".into(),
        kind: Kind::Public,
        roles: vec![Role::AccountsReader],
        grants: vec![Grant::DeviceCode],
        introspects: false,
        access_token_seconds: 600,
        strict: true,
        saml_issuer: None,
    };
    change(&mut client);
    let store = &server.app().store;
    store
        .write(move |tx| Ok::<_, ServerError>(client.save(tx, 0)?))
        .await
        .unwrap();
}
