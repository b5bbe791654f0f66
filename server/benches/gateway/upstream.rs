//! The model server: it reads a request and has its answer ready.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// Events of a stream, before its end.
const EVENTS: usize = 20;
/// Between two events that come at a pace.
const PACE: Duration = Duration::from_millis(20);

/// Serves until the process is ended.
pub async fn serve(listen: SocketAddr) -> anyhow::Result<()> {
    let listener = TcpListener::bind(listen).await?;
    loop {
        let (stream, _) = listener.accept().await?;
        tokio::spawn(async move {
            // A client that goes away is no fault.
            let _ = answer(stream).await;
        });
    }
}

async fn answer(mut stream: TcpStream) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let whole = whole();
    let mut bytes = Vec::with_capacity(8 << 10);
    loop {
        bytes.clear();
        let end = loop {
            if stream.read_buf(&mut bytes).await? == 0 {
                return Ok(());
            }
            if let Some(end) = request_end(&bytes)
                && bytes.len() >= end
            {
                break end;
            }
        };
        let body = &bytes[..end];
        let has = |what: &[u8]| body.windows(what.len()).any(|window| window == what);
        if !has(br#""stream":true"#) {
            stream.write_all(whole.as_bytes()).await?;
            continue;
        }
        let paced = has(br#""paced""#);
        let idle = has(br#""idle""#);
        stream
            .write_all(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n")
            .await?;
        for _ in 0..EVENTS {
            let chunk = r#"{"id":"c","object":"chat.completion.chunk","created":1,"model":"bench","choices":[{"index":0,"delta":{"content":" word"},"finish_reason":null}]}"#;
            piece(&mut stream, &format!("data: {chunk}\n\n")).await?;
            if paced {
                tokio::time::sleep(PACE).await;
            }
            if idle {
                // Until the client goes away.
                stream.read_u8().await?;
            }
        }
        piece(&mut stream, "data: [DONE]\n\n").await?;
        stream.write_all(b"0\r\n\r\n").await?;
    }
}

async fn piece(stream: &mut TcpStream, text: &str) -> std::io::Result<()> {
    let framed = format!("{:x}\r\n{text}\r\n", text.len());
    stream.write_all(framed.as_bytes()).await
}

fn whole() -> String {
    let body = r#"{"id":"c","object":"chat.completion","created":1,"model":"bench","choices":[{"index":0,"message":{"role":"assistant","content":"Hello there."},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}"#;
    format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// Where the request ends, once its head is there.
fn request_end(bytes: &[u8]) -> Option<usize> {
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")? + 4;
    let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length:"));
    Some(end + length.and_then(|l| l.trim().parse().ok()).unwrap_or(0))
}
