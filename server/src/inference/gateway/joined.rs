//! Joins the pieces of a stream that have arrived together.
//!
//! A model server sends each event in a piece of its own. A connection reads many of them at once,
//! but passes one at a time. Sent one by one, each piece costs a system call.

use bytes::{Bytes, BytesMut};
use futures::stream::unfold;
use futures::{FutureExt, Stream, StreamExt};
use tokio::task::yield_now;

/// The maximum number of pieces that are joined to one.
const JOINED: usize = 32;

/// Joins the pieces that have arrived. After each piece, the task of the connection runs once, so
/// that it can pass the next one. No piece waits for one that has not arrived.
pub fn joined<E>(
    source: impl Stream<Item = Result<Bytes, E>> + Unpin,
) -> impl Stream<Item = Result<Bytes, E>> {
    unfold((source.fuse(), None), |(mut source, failed)| async move {
        if let Some(error) = failed {
            return Some((Err(error), (source, None)));
        }
        let first = match source.next().await? {
            Ok(piece) => piece,
            Err(error) => return Some((Err(error), (source, None))),
        };
        let mut all = BytesMut::new();
        let mut failed = None;
        for _ in 1..JOINED {
            yield_now().await;
            match source.next().now_or_never().flatten() {
                Some(Ok(piece)) => {
                    if all.is_empty() {
                        all.extend_from_slice(&first);
                    }
                    all.extend_from_slice(&piece);
                }
                Some(Err(error)) => {
                    failed = Some(error);
                    break;
                }
                None => break,
            }
        }
        let piece = if all.is_empty() { first } else { all.freeze() };
        Some((Ok(piece), (source, failed)))
    })
}

#[cfg(test)]
mod tests {
    use futures::SinkExt;
    use futures::channel::mpsc;

    use super::*;

    /// A connection: a task that passes these pieces, one at a time, and then keeps the stream open.
    fn connection(
        pieces: &'static [Result<&'static str, &'static str>],
    ) -> mpsc::Receiver<Result<Bytes, &'static str>> {
        let (mut sender, receiver) = mpsc::channel(0);
        tokio::spawn(async move {
            for piece in pieces {
                let piece = piece.map(|piece| Bytes::from_static(piece.as_bytes()));
                if sender.send(piece).await.is_err() {
                    return;
                }
            }
            std::future::pending::<()>().await;
        });
        receiver
    }

    #[tokio::test]
    async fn pieces_that_have_arrived_are_joined_and_none_waits() {
        let pieces = &[Ok("data: 1\n\n"), Ok("data: 2\n\n"), Ok("data: 3\n\n")];
        let mut joined = std::pin::pin!(joined(connection(pieces)));
        let all = Bytes::from("data: 1\n\ndata: 2\n\ndata: 3\n\n");
        assert_eq!(joined.next().await, Some(Ok(all)));
        assert!(joined.next().now_or_never().is_none());
    }

    #[tokio::test]
    async fn a_single_piece_is_not_copied() {
        let one = Bytes::from("data: 1\n\n");
        let source = futures::stream::iter([Ok::<_, &str>(one.clone())]);
        let mut pieces = std::pin::pin!(joined(source));
        let piece = pieces.next().await.expect("a piece").expect("no error");
        assert_eq!(piece.as_ptr(), one.as_ptr());
        assert_eq!(pieces.next().await, None);
    }

    #[tokio::test]
    async fn an_error_follows_the_pieces_before_it() {
        let mut joined = std::pin::pin!(joined(connection(&[
            Ok("data: 1\n\n"),
            Ok("da"),
            Err("reset")
        ])));
        let whole = Bytes::from("data: 1\n\nda");
        assert_eq!(joined.next().await, Some(Ok(whole)));
        assert_eq!(joined.next().await, Some(Err("reset")));
    }

    #[tokio::test]
    async fn no_piece_grows_without_bound() {
        let endless = futures::stream::repeat(Ok::<_, &str>(Bytes::from_static(b"x")));
        let mut joined = std::pin::pin!(joined(endless));
        let piece = joined.next().await.expect("a piece").expect("no error");
        assert_eq!(piece.len(), JOINED);
    }
}
