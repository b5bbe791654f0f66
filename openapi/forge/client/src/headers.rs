//! The values of response headers.

use std::{
    fmt::{self, Display},
    str::FromStr,
};

use http::{HeaderMap, HeaderValue};

/// A response header that is not as the document says it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct HeaderError {
    /// The name of the header, in lower case.
    pub name: &'static str,
    /// Why it cannot be read.
    pub reason: String,
}

impl fmt::Display for HeaderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, reason } = self;
        write!(f, "the response header `{name}` {reason}")
    }
}

impl std::error::Error for HeaderError {}

fn unreadable(name: &'static str, reason: impl Display) -> HeaderError {
    let reason = format!("cannot be read: {reason}");
    HeaderError { name, reason }
}

/// The text of a header. Servers write characters beyond ASCII in UTF-8, as requests do.
fn text_of<'v>(name: &'static str, value: &'v HeaderValue) -> Result<&'v str, HeaderError> {
    std::str::from_utf8(value.as_bytes()).map_err(|error| unreadable(name, error))
}

/// The value of a header; `None` if the response does not have it.
///
/// # Errors
///
/// If the header is there several times, or its value is not a `T`.
pub fn header<T>(headers: &HeaderMap, name: &'static str) -> Result<Option<T>, HeaderError>
where
    T: FromStr<Err: Display>,
{
    let mut values = headers.get_all(name).iter();
    let Some(value) = values.next() else {
        return Ok(None);
    };
    if values.next().is_some() {
        return Err(unreadable(name, "the response has it several times"));
    }
    let value = text_of(name, value)?.trim().parse();
    value.map(Some).map_err(|error| unreadable(name, error))
}

/// The elements of a header with a list, which may be there several times (RFC 9110, section 5.3); `None` if the response
/// does not have it.
///
/// # Errors
///
/// If an element is not a `T`.
pub fn header_list<T>(
    headers: &HeaderMap,
    name: &'static str,
) -> Result<Option<Vec<T>>, HeaderError>
where
    T: FromStr<Err: Display>,
{
    if !headers.contains_key(name) {
        return Ok(None);
    }
    // Commas do not separate cookies (RFC 6265, section 3).
    let separators: &[char] = match name.eq_ignore_ascii_case("set-cookie") {
        true => &[],
        false => &[','],
    };
    let mut list = Vec::new();
    for value in headers.get_all(name) {
        let elements = text_of(name, value)?
            .split(separators)
            .map(str::trim)
            .filter(|element| !element.is_empty());
        for element in elements {
            list.push(element.parse().map_err(|error| unreadable(name, error))?);
        }
    }
    Ok(Some(list))
}

/// The value of a header that the document requires.
///
/// # Errors
///
/// If there is none.
pub fn required_header<T>(name: &'static str, value: Option<T>) -> Result<T, HeaderError> {
    value.ok_or_else(|| HeaderError {
        name,
        reason: "is missing".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderName;

    fn headers(values: &[&'static str]) -> HeaderMap {
        let name = HeaderName::from_static("x-it");
        let values = values
            .iter()
            .map(|value| (name.clone(), HeaderValue::from_static(value)));
        values.collect()
    }

    #[test]
    fn a_value_has_the_type_of_the_document() {
        assert_eq!(header(&headers(&[" 7 "]), "x-it"), Ok(Some(7_i64)));
        assert_eq!(header::<i64>(&headers(&[]), "x-it"), Ok(None));
        let error = header::<i64>(&headers(&["seven"]), "x-it").expect_err("no number");
        assert_eq!(
            error.to_string(),
            "the response header `x-it` cannot be read: invalid digit found in string"
        );
        let error = header::<String>(&headers(&["a", "b"]), "x-it").expect_err("several");
        assert!(error.reason.ends_with("several times"), "{error}");
    }

    #[test]
    fn a_value_may_have_characters_beyond_ascii_in_utf8() {
        let of = |bytes: &[u8]| {
            let name = HeaderName::from_static("x-it");
            let value = HeaderValue::from_bytes(bytes).expect("a value of a header");
            HeaderMap::from_iter([(name, value)])
        };
        let written = of("\u{fc}, b".as_bytes());
        let text = header(&written, "x-it");
        assert_eq!(text, Ok(Some("\u{fc}, b".to_owned())));
        let list = header_list(&written, "x-it");
        assert_eq!(list, Ok(Some(vec!["\u{fc}".to_owned(), "b".to_owned()])));
        assert!(header::<String>(&of(b"\xff"), "x-it").is_err());
    }

    #[test]
    fn a_list_may_be_in_several_lines() {
        let list = header_list::<i64>(&headers(&["1, 2", "3,"]), "x-it");
        assert_eq!(list, Ok(Some(vec![1, 2, 3])));
        assert_eq!(header_list::<i64>(&headers(&[]), "x-it"), Ok(None));
        assert!(header_list::<i64>(&headers(&["1;2"]), "x-it").is_err());
    }

    #[test]
    fn a_comma_within_a_cookie_ends_no_element() {
        let lines = ["a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT", "b=2"];
        let headers: HeaderMap = lines
            .into_iter()
            .map(|line| (http::header::SET_COOKIE, HeaderValue::from_static(line)))
            .collect();
        let list = header_list::<String>(&headers, "set-cookie");
        assert_eq!(list, Ok(Some(lines.map(str::to_owned).to_vec())));
    }

    #[test]
    fn a_required_header_may_not_be_absent() {
        let error = required_header::<i64>("x-it", None).expect_err("absent");
        assert_eq!(error.to_string(), "the response header `x-it` is missing");
        assert_eq!(required_header("x-it", Some(1)), Ok(1));
    }
}
