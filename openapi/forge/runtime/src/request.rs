//! The input of an operation: validated parameters and body, as values that convert into the types
//! of the document.

use bytes::Bytes;
use serde::de::DeserializeOwned;
use serde::de::value::MapDeserializer;
use serde_json::Value;

use crate::body::ParsedContent;
use crate::parameters::{Parameters, parameter_key};
use crate::raw::RawJson;
use crate::rejection::Rejection;
use crate::table::Operation;
use crate::violation::{Keyword, Location, Violation, push_token, unescaped};

/// Parameters and body of one request, valid against the document.
#[derive(Debug)]
pub struct Request {
    operation: &'static Operation,
    parameters: Parameters,
    bytes: Bytes,
    content: Option<ParsedContent>,
}

impl Request {
    pub(crate) fn new(
        operation: &'static Operation,
        parameters: Parameters,
        bytes: Bytes,
        content: Option<ParsedContent>,
    ) -> Self {
        Request {
            operation,
            parameters,
            bytes,
            content,
        }
    }

    /// All parameters, from an object with a member for each that was sent,
    /// named as in [`parameter_key`].
    pub fn parameters<P: DeserializeOwned>(&self) -> Result<P, Rejection> {
        let members = self.parameters.iter();
        let members = members.map(|(name, value)| (name.as_ref(), value));
        if let Ok(parameters) = P::deserialize(MapDeserializer::new(members.clone())) {
            return Ok(parameters);
        }
        let object = members.map(|(name, value)| (name.to_owned(), value.clone()));
        typed(&Value::Object(object.collect()), |pointer| {
            let key = unescaped(pointer.split('/').nth(1).unwrap_or_default());
            let location = self
                .operation
                .parameters
                .iter()
                .find(|parameter| parameter_key(self.operation, parameter) == key)
                .map_or(Location::Query, |parameter| parameter.location.into());
            Violation::new(location, pointer, Keyword::Type, OUT_OF_RANGE)
        })
    }

    /// Whether there is a body.
    pub fn has_body(&self) -> bool {
        self.content.is_some()
    }

    /// The index of the body's media type in the operation's `content`.
    pub fn media_index(&self) -> Option<usize> {
        self.content.as_ref().map(|content| content.media)
    }

    /// The body's value, as any type that deserializes.
    pub fn body_as<B: DeserializeOwned>(&self) -> Result<B, Rejection> {
        let content = self.content.as_ref().ok_or_else(Rejection::missing_body)?;
        let violation =
            |pointer| Violation::new(Location::Body, pointer, Keyword::Type, OUT_OF_RANGE);
        match &content.value {
            Some(value) => typed(value, violation),
            None => typed(&Value::String(self.text_body()?), violation),
        }
    }

    /// The body's bytes beside its typed view.
    pub fn raw_body<B>(&self) -> Result<RawJson<B>, Rejection> {
        self.bytes_body().map(RawJson::from_bytes)
    }

    /// The body's text.
    pub fn text_body(&self) -> Result<String, Rejection> {
        let bytes = self.bytes_body()?.to_vec();
        String::from_utf8(bytes).map_err(|_| Rejection::unreadable("it is not UTF-8"))
    }

    /// The body's bytes.
    pub fn bytes_body(&self) -> Result<Bytes, Rejection> {
        match self.has_body() {
            true => Ok(self.bytes.clone()),
            false => Err(Rejection::missing_body()),
        }
    }
}

const OUT_OF_RANGE: &str = "has a value that its type cannot hold";

/// A valid value may still not fit its type: an integer past 64 bits if the document sets no bound.
/// A second reading finds the place.
fn typed<T: DeserializeOwned>(
    value: &Value,
    violation: impl FnOnce(String) -> Violation,
) -> Result<T, Rejection> {
    T::deserialize(value).map_err(|first| {
        let mut pointer = String::new();
        let traced: Result<T, _> = serde_path_to_error::deserialize(value);
        if let Err(error) = traced {
            for segment in error.path() {
                use serde_path_to_error::Segment;
                match segment {
                    Segment::Seq { index } => push_token(&mut pointer, &index.to_string()),
                    Segment::Map { key } => push_token(&mut pointer, key),
                    Segment::Enum { .. } | Segment::Unknown => {}
                }
            }
        }
        tracing::warn!(%pointer, error = %first, "a value is valid against its schema, and does not fit its type");
        Rejection::Invalid(vec![violation(pointer)])
    })
}
