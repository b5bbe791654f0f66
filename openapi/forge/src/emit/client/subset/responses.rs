//! Responses: one type for all successes and one for all errors of an operation.
//!
//! If the document has several types, the subset has bytes, and the code beside progenitor's reads them by status. An
//! event stream becomes a variant of the operation, because it is another response to the same call.

use super::{
    hoist,
    naming::pascal,
    operation::{Body, Case, Errors, Events, Operation},
    requests::is_bytes,
    walk::{Object, component, reference},
    writer::Writer,
};
use crate::{
    document::pointer::join,
    emit::client::report::LossKind,
    ir::{self, Codec, Framing, Status},
};
use serde_json::{Value, json};

/// The responses of an operation in the subset.
pub struct Responses {
    /// The `responses` of the operation; `None` if all of its successes are event streams.
    pub plain: Option<Object>,
    /// The `responses` of the variant with events, and the events' framing and type.
    pub events: Option<(Object, Events)>,
    /// The media types of the success from which a caller can choose.
    pub choice: Vec<String>,
}

/// A response that is being written.
#[derive(Clone)]
struct Response {
    status: Status,
    variant: String,
    description: String,
    kind: Kind,
    /// The media types that the client requests.
    media_types: Vec<String>,
    /// The framing and the schema of its events.
    events: Option<(Framing, Value)>,
}

#[derive(Clone, PartialEq)]
enum Kind {
    Json(Value),
    Bytes,
    Empty,
    /// Only an event stream.
    Events,
}

/// Writes the responses of an operation.
pub fn write(
    writer: &mut Writer<'_>,
    operation: &mut Operation,
    responses: &[ir::Response],
) -> Responses {
    let all = responses.iter();
    let mut all: Vec<Response> = all
        .map(|of| response(writer, &operation.method, of))
        .collect();
    all.sort_by_key(|response| response.status);
    let has_success = all
        .iter()
        .any(|response| response.status.class() == Some(2));
    let mut successes = Vec::new();
    let mut errors = Vec::new();
    for response in all {
        match response.status.class() {
            Some(2) => successes.push(response),
            Some(4 | 5) => errors.push(response),
            // The client follows redirects and ignores interim responses.
            Some(_) => {}
            None => {
                if !has_success {
                    successes.push(Response {
                        status: Status::Range(2),
                        variant: crate::lower::names::range_name(2),
                        ..response.clone()
                    });
                }
                errors.push(response);
            }
        }
    }
    let (error_responses, written_errors) = self::errors(writer, operation, &mut errors);
    operation.errors = written_errors;
    let events = events(writer, operation, &mut successes);
    let events_only = !successes.is_empty()
        && successes
            .iter()
            .all(|response| response.kind == Kind::Events);
    successes.retain(|response| response.kind != Kind::Events);
    let choice = choice(operation, &successes);
    let plain = (!events_only).then(|| {
        let mut responses = self::successes(writer, operation, &successes);
        responses.extend(error_responses.clone());
        responses
    });
    let events = events.map(|events| {
        let mut responses = Object::new();
        responses.insert("200".to_owned(), bytes("The events."));
        responses.extend(error_responses);
        (responses, events)
    });
    Responses {
        plain,
        events,
        choice,
    }
}

/// Chooses the media types of a response that the client reads: none if a response to this method, or with this status,
/// has no body.
fn response(writer: &mut Writer<'_>, method: &str, response: &ir::Response) -> Response {
    let of = &writer.api.responses[response.type_index];
    let media: &[ir::MediaType] = match method != "HEAD" && response.status.allows_body() {
        true => &of.media[..],
        false => &[],
    };
    let mut json: Vec<(&str, Value)> = Vec::new();
    let mut other: Vec<&ir::MediaType> = Vec::new();
    let mut events = None;
    for media in media {
        let schema = writer.used(media.schema);
        match media.codec {
            Codec::EventStream => events = Some((media.stream.clone(), schema)),
            Codec::Json if media.essence() == "application/json" => {
                json.insert(0, (&media.name, schema))
            }
            Codec::Json => json.push((&media.name, schema)),
            Codec::Form | Codec::Multipart | Codec::Text | Codec::Binary => other.push(media),
        }
    }
    let content = join(&of.origin.pointer, "content");
    let (kind, media_types) = if let Some((first, schema)) = json.first() {
        let (same, different): (Vec<_>, Vec<_>) =
            json.iter().partition(|(_, other)| other == schema);
        let different = different.iter().map(|(name, _)| *name);
        for name in different.chain(other.iter().map(|media| media.name.as_str())) {
            let what = format!("not requested; the client reads `{first}`");
            writer.lose_at(LossKind::MediaType, &join(&content, name), what);
        }
        let names = same.into_iter().map(|(name, _)| (*name).to_owned());
        (Kind::Json(schema.clone()), names.collect())
    } else if !other.is_empty() {
        for media in &other {
            if !is_bytes(&writer.used(media.schema)) {
                let what = format!("`{}`", media.name);
                writer.lose_at(LossKind::RawBody, &join(&content, &media.name), what);
            }
        }
        (
            Kind::Bytes,
            other.iter().map(|media| media.name.clone()).collect(),
        )
    } else if events.is_some() {
        (Kind::Events, vec![])
    } else {
        (Kind::Empty, vec![])
    };
    Response {
        status: response.status,
        variant: response.variant.clone(),
        description: of.description.clone().unwrap_or_default(),
        kind,
        media_types,
        events,
    }
}

/// The errors in the subset, and their description for the code that restores them.
fn errors(
    writer: &mut Writer<'_>,
    operation: &Operation,
    errors: &mut [Response],
) -> (Object, Errors) {
    for response in &mut *errors {
        if response.kind == Kind::Events {
            response.kind = Kind::Bytes;
        }
        // An inline body is named by its status alone.
        if let Kind::Json(schema) = &response.kind
            && hoist::is_type(schema)
            && schema.get("nullable").is_none()
        {
            let name = format!("{}{}", pascal(&operation.base), response.variant);
            response.kind = Kind::Json(reference(&writer.component_for(schema, &name)));
        }
    }
    let raw = errors
        .iter()
        .any(|response| response.kind != errors[0].kind);
    let mut responses = Object::new();
    let mut cases = Vec::new();
    for response in &*errors {
        let value = if raw {
            bytes(&response.description)
        } else {
            written(response)
        };
        match response.status {
            // The `default` of an operation does not apply to its successes here.
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
        cases.push(case(writer, operation, response, raw));
    }
    let raw = raw || errors.iter().any(|response| response.kind == Kind::Bytes);
    (responses, Errors { cases, raw })
}

/// The successes in the subset.
fn successes(writer: &mut Writer<'_>, operation: &mut Operation, successes: &[Response]) -> Object {
    let several = successes
        .iter()
        .any(|response| response.kind != successes[0].kind);
    if several {
        operation.successes = Some(
            successes
                .iter()
                .map(|response| case(writer, operation, response, true))
                .collect(),
        );
    }
    successes
        .iter()
        .map(|response| {
            let value = if several {
                bytes(&response.description)
            } else {
                written(response)
            };
            (response.status.key(), value)
        })
        .collect()
}

/// A response of bytes; progenitor has types only for JSON.
fn bytes(description: &str) -> Value {
    json!({
        "description": description,
        "content": { "*/*": { "schema": { "type": "string", "format": "binary" } } },
    })
}

fn written(response: &Response) -> Value {
    match &response.kind {
        Kind::Json(schema) => json!({
            "description": response.description,
            "content": { "application/json": { "schema": schema } },
        }),
        Kind::Bytes | Kind::Events => bytes(&response.description),
        Kind::Empty => json!({ "description": response.description }),
    }
}

/// The description of a response for restored code. If that code reads the body, the body's type needs a name.
fn case(writer: &mut Writer<'_>, operation: &Operation, response: &Response, raw: bool) -> Case {
    let body = match &response.kind {
        Kind::Json(schema) if raw => {
            let name = format!("{}{}", pascal(&operation.base), response.variant);
            Body::Json(Some(writer.component_for(schema, &name)))
        }
        Kind::Json(_) => Body::Json(None),
        Kind::Bytes | Kind::Events => Body::Bytes,
        Kind::Empty => Body::Empty,
    };
    Case {
        status: response.status,
        variant: response.variant.clone(),
        body,
        description: response.description.clone(),
    }
}

/// The media types from which a caller can choose. Sets the default in the operation.
fn choice(operation: &mut Operation, successes: &[Response]) -> Vec<String> {
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
        .any(|media_type| ir::essence(media_type) == "application/json");
    let progenitor_asks = is_json && asks_for_json;
    if !all.is_empty() && !progenitor_asks {
        operation.accept = Some(all.join(", ")).filter(|accept| is_header_value(accept));
    }
    if is_json && all.iter().all(|media_type| is_header_value(media_type)) {
        return all;
    }
    vec![]
}

fn is_header_value(text: &str) -> bool {
    text.bytes().all(|byte| (b' '..=b'~').contains(&byte))
}

/// The framing and the type of the event stream among the successes, if there is one.
fn events(
    writer: &mut Writer<'_>,
    operation: &Operation,
    successes: &mut [Response],
) -> Option<Events> {
    let response = successes
        .iter_mut()
        .find(|response| response.events.is_some())?;
    let (framing, schema) = response.events.take()?;
    let text = writer
        .resolve(&schema)
        .get("type")
        .is_some_and(|kind| kind == "string")
        && component(&schema).is_none();
    let any = schema.as_object().is_some_and(Object::is_empty);
    let item = (!text && !any)
        .then(|| writer.component_for(&schema, &format!("{}Event", pascal(&operation.base))));
    Some(Events {
        item,
        terminator: framing.terminator,
        event: framing.event,
        text,
        selector: None,
    })
}

#[cfg(test)]
mod tests {
    use crate::document::Document;

    const TEXT: &str = "openapi: 3.0.3
info: {title: T, version: '1'}
paths:
  /a:
    head:
      operationId: look
      responses:
        '200': {description: Good., content: {application/json: {schema: {type: string}}}}
        '404': {description: Nothing., content: {application/json: {schema: {type: string}}}}
    delete:
      operationId: erase
      responses:
        '204': {description: Gone., content: {application/json: {schema: {type: string}}}}
";

    #[test]
    fn a_response_that_has_no_body_is_not_read() {
        let document = Document::load("test.yaml", TEXT).expect("YAML");
        let client = crate::emit::client::generate(&document).expect("a client");
        let code = client.tokens.to_string().replace(' ', "");
        for part in [
            "Result<ResponseValue<()>,super::LookError>",
            "Result<ResponseValue<()>,super::EraseError>",
        ] {
            assert!(code.contains(part), "{part}\nis not in\n{code}");
        }
        assert!(!code.contains("read_json"), "{code}");
    }
}
