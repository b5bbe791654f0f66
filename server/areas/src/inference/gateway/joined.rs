//! Joins the pieces of a body that have arrived together.
//!
//! The task of a connection of hyper passes one chunk each time that it runs. A gateway that forwards each chunk at
//! once writes to its caller for each, even if all of them arrived in one packet. Here, the connection's task runs
//! before a piece is forwarded, until it brings nothing more.
//!
//! The first piece does not wait: a caller may measure the time until it arrives.

use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use bytes::{Bytes, BytesMut};
use futures::stream::{Fuse, unfold};
use futures::task::AtomicWaker;
use futures::{FutureExt, Stream, StreamExt};
use tokio::task::yield_now;

/// The size from which a joined piece is forwarded, even if more has arrived.
const MAX_BYTES: usize = 64 << 10;

/// Joins the pieces of a body that have arrived together.
pub fn joined<E>(
    source: impl Stream<Item = Result<Bytes, E>> + Send + 'static,
) -> impl Stream<Item = Result<Bytes, E>> + Send + 'static
where
    E: Send + 'static,
{
    let state = Joined {
        source: Box::pin(source.fuse()),
        has_begun: false,
        error: None,
        turn: Arc::default(),
    };
    unfold(state, |mut state| async move {
        let piece = state.next().await?;
        Some((piece, state))
    })
}

struct Joined<S, E> {
    source: Pin<Box<Fuse<S>>>,
    has_begun: bool,
    /// The error behind the last piece.
    error: Option<E>,
    turn: Arc<Turn>,
}

impl<S, E> Joined<S, E>
where
    S: Stream<Item = Result<Bytes, E>>,
{
    async fn next(&mut self) -> Option<Result<Bytes, E>> {
        if let Some(error) = self.error.take() {
            return Some(Err(error));
        }
        let mut piece = match self.source.next().await? {
            Ok(piece) if std::mem::replace(&mut self.has_begun, true) => piece,
            first_or_error => return Some(first_or_error),
        };
        while piece.len() < MAX_BYTES {
            self.turn.pass().await;
            match self.source.next().now_or_never().flatten() {
                Some(Ok(more)) => {
                    let mut both = BytesMut::from(piece);
                    both.extend_from_slice(&more);
                    piece = both.freeze();
                }
                Some(Err(error)) => {
                    self.error = Some(error);
                    break;
                }
                None => break,
            }
        }
        Some(Ok(piece))
    }
}

/// A turn of the other tasks.
///
/// [`yield_now`] alone does not guarantee one: it is ready when it is polled again, and hyper may poll a body again
/// before its own task yields.
#[derive(Default)]
struct Turn {
    has_passed: AtomicBool,
    task: AtomicWaker,
}

impl Turn {
    /// Waits until the tasks that are ready have run.
    async fn pass(self: &Arc<Self>) {
        self.has_passed.store(false, Ordering::Relaxed);
        let waker = Waker::from(Arc::clone(self));
        let mut yielding = pin!(yield_now());
        let _ = yielding.as_mut().poll(&mut Context::from_waker(&waker));
        poll_fn(|cx| {
            self.task.register(cx.waker());
            match self.has_passed.load(Ordering::Acquire) {
                true => Poll::Ready(()),
                false => Poll::Pending,
            }
        })
        .await;
    }
}

impl Wake for Turn {
    fn wake(self: Arc<Self>) {
        self.has_passed.store(true, Ordering::Release);
        self.task.wake();
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::mpsc;

    use super::*;

    /// A source whose task sends one piece each time that it runs.
    fn one_by_one(
        pieces: Vec<Result<Bytes, String>>,
    ) -> impl Stream<Item = Result<Bytes, String>> + Send + 'static {
        let (sender, receiver) = mpsc::channel(1);
        tokio::spawn(async move {
            for piece in pieces {
                if sender.send(piece).await.is_err() {
                    return;
                }
            }
        });
        unfold(receiver, |mut receiver| async move {
            Some((receiver.recv().await?, receiver))
        })
    }

    #[tokio::test]
    async fn pieces_that_have_arrived_are_joined_behind_the_first() {
        let pieces = ["a", "b", "c", "d"].map(|piece| Ok(piece.into()));
        let out: Vec<_> = joined(one_by_one(pieces.into())).collect().await;
        assert_eq!(out, [Ok("a".into()), Ok("bcd".into())]);
    }

    #[tokio::test]
    async fn an_error_follows_the_pieces_before_it() {
        let pieces = vec![
            Ok("a".into()),
            Ok("b".into()),
            Ok("c".into()),
            Err("reset".into()),
        ];
        let out: Vec<_> = joined(one_by_one(pieces)).collect().await;
        assert_eq!(
            out,
            [Ok("a".into()), Ok("bc".into()), Err("reset".to_owned())]
        );
    }

    #[tokio::test]
    async fn a_piece_does_not_wait_for_one_that_has_not_arrived() {
        let (sender, receiver) = mpsc::channel(1);
        let source = unfold(receiver, |mut receiver| async move {
            Some((receiver.recv().await?, receiver))
        });
        let mut out = pin!(joined::<String>(source));
        for piece in ["a", "b", "c"] {
            sender
                .send(Ok(Bytes::from(piece)))
                .await
                .expect("a receiver");
            assert_eq!(out.next().await, Some(Ok(piece.into())));
        }
    }

    #[tokio::test]
    async fn a_joined_piece_is_bounded() {
        let pieces = std::iter::repeat_n(Ok(Bytes::from_static(&[0; MAX_BYTES / 4])), 64);
        let out: Vec<_> = joined(one_by_one(pieces.collect())).collect().await;
        let largest = out.iter().flatten().map(Bytes::len).max();
        assert_eq!(largest, Some(MAX_BYTES));
    }

    #[tokio::test]
    async fn a_turn_passes_even_if_the_task_is_polled_before_it() {
        let turn = Arc::new(Turn::default());
        let mut pass = pin!(turn.pass());
        for _ in 0..3 {
            assert!(pass.as_mut().now_or_never().is_none());
        }
        pass.await;
    }
}
