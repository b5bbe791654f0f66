//! Parameters that progenitor cannot put where they belong.
//!
//! Two parameters of one name, or a cookie, leave progenitor in a place and with a name of the generator's; here they
//! are put where the document wants them.

use crate::Place;
use reqwest::{
    Request,
    header::{COOKIE, HeaderName, HeaderValue},
};

/// A value as one segment of a path: every byte but the unreserved ones of RFC 3986, section 2.3, is encoded.
///
/// progenitor leaves `|` and a backslash as they are; the former is no character of an address, and the latter is read
/// as a slash. No address can name a segment `.` or `..`, encoded or not: both mean another path. They are encoded twice,
/// so that they name nothing instead.
pub fn encode_path(value: &str) -> String {
    if matches!(value, "." | "..") {
        return value.replace('.', "%252E");
    }
    let mut encoded = String::with_capacity(value.len());
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

/// Moves a parameter of a request, if it is there.
pub fn move_parameter(request: &mut Request, from: &Place, to: &Place) -> Result<(), String> {
    for value in take(request, from) {
        put(request, to, &value)?;
    }
    Ok(())
}

fn take(request: &mut Request, from: &Place) -> Vec<String> {
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
            taken.into_iter().map(|(_, value)| value).collect()
        }
        Place::Header(name) => {
            let value = request.headers_mut().remove(*name);
            value
                .and_then(|value| value.to_str().map(str::to_owned).ok())
                .into_iter()
                .collect()
        }
        // progenitor sends no cookies.
        Place::Cookie(_) => vec![],
    }
}

fn put(request: &mut Request, to: &Place, value: &str) -> Result<(), String> {
    let header = |value: &str| {
        HeaderValue::from_str(value).map_err(|_| "a header cannot hold this value".to_owned())
    };
    match to {
        Place::Query(name) => {
            request.url_mut().query_pairs_mut().append_pair(name, value);
        }
        Place::Header(name) => {
            let name = HeaderName::from_bytes(name.as_bytes())
                .map_err(|_| format!("{name} is not a valid header name"))?;
            request.headers_mut().append(name, header(value)?);
        }
        Place::Cookie(name) => {
            if value.contains([';', ',', ' ', '"', '\\']) {
                return Err(format!("the cookie {name} cannot hold this value"));
            }
            let cookies = request
                .headers()
                .get(COOKIE)
                .and_then(|cookies| cookies.to_str().ok());
            let cookies = match cookies {
                Some(cookies) => format!("{cookies}; {name}={value}"),
                None => format!("{name}={value}"),
            };
            request.headers_mut().insert(COOKIE, header(&cookies)?);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::Method;

    fn request(url: &str) -> Request {
        Request::new(Method::GET, url.parse().expect("an address"))
    }

    #[test]
    fn a_query_parameter_gets_its_name_back() {
        let mut request = request("http://a.example/?x=1&dropforge-new=a%20b&dropforge-new=c");
        move_parameter(
            &mut request,
            &Place::Query("dropforge-new"),
            &Place::Query("new"),
        )
        .expect("a name");
        assert_eq!(request.url().query(), Some("x=1&new=a+b&new=c"));
        move_parameter(&mut request, &Place::Query("absent"), &Place::Query("y"))
            .expect("nothing to do");
        assert_eq!(request.url().query(), Some("x=1&new=a+b&new=c"));
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
        for value in ["a|b", "..", ".", "a/../b", "\\..\\x", "%2e%2e"] {
            let url = request(&format!("http://a.example/x/{}/y", encode_path(value)));
            assert_eq!(
                url.url().path_segments().map(Iterator::count),
                Some(3),
                "{value}"
            );
        }
    }

    #[test]
    fn cookies_are_joined_and_cannot_break_out() {
        let mut request = request("http://a.example/");
        for (name, value) in [
            ("dropforge-a", "1"),
            ("dropforge-b", "2"),
            ("dropforge-c", "x; d=1"),
        ] {
            request
                .headers_mut()
                .insert(name, HeaderValue::from_static(value));
        }
        move_parameter(
            &mut request,
            &Place::Header("dropforge-a"),
            &Place::Cookie("a"),
        )
        .expect("a cookie");
        move_parameter(
            &mut request,
            &Place::Header("dropforge-b"),
            &Place::Cookie("b"),
        )
        .expect("a cookie");
        assert_eq!(request.headers()[COOKIE], "a=1; b=2");
        assert!(
            move_parameter(
                &mut request,
                &Place::Header("dropforge-c"),
                &Place::Cookie("c")
            )
            .is_err()
        );
    }
}
