//! Reads the body of a request within bounds, and drains a body that nobody reads.
//!
//! A body has a maximum size and a deadline. The runtime drains a body that it rejects, or that the
//! operation does not accept, in the background (up to a bound). A server that closes while its
//! caller is still sending resets the connection, and the caller never sees the response.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use dropshot::Body;
use futures::FutureExt;
use http::{HeaderMap, header};
use http_body::Body as _;
use http_body_util::BodyExt;
use tokio::time::Instant;

use crate::rejection::Rejection;

/// The rate at which a body may take longer than its time: the deadline moves by a second for each
/// of these bytes.
const BYTES_PER_SECOND: usize = 16 << 10;

/// How many bytes of an unwanted body the runtime drains, and for how long.
const DRAIN_BYTES: usize = 64 << 20;
const DRAIN_TIME: Duration = Duration::from_secs(15);

/// A body that has not been read.
#[derive(Debug)]
pub(crate) struct Incoming {
    body: Option<Body>,
    /// The length that `Content-Length` announces.
    announced: Option<u64>,
    /// Whether the caller waits for `100 Continue` before it sends the body. The first read
    /// sends it.
    waiting: bool,
    /// The time for a slow body, and for a pause within a fast one.
    time: Duration,
}

impl Incoming {
    pub(crate) fn new(headers: &HeaderMap, body: Body, time: Duration) -> Self {
        Incoming {
            time,
            announced: body.size_hint().exact(),
            body: Some(body),
            waiting: headers.contains_key(header::EXPECT),
        }
    }

    /// Whether the request certainly has no body.
    pub(crate) fn is_empty(&self) -> bool {
        self.body.as_ref().is_none_or(|body| body.is_end_stream())
    }

    /// The whole body, if it has no more than `limit` bytes and arrives in time.
    pub(crate) async fn read(&mut self, limit: usize) -> Result<Bytes, Rejection> {
        if self.announced.is_some_and(|length| length > limit as u64) {
            return Err(Rejection::TooLarge { limit });
        }
        self.waiting = false;
        let mut first = Bytes::new();
        let mut all = BytesMut::new();
        let mut clock = None;
        while let Some(body) = &mut self.body {
            if body.is_end_stream() {
                self.body = None;
                break;
            }
            // Most bodies arrive with their head, which needs no clock.
            let frame = match body.frame().now_or_never() {
                Some(frame) => frame,
                None => {
                    let begun = *clock.get_or_insert_with(Instant::now);
                    let deadline = deadline(begun, self.time, first.len() + all.len());
                    match tokio::time::timeout_at(deadline, body.frame()).await {
                        Ok(frame) => frame,
                        Err(_) => {
                            // The runtime does not drain the rest, so the connection ends.
                            self.body = None;
                            return Err(Rejection::unreadable("it did not arrive in time"));
                        }
                    }
                }
            };
            let Some(frame) = frame else {
                self.body = None;
                break;
            };
            let frame = frame.map_err(|_| Rejection::unreadable("it was interrupted"))?;
            let Ok(data) = frame.into_data() else {
                // Trailers.
                continue;
            };
            if first.len() + all.len() + data.len() > limit {
                return Err(Rejection::TooLarge { limit });
            }
            // Most bodies arrive in one piece, which needs no copy.
            if first.is_empty() && all.is_empty() {
                first = data;
            } else {
                if all.is_empty() {
                    all.extend_from_slice(&std::mem::take(&mut first));
                }
                all.extend_from_slice(&data);
            }
        }
        Ok(if all.is_empty() { first } else { all.freeze() })
    }
}

impl Drop for Incoming {
    fn drop(&mut self) {
        let Some(body) = self.body.take() else {
            return;
        };
        if body.is_end_stream() || self.waiting {
            return;
        }
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(tokio::time::timeout(DRAIN_TIME, drain(body)));
        }
    }
}

/// The deadline of a body of which `arrived` bytes have arrived. A caller who sends byte by
/// byte has `time` for the whole body. A caller who sends fast has `time` for each pause.
fn deadline(begun: Instant, time: Duration, arrived: usize) -> Instant {
    let longer = Duration::from_secs((arrived / BYTES_PER_SECOND) as u64);
    (begun + time + longer).min(Instant::now() + time)
}

async fn drain(mut body: Body) {
    let mut taken = 0;
    while let Some(Ok(frame)) = body.frame().await {
        taken += frame.data_ref().map_or(0, Bytes::len);
        if taken > DRAIN_BYTES {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use futures::stream;
    use http_body::Frame;
    use http_body_util::StreamBody;

    use super::*;

    const TIME: Duration = Duration::from_secs(3);
    const PAUSE: Duration = Duration::from_millis(750);

    /// Reads a body of this many pieces of a size, with a pause before each.
    async fn read(pieces: usize, size: usize, pause: Duration) -> Result<Bytes, Rejection> {
        let pieces = stream::unfold(0, move |sent| async move {
            if sent == pieces {
                return None;
            }
            tokio::time::sleep(pause).await;
            let piece = Frame::data(Bytes::from(vec![b'x'; size]));
            Some((Ok::<_, Infallible>(piece), sent + 1))
        });
        // A body of dropshot is `Sync`, which the stream is not.
        let body = Body::wrap(StreamBody::new(SyncStream::new(pieces)));
        let mut incoming = Incoming::new(&HeaderMap::new(), body, TIME);
        incoming.read(10 << 20).await
    }

    /// A stream that is never shared.
    struct SyncStream<S>(std::sync::Mutex<std::pin::Pin<Box<S>>>);

    impl<S> SyncStream<S> {
        fn new(stream: S) -> Self {
            SyncStream(std::sync::Mutex::new(Box::pin(stream)))
        }
    }

    impl<S: stream::Stream> stream::Stream for SyncStream<S> {
        type Item = S::Item;

        fn poll_next(
            mut self: std::pin::Pin<&mut Self>,
            cx: &mut std::task::Context<'_>,
        ) -> std::task::Poll<Option<S::Item>> {
            self.0.get_mut().unwrap().as_mut().poll_next(cx)
        }
    }

    #[tokio::test]
    async fn a_body_that_is_sent_byte_by_byte_has_its_time_and_no_more() {
        let begun = Instant::now();
        let dripped = read(100, 1, PAUSE).await;
        assert!(matches!(dripped, Err(Rejection::Unreadable { .. })));
        assert!(begun.elapsed() >= TIME);
        assert_eq!(read(2, 1, Duration::ZERO).await.unwrap().len(), 2);
    }

    #[tokio::test]
    async fn a_large_body_may_take_longer_as_long_as_it_goes_on() {
        let piece = 128 << 10;
        let body = read(8, piece, PAUSE).await.unwrap();
        assert_eq!(body.len(), 8 * piece);
        let paused = read(2, piece, 2 * TIME).await;
        assert!(matches!(paused, Err(Rejection::Unreadable { .. })));
    }
}
