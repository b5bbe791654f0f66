//! Media types and media ranges (RFC 9110, sections 8.3 and 12.5.1).
//!
//! The crate `mime` parses a media type, which is the smaller part of this file. The rest splits lists, reads
//! quality values, and compares ranges.

/// A media type, or a range of them: `application/json`, `text/*`,
/// `application/*+json`, `*/*`, with parameters.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct MediaRange {
    kind: String,
    subtype: String,
    parameters: Vec<(String, String)>,
}

impl MediaRange {
    /// Parses a media type or range. `None` if it is not `type/subtype`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut pieces = split_outside_quotes(text, ';');
        let (kind, subtype) = pieces.next()?.trim().split_once('/')?;
        if !is_token(kind) || !is_token(subtype) {
            return None;
        }
        let parameters = pieces
            .filter_map(|piece| piece.split_once('='))
            .map(|(name, value)| {
                let value = value.trim();
                let value = value
                    .strip_prefix('"')
                    .and_then(|value| value.strip_suffix('"'))
                    .map_or_else(|| value.to_owned(), |quoted| quoted.replace('\\', ""));
                (name.trim().to_ascii_lowercase(), value)
            })
            .collect();
        Some(MediaRange {
            kind: kind.to_ascii_lowercase(),
            subtype: subtype.to_ascii_lowercase(),
            parameters,
        })
    }

    /// A parameter's value; names compare without case.
    pub(crate) fn parameter(&self, name: &str) -> Option<&str> {
        self.parameters
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }

    /// Whether it names JSON, or a type with the suffix `+json`.
    pub(crate) fn is_json(&self) -> bool {
        self.subtype == "json" || self.subtype.ends_with("+json")
    }

    /// Whether it names one type.
    pub(crate) fn is_exact(&self) -> bool {
        self.kind != "*" && !self.subtype.starts_with('*')
    }

    /// Whether the essence (type and subtype) of `other` lies within.
    pub(crate) fn includes_essence(&self, other: &MediaRange) -> bool {
        let kind = self.kind == "*" || self.kind == other.kind;
        let subtype = match self.subtype.strip_prefix('*') {
            Some(suffix) => other.subtype.ends_with(suffix),
            None => self.subtype == other.subtype,
        };
        kind && subtype
    }

    /// Whether `other` lies within: its essence does, and it has every parameter of the range. A
    /// charset of UTF-8 need not be named.
    pub(crate) fn includes(&self, other: &MediaRange) -> bool {
        self.includes_essence(other)
            && self.parameters.iter().all(|(name, value)| {
                let given = other.parameter(name);
                match name.as_str() {
                    "charset" => is_utf8(value) && given.is_none_or(is_utf8),
                    _ => given.is_some_and(|given| given.eq_ignore_ascii_case(value)),
                }
            })
    }

    /// Whether `other` lies within, and none of its parameters contradicts the range.
    pub(crate) fn includes_unless_contradicted(&self, other: &MediaRange) -> bool {
        self.includes_essence(other)
            && self.parameters.iter().all(|(name, value)| {
                other
                    .parameter(name)
                    .is_none_or(|given| given.eq_ignore_ascii_case(value))
            })
    }

    /// More specific ranges have a larger one.
    pub(crate) fn specificity(&self) -> usize {
        let essence = match (self.kind.as_str(), self.subtype.as_str()) {
            ("*", _) => 0,
            (_, "*") => 1,
            (_, subtype) if subtype.starts_with('*') => 2,
            _ => 3,
        };
        essence * 100 + self.parameters.len().min(99)
    }
}

/// Whether a charset is UTF-8 or its subset.
pub(crate) fn is_utf8(charset: &str) -> bool {
    ["utf-8", "utf8", "us-ascii"]
        .iter()
        .any(|name| charset.eq_ignore_ascii_case(name))
}

/// The elements of an `Accept` header with their quality in thousandths.
pub(crate) fn parse_list(list: &str) -> impl Iterator<Item = (MediaRange, u16)> {
    split_outside_quotes(list, ',').filter_map(|element| {
        let mut range = MediaRange::parse(element)?;
        let quality = match range.parameters.iter().position(|(name, _)| name == "q") {
            Some(position) => {
                let quality = parse_quality(&range.parameters[position].1);
                // Parameters after the weight are not part of the media range.
                range.parameters.truncate(position);
                quality?
            }
            None => 1000,
        };
        Some((range, quality))
    })
}

/// A weight in thousandths: 0 or 1, with at most three digits behind the point (RFC 9110, section
/// 12.4.2).
fn parse_quality(text: &str) -> Option<u16> {
    let (whole, digits) = text.split_once('.').unwrap_or((text, ""));
    if digits.len() > 3 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let padded = digits.bytes().chain(*b"000").take(3);
    let thousandths = padded.fold(0_u16, |sum, digit| sum * 10 + u16::from(digit - b'0'));
    match whole {
        "0" => Some(thousandths),
        "1" if thousandths == 0 => Some(1000),
        _ => None,
    }
}

fn is_token(text: &str) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
}

fn split_outside_quotes(text: &str, separator: char) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    let mut escaped = false;
    text.split(move |character: char| {
        let special = std::mem::take(&mut escaped);
        match character {
            '"' if !special => quoted = !quoted,
            '\\' if quoted && !special => escaped = true,
            _ => return character == separator && !quoted,
        }
        false
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(text: &str) -> MediaRange {
        MediaRange::parse(text).unwrap()
    }

    #[test]
    fn ranges_include_types_by_essence_and_suffix() {
        assert!(range("application/*+json").includes(&range("application/problem+json")));
        assert!(!range("application/*+json").includes(&range("application/json")));
        assert!(range("*/*").includes(&range("text/plain")));
        assert!(!range("text/*").includes(&range("application/json")));
    }

    #[test]
    fn quoted_parameters_may_hold_separators() {
        let range = range("multipart/form-data; boundary=\"a;b,c\"; x=y");
        assert_eq!(range.parameter("boundary"), Some("a;b,c"));
        assert_eq!(range.parameter("x"), Some("y"));
    }

    #[test]
    fn a_weight_has_at_most_three_digits() {
        for (text, weight) in [
            ("0", Some(0)),
            ("0.", Some(0)),
            ("0.001", Some(1)),
            ("0.05", Some(50)),
            ("0.7", Some(700)),
            ("0.999", Some(999)),
            ("1", Some(1000)),
            ("1.000", Some(1000)),
            ("1.001", None),
            ("0.0001", None),
            (".5", None),
            ("00.5", None),
            ("+0.5", None),
            ("0.-1", None),
            ("5e-1", None),
            ("NaN", None),
            ("2", None),
            ("", None),
        ] {
            assert_eq!(parse_quality(text), weight, "{text}");
        }
    }

    #[test]
    fn what_is_no_media_type_is_none() {
        for text in ["", "json", "a/b c", "/json", "text/"] {
            assert_eq!(MediaRange::parse(text), None, "{text}");
        }
    }
}
