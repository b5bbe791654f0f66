//! Responses: one type for all successes and one for all errors of an operation.
//!
//! Where the document has several types, progenitor is told that they are bytes, and the code beside it reads them by
//! status. An event stream becomes a form of the operation of its own, because it is another answer to the same call.

use super::{
    Lowering,
    naming::pascal,
    operation::{Body, Case, Errors, Events, Operation, Status},
    requests::{essence, resolve},
    walk::{Object, component},
};
use crate::{document::pointer::join, emit::client::report::LossKind};
use serde_json::{Value, json};

/// What an operation answers, as progenitor takes it.
pub struct Answers {
    /// The `responses` of the operation; none when all of its successes are event streams.
    pub plain: Option<Object>,
    /// The `responses` of the form that answers events, and how to read them.
    pub events: Option<(Object, Events)>,
    /// Media types of the success that a caller can choose from.
    pub choice: Vec<String>,
}

/// One response on its way.
struct Response {
    status: Status,
    pointer: String,
    description: String,
    kind: Kind,
    /// Its media types that the client asks for.
    media_types: Vec<String>,
    events: Option<(Value, Value)>,
}

#[derive(Clone, PartialEq)]
enum Kind {
    Json(Value),
    Bytes,
    Empty,
    /// Nothing but an event stream.
    Events,
}

/// Lowers the responses of an operation.
pub fn reduce(
    lowering: &mut Lowering<'_>,
    operation: &mut Operation,
    responses: Option<&Value>,
) -> Answers {
    let pointer = join(&operation.pointer, "responses");
    let mut all: Vec<Response> = Vec::new();
    for (key, value) in responses.and_then(Value::as_object).into_iter().flatten() {
        if let Some(status) = Status::parse(key) {
            all.push(response(lowering, status, &join(&pointer, key), value));
        }
    }
    all.sort_by_key(|response| response.status);
    let hundred =
        |wanted: u16| move |response: &Response| response.status.hundred() == Some(wanted);
    let has_success = all.iter().any(hundred(2));
    let mut successes = Vec::new();
    let mut errors = Vec::new();
    for response in all {
        match response.status.hundred() {
            Some(2) => successes.push(response),
            Some(4 | 5) => errors.push(response),
            Some(_) => lowering.lose(
                LossKind::Unused,
                &response.pointer,
                "the client follows redirects and ignores interim responses",
            ),
            None => {
                lowering.lose(LossKind::StatusRange, &response.pointer, "default");
                if !has_success {
                    successes.push(Response {
                        status: Status::Range(2),
                        events: response.events.clone(),
                        ..copy(&response)
                    });
                }
                errors.push(response);
            }
        }
    }
    let (error_responses, lowered_errors) = self::errors(lowering, operation, &mut errors);
    operation.errors = lowered_errors;
    let events = events(lowering, operation, &mut successes);
    let events_only = !successes.is_empty()
        && successes
            .iter()
            .all(|response| response.kind == Kind::Events);
    successes.retain(|response| response.kind != Kind::Events);
    let choice = choice(lowering, operation, &successes);
    let plain = (!events_only).then(|| {
        let mut responses = self::successes(lowering, operation, &successes);
        responses.extend(error_responses.clone());
        responses
    });
    let events = events.map(|events| {
        let mut responses = Object::new();
        responses.insert("200".to_owned(), bytes("The events."));
        responses.extend(error_responses);
        (responses, events)
    });
    Answers {
        plain,
        events,
        choice,
    }
}

fn copy(response: &Response) -> Response {
    Response {
        status: response.status,
        pointer: response.pointer.clone(),
        description: response.description.clone(),
        kind: response.kind.clone(),
        media_types: response.media_types.clone(),
        events: None,
    }
}

/// Chooses the media types of a response that the client reads.
fn response(lowering: &mut Lowering<'_>, status: Status, pointer: &str, value: &Value) -> Response {
    let description = value
        .get("description")
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned();
    let empty = Object::new();
    let content = value
        .get("content")
        .and_then(Value::as_object)
        .unwrap_or(&empty);
    let schema = |media_type: &Value| {
        media_type
            .get("schema")
            .cloned()
            .unwrap_or_else(|| json!({}))
    };
    let is_text = |media_type: &Value| {
        media_type
            .pointer("/schema/type")
            .is_some_and(|kind| kind == "string")
    };
    let mut json: Vec<(&String, Value)> = Vec::new();
    let mut other: Vec<&String> = Vec::new();
    let mut stream = None;
    for (media_type, value) in content {
        match essence(media_type).as_str() {
            "text/event-stream" => {
                stream = Some((
                    value.get("x-dropforge-stream").cloned().unwrap_or_default(),
                    schema(value),
                ))
            }
            "application/json" => json.insert(0, (media_type, schema(value))),
            essence if essence.ends_with("+json") => json.push((media_type, schema(value))),
            "*/*" | "application/*" if value.get("schema").is_some() && !is_text(value) => {
                json.push((media_type, schema(value)))
            }
            _ => other.push(media_type),
        }
    }
    let pointer_of = |media_type: &str| join(&join(pointer, "content"), media_type);
    let (kind, media_types) = if let Some((first, schema)) = json.first() {
        let (same, different): (Vec<_>, Vec<_>) =
            json.iter().partition(|(_, other)| other == schema);
        for (media_type, _) in different {
            lowering.lose(
                LossKind::MediaType,
                pointer_of(media_type),
                format!("not requested; the client reads `{first}`"),
            );
        }
        for media_type in other {
            lowering.lose(
                LossKind::MediaType,
                pointer_of(media_type),
                format!("not requested; the client reads `{first}`"),
            );
        }
        (
            Kind::Json(schema.clone()),
            same.into_iter()
                .map(|(media_type, _)| (*media_type).clone())
                .collect(),
        )
    } else if !other.is_empty() {
        lowering.lose(LossKind::RawBody, join(pointer, "content"), words(&other));
        (Kind::Bytes, other.into_iter().cloned().collect())
    } else if stream.is_some() {
        (Kind::Events, vec![])
    } else {
        (Kind::Empty, vec![])
    };
    Response {
        status,
        pointer: pointer.to_owned(),
        description,
        kind,
        media_types,
        events: stream,
    }
}

fn words(media_types: &[&String]) -> String {
    media_types
        .iter()
        .map(|media_type| format!("`{media_type}`"))
        .collect::<Vec<_>>()
        .join(", ")
}

/// The errors as progenitor takes them, and what the give-back must know of them.
fn errors(
    lowering: &mut Lowering<'_>,
    operation: &Operation,
    errors: &mut [Response],
) -> (Object, Errors) {
    for response in &mut *errors {
        if response.kind == Kind::Events {
            response.kind = Kind::Bytes;
        }
    }
    let raw = errors
        .iter()
        .any(|response| response.kind != errors[0].kind);
    if raw {
        let pointer = join(&operation.pointer, "responses");
        lowering.lose(LossKind::Errors, pointer, list(errors));
    }
    let mut responses = Object::new();
    let mut cases = Vec::new();
    for response in &*errors {
        let value = if raw {
            bytes(&response.description)
        } else {
            lower(response)
        };
        match response.status {
            // A success is no error, whatever its default.
            Status::Default => {
                for range in [4, 5] {
                    responses
                        .entry(Status::Range(range).key())
                        .or_insert_with(|| value.clone());
                }
            }
            status => {
                responses.insert(status.key(), value);
            }
        }
        cases.push(case(lowering, operation, response, raw));
    }
    let raw = raw || errors.iter().any(|response| response.kind == Kind::Bytes);
    (responses, Errors { cases, raw })
}

/// The successes as progenitor takes them.
fn successes(
    lowering: &mut Lowering<'_>,
    operation: &mut Operation,
    successes: &[Response],
) -> Object {
    let several = successes
        .iter()
        .any(|response| response.kind != successes[0].kind);
    if several {
        lowering.lose(
            LossKind::Successes,
            join(&operation.pointer, "responses"),
            list(successes),
        );
        operation.successes = Some(
            successes
                .iter()
                .map(|response| case(lowering, operation, response, true))
                .collect(),
        );
    }
    successes
        .iter()
        .map(|response| {
            let value = if several {
                bytes(&response.description)
            } else {
                lower(response)
            };
            (response.status.key(), value)
        })
        .collect()
}

fn list(responses: &[Response]) -> String {
    responses
        .iter()
        .map(|response| response.status.key())
        .collect::<Vec<_>>()
        .join(", ")
}

/// A response of bytes; progenitor types nothing but JSON.
fn bytes(description: &str) -> Value {
    json!({
        "description": description,
        "content": { "*/*": { "schema": { "type": "string", "format": "binary" } } },
    })
}

fn lower(response: &Response) -> Value {
    match &response.kind {
        Kind::Json(schema) => json!({
            "description": response.description,
            "content": { "application/json": { "schema": schema } },
        }),
        Kind::Bytes | Kind::Events => bytes(&response.description),
        Kind::Empty => json!({ "description": response.description }),
    }
}

/// What the give-back must know; where it reads the body, the body's type needs a name.
fn case(
    lowering: &mut Lowering<'_>,
    operation: &Operation,
    response: &Response,
    raw: bool,
) -> Case {
    let body = match &response.kind {
        Kind::Json(schema) if raw => {
            let name = format!("{}{}", pascal(&operation.base), response.status.variant());
            Body::Json(Some(lowering.component_for(schema, &name)))
        }
        Kind::Json(_) => Body::Json(None),
        Kind::Bytes | Kind::Events => Body::Bytes,
        Kind::Empty => Body::Empty,
    };
    Case {
        status: response.status,
        body,
        description: response.description.clone(),
    }
}

/// The media types that a caller can choose from, and the one to ask for otherwise.
fn choice(
    lowering: &mut Lowering<'_>,
    operation: &mut Operation,
    successes: &[Response],
) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for response in successes {
        for media_type in &response.media_types {
            if !all.contains(media_type) {
                all.push(media_type.clone());
            }
        }
    }
    let is_json = !successes.is_empty()
        && successes
            .iter()
            .all(|response| matches!(response.kind, Kind::Json(_)));
    let asks_for_json = all
        .iter()
        .any(|media_type| essence(media_type) == "application/json");
    let progenitor_asks = is_json && asks_for_json;
    if !all.is_empty() && !progenitor_asks {
        operation.accept = Some(all.join(", ")).filter(|accept| is_header_value(accept));
    }
    if is_json && all.len() > 1 && all.iter().all(|media_type| is_header_value(media_type)) {
        for response in successes
            .iter()
            .filter(|response| response.media_types.len() > 1)
        {
            lowering.lose(
                LossKind::MediaType,
                join(&response.pointer, "content"),
                words(&all.iter().collect::<Vec<_>>()),
            );
        }
        return all;
    }
    if is_json
        && all
            .first()
            .is_some_and(|media_type| media_type.contains('*'))
    {
        lowering.lose(
            LossKind::MediaType,
            join(&successes[0].pointer, "content"),
            "any media type, read as JSON",
        );
    }
    vec![]
}

fn is_header_value(text: &str) -> bool {
    text.bytes().all(|byte| (b' '..=b'~').contains(&byte))
}

/// How to read the event stream among the successes, if there is one.
fn events(
    lowering: &mut Lowering<'_>,
    operation: &Operation,
    successes: &mut [Response],
) -> Option<Events> {
    let response = successes
        .iter_mut()
        .find(|response| response.events.is_some())?;
    let (framing, schema) = response.events.take()?;
    let pointer = join(&join(&response.pointer, "content"), "text/event-stream");
    lowering.lose(LossKind::EventStream, pointer, "text/event-stream");
    let setting = |key: &str| framing.get(key).and_then(Value::as_str).map(str::to_owned);
    let text = resolve(lowering, &schema)
        .get("type")
        .is_some_and(|kind| kind == "string")
        && component(&schema).is_none();
    let any = schema.as_object().is_some_and(Object::is_empty);
    let item = (!text && !any)
        .then(|| lowering.component_for(&schema, &format!("{}Event", pascal(&operation.base))));
    Some(Events {
        item,
        terminator: setting("terminator"),
        event: setting("event"),
        text,
        selector: None,
    })
}
