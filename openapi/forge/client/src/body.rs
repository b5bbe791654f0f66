//! Bodies of responses, read within bounds.

use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use reqwest::{
    StatusCode,
    header::{CONTENT_TYPE, HeaderMap},
};
use std::fmt;

/// The maximum size of a response that the document does not describe. Further bytes are dropped.
pub(crate) const MAX_KEPT_BYTES: usize = 64 * 1024;

/// The maximum size in bytes of a response that is read as a whole, unless the transport has another.
pub(crate) const MAX_BODY: usize = 64 * 1024 * 1024;

/// The maximum size in bytes of a response that is read as a whole; an extension of the response.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MaxBody(pub(crate) usize);

/// The reason of the error for a larger body.
pub(crate) fn too_large(max: usize) -> String {
    format!("the body is larger than {max} bytes")
}

/// The maximum number of characters of a body that an error prints.
pub(crate) const SHOWN: usize = 200;

/// A response whose body has been read and not yet been parsed.
#[derive(Clone)]
#[non_exhaustive]
pub struct Buffered {
    /// The status of the response.
    pub status: StatusCode,
    /// The headers of the response.
    pub headers: HeaderMap,
    /// The body of the response: its first 64 KiB if the document does not describe the response, or if it was interrupted.
    pub body: Bytes,
}

impl Buffered {
    /// A response with this body.
    pub fn new(status: StatusCode, headers: HeaderMap, body: impl Into<Bytes>) -> Self {
        Self {
            status,
            headers,
            body: body.into(),
        }
    }

    /// Reads the beginning of a response, as far as it arrives.
    pub(crate) async fn beginning(
        status: StatusCode,
        headers: HeaderMap,
        mut stream: impl Stream<Item = reqwest::Result<Bytes>> + Unpin,
    ) -> Self {
        let mut body = Vec::new();
        while let Some(Ok(piece)) = stream.next().await {
            let wanted = piece.len().min(MAX_KEPT_BYTES - body.len());
            body.extend_from_slice(&piece[..wanted]);
            if body.len() == MAX_KEPT_BYTES {
                break;
            }
        }
        Self::new(status, headers, body)
    }

    /// The beginning of the body of an error, for people. Successes may contain secrets, and are not shown.
    pub(crate) fn shown(&self) -> String {
        if self.status.is_success() {
            return String::new();
        }
        let text = String::from_utf8_lossy(&self.body);
        let words: Vec<&str> = text.split_whitespace().collect();
        let text = words.join(" ");
        let shown: String = text.chars().take(SHOWN).collect();
        match shown.len() < text.len() {
            true => format!("{shown}…"),
            false => shown,
        }
    }
}

impl fmt::Debug for Buffered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Buffered")
            .field("status", &self.status)
            .field("content_type", &self.headers.get(CONTENT_TYPE))
            .field("body", &self.shown())
            .finish_non_exhaustive()
    }
}

/// What arrived of a body, and how it ended.
pub(crate) struct Collected {
    pub(crate) bytes: Vec<u8>,
    pub(crate) end: End,
}

/// The end of a body that was read.
pub(crate) enum End {
    Whole,
    TooLarge,
    Interrupted(reqwest::Error),
}

/// Reads a body to its end, or up to `max` bytes: a response can be endless.
pub(crate) async fn collect(
    mut stream: impl Stream<Item = reqwest::Result<Bytes>> + Unpin,
    max: usize,
) -> Collected {
    let mut bytes = Vec::new();
    let end = loop {
        match stream.next().await {
            None => break End::Whole,
            Some(Err(error)) => break End::Interrupted(error),
            Some(Ok(piece)) if bytes.len() + piece.len() > max => break End::TooLarge,
            Some(Ok(piece)) => bytes.extend_from_slice(&piece),
        }
    };
    Collected { bytes, end }
}
