//! The meaning of the names of media types.

use super::lowering::Lowering;
use super::names::type_name;
use crate::document::{Diagnostic, Span, similar};
use crate::ir::{Codec, essence};
use crate::structure::check_media_type;

/// Reports a name that is not a media type or is probably misspelled, and a charset that is not
/// supported. Returns whether the name is sound.
/// `text` is the whole text at `span`, which may be a list of names.
pub(super) fn check_name(lowering: &mut Lowering<'_>, name: &str, text: &str, span: Span) -> bool {
    let finding = check_media_type(name, text, span).or_else(|| check_charset(name, span));
    let is_sound = finding.is_none();
    finding.into_iter().for_each(|one| lowering.report(one));
    is_sound
}

/// The finding about a text in another charset than UTF-8. A server rejects requests that name it.
fn check_charset(name: &str, span: Span) -> Option<Diagnostic> {
    if matches!(codec(name), Codec::Binary | Codec::Multipart) {
        return None;
    }
    let parameters = name.split(';').skip(1);
    let mut pairs = parameters.filter_map(|one| one.split_once('='));
    let (key, charset) = pairs.find_map(|(key, value)| {
        let key = key.trim();
        let is_charset = similar::nearest(["charset"], key, 2).is_some();
        is_charset.then_some((key, value))
    })?;
    if !key.eq_ignore_ascii_case("charset") {
        let message = format!("media types of text have no parameter `{key}`");
        let finding = Diagnostic::error("charset", span, message);
        return Some(finding.help("did you mean `charset`?"));
    }
    let charset = charset.trim().trim_matches('"');
    let mut known = ["utf-8", "utf8", "us-ascii"].into_iter();
    if known.any(|known| charset.eq_ignore_ascii_case(known)) {
        return None;
    }
    let message = format!("the charset `{charset}` is not supported: texts are in UTF-8");
    let finding = Diagnostic::error("charset", span, message);
    Some(finding.help("write `charset=utf-8`, or no charset"))
}

/// Whether a key of `content` is a range: `*/*` or `application/*`.
pub(super) fn is_range(name: &str) -> bool {
    essence(name).ends_with("/*")
}

/// How the bytes of a media type are read and written.
pub(crate) fn codec(name: &str) -> Codec {
    match essence(name).as_str() {
        "application/json" => Codec::Json,
        "application/x-www-form-urlencoded" => Codec::Form,
        "multipart/form-data" => Codec::Multipart,
        "text/event-stream" => Codec::EventStream,
        text if text.ends_with("+json") || text == "text/json" => Codec::Json,
        text if text.starts_with("text/") => Codec::Text,
        _ => Codec::Binary,
    }
}

/// A variant's name for a media type: `Json`, `EventStream`, `TextPlain`.
pub(super) fn media_name(name: &str) -> String {
    match essence(name).as_str() {
        "application/json" => "Json".to_string(),
        "application/x-www-form-urlencoded" => "Form".to_string(),
        "multipart/form-data" => "Multipart".to_string(),
        "text/event-stream" => "EventStream".to_string(),
        "application/octet-stream" => "Bytes".to_string(),
        "*/*" => "Any".to_string(),
        other => type_name(other.strip_prefix("application/").unwrap_or(other)),
    }
}
