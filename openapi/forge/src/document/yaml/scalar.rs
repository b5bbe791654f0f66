//! The value of a YAML scalar by the core schema (YAML 1.2.2, section 10.3).

use std::str::FromStr;

use saphyr_parser::Tag;
use serde_json::Number;

use crate::document::{Diagnostic, Kind, Span};

/// Why a scalar has no value.
pub(super) enum Wrong<'t> {
    /// The text is not a value of the type that its tag names.
    NotOfTag(&'t Tag),
    /// The tag is not in the core schema.
    UnsupportedTag(&'t Tag),
    /// JSON does not have this number.
    NoNumber,
}

impl Wrong<'_> {
    pub(super) fn diagnostic(&self, text: &str, span: Span) -> Diagnostic {
        match self {
            Wrong::UnsupportedTag(tag) => unsupported_tag(tag, span),
            Wrong::NotOfTag(tag) => Diagnostic::error(
                "wrong-tag",
                span,
                format!("`{text}` is not a value of its tag `!!{}`", tag.suffix),
            ),
            Wrong::NoNumber => Diagnostic::error(
                "number-out-of-range",
                span,
                format!("`{text}` is not a JSON number"),
            )
            .help("if a string is meant, put it in quotes"),
        }
    }
}

pub(super) fn unsupported_tag(tag: &Tag, span: Span) -> Diagnostic {
    let written = if tag.is_yaml_core_schema() {
        format!("!!{}", tag.suffix)
    } else {
        tag.to_string()
    };
    Diagnostic::error(
        "unsupported-tag",
        span,
        format!("the tag `{written}` is not supported"),
    )
    .help("JSON has no such values: leave the tag out")
}

/// The tag `!`, which only disables the detection of a type.
pub(super) fn is_non_specific(tag: &Tag) -> bool {
    matches!(
        (tag.handle.as_str(), tag.suffix.as_str()),
        ("", "!") | ("!", "")
    )
}

/// The value of a scalar. One in quotes, or in a block, is a string.
pub(super) fn value<'t>(text: &str, plain: bool, tag: Option<&'t Tag>) -> Result<Kind, Wrong<'t>> {
    let Some(tag) = tag else {
        return if plain {
            resolve(text).ok_or(Wrong::NoNumber)
        } else {
            Ok(Kind::String(text.to_owned()))
        };
    };
    if is_non_specific(tag) {
        return Ok(Kind::String(text.to_owned()));
    }
    if !tag.is_yaml_core_schema() {
        return Err(Wrong::UnsupportedTag(tag));
    }
    let wanted: fn(&Kind) -> bool = match tag.suffix.as_str() {
        "str" => return Ok(Kind::String(text.to_owned())),
        "null" => |kind| matches!(kind, Kind::Null),
        "bool" => |kind| matches!(kind, Kind::Bool(_)),
        "int" => |kind| matches!(kind, Kind::Number(n) if !n.is_f64()),
        "float" => |kind| matches!(kind, Kind::Number(_)),
        _ => return Err(Wrong::UnsupportedTag(tag)),
    };
    let kind = resolve(text).ok_or(Wrong::NoNumber)?;
    if wanted(&kind) {
        Ok(kind)
    } else {
        Err(Wrong::NotOfTag(tag))
    }
}

/// A plain scalar; `None` if it is a number that JSON does not have.
fn resolve(text: &str) -> Option<Kind> {
    Some(match text {
        "" | "~" | "null" | "Null" | "NULL" => Kind::Null,
        "true" | "True" | "TRUE" => Kind::Bool(true),
        "false" | "False" | "FALSE" => Kind::Bool(false),
        _ => {
            let bare = text.strip_prefix(['-', '+']).unwrap_or(text);
            if matches!(bare, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN")
            {
                return None;
            }
            if let Some(number) = integer(text) {
                Kind::Number(number?)
            } else if let Some(number) = float(text) {
                Kind::Number(number?)
            } else {
                Kind::String(text.to_owned())
            }
        }
    })
}

/// The outer option says whether the text has the syntax of an integer, the inner one whether the
/// number exists.
fn integer(text: &str) -> Option<Option<Number>> {
    for (prefix, radix) in [("0o", 8), ("0x", 16)] {
        if let Some(digits) = text.strip_prefix(prefix)
            && !digits.is_empty()
            && digits.chars().all(|c| c.is_digit(radix))
        {
            return Some(u64::from_str_radix(digits, radix).ok().map(Number::from));
        }
    }
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    // JSON does not allow leading zeros. In YAML they have no meaning.
    let significant = digits.trim_start_matches('0');
    // A float has a negative zero, an integer has not.
    if significant.is_empty() {
        return Some(Some(Number::from(0)));
    }
    Some(Number::from_str(&format!("{sign}{significant}")).ok())
}

/// As [`integer`], for `[-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?`.
fn float(text: &str) -> Option<Option<Number>> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let digits = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
    let mantissa_ok = match mantissa.split_once('.') {
        Some(("", fraction)) => !fraction.is_empty() && digits(fraction),
        Some((whole, fraction)) => digits(whole) && digits(fraction),
        None => !mantissa.is_empty() && digits(mantissa),
    };
    let exponent_ok = exponent.is_none_or(|e| {
        let e = e.strip_prefix(['-', '+']).unwrap_or(e);
        !e.is_empty() && digits(e)
    });
    if !mantissa_ok || !exponent_ok {
        return None;
    }
    Some(f64::from_str(text).ok().and_then(Number::from_f64))
}
