//! The body of a request before it is read.
//!
//! It is read within a bound and an idle time. A body that is refused, or that
//! nobody asked for, is still taken off the connection in the background (up to
//! a bound): a server that closes while its caller is still sending resets the
//! connection, and the caller never sees the answer.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use dropshot::Body;
use futures::FutureExt;
use http::{HeaderMap, header};
use http_body::Body as _;
use http_body_util::BodyExt;

use crate::rejection::Rejection;

/// The longest wait for the next piece of a body.
const IDLE: Duration = Duration::from_secs(60);

/// How much of an unwanted body is taken off the connection, and for how long.
const DRAIN_BYTES: usize = 64 << 20;
const DRAIN_TIME: Duration = Duration::from_secs(15);

/// A body that is still on its way.
#[derive(Debug)]
pub(crate) struct Incoming {
    body: Option<Body>,
    /// The length that `Content-Length` announces.
    announced: Option<u64>,
    /// The caller waits for `100 Continue` before it sends the body, which it
    /// gets when the body is first asked for.
    waiting: bool,
}

impl Incoming {
    pub(crate) fn new(headers: &HeaderMap, body: Body) -> Self {
        Incoming {
            announced: body.size_hint().exact(),
            body: Some(body),
            waiting: headers.contains_key(header::EXPECT),
        }
    }

    /// Whether there is certainly nothing to read.
    pub(crate) fn is_empty(&self) -> bool {
        self.body.as_ref().is_none_or(|body| body.is_end_stream())
    }

    /// The whole body, if it has no more than `limit` bytes.
    pub(crate) async fn read(&mut self, limit: usize) -> Result<Bytes, Rejection> {
        if self.announced.is_some_and(|length| length > limit as u64) {
            return Err(Rejection::TooLarge { limit });
        }
        self.waiting = false;
        let mut first = Bytes::new();
        let mut all = BytesMut::new();
        while let Some(body) = &mut self.body {
            if body.is_end_stream() {
                self.body = None;
                break;
            }
            // Most bodies are there with their head, which needs no clock.
            let frame = match body.frame().now_or_never() {
                Some(frame) => frame,
                None => tokio::time::timeout(IDLE, body.frame())
                    .await
                    .map_err(|_| unreadable("it did not arrive in time"))?,
            };
            let Some(frame) = frame else {
                self.body = None;
                break;
            };
            let frame = frame.map_err(|_| unreadable("it broke off"))?;
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

async fn drain(mut body: Body) {
    let mut taken = 0;
    while let Some(Ok(frame)) = body.frame().await {
        taken += frame.data_ref().map_or(0, Bytes::len);
        if taken > DRAIN_BYTES {
            return;
        }
    }
}

fn unreadable(message: &str) -> Rejection {
    Rejection::Unreadable {
        message: message.to_owned(),
    }
}
