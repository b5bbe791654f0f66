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
    /// A request has arrived, and nothing of it was looked at yet. What comes
    /// back goes with its call ([`Call::extensions`](crate::Call::extensions))
    /// and is shown again when it is finished. It is dropped with the call, also
    /// where the caller leaves and the call is never finished.
    fn arrived(&self, arrived: &Arrived<'_>) -> Extensions {
        let _ = arrived;
        Extensions::new()
    }

    /// How long the whole body of a request may take. A body that arrives at 16 KiB
    /// a second or faster may take longer. One that does not arrive in time is
    /// unreadable ([`Rejection::Unreadable`](crate::Rejection::Unreadable)), and its
    /// connection ends.
    fn body_time(&self) -> Duration {
        Duration::from_secs(30)
    }

    /// The largest body that an operation reads, in bytes; a larger one is refused with 413. By
    /// default what the document says (`x-dropforge-max-body-bytes`), or 1 MiB.
    fn max_body_bytes(&self, operation: &'static Operation) -> usize {
        operation.max_body_bytes
    }

    /// Where the streams of this call's connection record that they wait for their caller,
    /// given what [`Observe::arrived`] returned for the call.
    fn unread_streams(&self, extensions: &Extensions) -> Option<Arc<UnreadStreams>> {
        let _ = extensions;
        None
    }

    /// The runtime has decided something about a request: that its caller is admitted, or that a
    /// value is valid. Called several times for each request.
    fn decided(&self, decided: &Decided<'_>) {
        let _ = decided;
    }

    /// An answer is on its way; for a stream: it has ended. Called once for
    /// each request that reached an operation or was refused by the runtime.
    fn finished(&self, finished: &Finished<'_>) {
        let _ = finished;
    }

    /// An answer differs from what the document says. The answer is sent all
    /// the same; a test makes this fail.
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

/// One request that is to be answered.
#[derive(Debug, Clone)]
pub struct Arrived<'a> {
    /// The operation; none where the request reached none (404, 405).
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

/// One request that has been answered.
#[derive(Debug, Clone)]
pub struct Finished<'a> {
    /// The operation; none where the request reached none (404, 405).
    pub operation: Option<&'static Operation>,
    /// The method.
    pub method: &'a Method,
    /// The path as it was sent.
    pub path: &'a str,
    /// The status sent.
    pub status: StatusCode,
    /// From the arrival of the head to the answer, or to the end of a stream.
    pub elapsed: Duration,
    /// The request's id.
    pub request_id: &'a str,
    /// The address at the other end of the connection.
    pub remote: SocketAddr,
    /// How the answer ended.
    pub end: End,
    /// Whether the contract guard compared it with the document.
    pub compared: bool,
    /// What [`Observe::arrived`] gave it.
    pub extensions: &'a Extensions,
}

/// How an answer ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// It is one piece.
    Whole,
    /// A stream that was sent to its end.
    Streamed {
        /// Bytes sent.
        bytes: u64,
    },
    /// A stream that broke off: the caller left, or its source failed.
    Interrupted {
        /// Bytes sent.
        bytes: u64,
    },
}
