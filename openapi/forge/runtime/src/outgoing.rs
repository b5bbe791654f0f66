//! The body of a response, and the notification that it was sent.

use std::pin::Pin;
use std::sync::{Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Instant;

use bytes::Bytes;
use dropshot::ServerContext;
use http::StatusCode;
use http_body::{Body, Frame};

use crate::call::Call;
use crate::guard::{self, Finding, GuardReport, StreamGuard};
use crate::observe::{End, Finished, Observe};
use crate::reply::Reply;
use crate::stream::{BoxError, ByteStream, StreamFailure};
use crate::table::Operation;
use crate::unread::Reader;

/// Notifies the context when a response has been sent.
pub(crate) struct ResponseObserver<C: Observe + ServerContext> {
    call: Call<C>,
    arrived: Instant,
    status: StatusCode,
    stream: Option<StreamGuard>,
    /// The operation that the guard compares the response with.
    watching: Option<&'static Operation>,
}

impl<C: Observe + ServerContext> ResponseObserver<C> {
    /// Compares the reply with the table of an operation, if the guard watches it.
    pub(crate) fn new(
        call: Call<C>,
        arrived: Instant,
        reply: &Reply,
        watching: Option<&'static Operation>,
    ) -> Self {
        let mut observer = ResponseObserver {
            call,
            arrived,
            status: reply.status,
            stream: None,
            watching,
        };
        if let Some(operation) = watching {
            let listed = match observer.call.operation() {
                Some(operation) => operation.response(reply.status),
                // The request reached no operation: its path decides the response.
                None => operation.refusal(reply.status),
            };
            let (findings, stream) = guard::inspect(listed, observer.call.method(), reply);
            observer.stream = stream;
            observer.report(findings);
        }
        observer
    }

    fn report(&self, findings: Vec<Finding>) {
        if findings.is_empty() {
            return;
        }
        if let Some(operation) = self.watching {
            self.call.context().violation(&GuardReport {
                operation,
                status: self.status,
                request_id: self.call.request_id().to_owned(),
                findings,
            });
        }
    }

    /// The response is complete.
    pub(crate) fn finish(self) {
        self.notify(End::Whole);
    }

    fn notify(&self, end: End) {
        self.call.context().finished(&Finished {
            operation: self.call.operation(),
            method: self.call.method(),
            path: self.call.uri().path(),
            status: self.status,
            elapsed: self.arrived.elapsed(),
            request_id: self.call.request_id(),
            remote: self.call.remote_addr(),
            end,
            compared: self.watching.is_some(),
            extensions: self.call.extensions(),
        });
    }
}

/// A stream as a body.
pub(crate) struct Outgoing<C: Observe + ServerContext> {
    /// Never locked: the mutex makes a body shareable between threads, which dropshot requires.
    stream: Mutex<ByteStream>,
    observer: ResponseObserver<C>,
    sent: u64,
    complete: bool,
    /// Whether the last event reports a failure.
    has_failed: bool,
    reader: Reader,
}

impl<C: Observe + ServerContext> Outgoing<C> {
    pub(crate) fn new(stream: ByteStream, observer: ResponseObserver<C>) -> Self {
        let call = &observer.call;
        let reader = Reader::new(call.context().unread_streams(call.extensions()));
        Outgoing {
            reader,
            stream: Mutex::new(stream),
            observer,
            sent: 0,
            complete: false,
            has_failed: false,
        }
    }
}

impl<C: Observe + ServerContext> Body for Outgoing<C> {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        self.reader.took(Instant::now());
        let stream = self.stream.get_mut();
        let stream = stream.unwrap_or_else(PoisonError::into_inner);
        let mut next = ready!(stream.as_mut().poll_next(cx));
        if let Some(Err(error)) = &next
            && let Some(StreamFailure(event)) = error.downcast_ref()
        {
            // Without an event the stream ends at once.
            next = (!event.is_empty()).then(|| Ok(event.clone()));
            self.has_failed = true;
        }
        Poll::Ready(match next {
            Some(Ok(bytes)) => {
                self.sent += bytes.len() as u64;
                self.reader.wait();
                if let Some(guard) = &mut self.observer.stream {
                    guard.see(&bytes);
                }
                Some(Ok(Frame::data(bytes)))
            }
            Some(Err(error)) => {
                let request_id = self.observer.call.request_id();
                tracing::warn!(request_id, %error, "a stream was interrupted");
                Some(Err(error))
            }
            None => {
                self.complete = true;
                None
            }
        })
    }
}

impl<C: Observe + ServerContext> Unpin for Outgoing<C> {}

impl<C: Observe + ServerContext> Drop for Outgoing<C> {
    fn drop(&mut self) {
        let bytes = self.sent;
        // The source is dropped first: what it records at its end belongs to the request.
        self.stream = Mutex::new(Box::pin(futures::stream::empty()));
        if let Some(guard) = self.observer.stream.take() {
            let is_whole = self.complete && !self.has_failed;
            self.observer.report(guard.finish(is_whole));
        }
        self.observer.notify(if self.complete {
            End::Streamed { bytes }
        } else {
            End::Interrupted { bytes }
        });
    }
}
