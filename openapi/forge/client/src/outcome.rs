//! Answers whose type depends on their status.
//!
//! progenitor knows one type for all successes of an operation and one for all its errors. Generated code tells them
//! apart: from the typed value where the document has one type for all, and from the bytes where it has several.

use bytes::Bytes;
use futures::StreamExt;
use progenitor_client::{ByteStream, Error, ResponseValue};
use reqwest::{StatusCode, header::HeaderMap};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use std::fmt::{self, Display};

/// An answer whose body has been read and not yet been understood.
#[derive(Debug, Clone)]
pub struct Buffered {
    /// The status of the answer.
    pub status: StatusCode,
    /// The headers of the answer.
    pub headers: HeaderMap,
    /// Its body.
    pub body: Bytes,
}

impl Buffered {
    /// Reads an answer to its end.
    pub async fn read(response: ResponseValue<ByteStream>) -> Result<Self, Error<()>> {
        let status = response.status();
        let headers = response.headers().clone();
        let mut stream = response.into_inner_stream();
        let mut body = Vec::new();
        while let Some(piece) = stream.next().await {
            body.extend_from_slice(&piece.map_err(Error::ResponseBodyError)?);
        }
        Ok(Self {
            status,
            headers,
            body: body.into(),
        })
    }

    /// The body as JSON of this type.
    pub fn json<T: DeserializeOwned>(self) -> Result<ResponseValue<T>, Error<()>> {
        match serde_json::from_slice(&self.body) {
            Ok(value) => Ok(ResponseValue::new(value, self.status, self.headers)),
            Err(error) => Err(Error::InvalidResponsePayload(self.body, error)),
        }
    }

    /// No body; what came is dropped.
    pub fn empty(self) -> Result<ResponseValue<()>, Error<()>> {
        Ok(ResponseValue::new((), self.status, self.headers))
    }

    /// The body as it came.
    pub fn bytes(self) -> Result<ResponseValue<Bytes>, Error<()>> {
        Ok(ResponseValue::new(self.body, self.status, self.headers))
    }

    /// The error of a status that the document does not list.
    pub fn unlisted(self) -> Error<()> {
        Error::ErrorResponse(ResponseValue::new((), self.status, self.headers))
    }
}

/// What the error of every operation can tell, so that one function can report them all.
pub trait OperationError: std::error::Error + Send + 'static {
    /// The status of the answer, if there was one.
    fn status(&self) -> Option<StatusCode>;
    /// The headers of the answer, if there was one that the document lists.
    fn headers(&self) -> Option<&HeaderMap>;
    /// The body of the answer as JSON, if it has one that the document describes.
    fn body(&self) -> Option<Value>;
    /// What happened, when it was no answer that the document lists.
    fn other(&self) -> Option<&Error<()>>;
}

/// Writes an error as people read it: its status, and the body that came with it.
pub fn describe(error: &impl OperationError, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match (error.other(), error.status()) {
        (Some(other), _) => other.fmt(f),
        (None, Some(status)) => {
            write!(f, "{status}")?;
            match error.body() {
                Some(body) => write!(f, ": {body}"),
                None => Ok(()),
            }
        }
        (None, None) => f.write_str("no answer"),
    }
}

/// The body of a typed answer as JSON; nothing for a body that has none.
pub fn body_of<T: Serialize>(response: &ResponseValue<T>) -> Option<Value> {
    serde_json::to_value(response.as_ref())
        .ok()
        .filter(|value| !value.is_null())
}
