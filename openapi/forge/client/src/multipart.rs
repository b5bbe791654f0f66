//! Bodies of `multipart/form-data` (RFC 7578), whose files are streamed.

use bytes::Bytes;
use futures_util::Stream;
use reqwest::{Body, multipart};
use serde::Serialize;
use serde_json::Value;

pub use reqwest::multipart::Part;

/// The parts of a request body.
///
/// Generated code converts its typed forms into this type. A caller can add more parts, or create all of them if the
/// document does not list any.
#[derive(Debug, Default)]
pub struct Multipart(multipart::Form);

impl Multipart {
    /// No parts.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file, or any other part with a content, a content type and headers of its own.
    #[must_use]
    pub fn part(self, name: &str, part: Part) -> Self {
        Self(self.0.part(escaped(name), part))
    }

    /// Adds a value (OpenAPI 3.0.3, "Special Considerations for `multipart` Content"): text for a string, a number or a
    /// boolean, JSON for an object, a part for each element of a list, and nothing for null.
    ///
    /// # Errors
    ///
    /// When the value cannot be written as JSON.
    pub fn value<T: Serialize>(self, name: &str, value: &T) -> Result<Self, String> {
        self.values(name, value, |value| match value {
            Value::String(_) | Value::Bool(_) | Value::Number(_) => None,
            _ => Some("application/json"),
        })
    }

    /// Adds a value whose parts have a media type: as JSON if the media type is JSON, and otherwise as text.
    ///
    /// # Errors
    ///
    /// When the value cannot be written as JSON, or the media type is invalid.
    pub fn value_as<T: Serialize>(
        self,
        name: &str,
        value: &T,
        media_type: &'static str,
    ) -> Result<Self, String> {
        self.values(name, value, |_| Some(media_type))
    }

    fn values<T: Serialize>(
        self,
        name: &str,
        value: &T,
        media_type: impl Fn(&Value) -> Option<&'static str>,
    ) -> Result<Self, String> {
        let value =
            serde_json::to_value(value).map_err(|error| format!("part `{name}`: {error}"))?;
        let values = match value {
            Value::Null => vec![],
            Value::Array(elements) => elements,
            value => vec![value],
        };
        let mut form = self.0;
        for value in values {
            let media_type = media_type(&value);
            let mut part = match value {
                Value::String(text) if !media_type.is_some_and(is_json) => Part::text(text),
                value => Part::text(value.to_string()),
            };
            if let Some(media_type) = media_type {
                let typed = part.mime_str(media_type);
                part = typed.map_err(|error| format!("part `{name}`: {error}"))?;
            }
            form = form.part(escaped(name), part);
        }
        Ok(Self(form))
    }

    /// The content type, with the boundary between the parts.
    pub fn content_type(&self) -> String {
        format!("multipart/form-data; boundary={}", self.0.boundary())
    }

    /// The body; files are read while it is sent.
    pub fn into_body(self) -> Body {
        Body::wrap_stream(self.into_stream())
    }

    fn into_stream(self) -> impl Stream<Item = reqwest::Result<Bytes>> + Send + Sync {
        // reqwest would write names in a form that RFC 7578, section 4.2, forbids and many servers do not read.
        self.0.percent_encode_noop().into_stream()
    }
}

fn is_json(media_type: &str) -> bool {
    let essence = media_type.split(';').next().unwrap_or_default().trim_end();
    essence.ends_with("/json") || essence.ends_with("+json")
}

/// The name of a part as HTML's forms write it ("Multipart form data" of the HTML standard).
fn escaped(name: &str) -> String {
    name.replace('"', "%22")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::StreamExt;
    use serde_json::json;

    #[tokio::test]
    async fn values_become_texts_and_files_keep_their_name_and_type() {
        let file = Part::bytes(b"content".as_slice()).file_name("a.txt");
        let file = file.mime_str("text/markdown").expect("a media type");
        let mut form = Multipart::new().part("file", file);
        for (name, value) in [
            ("text", json!("a b")),
            ("list", json!([1, 2])),
            ("t\u{fc}r[] \"", json!(true)),
            ("object", json!({"a": 1})),
            ("absent", Value::Null),
        ] {
            form = form
                .value(name, &value)
                .expect("a value that can be written");
        }
        for (name, media_type) in [
            ("quoted", "application/json"),
            ("marked", "text/markdown; charset=utf-8"),
        ] {
            form = form
                .value_as(name, &json!(["*a*"]), media_type)
                .expect("a media type");
        }
        assert!(
            form.content_type()
                .starts_with("multipart/form-data; boundary=")
        );
        let pieces: Vec<_> = form.into_stream().collect().await;
        let text: String = pieces
            .into_iter()
            .map(|piece| String::from_utf8_lossy(&piece.expect("bytes")).into_owned())
            .collect();
        for expected in [
            "name=\"file\"; filename=\"a.txt\"\r\nContent-Type: text/markdown\r\n\r\ncontent\r\n",
            "name=\"text\"\r\n\r\na b\r\n",
            "name=\"t\u{fc}r[] %22\"\r\n\r\ntrue\r\n",
            "name=\"list\"\r\n\r\n1\r\n",
            "name=\"list\"\r\n\r\n2\r\n",
            "name=\"object\"\r\nContent-Type: application/json\r\n\r\n{\"a\":1}\r\n",
            "name=\"quoted\"\r\nContent-Type: application/json\r\n\r\n\"*a*\"\r\n",
            "name=\"marked\"\r\nContent-Type: text/markdown; charset=utf-8\r\n\r\n*a*\r\n",
        ] {
            assert!(text.contains(expected), "{expected:?} is not in {text}");
        }
        assert!(!text.contains("absent"), "{text}");
    }
}
