//! The model server, which counts the tokens of its responses.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// The tokens of a response in one piece.
const WHOLE_TOKENS: u64 = 3;
/// The events of a stream, which are its output tokens.
const EVENTS: u64 = 20;
/// The tokens of a stream: its input is one token.
pub const STREAM_TOKENS: u64 = EVENTS + 1;
/// The pause between two events.
const PACE: Duration = Duration::from_millis(20);

/// A response to a replica.
#[derive(Debug, Clone)]
pub struct Served {
    /// The replica that called.
    pub replica: String,
    /// When the last part of the response was sent.
    pub ended: Instant,
    /// The tokens of the response.
    pub tokens: u64,
    /// Whether all of its tokens were sent.
    pub is_whole: bool,
}

/// A model server in this process.
pub struct Upstream {
    /// Where it listens.
    pub address: SocketAddr,
    served: Arc<Mutex<Vec<Served>>>,
}

impl Upstream {
    /// Starts it on a free port.
    pub async fn start() -> anyhow::Result<Upstream> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let upstream = Upstream {
            address: listener.local_addr()?,
            served: Arc::default(),
        };
        let served = Arc::clone(&upstream.served);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                // A replica that closes its connection is not a fault.
                tokio::spawn(serve(stream, Arc::clone(&served)));
            }
        });
        Ok(upstream)
    }

    /// Takes the responses since the last call.
    pub fn take_served(&self) -> Vec<Served> {
        let mut served = self.served.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut served)
    }
}

async fn serve(mut stream: TcpStream, served: Arc<Mutex<Vec<Served>>>) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut bytes = Vec::with_capacity(8 << 10);
    loop {
        bytes.clear();
        let head = loop {
            if stream.read_buf(&mut bytes).await? == 0 {
                return Ok(());
            }
            if let Some((head, length)) = head(&bytes)
                && bytes.len() >= length
            {
                break head;
            }
        };
        let replica = head
            .lines()
            .find_map(|line| line.strip_prefix("x-replica:"));
        let replica = replica.unwrap_or_default().trim().to_owned();
        let stream_wanted = br#""stream":true"#;
        let streams = bytes
            .windows(stream_wanted.len())
            .any(|window| window == stream_wanted);
        let begun = match streams {
            true => send_events(&mut stream).await,
            false => Ok(()),
        };
        // Before the caller can know the end of the response, so that nobody asks for it too early.
        let one = Served {
            replica,
            ended: Instant::now(),
            tokens: if streams { STREAM_TOKENS } else { WHOLE_TOKENS },
            is_whole: begun.is_ok(),
        };
        served
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(one);
        begun?;
        match streams {
            true => send_end(&mut stream).await?,
            false => stream.write_all(whole().as_bytes()).await?,
        }
    }
}

async fn send_events(stream: &mut TcpStream) -> std::io::Result<()> {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\
                transfer-encoding: chunked\r\n\r\n";
    stream.write_all(head.as_bytes()).await?;
    let event = r#"{"id":"c","object":"chat.completion.chunk","created":1,"model":"cluster.chat","choices":[{"index":0,"delta":{"content":" word"},"finish_reason":null}]}"#;
    for _ in 0..EVENTS {
        send_piece(stream, event).await?;
        tokio::time::sleep(PACE).await;
    }
    let usage = format!(
        r#"{{"id":"c","object":"chat.completion.chunk","created":1,"model":"cluster.chat","choices":[],"usage":{{"prompt_tokens":1,"completion_tokens":{EVENTS},"total_tokens":{STREAM_TOKENS}}}}}"#
    );
    send_piece(stream, &usage).await
}

async fn send_end(stream: &mut TcpStream) -> std::io::Result<()> {
    send_piece(stream, "[DONE]").await?;
    stream.write_all(b"0\r\n\r\n").await
}

async fn send_piece(stream: &mut TcpStream, data: &str) -> std::io::Result<()> {
    let text = format!("data: {data}\n\n");
    let framed = format!("{:x}\r\n{text}\r\n", text.len());
    stream.write_all(framed.as_bytes()).await
}

fn whole() -> String {
    let body = r#"{"id":"c","object":"chat.completion","created":1,"model":"cluster.chat","choices":[{"index":0,"message":{"role":"assistant","content":"Hello there."},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}"#;
    format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// The headers in lower case, once they are there, and the length of the whole request.
fn head(bytes: &[u8]) -> Option<(String, usize)> {
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")? + 4;
    let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length:"))
        .and_then(|length| length.trim().parse::<usize>().ok());
    Some((head, end + length.unwrap_or(0)))
}
