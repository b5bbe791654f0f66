//! The body of a request: its media type, its bytes within the size limit, and its validated value.
//!
//! Every structured media type becomes one JSON value. One set of checks and of types then serves
//! JSON, forms and multipart alike.

mod form;
mod incoming;
mod multipart;

use std::cmp::Reverse;

use bytes::Bytes;
use http::{HeaderMap, header};
use serde_json::Value;

use crate::check::{self, Direction};
use crate::decision::{Decision, SentBody};
use crate::json;
use crate::media::{MediaRange, is_utf8};
use crate::part::Part;
use crate::rejection::Rejection;
use crate::table::{Codec, MediaType, RequestBody, Schema};
use crate::violation::{Location, Violation};

pub(crate) use incoming::Incoming;

/// A body that has been read.
#[derive(Debug)]
pub(crate) struct ParsedBody {
    /// The bytes as they arrived.
    pub(crate) bytes: Bytes,
    /// `None` if the request has no body.
    pub(crate) content: Option<ParsedContent>,
    /// The heads of its parts, if it is a multipart form.
    pub(crate) parts: Vec<Part>,
    /// The violations of the document.
    pub(crate) violations: Vec<Violation>,
}

/// The parsed content of a body.
#[derive(Debug)]
pub(crate) struct ParsedContent {
    /// The index of its media type in the operation's `content`.
    pub(crate) media: usize,
    /// Its value, if the media type has one.
    pub(crate) value: Option<Value>,
}

impl ParsedBody {
    /// No body.
    pub(crate) fn absent() -> Self {
        ParsedBody {
            bytes: Bytes::new(),
            content: None,
            parts: Vec::new(),
            violations: Vec::new(),
        }
    }

    /// Whether it is valid.
    pub(crate) fn decision(&self, table: &'static RequestBody) -> Decision<'_> {
        let body = self.content.as_ref().map(|content| SentBody {
            media: &table.media[content.media],
            value: content.value.as_ref(),
        });
        Decision::Body {
            body,
            valid: self.violations.is_empty(),
        }
    }
}

/// Reads a body by its table.
pub(crate) async fn read(
    table: &'static RequestBody,
    headers: &HeaderMap,
    incoming: &mut Incoming,
    limit: usize,
) -> Result<ParsedBody, Rejection> {
    match read_strictly(table, headers, incoming, limit).await {
        Err(
            Rejection::Unreadable { .. }
            | Rejection::UnsupportedMediaType { .. }
            | Rejection::TooLarge { .. },
        ) if table.lenient => Ok(ParsedBody::absent()),
        Ok(read) if table.lenient && !read.violations.is_empty() => Ok(ParsedBody::absent()),
        outcome => outcome,
    }
}

async fn read_strictly(
    table: &'static RequestBody,
    headers: &HeaderMap,
    incoming: &mut Incoming,
    limit: usize,
) -> Result<ParsedBody, Rejection> {
    let sent = headers.get(header::CONTENT_TYPE);
    if incoming.is_empty() && !allows_empty(table, sent) {
        return Ok(absent(table));
    }
    let (index, range) = choose(table, sent)?;
    let media = &table.media[index];
    // The implementer has the bytes of a binary body, and can decode them.
    if media.codec != Codec::Binary
        && let Some(coding) = coding(headers)
    {
        return Err(unsupported(table, Some(coding)));
    }
    let bytes = incoming.read(limit).await?;
    if bytes.is_empty() && !(sent.is_some() && has_empty_value(media.codec)) {
        return Ok(absent(table));
    }
    let (mut parts, mut violations) = (Vec::new(), Vec::new());
    let value = match media.codec {
        Codec::Multipart => {
            let boundary = range.as_ref().and_then(|range| range.parameter("boundary"));
            // On the heap, because it is much larger than most requests need.
            let form = multipart::decode(media, boundary, &bytes, &mut violations);
            let (value, heads) = Box::pin(form).await?;
            parts = heads;
            Some(value)
        }
        codec => decode(codec, media.schema, &bytes, &mut violations)?,
    };
    let value = match (media.schema, value) {
        (Some(schema), Some(value)) => {
            let broken = check::check(schema, &value, Direction::Request, Location::Body);
            violations.extend(broken);
            Some(check::normalized(value))
        }
        (_, value) => value,
    };
    Ok(ParsedBody {
        bytes,
        content: Some(ParsedContent {
            media: index,
            value,
        }),
        parts,
        violations,
    })
}

/// A request without a body is valid unless the body is required.
fn absent(table: &RequestBody) -> ParsedBody {
    let violations = if table.required {
        vec![Violation::missing_body()]
    } else {
        Vec::new()
    };
    ParsedBody {
        violations,
        ..ParsedBody::absent()
    }
}

/// Whether empty bytes are a value of the media type: an empty form, text or file.
fn has_empty_value(codec: Codec) -> bool {
    matches!(codec, Codec::Form | Codec::Text | Codec::Binary)
}

/// Whether the media type of a request gives empty bytes a value.
fn allows_empty(table: &'static RequestBody, sent: Option<&http::HeaderValue>) -> bool {
    sent.is_some()
        && choose(table, sent).is_ok_and(|(index, _)| has_empty_value(table.media[index].codec))
}

/// The content codings of a body, none of which is decoded (RFC 9110, section 8.4).
fn coding(headers: &HeaderMap) -> Option<String> {
    let values = headers.get_all(header::CONTENT_ENCODING).iter();
    let mut values = values.map(|value| String::from_utf8_lossy(value.as_bytes()));
    let coded = values.find(|value| !value.is_empty() && !value.eq_ignore_ascii_case("identity"));
    coded.map(|coded| format!("{coded}-encoded"))
}

fn unsupported(table: &RequestBody, received: Option<String>) -> Rejection {
    Rejection::UnsupportedMediaType {
        received,
        supported: table.media.iter().map(|media| media.name).collect(),
    }
}

/// The index of the entry of `content` for a body of this `Content-Type`.
///
/// Without the header: JSON if the operation accepts it (as in dropshot), else an entry that
/// accepts any type.
fn choose(
    table: &'static RequestBody,
    sent: Option<&http::HeaderValue>,
) -> Result<(usize, Option<MediaRange>), Rejection> {
    let entries = || table.media.iter().enumerate();
    let Some(sent) = sent else {
        return entries()
            .find(|(_, media)| media.codec == Codec::Json)
            .or_else(|| entries().find(|(_, media)| media.name == "*/*"))
            .map(|(index, _)| (index, None))
            .ok_or_else(|| unsupported(table, None));
    };
    // Most callers send the name exactly as the document writes it. Then nothing needs parsing.
    let same =
        |media: &MediaType| media.name.as_bytes() == sent.as_bytes() && !media.name.contains(';');
    if let Some(index) = table.media.iter().position(same) {
        return Ok((index, None));
    }
    let text = String::from_utf8_lossy(sent.as_bytes());
    let Some(sent) = MediaRange::parse(&text) else {
        return Err(unsupported(table, Some(text.into_owned())));
    };
    let textual = |codec| !matches!(codec, Codec::Binary | Codec::Multipart);
    let foreign = sent
        .parameter("charset")
        .is_some_and(|charset| !is_utf8(charset));
    entries()
        .filter_map(|(index, media)| {
            let known = MediaRange::parse(media.name)?;
            let exact = known.includes(&sent);
            let fits = exact || known.includes_unless_contradicted(&sent);
            let is_readable = !(foreign && textual(media.codec));
            (fits && is_readable).then(|| (index, exact, known.specificity()))
        })
        // The first of equals, unlike `max_by_key`.
        .min_by_key(|(_, exact, specificity)| Reverse((*exact, *specificity)))
        .map(|(index, _, _)| index)
        .ok_or_else(|| unsupported(table, Some(text.into_owned())))
        .map(|index| (index, Some(sent)))
}

/// The value of a body without parts, if its media type has one.
fn decode(
    codec: Codec,
    schema: Option<&'static Schema>,
    bytes: &Bytes,
    violations: &mut Vec<Violation>,
) -> Result<Option<Value>, Rejection> {
    match codec {
        Codec::Json => json::parse(bytes)
            .map(Some)
            .map_err(|error| Rejection::not_json(&error)),
        Codec::Form => form::decode(schema, bytes, violations).map(Some),
        Codec::Text | Codec::EventStream => match std::str::from_utf8(bytes) {
            Ok(text) => Ok(Some(Value::String(text.to_owned()))),
            Err(_) => Err(Rejection::unreadable("it is not UTF-8")),
        },
        Codec::Binary | Codec::Multipart => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    const fn body(media: &'static [MediaType]) -> RequestBody {
        RequestBody {
            required: true,
            lenient: false,
            media,
        }
    }

    static VENDOR: RequestBody = body(&[
        MediaType::of("application/vnd.x+json;type=singular", Codec::Json),
        MediaType::of("application/vnd.x+json;type=collection", Codec::Json),
        MediaType::of("application/json;charset=utf-8", Codec::Json),
        MediaType::of("text/*", Codec::Text),
        MediaType::of("image/png", Codec::Binary),
    ]);
    static ANY: RequestBody = body(&[MediaType::of("*/*", Codec::Binary)]);
    static FORM: RequestBody = body(&[MediaType::of(
        "application/x-www-form-urlencoded",
        Codec::Form,
    )]);

    #[test]
    fn the_entry_that_names_the_media_type_most_exactly_is_chosen() {
        for (table, sent, expected) in [
            (
                &VENDOR,
                Some("application/vnd.x+json;type=singular"),
                Some(0),
            ),
            (
                &VENDOR,
                Some("application/vnd.x+json; TYPE=\"collection\""),
                Some(1),
            ),
            (&VENDOR, Some("application/vnd.x+json"), Some(0)),
            (&VENDOR, Some("application/vnd.x+json;type=other"), None),
            (&VENDOR, Some("Application/JSON"), Some(2)),
            (&VENDOR, Some("application/json; charset=UTF-8"), Some(2)),
            (&VENDOR, Some("application/json; charset=latin1"), None),
            (&VENDOR, Some("application/merge-patch+json"), None),
            (&VENDOR, Some("text/csv"), Some(3)),
            (&VENDOR, Some("text/csv;charset=latin1"), None),
            (&VENDOR, Some("image/png;charset=latin1"), Some(4)),
            (&VENDOR, Some("nonsense"), None),
            (&VENDOR, None, Some(0)),
            (&ANY, Some("a/b"), Some(0)),
            (&ANY, None, Some(0)),
            (&FORM, None, None),
        ] {
            let header = sent.map(HeaderValue::from_static);
            let chosen = choose(table, header.as_ref()).map(|(index, _)| index).ok();
            assert_eq!(chosen, expected, "{sent:?}");
        }
    }
}
