//! A response before it becomes one of HTTP: status, headers, and a body that is empty, whole or a
//! stream.
//!
//! Making a reply never fails. A reply that cannot be written (a header with a line end, a map with
//! keys that are not text) records a fault. It becomes the document's own 500 when it is sent.

use std::convert::Infallible;
use std::fmt;

use bytes::Bytes;
use futures::Stream;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use serde::Serialize;
use serde_json::Value;

use crate::accept::Accept;
use crate::events::EventStream;
use crate::raw::RawJson;
use crate::stream::{BoxError, ByteStream};
use crate::table::Framing;

/// The media type of most bodies.
const JSON: &str = "application/json";

/// The number of headers that most responses stay below: the capacity is allocated once.
const DEFAULT_CAPACITY: usize = 12;

/// The fault of a header whose name is invalid.
const UNSENDABLE_NAME: &str = "a header has a name that cannot be sent";

/// A response.
#[must_use]
pub struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: ReplyBody,
    pub(crate) fault: Option<String>,
}

pub(crate) enum ReplyBody {
    Empty,
    Whole(Bytes),
    Stream(ByteStream),
}

impl Reply {
    /// No body.
    pub fn empty(status: StatusCode) -> Self {
        Reply {
            status,
            headers: HeaderMap::with_capacity(DEFAULT_CAPACITY),
            body: ReplyBody::Empty,
            fault: None,
        }
    }

    /// `application/json`.
    pub fn json(status: StatusCode, body: &impl Serialize) -> Self {
        Reply::json_as(status, JSON, body)
    }

    /// JSON with another media type.
    pub fn json_as(status: StatusCode, media_type: &str, body: &impl Serialize) -> Self {
        match serde_json::to_vec(body) {
            Ok(bytes) => Reply::bytes(status, media_type, bytes),
            Err(error) => Reply::empty(status).faulty(format!("the body: {error}")),
        }
    }

    /// JSON with the media type that the caller prefers, the first of equals. If the caller accepts
    /// none, the first: a response in another form than wanted is better than none.
    pub fn negotiated(
        status: StatusCode,
        media_types: &[&str],
        accept: &Accept,
        body: &impl Serialize,
    ) -> Self {
        let chosen = accept.best(media_types).unwrap_or(0);
        let media_type = media_types.get(chosen).unwrap_or(&JSON);
        let reply = Reply::json_as(status, media_type, body);
        if media_types.len() > 1 {
            reply.append(header::VARY, "accept")
        } else {
            reply
        }
    }

    /// JSON text as it is.
    pub fn raw<T>(status: StatusCode, media_type: &str, body: RawJson<T>) -> Self {
        match body.fault() {
            Some(fault) => Reply::empty(status).faulty(format!("the body: {fault}")),
            None => Reply::bytes(status, media_type, body.into_bytes()),
        }
    }

    /// An event stream, with its framing.
    pub fn events<T: Serialize + 'static>(
        status: StatusCode,
        media_type: &str,
        framing: Framing,
        events: EventStream<T>,
    ) -> Self {
        Reply::stream(status, media_type, events.into_bytes(framing))
            .header(header::CACHE_CONTROL, "no-cache")
            // Some proxies buffer a stream until it ends without this header.
            .header("x-accel-buffering", "no")
    }

    /// Text, in UTF-8.
    pub fn text(status: StatusCode, media_type: &str, body: impl Into<String>) -> Self {
        Reply::bytes(status, media_type, body.into())
    }

    /// Bytes.
    pub fn bytes(status: StatusCode, media_type: &str, body: impl Into<Bytes>) -> Self {
        Reply {
            body: ReplyBody::Whole(body.into()),
            ..Reply::empty(status)
        }
        .of_type(media_type)
    }

    /// Bytes as a stream produces them.
    pub fn stream(
        status: StatusCode,
        media_type: &str,
        body: impl Stream<Item = Result<Bytes, BoxError>> + Send + 'static,
    ) -> Self {
        Reply {
            body: ReplyBody::Stream(Box::pin(body)),
            ..Reply::empty(status)
        }
        .of_type(media_type)
    }

    /// Sets a header, in place of one of the same name.
    pub fn header(self, name: impl TryInto<HeaderName>, value: impl fmt::Display) -> Self {
        self.with_header(name, value.to_string(), HeaderMap::insert)
    }

    /// Sets a header to an integer, in place of one of the same name.
    pub fn header_integer(self, name: HeaderName, value: impl itoa::Integer) -> Self {
        let mut digits = itoa::Buffer::new();
        self.put(
            name,
            HeaderValue::from_str(digits.format(value)),
            HeaderMap::insert,
        )
    }

    /// Sets a header to a text, in place of one of the same name.
    pub fn header_text(self, name: HeaderName, value: String) -> Self {
        self.put(name, HeaderValue::try_from(value), HeaderMap::insert)
    }

    /// Sets a header if there is a value.
    pub fn header_opt(
        self,
        name: impl TryInto<HeaderName>,
        value: Option<impl fmt::Display>,
    ) -> Self {
        match value {
            Some(value) => self.header(name, value),
            None => self,
        }
    }

    /// Adds a header beside those of the same name, as for `Set-Cookie`.
    pub fn append(self, name: impl TryInto<HeaderName>, value: impl fmt::Display) -> Self {
        self.with_header(name, value.to_string(), HeaderMap::append)
    }

    /// Sets a header from a value whose display differs from its text in a header: dates, arrays,
    /// objects. Writes the JSON value in OpenAPI's style `simple`.
    pub fn header_as(self, name: impl TryInto<HeaderName>, value: &impl Serialize) -> Self {
        let Ok(name) = name.try_into() else {
            return self.faulty(UNSENDABLE_NAME.into());
        };
        match serde_json::to_value(value) {
            Ok(Value::Null) => self,
            // Commas do not separate cookies (RFC 6265, section 3).
            Ok(Value::Array(cookies)) if name == header::SET_COOKIE => {
                let mut cookies = cookies.iter();
                let first = cookies.next().map(simple);
                let reply = self.header_opt(name.clone(), first);
                cookies.fold(reply, |reply, cookie| {
                    reply.append(name.clone(), simple(cookie))
                })
            }
            Ok(value) => self.header(name, simple(&value)),
            Err(error) => self.faulty(format!("header {name}: {error}")),
        }
    }

    /// The status.
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// The headers.
    pub fn headers(&self) -> &HeaderMap {
        &self.headers
    }

    /// The body, if it is not a stream.
    pub fn body(&self) -> Option<&[u8]> {
        match &self.body {
            ReplyBody::Empty => Some(&[]),
            ReplyBody::Whole(bytes) => Some(bytes),
            ReplyBody::Stream(_) => None,
        }
    }

    /// Removes a `Content-Length` of the handler, unless the body is a stream. hyper knows the length
    /// of another body, and would send a wrong one: the caller would wait, or read too little.
    pub(crate) fn remove_known_length(&mut self) {
        if !matches!(self.body, ReplyBody::Stream(_)) {
            self.headers.remove(header::CONTENT_LENGTH);
        }
    }

    /// Sets the `Content-Type`.
    fn of_type(mut self, media_type: &str) -> Self {
        if media_type != JSON {
            return self.header(header::CONTENT_TYPE, media_type);
        }
        let value = HeaderValue::from_static(JSON);
        self.headers.insert(header::CONTENT_TYPE, value);
        self
    }

    fn with_header<P>(
        self,
        name: impl TryInto<HeaderName>,
        value: String,
        put: impl FnOnce(&mut HeaderMap, HeaderName, HeaderValue) -> P,
    ) -> Self {
        match name.try_into() {
            // Bytes above ASCII are allowed in a value (RFC 9110, section 5.5).
            Ok(name) => self.put(name, HeaderValue::try_from(value), put),
            Err(_) => self.faulty(UNSENDABLE_NAME.into()),
        }
    }

    fn put<E, P>(
        mut self,
        name: HeaderName,
        value: Result<HeaderValue, E>,
        put: impl FnOnce(&mut HeaderMap, HeaderName, HeaderValue) -> P,
    ) -> Self {
        match value {
            Ok(value) => {
                put(&mut self.headers, name, value);
                self
            }
            Err(_) => self.faulty(format!("header {name} has a value that cannot be sent")),
        }
    }

    fn faulty(mut self, fault: String) -> Self {
        self.fault.get_or_insert(fault);
        self
    }
}

impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reply")
            .field("status", &self.status)
            .field("headers", &self.headers)
            .field("body", &self.body().map(String::from_utf8_lossy))
            .field("fault", &self.fault)
            .finish()
    }
}

/// The generator implements this trait for the response types of each operation.
pub trait IntoReply {
    /// Turns the value into a response, in the media type that `accept` prefers if there are
    /// several.
    fn into_reply(self, accept: &Accept) -> Reply;
}

impl IntoReply for Reply {
    fn into_reply(self, _: &Accept) -> Reply {
        self
    }
}

impl IntoReply for Infallible {
    fn into_reply(self, _: &Accept) -> Reply {
        match self {}
    }
}

/// An operation that may succeed or fail.
impl<R: IntoReply, E: IntoReply> IntoReply for Result<R, E> {
    fn into_reply(self, accept: &Accept) -> Reply {
        match self {
            Ok(response) => response.into_reply(accept),
            Err(error) => error.into_reply(accept),
        }
    }
}

/// A value in style `simple`, not exploded.
fn simple(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Bool(value) => value.to_string(),
        Value::Number(value) => value.to_string(),
        Value::String(value) => value.clone(),
        Value::Array(items) => items.iter().map(simple).collect::<Vec<_>>().join(","),
        Value::Object(members) => members
            .iter()
            .map(|(name, value)| format!("{name},{}", simple(value)))
            .collect::<Vec<_>>()
            .join(","),
    }
}

/// A status of a document. The generator has checked that it is valid.
pub fn status(code: u16) -> StatusCode {
    StatusCode::from_u16(code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_sent_is_a_fault_and_no_panic() {
        let reply = Reply::empty(StatusCode::OK).header("x-a", "line\r\nset-cookie: b=1");
        assert!(reply.fault.is_some());
        assert!(reply.headers().is_empty());
        let unkeyed = std::collections::BTreeMap::from([((1, 2), 3)]);
        assert!(Reply::json(StatusCode::OK, &unkeyed).fault.is_some());
    }

    #[test]
    fn headers_are_set_added_and_left_out() {
        let none: Option<String> = None;
        let reply = Reply::json(StatusCode::OK, &1)
            .header("x-a", 5)
            .header("x-a", 6)
            .header_opt("x-b", none)
            .append("set-cookie", "a=1")
            .append("set-cookie", "b=ü")
            .header_integer(HeaderName::from_static("x-count"), -7_i64)
            .header_text(HeaderName::from_static("x-text"), "ä".to_owned())
            .header_as("x-list", &["a", "b"]);
        assert_eq!(reply.headers()["x-a"], "6");
        assert_eq!(reply.headers()["x-list"], "a,b");
        assert_eq!(reply.headers()["x-count"], "-7");
        assert_eq!(reply.headers()["x-text"], "ä");
        assert!(!reply.headers().contains_key("x-b"));
        assert_eq!(reply.headers().get_all("set-cookie").iter().count(), 2);
        assert_eq!(reply.fault, None);
    }

    #[test]
    fn a_handler_sets_the_length_of_a_stream_only() {
        let none = futures::stream::empty::<Result<Bytes, BoxError>>();
        for (reply, expected) in [
            (Reply::text(StatusCode::OK, "text/plain", "a"), false),
            (Reply::empty(StatusCode::OK), false),
            (Reply::stream(StatusCode::OK, "image/png", none), true),
        ] {
            let mut reply = reply.header(header::CONTENT_LENGTH, 7);
            reply.remove_known_length();
            let has_length = reply.headers().contains_key(header::CONTENT_LENGTH);
            assert_eq!(has_length, expected, "{reply:?}");
        }
    }

    #[test]
    fn the_media_type_follows_accept_and_says_so_to_caches() {
        let offered = ["application/json", "application/vnd.x+json"];
        let mut headers = HeaderMap::new();
        headers.insert("accept", HeaderValue::from_static("application/vnd.x+json"));
        let accept = Accept::from_headers(&headers);
        let reply = Reply::negotiated(StatusCode::OK, &offered, &accept, &1);
        assert_eq!(reply.headers()["content-type"], "application/vnd.x+json");
        assert_eq!(reply.headers()["vary"], "accept");
        let reply = Reply::negotiated(StatusCode::OK, &offered[..1], &accept, &1);
        assert_eq!(reply.headers()["content-type"], "application/json");
    }
}
