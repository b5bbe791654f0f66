//! Requests of the inference document, one line each.

use accord_server::accounts::demo::ADMINISTRATOR;
use accord_server::area::Area;
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use crate::harness::Server;

pub const BOTH_SCOPES: &str = "apikeys.read apikeys.write";
pub const COMPARTMENT: &str = "compartment.demo";

/// What came back.
#[derive(Debug, Clone)]
pub struct Reply {
    pub status: u16,
    pub headers: reqwest::header::HeaderMap,
    pub body: Value,
}

impl Reply {
    pub async fn of(request: RequestBuilder) -> Reply {
        let response = request.send().await.unwrap();
        let status = response.status().as_u16();
        let headers = response.headers().clone();
        let text = response.text().await.unwrap();
        let body = match text.is_empty() {
            true => Value::Null,
            false => serde_json::from_str(&text).unwrap_or_else(|_| panic!("{status}: {text}")),
        };
        Reply {
            status,
            headers,
            body,
        }
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// The body, if this is a 200.
    pub fn ok(self) -> Value {
        assert_eq!(self.status, 200, "{self:?}");
        self.body
    }

    /// That it is this error of the management shape.
    pub fn is(&self, status: u16, code: &str) {
        assert_eq!(self.status, status, "{self:?}");
        assert_eq!(self.body["code"], code, "{self:?}");
        assert!(self.body["message"].is_string(), "{self:?}");
        assert!(self.header("accord-request-id").is_some(), "{self:?}");
    }

    /// That it is this error of the conventions' shape.
    pub fn is_inference(&self, status: u16, kind: &str, code: impl Into<Value>) {
        assert_eq!(self.status, status, "{self:?}");
        let error = &self.body["error"];
        assert_eq!(error["type"], kind, "{self:?}");
        assert_eq!(error["code"], code.into(), "{self:?}");
        assert!(error["message"].is_string(), "{self:?}");
        assert!(self.header("accord-request-id").is_some(), "{self:?}");
        assert_eq!(
            self.header("accord-request-id"),
            self.header("x-request-id")
        );
    }
}

/// Somebody who manages keys.
#[derive(Clone)]
pub struct Manager {
    pub server: Server,
    pub token: String,
}

impl Manager {
    /// The demo's administrator, with all scopes.
    pub async fn of(server: &Server) -> Manager {
        Manager::named(server, ADMINISTRATOR, BOTH_SCOPES).await
    }

    pub async fn named(server: &Server, user: &str, scopes: &str) -> Manager {
        Manager {
            server: server.clone(),
            token: server.token(user, scopes).await,
        }
    }

    /// A request below `/20231130/apikeys`.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let url = format!(
            "{}/20231130/apikeys{path}",
            self.server.area(Area::Inference)
        );
        self.server
            .http()
            .request(method, url)
            .bearer_auth(&self.token)
    }

    pub async fn get(&self, path: &str) -> Reply {
        Reply::of(self.request(Method::GET, path)).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Reply {
        Reply::of(self.request(Method::POST, path).json(body)).await
    }

    pub async fn put(&self, id: &str, body: &Value) -> Reply {
        Reply::of(self.request(Method::PUT, &format!("/{id}")).json(body)).await
    }

    pub async fn delete(&self, id: &str) -> Reply {
        Reply::of(self.request(Method::DELETE, &format!("/{id}"))).await
    }

    pub async fn create(&self, body: &Value) -> Reply {
        self.post("", body).await
    }

    /// A key with the secrets `one` and `two`.
    pub async fn new_key(&self) -> Key {
        self.new_key_in(COMPARTMENT).await
    }

    pub async fn new_key_in(&self, compartment: &str) -> Key {
        Key::of(&self.create(&two_secrets("reports", compartment)).await.ok())
    }

    pub async fn set_state(&self, key: &Key, name: &str, state: &str) -> Reply {
        let body = json!({"keyName": name, "state": state});
        self.post(&format!("/{}/actions/setstate", key.id), &body)
            .await
    }

    pub async fn renew(&self, key: &Key, name: &str) -> Reply {
        let body = json!({"details": {"keyName": name}});
        self.post(&format!("/{}/actions/renew", key.id), &body)
            .await
    }

    /// The state of one secret, as it is read.
    pub async fn state(&self, key: &Key, name: &str) -> String {
        let read = self.get(&format!("/{}", key.id)).await.ok();
        item(&read, name)["state"].as_str().unwrap().to_owned()
    }
}

/// A body for create.
pub fn two_secrets(name: &str, compartment: &str) -> Value {
    json!({
        "displayName": name,
        "compartmentId": compartment,
        "keyDetails": [{"keyName": "one"}, {"keyName": "two"}],
    })
}

/// A key that was created, with its plain values.
#[derive(Debug, Clone)]
pub struct Key {
    pub id: String,
    pub one: String,
    pub two: String,
}

impl Key {
    pub fn of(body: &Value) -> Key {
        let plain = |name| item(body, name)["key"].as_str().unwrap().to_owned();
        Key {
            id: body["id"].as_str().unwrap().to_owned(),
            one: plain("one"),
            two: plain("two"),
        }
    }
}

/// One secret of a key's representation.
pub fn item<'a>(key: &'a Value, name: &str) -> &'a Value {
    let items = key["keys"].as_array().unwrap();
    items.iter().find(|item| item["keyName"] == name).unwrap()
}

/// A request of a model endpoint.
pub fn call(server: &Server, secret: &str, method: Method, path: &str) -> RequestBuilder {
    let url = format!("{}/20231130/actions/v1{path}", server.area(Area::Inference));
    server.http().request(method, url).bearer_auth(secret)
}

/// A chat with one message.
pub async fn chat(server: &Server, secret: &str, model: &str) -> Reply {
    let body = json!({"model": model, "messages": [{"role": "user", "content": "Hello there"}]});
    Reply::of(call(server, secret, Method::POST, "/chat/completions").json(&body)).await
}

/// Whether a secret is accepted; if it is not, the answer is the one 401.
pub async fn accepted(server: &Server, secret: &str) -> bool {
    let reply = chat(server, secret, "accord.echo").await;
    if reply.status == 200 {
        return true;
    }
    reply.is_inference(401, "invalid_request_error", "invalid_api_key");
    assert!(
        reply
            .header("www-authenticate")
            .unwrap()
            .starts_with("Bearer")
    );
    let masked = format!("{}...{}", &secret[..6], &secret[secret.len() - 4..]);
    let message = format!("Incorrect API key provided: {masked}");
    assert_eq!(reply.body["error"]["message"], *message);
    false
}
