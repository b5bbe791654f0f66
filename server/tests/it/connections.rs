//! Connections that do nothing, or hardly anything, and those that may go on.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use accord_server::config::Layer;
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http2::{self, SendRequest};
use hyper_util::rt::{TokioExecutor, TokioIo};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::{JoinHandle, JoinSet};

use crate::harness::{Database, Server, http};
use crate::inference::client::{Manager, call};

/// What ends each connection of a test.
const SECONDS: u32 = 2;
/// Time for all of them, on a busy machine.
const SOON: Duration = Duration::from_secs(120);

fn short(layer: &mut Layer) {
    layer.server.head_seconds = Some(SECONDS);
    layer.server.idle_seconds = Some(SECONDS);
    layer.server.body_seconds = Some(SECONDS);
}

/// Waits until the server ends a connection, on which a byte is sent every now and
/// then if there are any.
async fn until_closed(address: SocketAddr, first: &str, dripping: bool) {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(first.as_bytes()).await.unwrap();
    let mut received = [0; 4096];
    loop {
        let pause = tokio::time::sleep(Duration::from_millis(300));
        tokio::select! {
            read = stream.read(&mut received) => match read {
                Ok(0) | Err(_) => return,
                Ok(_) => {}
            },
            () = pause => if dripping && stream.write_all(b"x").await.is_err() {
                return;
            },
        }
    }
}

async fn is_served(server: &Server) {
    let client = http().build().unwrap();
    let url = format!("http://{}/healthz", server.address());
    assert_eq!(client.get(url).send().await.unwrap().status(), 200);
}

/// Opens 500 connections, of all kinds that do nothing or hardly anything, and waits until the
/// server has ended them.
async fn all_end(server: &Server, within: Duration) {
    let head = "POST /oauth2/v1/token HTTP/1.1\r\nhost: a\r\n";
    let body = format!(
        "{head}content-type: application/x-www-form-urlencoded\r\ncontent-length: 10000\r\n\r\ng"
    );
    let form = "POST /ui/v1/signin HTTP/1.1\r\nhost: a\r\ncontent-length: 10000\r\n\r\n";
    let between = "GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n";
    let kinds = [
        ("silent", "", false),
        ("a head that drips", head, true),
        ("a body that drips", body.as_str(), true),
        ("a form that drips", form, true),
        ("idle", between, false),
    ];
    let mut all = JoinSet::new();
    for round in 0..100 {
        for (kind, first, dripping) in kinds {
            let (address, first) = (server.address(), first.to_owned());
            all.spawn(async move {
                until_closed(address, &first, dripping).await;
                kind
            });
        }
        // The system silently forgets a connection that finds the queue of the listener
        // full, and whoever then sends nothing never learns of it.
        if round % 10 == 9 {
            is_served(server).await;
        }
    }
    let mut left = BTreeMap::from(kinds.map(|(kind, ..)| (kind, 100)));
    let ended = tokio::time::timeout(within, async {
        while let Some(kind) = all.join_next().await {
            *left.entry(kind.unwrap()).or_default() -= 1;
        }
    });
    assert!(ended.await.is_ok(), "still open: {left:?}");
}

/// The promise of the defaults. It is one of time, so that this test has one.
#[tokio::test(flavor = "multi_thread")]
async fn with_the_defaults_500_idle_connections_are_gone_within_a_minute() {
    let server = Server::start(Database::Sqlite).await;
    all_end(&server, Duration::from_secs(60)).await;
    assert_eq!(server.stop().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn silent_and_dripping_connections_end_and_a_stream_in_progress_does_not() {
    let server = Server::start_with(Database::Sqlite, short).await;
    let secret = Manager::of(&server).await.new_key().await.one;
    // A stream that lasts longer than any of the times.
    let request = call(&server, &secret, reqwest::Method::POST, "/chat/completions");
    let request = request.json(&json!({
        "model": "builtin/slow",
        "stream": true,
        "messages": [{"role": "user", "content": "pace:1500 one two three four five"}],
    }));
    let stream = tokio::spawn(async move { request.send().await.unwrap().text().await.unwrap() });

    let begun = Instant::now();
    all_end(&server, SOON).await;
    assert!(begun.elapsed() >= Duration::from_secs(1), "not at once");
    is_served(&server).await;

    let text = stream.await.unwrap();
    assert!(text.contains("five") && text.contains("[DONE]"), "{text}");
    let metrics = server.get("/metrics").await.text().await.unwrap();
    let counted = "accord_connections_closed_total{reason=\"head\"}";
    assert!(metrics.contains(counted), "{metrics}");
    assert_eq!(server.stop().await, Vec::<String>::new());
}

/// A connection over HTTP/2 whose streams have a window of so many bytes, and what ends with it.
async fn http_2(
    server: &Server,
    window: u32,
) -> (SendRequest<Full<Bytes>>, JoinHandle<hyper::Result<()>>) {
    let stream = TcpStream::connect(server.address()).await.unwrap();
    let (sender, connection) = http2::Builder::new(TokioExecutor::new())
        .initial_stream_window_size(window)
        .handshake(TokioIo::new(stream))
        .await
        .unwrap();
    (sender, tokio::spawn(connection))
}

/// A chat with a stream of an event every 1.5 s.
fn slow_chat(server: &Server, secret: &str) -> hyper::Request<Full<Bytes>> {
    let body = json!({
        "model": "builtin/slow",
        "stream": true,
        "messages": [{"role": "user", "content": "pace:1500 one two three four five"}],
    });
    hyper::Request::post(format!(
        "{}/20231130/actions/v1/chat/completions",
        server.url("")
    ))
    .header("authorization", format!("Bearer {secret}"))
    .header("content-type", "application/json")
    .body(Full::from(body.to_string()))
    .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_of_http_2_without_a_window_ends_and_one_that_is_read_does_not() {
    let server = Server::start_with(Database::Sqlite, |layer| {
        layer.server.unread_seconds = Some(SECONDS);
    })
    .await;
    let secret = Manager::of(&server).await.new_key().await.one;
    let (mut reader, _connection) = http_2(&server, 65_535).await;
    let read = reader
        .send_request(slow_chat(&server, &secret))
        .await
        .unwrap();
    let read = tokio::spawn(read.into_body().collect());

    // Ten bytes of the first event arrive, and nobody asks for more.
    let (mut sender, connection) = http_2(&server, 10).await;
    let unread = sender
        .send_request(slow_chat(&server, &secret))
        .await
        .unwrap();
    assert_eq!(unread.status(), 200);
    let ended = tokio::time::timeout(SOON, connection).await;
    assert!(ended.is_ok(), "the connection lasts");
    assert!(unread.into_body().collect().await.is_err());

    let text = read.await.unwrap().unwrap().to_bytes();
    assert!(text.ends_with(b"data: [DONE]\n\n"), "{text:?}");
    let metrics = server.get("/metrics").await.text().await.unwrap();
    let counted = "accord_connections_closed_total{reason=\"unread\"} 1";
    assert!(metrics.contains(counted), "{metrics}");
    assert_eq!(server.stop().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_has_so_many_connections_and_no_more() {
    let server = Server::start_with(Database::Sqlite, |layer| {
        layer.server.connections_per_address = Some(20);
    })
    .await;
    let mut all = JoinSet::new();
    for _ in 0..60 {
        all.spawn(until_closed(server.address(), "", false));
    }
    let forty = async {
        for _ in 0..40 {
            all.join_next().await;
        }
    };
    tokio::time::timeout(SOON, forty).await.expect("40 end");
    let more = tokio::time::timeout(Duration::from_secs(3), all.join_next()).await;
    assert!(more.is_err(), "20 are within the limit");
    assert_eq!(server.stop().await, Vec::<String>::new());
}
