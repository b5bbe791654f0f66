//! Event streams: `text/event-stream` (WHATWG HTML, section 9.2), typed or as bytes.
//!
//! A handler that makes events returns values, and the runtime writes them in the framing of the
//! document ([`Framing`]). A gateway returns the bytes of another server as they arrive, without
//! decoding them.

mod encode;

use std::fmt;

use bytes::Bytes;
use futures::{Stream, StreamExt, TryStreamExt};
use serde::Serialize;

use crate::stream::{BoxError, ByteStream};
use crate::table::Framing;

use encode::Boxed;

/// A stream of events whose data is JSON that represents a `T`.
pub struct EventStream<T> {
    source: Source<T>,
}

enum Source<T> {
    Events(Boxed<T>),
    Raw(Boxed<Bytes>),
}

impl<T> EventStream<T> {
    /// A stream of values. The runtime appends the terminator of the document. An error ends the
    /// stream without the terminator and closes the connection, so that the caller notices the
    /// missing end. To give the caller a reason, send an event with it first.
    pub fn events<E>(events: impl Stream<Item = Result<T, E>> + Send + 'static) -> Self
    where
        T: 'static,
        E: Into<BoxError> + 'static,
    {
        EventStream {
            source: Source::Events(events.map_err(Into::into).boxed()),
        }
    }

    /// A stream of bytes that another server has framed, with its own terminator. Errors end it as
    /// in [`Self::events`], except [`StreamFailure`](crate::StreamFailure), which ends the stream
    /// in order.
    pub fn raw<E>(bytes: impl Stream<Item = Result<Bytes, E>> + Send + 'static) -> Self
    where
        E: Into<BoxError> + 'static,
    {
        EventStream {
            source: Source::Raw(bytes.map_err(Into::into).boxed()),
        }
    }

    /// The bytes of the response. Values are written in this framing.
    pub(crate) fn into_bytes(self, framing: Framing) -> ByteStream
    where
        T: Serialize + 'static,
    {
        match self.source {
            Source::Events(events) => encode::encode(events, framing),
            Source::Raw(bytes) => bytes,
        }
    }
}

impl<T> fmt::Debug for EventStream<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.source {
            Source::Events(_) => "EventStream(events)",
            Source::Raw(_) => "EventStream(raw)",
        })
    }
}
