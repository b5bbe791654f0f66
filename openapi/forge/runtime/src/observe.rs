//! Notifications to the server's context: a request has arrived, it is finished, a response
//! violates the document.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use http::{Extensions, HeaderMap, Method, StatusCode};

use crate::decision::Decided;
use crate::guard::GuardReport;
use crate::table::Operation;
use crate::unread::UnreadStreams;

/// Implemented by the server's context.
pub trait Observe: Send + Sync + 'static {
    /// A request has arrived, and the runtime has read nothing of it yet. The returned value stays
    /// with the call ([`Call::extensions`](crate::Call::extensions)) and is passed again when it is
    /// finished. It is dropped with the call, even if the caller disconnects and the call is never
    /// finished.
    fn arrived(&self, arrived: &Arrived<'_>) -> Extensions {
        let _ = arrived;
        Extensions::new()
    }

    /// The maximum time in which the body of a request must arrive. A body that arrives at 16 KiB a
    /// second or faster may take longer. One that does not arrive in time is unreadable
    /// ([`Rejection::Unreadable`](crate::Rejection::Unreadable)), and its connection ends.
    fn body_time(&self) -> Duration {
        Duration::from_secs(30)
    }

    /// The maximum size of a body that an operation reads, in bytes. The runtime rejects a larger
    /// one with 413. By default `x-dropforge-max-body-bytes` of the document, or 1 MiB.
    fn max_body_bytes(&self, operation: &'static Operation) -> usize {
        operation.max_body_bytes
    }

    /// The record of the streams of this call's connection that wait for their caller. `extensions`
    /// is the value that [`Observe::arrived`] returned for the call.
    fn unread_streams(&self, extensions: &Extensions) -> Option<Arc<UnreadStreams>> {
        let _ = extensions;
        None
    }

    /// The runtime has decided something about a request: that its caller is admitted, or that a
    /// value is valid. Called several times for each request.
    fn decided(&self, decided: &Decided<'_>) {
        let _ = decided;
    }

    /// A response is on its way; for a stream, it has ended. Called once for each request that
    /// reached an operation or that the runtime rejected.
    fn finished(&self, finished: &Finished<'_>) {
        let _ = finished;
    }

    /// A response violates the document. The response is sent nevertheless; a test turns this call
    /// into a failure.
    fn violation(&self, report: &GuardReport) {
        tracing::error!(%report, "a response violates the document");
    }
}

impl<T: Observe> Observe for Arc<T> {
    fn arrived(&self, arrived: &Arrived<'_>) -> Extensions {
        T::arrived(self, arrived)
    }

    fn body_time(&self) -> Duration {
        T::body_time(self)
    }

    fn max_body_bytes(&self, operation: &'static Operation) -> usize {
        T::max_body_bytes(self, operation)
    }

    fn unread_streams(&self, extensions: &Extensions) -> Option<Arc<UnreadStreams>> {
        T::unread_streams(self, extensions)
    }

    fn decided(&self, decided: &Decided<'_>) {
        T::decided(self, decided);
    }

    fn finished(&self, finished: &Finished<'_>) {
        T::finished(self, finished);
    }

    fn violation(&self, report: &GuardReport) {
        T::violation(self, report);
    }
}

/// One request that has arrived.
#[derive(Debug, Clone)]
pub struct Arrived<'a> {
    /// The operation. `None` if the request reached none (404, 405).
    pub operation: Option<&'static Operation>,
    /// The method.
    pub method: &'a Method,
    /// The headers.
    pub headers: &'a HeaderMap,
    /// The address at the other end of the connection.
    pub remote: SocketAddr,
    /// The request's id.
    pub request_id: &'a str,
}

/// One request whose response has been sent.
#[derive(Debug, Clone)]
pub struct Finished<'a> {
    /// The operation. `None` if the request reached none (404, 405).
    pub operation: Option<&'static Operation>,
    /// The method.
    pub method: &'a Method,
    /// The path of the request.
    pub path: &'a str,
    /// The status sent.
    pub status: StatusCode,
    /// From the arrival of the head to the response, or to the end of a stream.
    pub elapsed: Duration,
    /// The request's id.
    pub request_id: &'a str,
    /// The address at the other end of the connection.
    pub remote: SocketAddr,
    /// How the response ended.
    pub end: End,
    /// Whether the contract guard compared the response with the document.
    pub compared: bool,
    /// The value that [`Observe::arrived`] returned for it.
    pub extensions: &'a Extensions,
}

/// How a response ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The response is one piece.
    Whole,
    /// A stream that was sent to its end.
    Streamed {
        /// Bytes sent.
        bytes: u64,
    },
    /// A stream that was interrupted: the caller disconnected, or its source failed.
    Interrupted {
        /// Bytes sent.
        bytes: u64,
    },
}
