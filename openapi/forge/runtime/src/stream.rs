//! Bodies that come in pieces.

use std::pin::Pin;

use bytes::Bytes;
use futures::Stream;

/// Any error.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// A body as it is made.
pub type ByteStream = Pin<Box<dyn Stream<Item = Result<Bytes, BoxError>> + Send>>;
