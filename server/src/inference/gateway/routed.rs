//! The one member of a body that a call is routed by.
//!
//! A name is replaced where it stands; every other byte of the body stays as it
//! was received.

use std::ops::Range;

use bytes::{Bytes, BytesMut};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::glance::glance;

/// A body, and the model that it names.
#[derive(Debug, Clone)]
pub struct Routed {
    /// The body as it was received.
    pub body: Bytes,
    /// What it names as its model.
    pub name: String,
    /// Whether it asks for a stream.
    pub streams: bool,
    /// Where the name stands, with its quotes.
    at: Range<usize>,
}

#[derive(Deserialize)]
struct Members<'a> {
    #[serde(borrow)]
    model: &'a RawValue,
    #[serde(default)]
    stream: Option<bool>,
}

impl Routed {
    /// Finds the model's name in a body.
    ///
    /// # Errors
    ///
    /// When there is none.
    pub fn read(body: Bytes) -> Result<Self, serde_json::Error> {
        let (name, at, streams) = match std::str::from_utf8(&body) {
            // Checked as a whole, its texts need not be checked one by one.
            Ok(text) => match glance(text) {
                Some((at, streams)) => (text[at.start + 1..at.end - 1].to_owned(), at, streams),
                None => members(&body, serde_json::from_str(text)?)?,
            },
            Err(_) => members(&body, serde_json::from_slice(&body)?)?,
        };
        Ok(Routed {
            body,
            name,
            streams,
            at,
        })
    }

    /// The body, naming another model.
    pub fn naming(&self, name: &str) -> Bytes {
        if self.name == name {
            return self.body.clone();
        }
        let quoted = serde_json::Value::from(name).to_string();
        let mut body = BytesMut::with_capacity(self.body.len() + quoted.len());
        body.extend_from_slice(&self.body[..self.at.start]);
        body.extend_from_slice(quoted.as_bytes());
        body.extend_from_slice(&self.body[self.at.end..]);
        body.freeze()
    }
}

/// The model's name, where it stands, and whether a stream is asked for.
fn members(
    body: &Bytes,
    members: Members<'_>,
) -> Result<(String, Range<usize>, bool), serde_json::Error> {
    let text = members.model.get();
    let start = (text.as_ptr() as usize).saturating_sub(body.as_ptr() as usize);
    let name = serde_json::from_str(text)?;
    let at = start..start + text.len();
    Ok((name, at, members.stream.unwrap_or(false)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_replaced_where_it_stands_and_nothing_else_is() {
        let body = r#"{ "a":{"model":"x"}, "n":1.50,"model" : "\u0061b" ,"z":[1e2]}"#;
        let routed = Routed::read(body.into()).expect("a body with a model");
        assert_eq!(routed.name, "ab");
        assert_eq!(routed.naming("ab"), body);
        let expected = r#"{ "a":{"model":"x"}, "n":1.50,"model" : "c\"d" ,"z":[1e2]}"#;
        assert_eq!(routed.naming("c\"d"), expected);
    }

    #[test]
    fn a_body_without_a_name_is_refused() {
        for body in [
            "{}",
            r#"{"model":1}"#,
            r#"{"model":"a","model":"b"}"#,
            "[",
            "[]",
        ] {
            assert!(
                Routed::read(Bytes::from_static(body.as_bytes())).is_err(),
                "{body}"
            );
        }
    }
}
