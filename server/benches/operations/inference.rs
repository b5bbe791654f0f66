//! The operations of inference.

use std::cell::RefCell;
use std::rc::Rc;

use http::Method;
use serde_json::{Value, json};

use super::{Operation, Values, text};
use crate::fill;
use crate::load::Request;

const API: &str = "/20231130";

pub fn all(bearer: &str) -> Vec<Operation> {
    // The first key of each run calls models, so it is neither moved nor deleted.
    let (ids, secrets) = (Values::default(), Values::default());
    let (made, shown) = (ids.clone(), secrets.clone());
    let key = move |method: Method, path: &str| key_request(bearer, method, path);
    let create = key(Method::POST, "").json(&json!({
        "displayName": "growth", "compartmentId": "compartment.demo",
        "keyDetails": [{"keyName": "one"}, {"keyName": "two"}],
    }));
    let list = format!("?compartmentId={}.0&limit=10", fill::COMPARTMENT);
    let usage = format!(
        "{API}/usage?compartmentId=compartment.demo&timeStart=2026-01-01T00:00:00Z\
         &timeEnd=2026-01-31T00:00:00Z"
    );
    let mut all = vec![
        Operation::new(
            "createApiKey",
            move || Some(create.clone()),
            move |body: Value| {
                made.push(text(&body["id"]));
                shown.push(text(&body["keys"][0]["key"]));
            },
        ),
        of_each_key("getApiKey", bearer, ids.cycle(0), Method::GET, "", None),
        Operation::repeated("listApiKeys", key(Method::GET, &list)),
        of_each_key(
            "updateApiKey",
            bearer,
            ids.cycle(0),
            Method::PUT,
            "",
            Some(renamed),
        ),
        of_each_key(
            "setApiKeyState",
            bearer,
            ids.cycle(0),
            Method::POST,
            "/actions/setstate",
            Some(changed),
        ),
        renewals(&ids, bearer),
        Operation::repeated("listUsage", Request::get(usage).authorization(bearer)),
    ];
    all.extend(calls(&secrets));
    all.push(of_each_key(
        "changeApiKeyCompartment",
        bearer,
        ids.cycle(1),
        Method::POST,
        "/actions/changeCompartment",
        Some(moved),
    ));
    let mut deleted = ids.once(1);
    let bearer = bearer.to_owned();
    let delete = move || {
        let path = format!("/{}", deleted()?);
        Some(key_request(&bearer, Method::DELETE, &path))
    };
    all.push(Operation::new("deleteApiKey", delete, drop));
    all
}

/// Renewals and calls with another key in turn: a call after a change must not wait until the
/// service has read it.
pub fn renewals_and_chats(token: &str) -> [Operation; 2] {
    let bearer = format!("Bearer {token}");
    let (ids, secrets) = (Values::default(), Values::default());
    let (made, shown) = (ids.clone(), secrets.clone());
    let create = key_request(&bearer, Method::POST, "").json(&json!({
        "displayName": "turns", "compartmentId": "compartment.demo",
        "keyDetails": [{"keyName": "one"}, {"keyName": "two"}],
    }));
    let mut left = 16;
    let create = Operation::new(
        "createApiKey, 16",
        move || {
            left -= 1;
            (left >= 0).then(|| create.clone())
        },
        move |body: Value| {
            made.push(text(&body["id"]));
            shown.push(text(&body["keys"][0]["key"]));
        },
    );
    let mut renew = renewals(&ids, &bearer);
    let mut secrets = secrets.cycle(0);
    let mut is_call = false;
    let either = move || {
        is_call = !is_call;
        match is_call {
            true => Some(chat(&secrets()?.0)),
            false => (renew.next)(),
        }
    };
    let name = "renewApiKey and createChatCompletion in turn";
    [create, Operation::new(name, either, drop)]
}

/// The operations that call models with the secret of an API key.
fn calls(secrets: &Values) -> Vec<Operation> {
    let with_first = |name, request: fn(&str) -> Request| {
        let secrets = Rc::clone(&secrets.0);
        let cached: RefCell<Option<Request>> = RefCell::new(None);
        let next = move || {
            let mut cached = cached.borrow_mut();
            if cached.is_none() {
                *cached = secrets.borrow().first().map(|secret| request(secret));
            }
            cached.clone()
        };
        Operation::new(name, next, drop)
    };
    vec![
        with_first("createChatCompletion", chat),
        with_first("createResponse", |secret| {
            let body = json!({"model": "accord.echo", "input": "Hello"});
            model_request(secret, Method::POST, "/responses").json(&body)
        }),
        with_first("listModels", |secret| {
            model_request(secret, Method::GET, "/models")
        }),
        with_first("getModel", |secret| {
            model_request(secret, Method::GET, "/models/accord.echo")
        }),
    ]
}

fn chat(secret: &str) -> Request {
    let body = json!({"model": "accord.echo", "messages": [{"role": "user", "content": "Hello"}]});
    model_request(secret, Method::POST, "/chat/completions").json(&body)
}

fn model_request(secret: &str, method: Method, path: &str) -> Request {
    let request = Request::new(method, format!("{API}/actions/v1{path}"));
    request.authorization(&format!("Bearer {secret}"))
}

fn key_request(bearer: &str, method: Method, path: &str) -> Request {
    Request::new(method, format!("{API}/apikeys{path}")).authorization(bearer)
}

/// Renewals of the second secret of each key, again and again.
fn renewals(ids: &Values, bearer: &str) -> Operation {
    let path = "/actions/renew";
    let body = |_| json!({"details": {"keyName": "two"}});
    of_each_key(
        "renewApiKey",
        bearer,
        ids.cycle(0),
        Method::POST,
        path,
        Some(body),
    )
}

/// A request for each key, again and again. `body` depends on the number of the round.
fn of_each_key(
    name: &'static str,
    bearer: &str,
    mut ids: impl FnMut() -> Option<(String, usize)> + 'static,
    method: Method,
    path: &'static str,
    body: Option<fn(usize) -> Value>,
) -> Operation {
    let bearer = bearer.to_owned();
    let next = move || {
        let (id, round) = ids()?;
        let request = key_request(&bearer, method.clone(), &format!("/{id}{path}"));
        Some(match body {
            Some(body) => request.json(&body(round)),
            None => request,
        })
    };
    Operation::new(name, next, drop)
}

fn renamed(round: usize) -> Value {
    json!({"displayName": format!("growth-{round}")})
}

fn changed(round: usize) -> Value {
    let state = ["ACTIVE", "DEACTIVATED"][round % 2];
    json!({"keyName": "two", "state": state})
}

fn moved(round: usize) -> Value {
    let filled = format!("{}.0", fill::COMPARTMENT);
    let compartment = [filled.as_str(), "compartment.demo"][round % 2];
    json!({"compartmentId": compartment})
}
