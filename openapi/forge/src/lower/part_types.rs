//! The media types that the parts of a body may have: `contentType` in `encoding` (OpenAPI 3.0.3,
//! "Encoding Object").

use super::cursor::Cursor;
use super::lowering::Lowering;
use super::media_names::{check_name, codec as codec_of};
use crate::document::{Diagnostic, similar};
use crate::ir::{Additional, Codec, SchemaId, Types, essence};

/// The media types of each part of a body for which the document lists them.
pub(super) fn lower<'d>(
    lowering: &mut Lowering<'d>,
    media: &Cursor<'d>,
    codec: Codec,
    body: Option<SchemaId>,
) -> Vec<(String, Vec<String>)> {
    let mut parts = Vec::new();
    for (name, encoding) in media.members_of("encoding") {
        let Some(at) = encoding.get("contentType") else {
            warn_unknown(lowering, body, name, &encoding);
            continue;
        };
        let text = at.node.as_str().unwrap_or_default();
        let list: Vec<&str> = text.split(',').map(str::trim).collect();
        if !list
            .iter()
            .all(|one| check_name(lowering, one, text, at.span()))
        {
            continue;
        }
        if let Some((why, help)) = why_ignored(lowering, codec, body, name, &list) {
            let message = format!("the media type of `{name}` is ignored: {why}");
            lowering.warn("ignored-part-type", at.span(), message, help);
            continue;
        }
        let list = list.into_iter().map(str::to_string).collect();
        parts.push((name.to_string(), list));
    }
    parts
}

/// Whether the body of a request can have `encoding`: only that of a form can.
pub(super) fn is_form(media_type: &str) -> bool {
    let essence = essence(media_type);
    essence.starts_with("multipart/") || essence == "application/x-www-form-urlencoded"
}

/// Warns of `encoding` in a media type that is not that of a form in a request.
pub(super) fn warn_ignored(lowering: &mut Lowering<'_>, media: &Cursor<'_>, owner: &str) {
    if let Some(encoding) = media.get("encoding") {
        lowering.warn(
            "ignored-key",
            lowering.key_span(&encoding),
            format!("`encoding` says nothing about {owner}"),
            "remove it: only request bodies of `multipart` and `application/x-www-form-urlencoded` have it",
        );
    }
}

/// Warns of a part without a media type that is not a property of the body.
fn warn_unknown(
    lowering: &mut Lowering<'_>,
    body: Option<SchemaId>,
    name: &str,
    encoding: &Cursor<'_>,
) {
    let Some(body) = body.map(|body| lowering.schemas.get(body)) else {
        return;
    };
    let properties = &body.object.properties;
    let is_open = matches!(
        body.object.additional,
        Additional::Allowed | Additional::Schema(_)
    );
    let is_known = properties.iter().any(|property| property.name == name);
    if is_known || is_open || properties.is_empty() || body.is_composed() {
        return;
    }
    let names = properties.iter().map(|property| property.name.as_str());
    let near = similar::nearest_name(names, name);
    let message = format!("`encoding` of `{name}` is ignored: the body has no such property");
    let finding = Diagnostic::warning("ignored-key", lowering.key_span(encoding), message);
    let finding = finding.did_you_mean_or(near, "name a property of its schema");
    lowering.report(finding);
}

/// The reason why the media types of a part have no effect, with a remedy. `None` if they have one.
fn why_ignored(
    lowering: &Lowering<'_>,
    codec: Codec,
    body: Option<SchemaId>,
    name: &str,
    list: &[&str],
) -> Option<(&'static str, &'static str)> {
    if codec != Codec::Multipart {
        let why = "only the parts of `multipart/form-data` have media types";
        return Some((why, "remove it"));
    }
    let body = lowering.schemas.get(body?);
    let mut properties = body.object.properties.iter();
    let Some(property) = properties.find(|property| property.name == name) else {
        let found = (
            "the body has no such property",
            "name a property of its schema",
        );
        return (!body.is_composed()).then_some(found);
    };
    let property = lowering.schemas.get(property.schema);
    let items = property
        .array
        .items
        .map(|items| lowering.schemas.get(items));
    let is_object = items.unwrap_or(property).types == Types::Object;
    let allows_json = |one: &&str| {
        codec_of(one) == Codec::Json || ["*/*", "application/*"].contains(&&*essence(one))
    };
    let is_json = list.iter().any(allows_json);
    let found = ("objects in parts are JSON", "write `application/json`");
    (is_object && !is_json).then_some(found)
}
