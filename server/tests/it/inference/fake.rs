//! A model server whose every byte is the test's.

use std::future::Future;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use accord_server::config::inference::ModelConfig;
use futures::FutureExt as _;
use futures::future::BoxFuture;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::harness::{Database, Server};

/// One request, and the connection to answer it on.
pub struct Exchange {
    /// Request line and headers, in lower case.
    pub head: String,
    pub body: Vec<u8>,
    stream: TcpStream,
}

impl Exchange {
    async fn read(mut stream: TcpStream) -> Option<Exchange> {
        let mut bytes = Vec::new();
        let end = loop {
            if let Some(at) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
                break at + 4;
            }
            if stream.read_buf(&mut bytes).await.ok()? == 0 {
                return None;
            }
        };
        let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
        let length = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "));
        let length: usize = length.map_or(0, |length| length.trim().parse().unwrap());
        while bytes.len() < end + length {
            stream.read_buf(&mut bytes).await.ok()?;
        }
        Some(Exchange {
            head,
            body: bytes.split_off(end),
            stream,
        })
    }

    /// The body, parsed.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    pub async fn send(&mut self, bytes: impl AsRef<[u8]>) {
        self.stream.write_all(bytes.as_ref()).await.unwrap();
        self.stream.flush().await.unwrap();
    }

    /// A whole answer.
    pub async fn answer(&mut self, status: &str, media_type: &str, more: &str, body: &str) {
        let length = body.len();
        let head = format!(
            "HTTP/1.1 {status}\r\ncontent-type: {media_type}\r\nconnection: close\r\n{more}content-length: {length}\r\n\r\n"
        );
        self.send(head + body).await;
    }

    /// The head of a stream.
    pub async fn begin_stream(&mut self) {
        self.send(
            "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n",
        )
        .await;
    }

    /// A piece of a stream.
    pub async fn piece(&mut self, text: &str) {
        self.send(format!("{:x}\r\n{text}\r\n", text.len())).await;
    }

    pub async fn end_stream(&mut self) {
        self.send("0\r\n\r\n").await;
    }

    /// The head of a stream that ends with its connection.
    pub async fn begin_unframed_stream(&mut self) {
        self.send(
            "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n",
        )
        .await;
    }

    /// Resets the connection.
    pub fn reset(self) {
        self.stream.set_zero_linger().unwrap();
    }

    /// Waits until the other side has gone.
    pub async fn gone(&mut self) {
        let mut rest = [0; 64];
        while matches!(self.stream.read(&mut rest).await, Ok(1..)) {}
    }
}

/// The head and the body of a request.
type Seen = (String, Vec<u8>);

/// A model server.
pub struct Fake {
    pub address: SocketAddr,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Fake {
    /// Answers each connection's one request.
    pub async fn start<F, Fut>(answer: F) -> Fake
    where
        F: Fn(Exchange) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = ()> + Send + 'static,
    {
        Fake::start_boxed(Arc::new(move |exchange| answer(exchange).boxed())).await
    }

    /// [`Fake::start`], compiled once for all tests.
    async fn start_boxed(
        answer: Arc<dyn Fn(Exchange) -> BoxFuture<'static, ()> + Send + Sync>,
    ) -> Fake {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let seen: Arc<Mutex<Vec<_>>> = Arc::default();
        let log = Arc::clone(&seen);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                stream.set_nodelay(true).unwrap();
                let (answer, log) = (Arc::clone(&answer), Arc::clone(&log));
                tokio::spawn(async move {
                    if let Some(exchange) = Exchange::read(stream).await {
                        let entry = (exchange.head.clone(), exchange.body.clone());
                        log.lock().unwrap().push(entry);
                        answer(exchange).await;
                    }
                });
            }
        });
        Fake { address, seen }
    }

    /// Answers every request with this JSON.
    pub async fn always(status: &'static str, body: impl Into<String>) -> Fake {
        let body = body.into();
        Fake::start(move |mut exchange| {
            let body = body.clone();
            async move {
                let media_type = "application/json";
                exchange.answer(status, media_type, "", &body).await;
            }
        })
        .await
    }

    /// The requests so far: heads and bodies.
    pub fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    /// A service with the model `acme.chat` on this server.
    pub async fn behind(&self) -> Server {
        self.behind_with(Duration::from_secs(20)).await
    }

    pub async fn behind_with(&self, timeout: Duration) -> Server {
        let key = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(key.path(), "upstream-key\n").unwrap();
        let model = |name: &str, family: &str, region: Option<&str>| {
            model(json!({
                "name": name,
                "family": family,
                "url": format!("http://{}/v1", self.address),
                "owned_by": "acme inc",
                "key_file": key.path(),
                "region": region,
                "timeout_seconds": timeout.as_secs(),
            }))
        };
        let models = vec![
            model("acme.chat", "acme", None),
            model("acme.meta", "meta", None),
            model("acme.elsewhere", "acme", Some("elsewhere")),
        ];
        serving(models).await
    }
}

/// A model as the configuration has it.
pub fn model(members: Value) -> ModelConfig {
    serde_json::from_value(members).unwrap()
}

/// A service with these models.
pub async fn serving(models: Vec<ModelConfig>) -> Server {
    Server::start_with(Database::Sqlite, |layer| {
        layer.inference.models = Some(models);
    })
    .await
}

/// What `models check` says of the model servers at these addresses: whether all is
/// well, what it found of each, and what it complains about.
pub async fn models_check(urls: &[String]) -> (bool, Value, String) {
    let directory = tempfile::tempdir().unwrap();
    let tables = urls.iter().enumerate().map(|(index, url)| {
        format!("[[inference.models]]\nname = \"m{index}\"\nfamily = \"acme\"\nurl = {url:?}\n")
    });
    let config = directory.path().join("accord.toml");
    std::fs::write(&config, tables.collect::<String>()).unwrap();
    let output = tokio::process::Command::new(env!("CARGO_BIN_EXE_accord-server"))
        .args(["models", "check", "--json", "--config"])
        .arg(config)
        .arg("--data-dir")
        .arg(directory.path())
        .output()
        .await
        .unwrap();
    let found = serde_json::from_slice(&output.stdout).unwrap();
    let complaint = String::from_utf8(output.stderr).unwrap();
    (output.status.success(), found, complaint)
}
