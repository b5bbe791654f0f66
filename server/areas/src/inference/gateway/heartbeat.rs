//! Heartbeats of a stream whose model server is silent, and its end when its caller may no longer
//! read it.
//!
//! Balancers close idle connections, and a model may think for minutes. A stream that began with a
//! leaked key must not outlast the key's revocation.
//!
//! Heartbeats begin with the model server's response headers. A 200 before them would end retries,
//! and hide the status of a failure from the caller.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use futures::Stream;
use tokio::time::{Instant, Sleep};

use super::events::{BrokenOff, Convention, Piece, failure, has_data};
use crate::inference::problem::Problem;

/// The interval at which the service checks whether the caller may continue.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);
/// A heartbeat: a comment (WHATWG HTML, section 9.2.6).
const BEAT: &[u8] = b": keep-alive\n\n";

type Events = Pin<Box<dyn Stream<Item = Piece> + Send>>;

/// A stream with heartbeats and a check of its caller.
pub struct HeartbeatStream<F> {
    /// `None` once the stream has ended.
    events: Option<Events>,
    convention: Convention,
    /// Returns why the stream has to end.
    ends: F,
    /// The maximum silence of the stream.
    beat: Option<Duration>,
    timer: Pin<Box<Sleep>>,
    checked_at: Instant,
    sent_at: Instant,
    /// The last events that were sent.
    last: Bytes,
}

/// Adds a comment to `events` after each `beat` of silence, and ends the stream with the
/// problem that `ends` returns. The stream calls `ends` about every second.
pub fn with_heartbeats<F>(
    events: Events,
    convention: Convention,
    beat: Option<Duration>,
    ends: F,
) -> HeartbeatStream<F>
where
    F: FnMut() -> Option<Problem> + Send + Unpin,
{
    let now = Instant::now();
    HeartbeatStream {
        events: Some(events),
        convention,
        ends,
        beat,
        timer: Box::pin(tokio::time::sleep_until(now + CHECK_INTERVAL)),
        checked_at: now,
        sent_at: now,
        last: Bytes::new(),
    }
}

impl<F> HeartbeatStream<F>
where
    F: FnMut() -> Option<Problem>,
{
    /// The error that ends the stream, if it has to end now.
    fn end(&mut self, now: Instant) -> Option<Piece> {
        if now - self.checked_at < CHECK_INTERVAL {
            return None;
        }
        self.checked_at = now;
        let problem = (self.ends)()?;
        // This closes the connection to the model server.
        self.events = None;
        let event = failure(self.convention, &self.last, &problem);
        Some(Err(BrokenOff {
            event,
            is_outage: false,
        }))
    }
}

impl<F> Stream for HeartbeatStream<F>
where
    F: FnMut() -> Option<Problem> + Send + Unpin,
{
    type Item = Piece;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Piece>> {
        let this = self.get_mut();
        let Some(events) = &mut this.events else {
            return Poll::Ready(None);
        };
        match events.as_mut().poll_next(cx) {
            Poll::Ready(Some(piece)) => {
                let now = Instant::now();
                if let Some(end) = this.end(now) {
                    return Poll::Ready(Some(end));
                }
                this.sent_at = now;
                if let Ok(events) = &piece
                    && this.convention == Convention::Responses
                    && has_data(events)
                {
                    this.last = events.clone();
                }
                return Poll::Ready(Some(piece));
            }
            Poll::Ready(None) => {
                this.events = None;
                return Poll::Ready(None);
            }
            Poll::Pending => {}
        }
        while this.timer.as_mut().poll(cx).is_ready() {
            let now = Instant::now();
            if let Some(end) = this.end(now) {
                return Poll::Ready(Some(end));
            }
            this.timer.as_mut().reset(now + CHECK_INTERVAL);
            if this.beat.is_some_and(|beat| now - this.sent_at >= beat) {
                this.sent_at = now;
                return Poll::Ready(Some(Ok(Bytes::from_static(BEAT))));
            }
        }
        Poll::Pending
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use futures::StreamExt;

    use super::*;
    use crate::inference::problem::{Code, Fault};

    fn one_and_silence(event: &'static str) -> Events {
        let one = futures::stream::iter([Ok(Bytes::from(event))]);
        one.chain(futures::stream::pending()).boxed()
    }

    #[tokio::test]
    async fn a_silent_stream_gets_heartbeats() {
        let beat = Some(Duration::from_secs(1));
        let events = one_and_silence("data: 1\n\n");
        let mut stream = with_heartbeats(events, Convention::Chat, beat, || None);
        for expected in ["data: 1\n\n", ": keep-alive\n\n", ": keep-alive\n\n"] {
            assert_eq!(stream.next().await, Some(Ok(Bytes::from(expected))));
        }
    }

    #[tokio::test]
    async fn a_stream_that_may_not_go_on_ends_with_the_cause() {
        let event = "event: a\ndata: {\"type\":\"a\",\"sequence_number\":6}\n\n";
        let is_over = Arc::new(AtomicBool::new(false));
        let over = Arc::clone(&is_over);
        let ends = move || {
            let problem = Problem::new(
                Fault::Permission,
                Code::InsufficientPermissions,
                "It is over.",
            );
            over.load(Ordering::SeqCst).then_some(problem)
        };
        let events = one_and_silence(event);
        let mut stream = with_heartbeats(events, Convention::Responses, None, ends);
        assert_eq!(stream.next().await, Some(Ok(Bytes::from(event))));
        is_over.store(true, Ordering::SeqCst);
        let Some(Err(BrokenOff { event: last, .. })) = stream.next().await else {
            panic!("an error");
        };
        let last = String::from_utf8_lossy(&last).into_owned();
        assert!(last.contains("\"sequence_number\":7"), "{last}");
        assert!(
            last.contains("\"code\":\"insufficient_permissions\""),
            "{last}"
        );
        assert_eq!(stream.next().await, None);
    }
}
