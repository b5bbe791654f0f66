//! The measured operations.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use accord_server::identity::demo::{CONFIDENTIAL, PUBLIC, SECRET};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use serde_json::{Value, json};

use super::fill;
use super::load::{Figures, Request, closed_loop};

const CONNECTIONS: usize = 8;
const FORM: &str = "application/x-www-form-urlencoded";
const JSON: &str = "application/json";
/// Numbers of created objects, which never repeat.
static NUMBER: AtomicU64 = AtomicU64::new(0);

/// The names of the operations, in the order of [`measure`].
pub const NAMES: [&str; 15] = [
    "health check, for comparison",
    "createUser",
    "listOrganizations",
    "createDeviceAuthorization",
    "createToken, a poll",
    "introspectToken",
    "createApiKey",
    "getApiKey",
    "listApiKeys",
    "renewApiKey",
    "listUsage",
    "createChatCompletion",
    "renewApiKey and createChatCompletion in turn",
    "listModels",
    "listPatterns",
];

/// Measures each operation once.
pub async fn measure(address: &str, token: &str, time: Duration) -> Vec<Figures> {
    let bearer = format!("Bearer {token}");
    let mut all = Vec::new();
    let read = async |path: &str, authorization: &str| {
        let request = request(path, None, authorization, Bytes::new());
        run(address, time, move || Some(copy(&request)), drop).await
    };
    all.push(read("/healthz", &bearer).await);
    let authorization = bearer.clone();
    all.push(
        run(
            address,
            time,
            move || Some(create_user(&authorization)),
            drop,
        )
        .await,
    );
    all.push(read("/api/user/organizations", &bearer).await);

    let codes = Rc::new(RefCell::new(Vec::new()));
    let (found, body) = (
        Rc::clone(&codes),
        format!("client_id={PUBLIC}&scope=accounts.read"),
    );
    let device = request("/oauth2/v1/device", Some(FORM), "", body.into());
    let store = move |body: Value| found.borrow_mut().push(text(&body["device_code"]));
    all.push(run(address, time, move || Some(copy(&device)), store).await);
    all.push(polls(address, time, codes.take()).await);
    let basic = format!(
        "Basic {}",
        STANDARD.encode(format!("{CONFIDENTIAL}:{SECRET}"))
    );
    let body = format!("token={token}").into();
    let introspect = request("/oauth2/v1/introspect", Some(FORM), &basic, body);
    let is_active = |body: Value| assert_eq!(body["active"], true);
    all.push(run(address, time, move || Some(copy(&introspect)), is_active).await);

    let keys = Rc::new(RefCell::new(Vec::new()));
    let (made, authorization) = (Rc::clone(&keys), bearer.clone());
    let store = move |body: Value| {
        let secret = text(&body["keys"][0]["key"]);
        made.borrow_mut().push((text(&body["id"]), secret));
    };
    all.push(
        run(
            address,
            time,
            move || Some(create_key(&authorization)),
            store,
        )
        .await,
    );
    let keys: Vec<(String, String)> = keys.take();
    let mut ids = keys.clone().into_iter().cycle();
    let authorization = bearer.clone();
    let get = move || {
        let path = format!("/20231130/apikeys/{}", ids.next()?.0);
        Some(request(&path, None, &authorization, Bytes::new()))
    };
    all.push(run(address, time, get, drop).await);
    let list = format!(
        "/20231130/apikeys?compartmentId={}.0&limit=10",
        fill::COMPARTMENT
    );
    all.push(read(&list, &bearer).await);
    all.push(run(address, time, renewals(&keys, &bearer), drop).await);
    let usage = "/20231130/usage?compartmentId=compartment.demo&timeStart=2026-01-01T00:00:00Z\
                 &timeEnd=2026-01-31T00:00:00Z";
    all.push(read(usage, &bearer).await);

    let secret = format!("Bearer {}", keys[0].1);
    let body = json!({"model": "accord.echo", "messages": [{"role": "user", "content": "Hello"}]});
    let path = "/20231130/actions/v1/chat/completions";
    let chat = request(path, Some(JSON), &secret, body.to_string().into());
    let (call, mut renew) = (copy(&chat), renewals(&keys, &bearer));
    all.push(run(address, time, move || Some(copy(&chat)), drop).await);
    // Each call after a change waits until the service has read it.
    let mut turns = [false, true].into_iter().cycle();
    let either = move || match turns.next()? {
        true => Some(copy(&call)),
        false => renew(),
    };
    all.push(run(address, time, either, drop).await);
    all.push(read("/20231130/actions/v1/models", &secret).await);
    let patterns =
        "/ic/api/integration/v1/projects/RETAIL/ai/patterns?integrationInstance=design-eu-1";
    all.push(read(patterns, &bearer).await);
    all
}

/// Polls each code once: a device that polls faster is told to slow down.
async fn polls(address: &str, time: Duration, codes: Vec<String>) -> Figures {
    let mut codes = codes.into_iter();
    let next = move || {
        let body = format!(
            "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code\
             &client_id={PUBLIC}&device_code={}",
            codes.next()?
        );
        Some(request("/oauth2/v1/token", Some(FORM), "", body.into()))
    };
    let check = |answer: super::load::Answer| {
        let text = String::from_utf8_lossy(&answer.body);
        assert!(text.contains("authorization_pending"), "{text}");
    };
    closed_loop(address, CONNECTIONS, time, next, check).await
}

/// Sends requests, and hands the body of each response to `store`.
async fn run(
    address: &str,
    time: Duration,
    next: impl FnMut() -> Option<Request> + 'static,
    mut store: impl FnMut(Value) + 'static,
) -> Figures {
    let check = move |answer: super::load::Answer| {
        let text = String::from_utf8_lossy(&answer.body);
        assert_eq!(answer.status, 200, "{text}");
        store(serde_json::from_str(&text).unwrap_or_default());
    };
    closed_loop(address, CONNECTIONS, time, next, check).await
}

/// Renewals of the second secret of each key, again and again.
fn renewals(
    keys: &[(String, String)],
    authorization: &str,
) -> impl FnMut() -> Option<Request> + use<> {
    let ids: Vec<_> = keys.iter().map(|(id, _)| id.clone()).collect();
    let mut ids = ids.into_iter().cycle();
    let authorization = authorization.to_owned();
    move || {
        let path = format!("/20231130/apikeys/{}/actions/renew", ids.next()?);
        let body = json!({"details": {"keyName": "two"}}).to_string();
        Some(request(&path, Some(JSON), &authorization, body.into()))
    }
}

fn create_user(authorization: &str) -> Request {
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let body = json!({
        "hubUser": {
            "emailAddress": format!("new-{number}@north.example"), "firstName": "Mira",
            "lastName": "Lund", "language": "en", "hubOrganizationId": 3104, "setPassword": true,
        },
        "collabUsers": [
            {"appInstanceId": 72, "collabOrganizationId": 5202, "projectIds": ["QUAY-7"]},
        ],
    });
    let body = body.to_string().into();
    Request {
        idempotency_key: Some(format!("growth-{number}")),
        ..request("/api/user", Some(JSON), authorization, body)
    }
}

fn create_key(authorization: &str) -> Request {
    let body = json!({
        "displayName": "growth", "compartmentId": "compartment.demo",
        "keyDetails": [{"keyName": "one"}, {"keyName": "two"}],
    });
    let body = body.to_string().into();
    request("/20231130/apikeys", Some(JSON), authorization, body)
}

fn request(
    path: &str,
    content_type: Option<&'static str>,
    authorization: &str,
    body: Bytes,
) -> Request {
    Request {
        path: path.to_owned(),
        content_type,
        authorization: (!authorization.is_empty()).then(|| authorization.to_owned()),
        idempotency_key: None,
        body,
    }
}

fn copy(request: &Request) -> Request {
    Request {
        path: request.path.clone(),
        content_type: request.content_type,
        authorization: request.authorization.clone(),
        idempotency_key: None,
        body: request.body.clone(),
    }
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}
