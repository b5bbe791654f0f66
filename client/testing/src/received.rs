//! The requests that the fake has received.

use std::fmt;

use dropforge_runtime::http::{HeaderMap, Method, StatusCode, Uri, header};
use serde_json::Value;

/// A request that the fake has received, with the status of its response.
///
/// `Debug` omits the query, the headers and the body, which may have secrets.
#[derive(Clone)]
#[non_exhaustive]
pub struct ReceivedRequest {
    /// The operation. `None` if no operation has the path and the method.
    pub operation: Option<&'static str>,
    /// The method.
    pub method: Method,
    /// The path as it was sent, with percent-encoding.
    pub path: String,
    /// The names and values of the query, decoded and in order.
    pub query: Vec<(String, String)>,
    /// The headers.
    pub headers: HeaderMap,
    /// The body as JSON; of a form, an object with its fields. A body that is not JSON is a string.
    /// `null` if there was no body, or if the request was rejected before its body was read.
    pub body: Value,
    /// The status of the response.
    pub status: u16,
}

impl ReceivedRequest {
    pub(crate) fn new(
        operation: Option<&'static str>,
        method: &Method,
        uri: &Uri,
        headers: &HeaderMap,
        body: Value,
        status: StatusCode,
    ) -> Self {
        let mut headers = headers.clone();
        for secret in [header::AUTHORIZATION, header::COOKIE] {
            if let Some(value) = headers.get_mut(&secret) {
                value.set_sensitive(true);
            }
        }
        let query = url::form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes());
        ReceivedRequest {
            operation,
            method: method.clone(),
            path: uri.path().to_owned(),
            query: query.into_owned().collect(),
            headers,
            body,
            status: status.as_u16(),
        }
    }

    /// The first header with this name, if it is text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// The first value of this name in the query.
    pub fn query_value(&self, name: &str) -> Option<&str> {
        let found = self.query.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }
}

impl fmt::Debug for ReceivedRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReceivedRequest")
            .field("operation", &self.operation)
            .field("method", &self.method)
            .field("path", &self.path)
            .field("status", &self.status)
            .finish_non_exhaustive()
    }
}
