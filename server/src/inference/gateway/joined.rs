//! Joins the pieces of a stream that have already arrived.

use bytes::{Bytes, BytesMut};
use futures::{Stream, StreamExt};

/// The most pieces that are joined to one.
const JOINED: usize = 32;

/// Joins the pieces that have already arrived, so that they are looked at, counted and sent as one:
/// a model server sends each event in a piece of its own. None waits for another.
pub fn joined<E>(
    source: impl Stream<Item = Result<Bytes, E>>,
) -> impl Stream<Item = Result<Bytes, E>> {
    source.ready_chunks(JOINED).flat_map(|pieces| {
        if pieces.len() == 1 {
            return futures::stream::iter(pieces);
        }
        let mut joined = BytesMut::new();
        let mut parts = Vec::new();
        for piece in pieces {
            match piece {
                Ok(piece) => joined.extend_from_slice(&piece),
                Err(error) => parts.push(Err(error)),
            }
        }
        if !joined.is_empty() {
            parts.insert(0, Ok(joined.freeze()));
        }
        futures::stream::iter(parts)
    })
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    #[tokio::test]
    async fn pieces_that_are_there_are_joined_and_none_is_waited_for() {
        let one = Bytes::from("data: 1\n\n");
        let mut pieces = std::pin::pin!(joined::<&str>(futures::stream::iter([Ok(one.clone())])));
        let piece = pieces.next().await.expect("a piece").expect("no error");
        assert_eq!(piece.as_ptr(), one.as_ptr(), "a single piece is not copied");
        let there = [Ok("data: 1\n\n"), Ok("data: 2\n\n")].map(|piece| piece.map(Bytes::from));
        let waits = futures::stream::iter(there.clone()).chain(futures::stream::pending());
        let mut pieces = std::pin::pin!(joined::<&str>(waits));
        let both = Bytes::from("data: 1\n\ndata: 2\n\n");
        assert_eq!(pieces.next().await, Some(Ok(both.clone())));
        assert!(pieces.next().now_or_never().is_none());
        let fails = futures::stream::iter(there).chain(futures::stream::iter([Err("reset")]));
        let pieces: Vec<_> = joined(fails).collect().await;
        assert_eq!(pieces, [Ok(both), Err("reset")]);
    }
}
