//! Finds names that are not media types, and those that are probably misspelled.
//!
//! The bytes of a misspelled media type would pass without any check.

use crate::document::{Diagnostic, Span, similar};
use crate::ir::essence;

/// The types of the registry (RFC 6838, section 4.2), and `chemical`, which is in use.
const KINDS: [&str; 12] = [
    "application",
    "audio",
    "chemical",
    "example",
    "font",
    "haptics",
    "image",
    "message",
    "model",
    "multipart",
    "text",
    "video",
];

/// The most frequent media types, each of which the generator reads in its own way.
const USUAL: [&str; 7] = [
    "application/json",
    "application/octet-stream",
    "application/problem+json",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "text/event-stream",
    "text/plain",
];

/// Formats in use whose names resemble `json`. Those with `json` in their names are not listed.
const OTHERS: [&str; 3] = ["bson", "cson", "tson"];

/// The prefixes of names that are chosen freely (RFC 6838, sections 3.2 to 3.4).
const PREFIXES: [&str; 3] = ["vnd.", "prs.", "x."];

/// The media type that a name probably means; none for a name that is right, or like no other.
fn meant(name: &str) -> Option<String> {
    let essence = essence(name);
    let (kind, subtype) = essence.split_once('/')?;
    let mut corrected = kind.to_owned();
    if !KINDS.contains(&kind)
        && kind != "*"
        && let Some(near) = similar::nearest(KINDS, kind, 2)
    {
        corrected = near.to_owned();
    }
    let right = meant_subtype(&corrected, subtype);
    let meant = format!("{corrected}/{right}");
    (meant != essence).then_some(meant)
}

/// The subtype that an author probably means, or the same one.
fn meant_subtype(kind: &str, subtype: &str) -> String {
    let mut right = subtype.to_owned();
    if let Some((stem, suffix)) = subtype.rsplit_once('+')
        && suffix != "json"
    {
        // No frequent media type has another suffix.
        if is_other(suffix) || similar::nearest(["json"], suffix, 1).is_none() {
            return right;
        }
        right = format!("{stem}+json");
    } else if is_other(subtype) && !subtype.contains('+') {
        return right;
    }
    let is_own = PREFIXES.iter().any(|prefix| right.starts_with(prefix));
    if is_own || right.starts_with('*') {
        return right;
    }
    let is_experimental = right.starts_with("x-");
    let usual = USUAL.iter().filter_map(|usual| usual.split_once('/'));
    let candidates = usual
        .filter(|(known, name)| *known == kind && (!is_experimental || name.starts_with("x-")))
        // A format that is written in JSON is another one than JSON.
        .filter(|(_, name)| name.contains('+') == right.contains('+'))
        .map(|(_, name)| name);
    let tolerance = if right.len() < 6 { 1 } else { 2 };
    match similar::nearest(candidates, &right, tolerance) {
        Some(near) => near.to_owned(),
        None => right,
    }
}

/// Whether a name is that of another format than JSON, such as `ndjson`, and not `json` with a letter
/// twice.
fn is_other(name: &str) -> bool {
    OTHERS.contains(&name) || name.contains("json") && !matches!(name, "jjson" | "jsonn")
}

/// The finding about a name that is not a media type, or is probably misspelled. `text` is the whole
/// text at `span`, which may be a list of names.
pub(crate) fn check(name: &str, text: &str, span: Span) -> Option<Diagnostic> {
    if !is_media_type(name) {
        let message = format!("`{name}` is not a media type");
        return Some(
            Diagnostic::error("media-type", span, message)
                .help("write it as in `application/json` (RFC 9110, section 8.3.1)"),
        );
    }
    let meant = meant(name)?;
    let written = name.split(';').next().unwrap_or(name).trim();
    let corrected = text.replacen(written, &meant, 1);
    Some(
        Diagnostic::error(
            "media-type",
            span,
            format!("there is no media type `{name}`"),
        )
        .did_you_mean(&meant)
        .replacement(corrected),
    )
}

/// Whether a name is a media type or a range of them, with or without
/// parameters, so that a header can have it.
fn is_media_type(name: &str) -> bool {
    let is_visible = |byte: u8| byte == b'\t' || (b' '..=b'~').contains(&byte);
    let mut parts = parts(name).into_iter();
    let essence = parts.next().unwrap_or_default();
    let is_essence = |(kind, subtype): (&str, &str)| is_token(kind) && is_token(subtype);
    name.bytes().all(is_visible)
        && essence.split_once('/').is_some_and(is_essence)
        && parts.all(is_parameter)
}

/// Whether a text is a parameter of a media type, or empty.
fn is_parameter(text: &str) -> bool {
    let is_pair = |(name, value): (&str, &str)| is_token(name) && !value.is_empty();
    text.is_empty() || text.split_once('=').is_some_and(is_pair)
}

/// The essence of a media type and its parameters: what semicolons separate, other than those in quotes.
pub(super) fn parts(name: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut start, mut is_quoted, mut is_escaped) = (0, false, false);
    for (at, char) in name.char_indices() {
        match char {
            _ if is_escaped => is_escaped = false,
            '\\' if is_quoted => is_escaped = true,
            '"' => is_quoted = !is_quoted,
            ';' if !is_quoted => {
                found.push(name[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(name[start..].trim());
    found
}

/// Whether a text is a token (RFC 9110, section 5.6.2), as are the names of headers and cookies, and
/// both parts of a media type.
pub(crate) fn is_token(name: &str) -> bool {
    !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parameter_has_a_name_and_a_value() {
        for name in [
            "text/plain",
            "text/plain;",
            "text/plain; charset=utf-8",
            "text/plain;charset=utf-8;format=flowed",
            r#"multipart/mixed; boundary="a;b\"c"; x=1"#,
        ] {
            assert!(is_media_type(name), "{name}");
        }
        for name in [
            "text/plain; charset",
            "text/plain; utf-8; format=flowed",
            "text/plain; charset=",
            "text/plain; =utf-8",
            "text/plain; char set=utf-8",
            r#"text/plain; "charset=utf-8""#,
            r#"text/plain; charset"=";"=utf-8"#,
        ] {
            assert!(!is_media_type(name), "{name}");
        }
    }

    #[test]
    fn misspelled_media_types_are_noticed_and_others_are_not() {
        for (name, wanted) in [
            ("aplication/json", "application/json"),
            ("application/jsn", "application/json"),
            ("application/jsom; charset=utf-8", "application/json"),
            ("text/event-steam", "text/event-stream"),
            ("txt/plain", "text/plain"),
            ("application/problem+jsn", "application/problem+json"),
            ("application/vnd.a+jsno", "application/vnd.a+json"),
            ("multipart/from-data", "multipart/form-data"),
            (
                "application/www-form-urlencoded",
                "application/x-www-form-urlencoded",
            ),
            (
                "application/x-www-form-urlencode",
                "application/x-www-form-urlencoded",
            ),
            ("application/jsonn", "application/json"),
            ("application/problm+json", "application/problem+json"),
        ] {
            assert_eq!(meant(name).as_deref(), Some(wanted), "{name}");
        }
        for name in USUAL.into_iter().chain(
            "*/* application/* application/*+json Application/JSON application/jsonl \
             application/jsonml application/ndjson application/ldjson application/x-json \
             application/a+json application/x-ndjson application/x.problem+json \
             application/bson application/problem+bson application/vnd.a+bson \
             application/vnd.a+jsonl application/json-patch+json application/json+sarif \
             application/octocat-stream application/jwt application/jose application/xml \
             application/vnd.a+cbor text/css text/json text/x-markdown text/x-plain \
             x-world/x-3dmf"
                .split(' '),
        ) {
            assert_eq!(meant(name), None, "{name}");
        }
    }
}
