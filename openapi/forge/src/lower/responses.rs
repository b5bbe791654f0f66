//! Responses: a type for each component and for each inline response, and the responses of each
//! operation.

use super::bodies::{Direction, media_types};
use super::cursor::Cursor;
use super::lowering::Lowering;
use super::media_names::media_name;
use super::names::{Scope, range_name, status_name, type_name};
use super::response_headers;
use crate::document::Diagnostic;
use crate::ir::{Codec, MediaType, Payload, PayloadVariant, Response, ResponseType, Status, Type};

pub(super) fn lower<'d>(
    lowering: &mut Lowering<'d>,
    operation: &Cursor<'d>,
    stem: &str,
) -> Vec<Response> {
    let mut found = Vec::new();
    for (key, response) in operation.members_of("responses") {
        if key.starts_with("x-") {
            continue;
        }
        match status(key) {
            Some(status) if found.iter().any(|(known, _)| *known == status) => lowering.refuse(
                "duplicate-status",
                lowering.key_span(&response),
                format!("`{key}` is listed twice"),
                "keep one of the two responses",
            ),
            Some(status) => {
                check_spelling(lowering, key, &response);
                check_content(lowering, status, key, &response);
                found.push((status, response));
            }
            None => lowering.refuse(
                "response-status",
                lowering.key_span(&response),
                format!("`{key}` is not a status"),
                "write a status in quotes, a range such as `4XX`, or `default`",
            ),
        }
    }
    if let Some(responses) = operation.get("responses") {
        check_success(lowering, &responses, &found);
    }
    let has_success = found.iter().any(|(status, _)| is_success(*status));
    found
        .into_iter()
        .filter_map(|(status, cursor)| {
            let error = match status {
                Status::Default => has_success,
                status => !is_success(status),
            };
            response(lowering, &cursor, stem, status, error)
        })
        .collect()
}

/// The response of a path to methods that it does not have: its own, else the document's.
pub(super) fn method_not_allowed<'d>(
    lowering: &mut Lowering<'d>,
    root: &Cursor<'d>,
    item: &Cursor<'d>,
    stem: &str,
) -> Option<Response> {
    const KEY: &str = "x-dropforge-method-not-allowed";
    let (cursor, stem) = match (item.get(KEY), root.get(KEY)) {
        (Some(own), _) => (own, stem),
        (None, shared) => (shared?, ""),
    };
    refusal(lowering, &cursor, stem, 405)
}

/// A response that is not an operation's: the server sends it with this status.
pub(super) fn refusal<'d>(
    lowering: &mut Lowering<'d>,
    cursor: &Cursor<'d>,
    stem: &str,
    code: u16,
) -> Option<Response> {
    response(lowering, cursor, stem, Status::Code(code), true)
}

fn response<'d>(
    lowering: &mut Lowering<'d>,
    cursor: &Cursor<'d>,
    stem: &str,
    status: Status,
    error: bool,
) -> Option<Response> {
    let variant = variant(status);
    let type_index = response_type(lowering, cursor, &format!("{stem}{variant}"))?;
    Some(Response {
        status,
        variant,
        type_index,
        error,
        place: lowering.place(cursor),
    })
}

/// Warns of an operation without a response for a success.
fn check_success<'d>(
    lowering: &mut Lowering<'d>,
    responses: &Cursor<'d>,
    found: &[(Status, Cursor<'d>)],
) {
    let members = responses.members();
    let keys = members.iter().filter(|(key, _)| !key.starts_with("x-"));
    // An invalid status, which has been refused, may be that of a success.
    let is_whole = keys.count() == found.len();
    let mut statuses = found.iter().map(|(status, _)| *status);
    if !is_whole || statuses.any(|status| is_success(status) || status == Status::Default) {
        return;
    }
    lowering.warn(
        "no-success",
        lowering.key_span(responses),
        "no response is that of a success: the method of the server can only fail",
        "list a status such as `'200'`, or `default`",
    );
}

/// Warns of a range of statuses in lower case.
fn check_spelling(lowering: &mut Lowering<'_>, key: &str, response: &Cursor<'_>) {
    let upper = key.replace('x', "X");
    if key != "default" && key != upper {
        let message = format!("the range of statuses `{key}` is in lower case");
        let span = lowering.key_span(response);
        lowering.report(Diagnostic::warning("response-status", span, message).did_you_mean(&upper));
    }
}

/// Warns of a body that no caller gets, because responses with its status have none.
fn check_content<'d>(
    lowering: &mut Lowering<'d>,
    status: Status,
    key: &str,
    response: &Cursor<'d>,
) {
    // A later step reports an unresolved reference.
    let target = lowering
        .references
        .resolve(response.node, &response.pointer);
    let content = target.ok().and_then(|(_, target)| target.get("content"));
    if status.allows_body() || content.is_none_or(|content| content.members().next().is_none()) {
        return;
    }
    lowering.warn(
        "content-of-status",
        lowering.key_span(response),
        format!("a response with the status `{key}` has no body, so no caller gets its `content`"),
        "remove `content`, or write another status, such as `200`",
    );
}

fn status(key: &str) -> Option<Status> {
    if key == "default" {
        return Some(Status::Default);
    }
    match key.as_bytes() {
        [digit @ b'1'..=b'5', b'X' | b'x', b'X' | b'x'] => Some(Status::Range(digit - b'0')),
        // Three digits: `0200` and `+200` also parse as numbers.
        [b'1'..=b'5', b'0'..=b'9', b'0'..=b'9'] => key.parse().ok().map(Status::Code),
        _ => None,
    }
}

fn is_success(status: Status) -> bool {
    match status {
        Status::Code(code) => code < 400,
        Status::Range(digit) => digit < 4,
        Status::Default => false,
    }
}

fn variant(status: Status) -> String {
    match status {
        Status::Code(code) => status_name(code),
        Status::Range(digit) => range_name(digit.into()),
        Status::Default => "Default".to_string(),
    }
}

/// The type of a response. A component has one type for all its uses.
fn response_type<'d>(
    lowering: &mut Lowering<'d>,
    cursor: &Cursor<'d>,
    suggestion: &str,
) -> Option<usize> {
    let cursor = lowering.resolve(cursor)?;
    if let Some(index) = lowering.response_index.get(&cursor.pointer) {
        return Some(*index);
    }
    let name = match cursor.pointer.strip_prefix("/components/responses/") {
        Some(component) => type_name(component),
        None => suggestion.to_string(),
    };
    let name = lowering.response_names.take(name);
    let media = match cursor.get("content") {
        Some(content) => media_types(lowering, &content, Direction::Response),
        None => Vec::new(),
    };
    let headers = response_headers::lower(lowering, &cursor, &name);
    let payload = payload(lowering, &media, &name);
    let index = lowering.responses.len();
    lowering
        .response_index
        .insert(cursor.pointer.clone(), index);
    let origin = lowering.origin(&cursor);
    lowering.responses.push(ResponseType {
        name,
        description: cursor.text("description"),
        origin,
        headers,
        media,
        payload,
    });
    Some(index)
}

fn payload(lowering: &mut Lowering<'_>, media: &[MediaType], name: &str) -> Payload {
    let mut distinct: Vec<PayloadVariant> = Vec::new();
    for entry in media {
        let payload = single(lowering, entry, &format!("{name}Body"));
        match distinct
            .iter_mut()
            .find(|known| same(&known.payload, &payload))
        {
            Some(known) => known.media.push(entry.sent_as().to_string()),
            None => distinct.push(PayloadVariant {
                name: media_name(&entry.name),
                payload,
                media: vec![entry.sent_as().to_string()],
            }),
        }
    }
    match distinct.len() {
        0 => Payload::None,
        1 => distinct.remove(0).payload,
        _ => {
            let mut variants = Scope::default();
            for variant in &mut distinct {
                variant.name = variants.take(std::mem::take(&mut variant.name));
            }
            let name = lowering.response_names.take(format!("{name}Body"));
            Payload::Several {
                name,
                variants: distinct,
            }
        }
    }
}

fn single(lowering: &mut Lowering<'_>, media: &MediaType, name: &str) -> Payload {
    let ty = match media.schema {
        Some(schema) => lowering.ty(schema, name),
        None => Type::Any,
    };
    match media.codec {
        Codec::Json if media.raw => Payload::Raw(ty),
        Codec::Json => Payload::Typed(ty),
        Codec::EventStream => Payload::Events(ty, media.stream.clone()),
        Codec::Text => Payload::Text,
        Codec::Form | Codec::Multipart | Codec::Binary => Payload::Bytes,
    }
}

/// Whether two payloads have the same value, which can be written as either media type.
fn same(left: &Payload, right: &Payload) -> bool {
    match (left, right) {
        (Payload::Typed(left), Payload::Typed(right)) => left == right,
        _ => false,
    }
}
