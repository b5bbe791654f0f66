//! Parameters that progenitor cannot write into their places.
//!
//! progenitor writes single values into paths and headers, and lists into queries. The generator gives progenitor a
//! substitute place and name for all other parameters: other values, cookies, and a second parameter of one name. This
//! module writes them into the place of the document, in the style of the document.

use crate::{
    Form, Parameter, Place,
    escape::{encode, encode_cookie, encode_path},
    style::{self, Style},
};
use reqwest::{
    Request,
    header::{COOKIE, HeaderName, HeaderValue},
};
use serde::Serialize;
use serde_json::Value;
use std::fmt;

/// The value of a parameter that is more than one text: the session writes it in its style.
///
/// Every value converts into an argument, so that callers need not name this type.
#[derive(Debug, Clone, PartialEq)]
pub struct Argument<T>(pub T);

impl<T> From<T> for Argument<T> {
    fn from(value: T) -> Self {
        Self(value)
    }
}

/// Writes JSON that is valid in a header.
impl<T: Serialize> fmt::Display for Argument<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match serde_json::to_string(&self.0) {
            // The only character that JSON may contain unescaped and a header may not.
            Ok(json) => f.write_str(&json.replace('\u{7f}', "\\u007f")),
            // This text is not JSON, so the request fails with it.
            Err(error) => write!(f, "!{error}"),
        }
    }
}

/// Moves a parameter of a request to its place, if the request has it.
///
/// # Errors
///
/// When its style, or its place, cannot hold the value.
pub fn write_parameter(request: &mut Request, parameter: &Parameter) -> Result<(), String> {
    for value in take(request, &parameter.from)? {
        put(request, parameter, &value)
            .map_err(|reason| format!("parameter `{}`: {reason}", parameter.to.name()))?;
    }
    Ok(())
}

fn take(request: &mut Request, from: &Place) -> Result<Vec<String>, String> {
    match from {
        Place::Query(name) => {
            let url = request.url_mut();
            let (taken, left): (Vec<_>, Vec<_>) = url
                .query_pairs()
                .into_owned()
                .partition(|(key, _)| key == name);
            if !taken.is_empty() {
                url.set_query(None);
                if !left.is_empty() {
                    url.query_pairs_mut().extend_pairs(left);
                }
            }
            Ok(taken.into_iter().map(|(_, value)| value).collect())
        }
        Place::Header(name) => {
            let Some(value) = request.headers_mut().remove(*name) else {
                return Ok(vec![]);
            };
            let text = String::from_utf8(value.as_bytes().to_vec())
                .map_err(|_| format!("the header {name} is not UTF-8"))?;
            Ok(vec![text])
        }
        // progenitor does not write cookies, and it writes path parameters into their places.
        Place::Cookie(_) | Place::Path(..) => Ok(vec![]),
    }
}

fn put(request: &mut Request, parameter: &Parameter, text: &str) -> Result<(), String> {
    // The value as one text, or in the pieces of its style.
    let (value, style, explode) = match parameter.form {
        Form::Text | Form::Json => (Value::String(text.to_owned()), Style::Form, true),
        Form::Styled(style, explode) => {
            let value =
                serde_json::from_str(text).map_err(|error| format!("is not JSON: {error}"))?;
            (value, style, explode)
        }
    };
    match parameter.to {
        Place::Query(name) => {
            for (name, value) in style::pairs(name, &value, style, explode, &encode)? {
                append_pair(request, &name, &value);
            }
        }
        Place::Header(name) => {
            let name = HeaderName::from_bytes(name.as_bytes())
                .map_err(|_| format!("{name} is not a valid header name"))?;
            let text = match parameter.form {
                Form::Styled(..) => style::header(&value, explode)?,
                Form::Text | Form::Json => text.to_owned(),
            };
            request.headers_mut().append(name, header_value(text)?);
        }
        Place::Cookie(name) => {
            for (name, value) in style::pairs(name, &value, style, explode, &encode_cookie)? {
                append_cookie(request, &name, &value)?;
            }
        }
        Place::Path(name, marker) => {
            let segment = match parameter.form {
                Form::Styled(..) => style::path(name, &value, style, explode)?,
                Form::Text | Form::Json => encode_path(text),
            };
            let url = request.url_mut();
            // Values that are already in the path are escaped, so they contain no marker.
            let path = url.path().replacen(marker, &segment, 1);
            url.set_path(&path);
        }
    }
    Ok(())
}

fn header_value(text: String) -> Result<HeaderValue, String> {
    HeaderValue::try_from(text).map_err(|_| "a header cannot hold this value".to_owned())
}

/// Adds a name and a value, both escaped, to the query.
fn append_pair(request: &mut Request, name: &str, value: &str) {
    let url = request.url_mut();
    let query = match url.query() {
        Some(query) if !query.is_empty() => format!("{query}&{name}={value}"),
        _ => format!("{name}={value}"),
    };
    url.set_query(Some(&query));
}

/// Adds a name and a value, both escaped, to the cookies.
fn append_cookie(request: &mut Request, name: &str, value: &str) -> Result<(), String> {
    let cookies = request
        .headers()
        .get(COOKIE)
        .and_then(|cookies| cookies.to_str().ok());
    let cookies = match cookies {
        Some(cookies) => format!("{cookies}; {name}={value}"),
        None => format!("{name}={value}"),
    };
    request.headers_mut().insert(COOKIE, header_value(cookies)?);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::Method;

    fn request(url: &str) -> Request {
        Request::new(Method::GET, url.parse().expect("an address"))
    }

    fn text(from: Place, to: Place) -> Parameter {
        Parameter {
            from,
            to,
            form: Form::Text,
        }
    }

    #[test]
    fn a_query_parameter_gets_its_name_back() {
        let mut request = request("http://a.example/?x=1&dropforge-new=a%20b&dropforge-new=c");
        let new = text(Place::Query("dropforge-new"), Place::Query("new"));
        write_parameter(&mut request, &new).expect("a name");
        assert_eq!(request.url().query(), Some("x=1&new=a%20b&new=c"));
        let absent = text(Place::Query("absent"), Place::Query("y"));
        write_parameter(&mut request, &absent).expect("nothing to do");
        assert_eq!(request.url().query(), Some("x=1&new=a%20b&new=c"));
    }

    #[test]
    fn a_segment_cannot_leave_its_place() {
        assert_eq!(
            encode_path("ORDER_TRIAGE|01.00.0000"),
            "ORDER_TRIAGE%7C01.00.0000"
        );
        assert_eq!(
            encode_path("a/b\\c?d#e%f \u{fc}"),
            "a%2Fb%5Cc%3Fd%23e%25f%20%C3%BC"
        );
        for value in ["", "a|b", "..", ".", "a/../b", "\\..\\x", "%2e%2e"] {
            let request = request(&format!("http://a.example/x/{}/y", encode_path(value)));
            let segments = request.url().path_segments().expect("a path");
            let segments = segments.filter(|segment| !segment.is_empty());
            assert_eq!(segments.count(), 3, "{value}");
        }
    }

    #[test]
    fn a_value_takes_the_place_of_its_marker() {
        let mut request = request("http://a.example/x/(dropforge:id)/y");
        let argument = Argument(vec!["a/b", "\u{fc}"]).to_string();
        let value = HeaderValue::try_from(argument).expect("a header holds JSON");
        request.headers_mut().insert("dropforge-id", value);
        let id = Parameter {
            from: Place::Header("dropforge-id"),
            to: Place::Path("id", "(dropforge:id)"),
            form: Form::Styled(Style::Matrix, true),
        };
        write_parameter(&mut request, &id).expect("a value that can be written");
        assert_eq!(request.url().path(), "/x/;id=a%2Fb;id=%C3%BC/y");
        assert!(request.headers().is_empty());
    }

    #[test]
    fn cookies_are_joined_and_cannot_break_out() {
        let mut request = request("http://a.example/");
        for (name, value) in [("dropforge-a", "1"), ("dropforge-b", "x; d=1")] {
            let value = HeaderValue::from_static(value);
            request.headers_mut().insert(name, value);
        }
        for (from, to) in [("dropforge-a", "a"), ("dropforge-b", "b")] {
            let cookie = text(Place::Header(from), Place::Cookie(to));
            write_parameter(&mut request, &cookie).expect("a cookie");
        }
        assert_eq!(request.headers()[COOKIE], "a=1; b=x%3B%20d=1");
    }
}
