//! Event streams over a real connection.

use std::time::{Duration, Instant};

use dropforge_runtime::{End, EventParser};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::shop::{Running, call};

#[tokio::test]
async fn events_arrive_with_their_terminator_and_the_guard_reads_along() {
    let shop = Running::start().await;
    let answer = call(shop.request("GET", "/api/events")).await;
    assert_eq!(answer.headers["content-type"], "text/event-stream");
    assert_eq!(answer.headers["cache-control"], "no-cache");
    let mut events = Vec::new();
    let mut parser = EventParser::default();
    parser
        .feed(answer.text.as_bytes(), |event| events.push(event.data))
        .unwrap();
    let expected = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "[DONE]"];
    assert_eq!(events, expected);
    assert_eq!(shop.violations(), [""; 0]);
    let finished = shop.told.finished.lock().unwrap();
    let bytes = answer.text.len() as u64;
    assert_eq!(finished[0].3, End::Streamed { bytes });
}

#[tokio::test]
async fn a_stream_that_reports_its_failure_ends_in_order_without_its_terminator() {
    let shop = Running::start().await;
    for (failure, last) in [("1", "data: 1\n\n"), ("", "")] {
        let request = shop.request("GET", "/api/events");
        let answer = call(request.header("x-failure", failure)).await;
        assert_eq!(answer.text, format!("data: 0\n\n{last}"));
        shop.finished(1).await;
        assert_eq!(shop.violations(), [""; 0]);
        let (_, _, _, end) = shop.told.finished.lock().unwrap().remove(0);
        let bytes = answer.text.len() as u64;
        assert_eq!(end, End::Streamed { bytes });
    }
}

/// One stream over a connection that is kept. Returns how long it took.
async fn follow(socket: &mut TcpStream) -> Duration {
    let begun = Instant::now();
    let head = b"GET /api/events HTTP/1.1\r\nhost: x\r\n\r\n";
    socket.write_all(head).await.unwrap();
    let mut text = Vec::new();
    while !text.ends_with(b"\r\n0\r\n\r\n") {
        assert_ne!(socket.read_buf(&mut text).await.unwrap(), 0);
    }
    assert!(String::from_utf8_lossy(&text).contains("[DONE]"));
    begun.elapsed()
}

#[tokio::test]
async fn pieces_of_a_stream_do_not_wait_for_acknowledgements() {
    let shop = Running::start().await;
    let mut socket = TcpStream::connect(shop.server.local_addr()).await.unwrap();
    // Acknowledgements of a new connection are not delayed yet.
    for _ in 0..10 {
        follow(&mut socket).await;
    }
    let mut fastest = Duration::MAX;
    // A busy machine may be slow now and then; Nagle's algorithm is so always.
    for _ in 0..200 {
        fastest = fastest.min(follow(&mut socket).await);
        if fastest < Duration::from_millis(40) {
            return;
        }
    }
    panic!("the fastest stream took {fastest:?}");
}

#[tokio::test]
async fn a_caller_that_leaves_interrupts_its_stream() {
    let shop = Running::start().await;
    let mut socket = TcpStream::connect(shop.server.local_addr()).await.unwrap();
    socket
        .write_all(b"GET /api/events HTTP/1.1\r\nhost: x\r\n\r\n")
        .await
        .unwrap();
    let mut some = [0; 20];
    socket.read_exact(&mut some).await.unwrap();
    drop(socket);
    shop.finished(1).await;
    let (operation, status, _, end) = shop.told.finished.lock().unwrap().remove(0);
    assert_eq!((operation, status), (Some("follow"), 200));
    assert!(matches!(end, End::Interrupted { .. }), "{end:?}");
}
