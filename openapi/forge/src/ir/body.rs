//! Request bodies and media types.

use super::{SchemaId, Type};

/// A request body.
#[derive(Debug, Clone)]
pub struct Body {
    /// Whether the runtime rejects a request without it.
    pub required: bool,
    /// An unreadable body counts as absent.
    pub lenient: bool,
    /// `description`.
    pub description: Option<String>,
    /// The media types, in the document's order.
    pub media: Vec<MediaType>,
    /// The argument of the operation's method.
    pub shape: BodyShape,
}

/// The argument that an operation's method receives for its body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BodyShape {
    /// A value read from JSON or a form.
    Typed(Type),
    /// The bytes as they arrived, with a typed view.
    Raw(Type),
    /// Text.
    Text,
    /// Bytes.
    Bytes,
    /// One of several, by the content type.
    Several {
        /// Name of the enum.
        name: String,
        /// A variant for each media type: its name, its content, and the indices in `media` that
        /// lead to it.
        variants: Vec<(String, BodyShape, Vec<usize>)>,
    },
}

/// One entry of a `content` map.
#[derive(Debug, Clone)]
pub struct MediaType {
    /// The name as the document writes it.
    pub name: String,
    /// How its bytes are read and written.
    pub codec: Codec,
    /// The schema of its value.
    pub schema: Option<SchemaId>,
    /// Bytes pass through as they are.
    pub raw: bool,
    /// How events are framed.
    pub stream: Framing,
    /// The media types that parts may have, by the name of the part (`encoding`).
    pub parts: Vec<(String, Vec<String>)>,
}

impl MediaType {
    /// The type and subtype.
    pub fn essence(&self) -> String {
        essence(&self.name)
    }

    /// The media type that a body is sent as: the name, or one media type of a range such as `text/*` or
    /// `application/*+json`.
    pub fn sent_as(&self) -> &str {
        match (self.essence().contains("/*"), self.codec) {
            (false, _) => &self.name,
            (true, Codec::Json) => "application/json",
            (true, Codec::Text) => "text/plain; charset=utf-8",
            (true, _) => "application/octet-stream",
        }
    }
}

/// A media type without its parameters, in lower case (RFC 9110, section 8.3.1).
pub fn essence(media_type: &str) -> String {
    let essence = media_type.split(';').next().unwrap_or_default();
    essence.trim().to_ascii_lowercase()
}

/// How the bytes of a media type are read and written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Codec {
    /// JSON and every `+json`.
    Json,
    /// `application/x-www-form-urlencoded`.
    Form,
    /// `multipart/form-data`.
    Multipart,
    /// `text/event-stream`.
    EventStream,
    /// `text/*`.
    Text,
    /// Any other media type.
    Binary,
}

/// How an event stream frames its events.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Framing {
    /// Data of the last event, which is not JSON.
    pub terminator: Option<String>,
    /// Property whose value is also the event's name.
    pub event: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_sent_as_one_media_type() {
        for (name, codec, sent) in [
            ("application/*", Codec::Json, "application/json"),
            ("application/*+json", Codec::Json, "application/json"),
            (
                "application/*+xml",
                Codec::Binary,
                "application/octet-stream",
            ),
            ("text/*", Codec::Text, "text/plain; charset=utf-8"),
            (
                "application/vnd.a+json",
                Codec::Json,
                "application/vnd.a+json",
            ),
        ] {
            let media = MediaType {
                name: name.to_owned(),
                codec,
                schema: None,
                raw: false,
                stream: Framing::default(),
                parts: Vec::new(),
            };
            assert_eq!(media.sent_as(), sent, "{name}");
        }
    }
}
