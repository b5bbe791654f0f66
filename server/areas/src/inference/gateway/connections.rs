//! A pool of connections to model servers (HTTP/1.1).
//!
//! A call whose response is dropped before its end closes its connection.

use std::time::Duration;

use bytes::Bytes;
use futures::stream::try_unfold;
use http::{Request, Response};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::Incoming;
use hyper_rustls::HttpsConnector;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::{Client, Error};
use hyper_util::rt::{TokioExecutor, TokioTimer};
use tokio::time::timeout;

/// The time after which an idle connection is closed.
const IDLE: Duration = Duration::from_secs(60);

/// Why a call got no response.
#[derive(Debug, thiserror::Error)]
pub enum CallError {
    /// There is no connection, or no response on it.
    #[error(transparent)]
    Failed(#[from] Error),
    /// The response did not begin in time.
    #[error("no response in time")]
    Late,
}

/// Why a response's body ended early.
#[derive(Debug, thiserror::Error)]
pub enum BodyError {
    /// The connection failed.
    #[error(transparent)]
    Broke(#[from] hyper::Error),
    /// Nothing arrived for too long.
    #[error("the server was silent for too long")]
    Idle,
}

/// The body of a response, as it arrives.
pub type Arriving = UnsyncBoxBody<Bytes, BodyError>;

/// The connections to all model servers.
#[derive(Debug, Clone)]
pub struct Connections(Client<HttpsConnector<HttpConnector>, Full<Bytes>>);

impl Connections {
    /// Creates a pool that opens connections with `connector`.
    pub fn new(connector: HttpsConnector<HttpConnector>) -> Self {
        Self::with_idle_timeout(IDLE, connector)
    }

    fn with_idle_timeout(time: Duration, connector: HttpsConnector<HttpConnector>) -> Self {
        let mut client = Client::builder(TokioExecutor::new());
        client.pool_idle_timeout(time).pool_timer(TokioTimer::new());
        Connections(client.build(connector))
    }

    /// Sends a request to a server, on an idle connection or a new one. The connection is closed if
    /// the response is dropped before its end, or if nothing of it arrives for `idle`.
    ///
    /// A request is sent again only if an idle connection ended before any of it was sent.
    ///
    /// # Errors
    ///
    /// That there is no connection, that it failed before the response began, or that the response
    /// did not begin within `time`.
    pub async fn call(
        &self,
        request: Request<Full<Bytes>>,
        time: Duration,
        idle: Duration,
    ) -> Result<Response<Arriving>, CallError> {
        let response = timeout(time, self.0.request(request)).await;
        let response = response.map_err(|_| CallError::Late)??;
        Ok(response.map(|body| arriving(body, idle)))
    }
}

/// A body that fails if nothing of it arrives for `idle`.
fn arriving(body: Incoming, idle: Duration) -> Arriving {
    let frames = try_unfold(body, move |mut body| async move {
        let frame = timeout(idle, body.frame()).await;
        let frame = frame.map_err(|_| BodyError::Idle)?.transpose()?;
        Ok::<_, BodyError>(frame.map(|frame| (frame, body)))
    });
    StreamBody::new(frames).boxed_unsync()
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Instant;

    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::{TcpListener, TcpStream};
    use tokio::sync::mpsc;

    use super::*;

    const WHOLE: &[&str] = &["HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nwhole"];

    /// The timeout for the beginning of a response.
    const TIME: Duration = Duration::from_secs(8);
    /// The timeout for silence within a response.
    const SILENCE: Duration = Duration::from_secs(4);

    /// A server that responds to each request with these pieces, with pauses between them, and
    /// closes the connection after this many requests.
    struct Server {
        address: SocketAddr,
        accepted: Arc<AtomicUsize>,
        /// Receives a message for each connection that its client has closed.
        left: mpsc::UnboundedReceiver<()>,
    }

    impl Server {
        async fn start(pieces: &'static [&'static str], requests: usize) -> Server {
            let listener = TcpListener::bind("127.0.0.1:0").await.expect("a socket");
            let address = listener.local_addr().expect("an address");
            let accepted = Arc::new(AtomicUsize::new(0));
            let (leave, left) = mpsc::unbounded_channel();
            let count = Arc::clone(&accepted);
            tokio::spawn(async move {
                while let Ok((stream, _)) = listener.accept().await {
                    count.fetch_add(1, Ordering::SeqCst);
                    tokio::spawn(serve(stream, pieces, requests, leave.clone()));
                }
            });
            Server {
                address,
                accepted,
                left,
            }
        }

        async fn call(&self, connections: &Connections) -> Response<Arriving> {
            self.try_call(connections).await.expect("a response")
        }

        async fn try_call(
            &self,
            connections: &Connections,
        ) -> Result<Response<Arriving>, CallError> {
            let uri = format!("http://user:password@{}/path?query", self.address);
            let request = Request::post(uri).body(Full::from("hello"));
            let request = request.expect("a request");
            connections.call(request, TIME, SILENCE).await
        }

        fn accepted(&self) -> usize {
            self.accepted.load(Ordering::SeqCst)
        }
    }

    async fn serve(
        mut stream: TcpStream,
        pieces: &'static [&'static str],
        requests: usize,
        leave: mpsc::UnboundedSender<()>,
    ) {
        let mut bytes = Vec::new();
        for _ in 0..requests {
            while !bytes.ends_with(b"hello") {
                if !matches!(stream.read_buf(&mut bytes).await, Ok(1..)) {
                    let _ = leave.send(());
                    return;
                }
            }
            // Without user and password.
            assert!(bytes.starts_with(b"POST /path?query HTTP/1.1\r\nhost: 127.0.0.1:"));
            bytes.clear();
            for piece in pieces {
                if stream.write_all(piece.as_bytes()).await.is_err() {
                    let _ = leave.send(());
                    return;
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        }
    }

    fn connections() -> Connections {
        Connections::new(connector())
    }

    fn connector() -> HttpsConnector<HttpConnector> {
        hyper_rustls::HttpsConnectorBuilder::new()
            .with_tls_config(crate::kernel::tls::client(None).expect("authorities"))
            .https_or_http()
            .enable_http1()
            .build()
    }

    /// The body, after its connection was returned to the pool or closed.
    async fn text(response: Response<Arriving>) -> String {
        let body = response.into_body().collect().await.expect("a body");
        tokio::time::sleep(Duration::from_millis(50)).await;
        String::from_utf8(body.to_bytes().to_vec()).expect("text")
    }

    #[tokio::test]
    async fn a_connection_is_kept_for_the_next_call() {
        let server = Server::start(WHOLE, usize::MAX).await;
        let connections = connections();
        for _ in 0..3 {
            assert_eq!(text(server.call(&connections).await).await, "whole");
        }
        assert_eq!(server.accepted(), 1);
        let both = tokio::join!(server.call(&connections), server.call(&connections));
        assert_eq!((text(both.0).await, server.accepted()), ("whole".into(), 2));
    }

    #[tokio::test]
    async fn a_connection_that_the_server_has_closed_is_not_used() {
        let server = Server::start(WHOLE, 1).await;
        let connections = connections();
        for call in 1..4 {
            assert_eq!(text(server.call(&connections).await).await, "whole");
            assert_eq!(server.accepted(), call);
        }
    }

    #[tokio::test]
    async fn a_connection_that_the_server_will_close_is_not_reused() {
        let says = "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\nno";
        let server = Server::start(Box::leak(Box::new([says])), usize::MAX).await;
        let connections = connections();
        for call in 1..3 {
            assert_eq!(text(server.call(&connections).await).await, "no");
            assert_eq!(server.accepted(), call);
        }
    }

    const PIECES: &[&str] = &[
        "HTTP/1.1 200 OK\r\ntransfer-",
        "encoding: chunked\r\n\r\n",
        "3\r\none\r\n4\r\n tw",
        "o\r\n",
        "6\r\n three\r\n0\r\n",
        "\r\n",
    ];

    #[tokio::test]
    async fn a_response_in_pieces_is_read_to_its_end() {
        let server = Server::start(PIECES, usize::MAX).await;
        let connections = connections();
        for _ in 0..3 {
            assert_eq!(text(server.call(&connections).await).await, "one two three");
        }
        assert_eq!(server.accepted(), 1);
    }

    #[tokio::test]
    async fn a_response_that_is_dropped_early_closes_its_connection() {
        let mut server = Server::start(PIECES, usize::MAX).await;
        drop(server.call(&connections()).await);
        assert_eq!(server.left.recv().await, Some(()));
    }

    #[tokio::test]
    async fn an_interrupted_response_is_an_error() {
        let server = Server::start(&PIECES[..3], 1).await;
        let response = server.call(&connections()).await;
        assert!(response.into_body().collect().await.is_err());
        let silent = Server::start(&[], 1).await;
        let outcome = silent.try_call(&connections()).await;
        assert!(matches!(outcome, Err(CallError::Failed(_))));
    }

    #[tokio::test]
    async fn a_response_that_does_not_begin_in_time_is_abandoned() {
        let mut server = Server::start(&PIECES[..1], usize::MAX).await;
        let outcome = server.try_call(&connections()).await;
        assert!(matches!(outcome, Err(CallError::Late)));
        assert_eq!(server.left.recv().await, Some(()));
    }

    #[tokio::test]
    async fn a_server_that_falls_silent_within_its_response_is_disconnected() {
        let mut server = Server::start(&PIECES[..3], usize::MAX).await;
        let mut body = server.call(&connections()).await.into_body();
        let begun = Instant::now();
        let first = body.frame().await.expect("a frame").expect("the first");
        assert_eq!(first.into_data().ok(), Some(Bytes::from("one")));
        loop {
            match body.frame().await.expect("an end") {
                Ok(_) => {}
                Err(error) => {
                    assert!(matches!(error, BodyError::Idle), "{error}");
                    break;
                }
            }
        }
        assert!(begun.elapsed() >= SILENCE);
        assert!(body.frame().await.is_none());
        assert_eq!(server.left.recv().await, Some(()));
    }

    #[tokio::test]
    async fn a_slow_response_is_complete_while_pieces_arrive() {
        let slow: Vec<&str> = std::iter::once("HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n")
            .chain(std::iter::repeat_n("x", 500))
            .collect();
        let server = Server::start(Box::leak(slow.into_boxed_slice()), usize::MAX).await;
        let begun = Instant::now();
        let response = text(server.call(&connections()).await).await;
        assert_eq!(response, "x".repeat(500));
        assert!(begun.elapsed() > SILENCE);
    }

    #[tokio::test]
    async fn each_call_has_the_whole_time() {
        let server = Server::start(WHOLE, usize::MAX).await;
        let connections = connections();
        let began = Instant::now();
        while began.elapsed() < TIME * 3 / 2 {
            text(server.call(&connections).await).await;
            tokio::time::sleep(TIME / 4).await;
        }
        assert_eq!(server.accepted(), 1);
    }

    #[tokio::test]
    async fn an_idle_connection_is_closed() {
        let mut server = Server::start(WHOLE, usize::MAX).await;
        let connections = Connections::with_idle_timeout(SILENCE, connector());
        text(server.call(&connections).await).await;
        text(server.call(&connections).await).await;
        assert_eq!(server.accepted(), 1);
        assert_eq!(server.left.recv().await, Some(()));
    }
}
