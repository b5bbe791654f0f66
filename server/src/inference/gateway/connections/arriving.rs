//! The body of a model server's answer, as it arrives.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http_body::{Body, Frame};
use hyper::body::Incoming;

use super::idle::IdlePool;
use super::link::Link;

/// Why an answer's body ended early.
#[derive(Debug, thiserror::Error)]
pub enum BodyError {
    /// The connection broke.
    #[error(transparent)]
    Broke(#[from] hyper::Error),
    /// Nothing came for too long.
    #[error("the server was silent for too long")]
    Idle,
}

/// An answer's body, as it arrives. At its end the connection is kept.
pub struct Arriving {
    body: Incoming,
    /// Nothing once the body has ended.
    link: Option<Box<Link>>,
    /// How long it may be silent.
    idle: Duration,
    /// Whether the link's deadline is the one of this silence.
    waits: bool,
    idle_pool: Arc<IdlePool>,
}

impl Arriving {
    /// The body of an answer on this connection.
    pub(super) fn new(
        body: Incoming,
        link: Box<Link>,
        idle: Duration,
        idle_pool: Arc<IdlePool>,
    ) -> Self {
        Arriving {
            body,
            link: Some(link),
            idle,
            waits: false,
            idle_pool,
        }
    }
}

impl Body for Arriving {
    type Data = Bytes;
    type Error = BodyError;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BodyError>>> {
        let this = self.get_mut();
        let body = &mut this.body;
        let frame = match &mut this.link {
            Some(link) => link.look(cx, |cx| Pin::new(&mut *body).poll_frame(cx)),
            None => Poll::Ready(None),
        };
        let frame = frame.map_err(BodyError::from);
        if frame.is_pending()
            && let Some(link) = &mut this.link
        {
            if !this.waits {
                link.set_deadline(tokio::time::Instant::now() + this.idle);
                this.waits = true;
            }
            if link.is_late(cx).is_ready() {
                this.link = None;
                return Poll::Ready(Some(Err(BodyError::Idle)));
            }
        }
        this.waits &= frame.is_pending();
        if let Poll::Ready(None) = frame
            && let Some(mut link) = this.link.take()
            && link.stands()
        {
            this.idle_pool.put(link);
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        // Its end has to be polled for the connection to be kept.
        self.link.is_none()
    }

    fn size_hint(&self) -> http_body::SizeHint {
        self.body.size_hint()
    }
}
