//! Event streams: their timeouts, and the reuse of their connections.

use crate::script::{EVENTS, Script, client as scripted, quick, read_request};
use accord_client::{
    Accord, CallOptions, StreamError,
    inference::types::{
        ChatCompletionEvent, ChatCompletionRequest, ChatMessage, ModelResponseEvent,
        ModelResponseRequest,
    },
};
use futures::StreamExt;
use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};
use tokio::{io::AsyncWriteExt, net::TcpListener};

const CHUNK: &str = r#"data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"x"},"finish_reason":null}]}"#;

/// A service that sends streams and counts connections. Each piece has a delay in milliseconds.
async fn streams(pieces: Vec<(u64, String)>) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    let connections = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&connections);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            counted.fetch_add(1, Ordering::Relaxed);
            let pieces = pieces.clone();
            tokio::spawn(async move {
                while !read_request(&mut stream).await.is_empty() {
                    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
                    if stream.write_all(head.as_bytes()).await.is_err() {
                        return;
                    }
                    for (wait, piece) in &pieces {
                        tokio::time::sleep(Duration::from_millis(*wait)).await;
                        let chunk = format!("{:x}\r\n{piece}\r\n", piece.len());
                        if stream.write_all(chunk.as_bytes()).await.is_err() {
                            return;
                        }
                    }
                    // The last chunk arrives separately, as with TLS or a proxy.
                    tokio::time::sleep(Duration::from_millis(10)).await;
                    if stream.write_all(b"0\r\n\r\n").await.is_err() {
                        return;
                    }
                }
            });
        }
    });
    (address, connections)
}

async fn chat(accord: &Accord) -> Vec<Result<ChatCompletionEvent, StreamError>> {
    let message = ChatMessage::new("user").content("Hi");
    let request = ChatCompletionRequest::new([message], "m");
    let call = accord.inference().create_chat_completion_stream();
    let events = call.body(request).call().await;
    events.expect("a stream").collect().await
}

fn client(address: &str, timeout: u64, stream_timeout: u64) -> Accord {
    Accord::builder()
        .base_url(address)
        .retry(quick())
        .api_key("sk-1")
        .timeout(Duration::from_millis(timeout))
        .stream_timeout(Duration::from_millis(stream_timeout))
        .build()
        .expect("a client")
}

#[tokio::test]
async fn a_stream_may_be_silent_for_its_own_time_only() {
    let chunk = format!("{CHUNK}\n\n");
    let pieces = vec![(0, chunk.clone()), (60_000, chunk)];
    let (address, _) = streams(pieces).await;
    let began = Instant::now();
    let events = chat(&client(&address, 30_000, 3_000)).await;
    assert!(began.elapsed() < Duration::from_secs(30));
    assert_eq!(events.len(), 2);
    assert!(events[0].is_ok());
    assert!(
        matches!(events[1], Err(StreamError::Silent(_))),
        "{events:?}"
    );
}

#[tokio::test]
async fn a_stream_may_last_longer_than_a_response() {
    let mut pieces = vec![(1_000, format!("{CHUNK}\n\n")); 5];
    pieces.push((1_000, "data: [DONE]\n\n".to_owned()));
    let (address, _) = streams(pieces).await;
    let events = chat(&client(&address, 4_000, 20_000)).await;
    assert_eq!(events.len(), 5);
    assert!(events.iter().all(Result::is_ok), "{events:?}");
}

#[tokio::test]
async fn a_stream_ends_at_its_own_deadline() {
    // Without the deadline, the stream lasts 30 seconds.
    let pieces = vec![(100, format!("{CHUNK}\n\n")); 300];
    let (address, _) = streams(pieces).await;
    let deadline = Duration::from_secs(2);
    let builder = Accord::builder().base_url(&address).api_key("sk-1");
    let of_client = builder.stream_deadline(deadline).build();
    let options = CallOptions::new().stream_deadline(deadline);
    let of_call = client(&address, 30_000, 30_000).with_options(&options);
    for accord in [of_client.expect("a client"), of_call] {
        let began = Instant::now();
        let events = chat(&accord).await;
        assert!(began.elapsed() < Duration::from_secs(20));
        let Some(Err(StreamError::Connection(error))) = events.last() else {
            panic!("{events:?}")
        };
        assert!(error.is_timeout(), "{error:?}");
    }
}

#[tokio::test]
async fn streams_use_a_connection_again() {
    let pieces = vec![(0, format!("{CHUNK}\n\ndata: [DONE]\n\n"))];
    let (address, connections) = streams(pieces).await;
    // On a busy machine, the last chunk may come too late now and then.
    for _ in 0..5 {
        let before = connections.load(Ordering::Relaxed);
        let accord = client(&address, 30_000, 30_000);
        for _ in 0..10 {
            assert_eq!(chat(&accord).await.len(), 1);
            // The work of a caller between two streams.
            tokio::time::sleep(Duration::from_millis(30)).await;
        }
        if connections.load(Ordering::Relaxed) - before == 1 {
            return;
        }
    }
    panic!("{connections:?} connections for five times ten streams");
}

#[tokio::test]
async fn an_error_in_place_of_a_stream_does_not_last_for_ever() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.expect("a connection");
        read_request(&mut stream).await;
        let head = "HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{";
        stream.write_all(head.as_bytes()).await.expect("a reader");
        // The rest never comes.
        std::future::pending::<()>().await;
    });
    let message = ChatMessage::new("user").content("Hi");
    let request = ChatCompletionRequest::new([message], "m");
    let accord = client(&address, 100, 100);
    let call = accord.inference().create_chat_completion_stream();
    let call = tokio::time::timeout(Duration::from_secs(30), call.body(request).call());
    let result = call.await.expect("a result in time");
    assert!(result.is_err());
}

#[tokio::test]
async fn the_timeout_of_a_clients_own_does_not_cut_a_stream() {
    let chunk = format!("{CHUNK}\n\n");
    let pieces = vec![
        (0, chunk.clone()),
        (600, chunk),
        (0, "data: [DONE]\n\n".to_owned()),
    ];
    let (address, _) = streams(pieces).await;
    let http = accord_client::reqwest::Client::builder().timeout(Duration::from_millis(200));
    let accord = Accord::builder()
        .base_url(address)
        .api_key("sk-1")
        .http(http);
    let accord = accord.expect("an HTTP client").build().expect("a client");
    let events = chat(&accord).await;
    assert_eq!(events.len(), 2, "{events:?}");
    assert!(events.iter().all(Result::is_ok), "{events:?}");
}

#[tokio::test]
async fn an_unknown_event_is_a_value_and_a_damaged_one_an_error() {
    let later = r#"{"object":"chat.completion.summary","words":2}"#;
    let damaged = r#"{"object":"chat.completion.chunk"}"#;
    let body = format!("data: {later}\n\ndata: {damaged}\n\n{CHUNK}\n\ndata: [DONE]\n\n");
    let script = Script::start(vec![(EVENTS, body)]).await;
    let accord = scripted(&script).api_key("sk-1").build().expect("a client");
    let events = chat(&accord).await;
    let later = serde_json::from_str(later).expect("JSON");
    assert_eq!(
        events[0].as_ref().ok(),
        Some(&ChatCompletionEvent::Unknown(later))
    );
    assert!(
        matches!(events[1], Err(StreamError::Unreadable { .. })),
        "{events:?}"
    );
    assert!(
        matches!(events[2], Ok(ChatCompletionEvent::ChatCompletionChunk(_))),
        "{events:?}"
    );
    assert_eq!(events.len(), 3);
}

#[tokio::test]
async fn an_unknown_event_of_a_response_is_a_value() {
    let event = "event: response.later\ndata: {\"sequence_number\":0,\"words\":2}\n\n";
    let odd = "data: {\"words\":2}\n\n";
    let script = Script::start(vec![(EVENTS, format!("{event}{odd}"))]).await;
    let accord = scripted(&script).api_key("sk-1").build().expect("a client");
    let call = accord.inference().create_response_stream();
    let events = call.body(ModelResponseRequest::new("Hi", "m")).call().await;
    let events: Vec<_> = events.expect("a stream").collect().await;
    let Ok(ModelResponseEvent::ResponseOtherEvent(other)) = &events[0] else {
        panic!("{events:?}");
    };
    assert_eq!(other.type_, "response.later");
    let odd = serde_json::json!({ "words": 2 });
    assert_eq!(
        events[1].as_ref().ok(),
        Some(&ModelResponseEvent::Unknown(odd))
    );
}
