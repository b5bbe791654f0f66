//! The styles of parameters (OpenAPI 3.0.3, "Style Values", which are those of RFC 6570): splits
//! one text into its pieces.
//!
//! The text is split before its pieces are decoded, so that an escaped comma in a value is not a
//! separator.

use std::borrow::Cow;

use crate::coerce;
use crate::table::{Parameter, Style};
use crate::urlencoded::NotUtf8;

/// Decodes one piece.
pub(super) type Decode = fn(&[u8]) -> Result<Cow<'_, str>, NotUtf8>;

/// A parameter in pieces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Written<'t> {
    /// One text.
    Scalar(Cow<'t, str>),
    /// The elements of an array.
    List(Vec<String>),
    /// The members of an object.
    Members(Vec<(String, String)>),
}

/// Why a parameter cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Malformed {
    /// The parameter is repeated, and has a single value.
    Repeated,
    /// The text is not UTF-8.
    NotUtf8,
    /// The text does not have the form of the parameter's style.
    Form(&'static str),
}

impl From<NotUtf8> for Malformed {
    fn from(_: NotUtf8) -> Self {
        Malformed::NotUtf8
    }
}

/// The shape that a parameter's schema requires.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Scalar,
    Array,
    Object,
}

fn shape(parameter: &Parameter) -> Shape {
    if parameter.json {
        Shape::Scalar
    } else if coerce::is_array(parameter.schema) {
        Shape::Array
    } else if coerce::is_object(parameter.schema) {
        Shape::Object
    } else {
        Shape::Scalar
    }
}

/// Whether a parameter has a single value or a list of them.
pub(super) fn may_be_list(parameter: &Parameter) -> bool {
    !parameter.json && coerce::may_be_array(parameter.schema)
}

/// A variable of the path.
pub(super) fn path<'t>(
    parameter: &Parameter,
    text: &'t [u8],
    decode: Decode,
) -> Result<Written<'t>, Malformed> {
    match parameter.style {
        Style::Label => {
            let text = text.strip_prefix(b".").ok_or(Malformed::Form(".value"))?;
            // The published table and the RFC differ for parameters that are not exploded.
            let dots = parameter.explode || !text.contains(&b',');
            let separator = if dots { b'.' } else { b',' };
            pieces(parameter, text, separator, decode)
        }
        Style::Matrix => matrix(parameter, text, decode),
        _ => pieces(parameter, text, b',', decode),
    }
}

/// `;name=value`, `;name=a,b`, `;name=a;name=b`, `;k=v;k=v`.
fn matrix<'t>(
    parameter: &Parameter,
    text: &'t [u8],
    decode: Decode,
) -> Result<Written<'t>, Malformed> {
    const FORM: Malformed = Malformed::Form(";name=value");
    let text = text.strip_prefix(b";").ok_or(FORM)?;
    if parameter.explode && shape(parameter) == Shape::Object {
        return pairs_of(text, b';', decode);
    }
    let mut values = Vec::new();
    for part in text.split(|byte| *byte == b';') {
        let (name, value) = split_at(part, b'=').unwrap_or((part, b""));
        if decode(name)? != parameter.name {
            return Err(FORM);
        }
        values.push(value);
    }
    form(parameter, &values, decode)
}

/// The values of all headers of the name.
pub(super) fn header<'t>(
    parameter: &Parameter,
    lines: &[&'t [u8]],
) -> Result<Written<'t>, Malformed> {
    // Headers are not percent-encoded.
    let decode: Decode = |text| {
        let text = std::str::from_utf8(text).map_err(|_| NotUtf8)?;
        Ok(Cow::Borrowed(text.trim()))
    };
    match lines {
        [line] => pieces(parameter, line, b',', decode),
        // A list may be spread over several headers (RFC 9110, section 5.3).
        _ if is_list_of_tags(parameter.name) && shape(parameter) == Shape::Scalar => {
            let list = decode(&lines.join(&b", "[..]))?.into_owned();
            Ok(Written::Scalar(list.into()))
        }
        _ if shape(parameter) == Shape::Scalar => Err(Malformed::Repeated),
        _ => parts(parameter, &lines.join(&b","[..]), b',', decode),
    }
}

/// Whether a header is a list of entity tags, also where its schema is a string (RFC 9110, sections
/// 13.1.1 and 13.1.2).
fn is_list_of_tags(name: &str) -> bool {
    let lists = ["if-match", "if-none-match"];
    lists.iter().any(|list| name.eq_ignore_ascii_case(list))
}

/// The values of all pairs of the name, in query or cookies.
pub(super) fn form<'t>(
    parameter: &Parameter,
    values: &[&'t [u8]],
    decode: Decode,
) -> Result<Written<'t>, Malformed> {
    let shape = shape(parameter);
    let is_list = match shape {
        Shape::Array => true,
        Shape::Scalar => values.len() > 1 && may_be_list(parameter),
        Shape::Object => false,
    };
    if is_list && parameter.explode {
        return Ok(Written::List(owned(values.iter().copied(), decode)?));
    }
    let [value] = values else {
        return Err(Malformed::Repeated);
    };
    match (parameter.style, shape) {
        (Style::SpaceDelimited, Shape::Array | Shape::Object) => {
            let spaced = replace(&replace(value, b"%20", b" "), b"+", b" ");
            parts(parameter, &spaced, b' ', decode)
        }
        (Style::PipeDelimited, Shape::Array | Shape::Object) => {
            // A bar is not allowed in a URL, and most callers escape it.
            let barred = replace(&replace(value, b"%7C", b"|"), b"%7c", b"|");
            parts(parameter, &barred, b'|', decode)
        }
        _ => pieces(parameter, value, b',', decode),
    }
}

/// One text, by separators where it has parts.
fn pieces<'t>(
    parameter: &Parameter,
    text: &'t [u8],
    separator: u8,
    decode: Decode,
) -> Result<Written<'t>, Malformed> {
    match shape(parameter) {
        Shape::Scalar => Ok(Written::Scalar(decode(text)?)),
        Shape::Array | Shape::Object => parts(parameter, text, separator, decode),
    }
}

/// A list, or members, by separators.
fn parts(
    parameter: &Parameter,
    text: &[u8],
    separator: u8,
    decode: Decode,
) -> Result<Written<'static>, Malformed> {
    match shape(parameter) {
        Shape::Object if parameter.explode => pairs_of(text, separator, decode),
        Shape::Array | Shape::Scalar if text.is_empty() => Ok(Written::List(Vec::new())),
        Shape::Array | Shape::Scalar => Ok(Written::List(owned(split(text, separator), decode)?)),
        Shape::Object => {
            let flat = owned(split(text, separator), decode)?;
            let (pairs, rest) = flat.as_chunks::<2>();
            if !rest.is_empty() {
                return Err(Malformed::Form("name,value,name,value"));
            }
            let members = pairs
                .iter()
                .map(|[name, value]| (name.clone(), value.clone()));
            Ok(Written::Members(members.collect()))
        }
    }
}

/// `k=v` by separators.
fn pairs_of(text: &[u8], separator: u8, decode: Decode) -> Result<Written<'static>, Malformed> {
    let members = split(text, separator).map(|pair| {
        let (name, value) = split_at(pair, b'=').ok_or(Malformed::Form("name=value"))?;
        Ok((decode(name)?.into_owned(), decode(value)?.into_owned()))
    });
    let members: Result<Vec<_>, Malformed> = members.collect();
    members.map(Written::Members)
}

fn owned<'t>(
    texts: impl Iterator<Item = &'t [u8]>,
    decode: Decode,
) -> Result<Vec<String>, NotUtf8> {
    texts.map(|text| Ok(decode(text)?.into_owned())).collect()
}

fn split(text: &[u8], separator: u8) -> impl Iterator<Item = &[u8]> {
    text.split(move |byte| *byte == separator)
}

fn split_at(text: &[u8], byte: u8) -> Option<(&[u8], &[u8])> {
    let position = text.iter().position(|other| *other == byte)?;
    Some((&text[..position], &text[position + 1..]))
}

fn replace(text: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut replaced = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(&first) = rest.first() {
        match rest.strip_prefix(from) {
            Some(after) => {
                replaced.extend_from_slice(to);
                rest = after;
            }
            None => {
                replaced.push(first);
                rest = &rest[1..];
            }
        }
    }
    replaced
}
