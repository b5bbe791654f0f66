//! Connections to model servers (HTTP/1.1), kept from one call to the next.
//!
//! A connection is driven by the call that uses it, in the call's own task: between
//! what a model server sends and what its caller gets, no other task has to be woken,
//! and [`Link`] sees to it that the call's own is woken no more often than it must be.
//! So nobody looks after a connection while it is kept; whether it still stands shows
//! when it is taken, or tidied up.

pub mod arriving;
mod idle;
mod link;

use std::future::poll_fn;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use http::{HeaderValue, Request, Response, Uri, header};
use http_body_util::Full;
use hyper::client::conn::http1;
use hyper_rustls::HttpsConnector;
use hyper_util::client::legacy::connect::HttpConnector;
use tokio::time::timeout_at;
use tower_service::Service as _;

use arriving::Arriving;
use idle::IdlePool;
use link::{Link, Origin, Unanswered};

type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// Why a call got no answer.
#[derive(Debug, thiserror::Error)]
pub enum CallError {
    /// The address is not one of a server. It is not repeated: it can hold a password.
    #[error("the address is not one of a server")]
    Address,
    /// There is no connection.
    #[error("no connection can be made")]
    Connect(#[source] BoxError),
    /// There is no answer on the connection.
    #[error("the connection broke")]
    Broke(#[source] hyper::Error),
    /// The answer did not begin in time.
    #[error("no response in time")]
    Late,
}

/// Connections to all model servers.
#[derive(Clone)]
pub struct Connections {
    connector: HttpsConnector<HttpConnector>,
    idle_pool: Arc<IdlePool>,
}

impl Connections {
    /// Connections that are made so.
    pub fn new(connector: HttpsConnector<HttpConnector>) -> Self {
        Connections {
            connector,
            idle_pool: Arc::new(IdlePool::new()),
        }
    }

    /// Sends a request to a server: on a connection that is kept, else on a new one.
    /// `Host` and the request's target are filled in. The connection is closed when
    /// what is returned is dropped before its end, or nothing of it arrives for `idle`.
    ///
    /// # Errors
    ///
    /// That there is no connection, that it broke before the answer began, or that the
    /// answer did not begin within `time`.
    pub async fn call(
        &self,
        uri: &Uri,
        mut request: Request<Full<Bytes>>,
        time: Duration,
        idle: Duration,
    ) -> Result<Response<Arriving>, CallError> {
        let deadline = tokio::time::Instant::now() + time;
        *request.uri_mut() = origin_form(uri);
        let host = HeaderValue::from_str(host(uri)?);
        let host = host.map_err(|_| CallError::Address)?;
        request.headers_mut().insert(header::HOST, host);
        loop {
            let (mut link, is_new) = match self.idle_pool.take(uri) {
                Some(link) => (link, false),
                None => {
                    // On the heap: it is rare, and larger than all else of a call.
                    let connected = Box::pin(timeout_at(deadline, self.connect(uri)));
                    let connected = connected.await;
                    (connected.map_err(|_| CallError::Late)??, true)
                }
            };
            match link.exchange(request, deadline).await {
                Ok(response) => {
                    let idle_pool = Arc::clone(&self.idle_pool);
                    return Ok(response.map(|body| Arriving::new(body, link, idle, idle_pool)));
                }
                Err(Unanswered::Late) => return Err(CallError::Late),
                Err(Unanswered::Broke(mut failed)) => match failed.take_message() {
                    // It ended before anything was sent.
                    Some(unsent) if !is_new => request = unsent,
                    _ => return Err(CallError::Broke(failed.into_error())),
                },
            }
        }
    }

    /// Closes connections that were kept too long, or that have ended.
    pub fn tidy(&self) {
        self.idle_pool.tidy(Instant::now());
    }

    async fn connect(&self, uri: &Uri) -> Result<Box<Link>, CallError> {
        let origin = Origin::of(uri).ok_or(CallError::Address)?;
        let mut connector = self.connector.clone();
        let stream = async {
            poll_fn(|cx| connector.poll_ready(cx)).await?;
            connector.call(uri.clone()).await
        };
        let stream = stream.await.map_err(CallError::Connect)?;
        let opened = http1::handshake(stream).await;
        let (sender, connection) = opened.map_err(CallError::Broke)?;
        Ok(Box::new(Link::new(origin, sender, connection)))
    }
}

impl std::fmt::Debug for Connections {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Connections").finish_non_exhaustive()
    }
}

/// The value of `Host`: without user and password.
fn host(uri: &Uri) -> Result<&str, CallError> {
    let authority = uri.authority().ok_or(CallError::Address)?.as_str();
    Ok(authority.rsplit('@').next().unwrap_or(authority))
}

/// What a server is asked for (RFC 9112, section 3.2.1).
fn origin_form(uri: &Uri) -> Uri {
    match uri.path_and_query() {
        Some(path) => Uri::from(path.clone()),
        None => Uri::from_static("/"),
    }
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use http_body_util::BodyExt;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::{TcpListener, TcpStream};
    use tokio::sync::mpsc;

    use super::*;
    use arriving::BodyError;

    const WHOLE: &[&str] = &["HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nwhole"];

    /// Within which answers begin.
    const TIME: Duration = Duration::from_millis(500);
    /// The longest silence within answers.
    const SILENCE: Duration = Duration::from_millis(300);

    /// A server that answers each request with these pieces, some time apart, and closes
    /// the connection after so many requests.
    struct Server {
        address: SocketAddr,
        accepted: Arc<AtomicUsize>,
        /// One for each connection that its client has closed.
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
            self.try_call(connections).await.expect("an answer")
        }

        async fn try_call(
            &self,
            connections: &Connections,
        ) -> Result<Response<Arriving>, CallError> {
            let uri: Uri = format!("http://{}/path?query", self.address)
                .parse()
                .expect("an address");
            let request = Request::post("/").body(Full::from("hello"));
            let request = request.expect("a request");
            connections.call(&uri, request, TIME, SILENCE).await
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
        let connector = hyper_rustls::HttpsConnectorBuilder::new()
            .with_tls_config(crate::kernel::tls::client(None).expect("authorities"))
            .https_or_http()
            .enable_http1()
            .build();
        Connections::new(connector)
    }

    fn is_empty(connections: &Connections) -> bool {
        connections.idle_pool.is_empty()
    }

    async fn text(response: Response<Arriving>) -> String {
        let body = response.into_body().collect().await.expect("a body");
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

    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn a_connection_that_another_thread_has_used_is_used_as_well() {
        let server = Arc::new(Server::start(WHOLE, usize::MAX).await);
        let connections = connections();
        for _ in 0..20 {
            let (server, connections) = (Arc::clone(&server), connections.clone());
            let call = async move { text(server.call(&connections).await).await };
            assert_eq!(tokio::spawn(call).await.expect("a text"), "whole");
        }
        assert_eq!(server.accepted(), 1);
    }

    #[tokio::test]
    async fn a_connection_that_the_server_has_closed_is_not_used() {
        let server = Server::start(WHOLE, 1).await;
        let connections = connections();
        for call in 1..4 {
            assert_eq!(text(server.call(&connections).await).await, "whole");
            assert_eq!(server.accepted(), call);
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    #[tokio::test]
    async fn a_connection_whose_server_says_so_is_not_kept() {
        let says = "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\nno";
        let server = Server::start(Box::leak(Box::new([says])), usize::MAX).await;
        let connections = connections();
        assert_eq!(text(server.call(&connections).await).await, "no");
        assert!(is_empty(&connections));
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
    async fn what_comes_in_pieces_is_waited_for() {
        let server = Server::start(PIECES, usize::MAX).await;
        let connections = connections();
        for _ in 0..3 {
            assert_eq!(text(server.call(&connections).await).await, "one two three");
        }
        assert_eq!(server.accepted(), 1);
    }

    #[tokio::test]
    async fn who_does_not_read_to_the_end_closes_the_connection() {
        let mut server = Server::start(PIECES, usize::MAX).await;
        let connections = connections();
        drop(server.call(&connections).await);
        assert_eq!(server.left.recv().await, Some(()));
        assert!(is_empty(&connections));
    }

    #[tokio::test]
    async fn what_breaks_off_is_an_error() {
        let server = Server::start(&PIECES[..3], 1).await;
        let answer = server.call(&connections()).await;
        assert!(answer.into_body().collect().await.is_err());
        let silent = Server::start(&[], 1).await;
        let outcome = silent.try_call(&connections()).await;
        assert!(matches!(outcome, Err(CallError::Broke(_))));
    }

    #[tokio::test]
    async fn an_answer_that_does_not_begin_is_not_waited_for() {
        let mut server = Server::start(&PIECES[..1], usize::MAX).await;
        let outcome = server.try_call(&connections()).await;
        assert!(matches!(outcome, Err(CallError::Late)));
        assert_eq!(server.left.recv().await, Some(()));
    }

    #[tokio::test]
    async fn a_server_that_falls_silent_within_its_answer_is_left() {
        let mut server = Server::start(&PIECES[..3], usize::MAX).await;
        let connections = connections();
        let mut body = server.call(&connections).await.into_body();
        let first = body.frame().await.expect("a frame").expect("the first");
        assert_eq!(first.into_data().ok(), Some(Bytes::from("one")));
        let begun = Instant::now();
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
        assert!(is_empty(&connections));
    }

    #[tokio::test]
    async fn a_slow_answer_is_whole_as_long_as_it_goes_on() {
        let slow: Vec<&str> = std::iter::once("HTTP/1.1 200 OK\r\ncontent-length: 60\r\n\r\n")
            .chain(std::iter::repeat_n("x", 60))
            .collect();
        let server = Server::start(Box::leak(slow.into_boxed_slice()), usize::MAX).await;
        let begun = Instant::now();
        let answer = text(server.call(&connections()).await).await;
        assert_eq!(answer, "x".repeat(60));
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
    async fn what_nobody_uses_is_closed() {
        let mut server = Server::start(WHOLE, usize::MAX).await;
        let connections = connections();
        text(server.call(&connections).await).await;
        connections.tidy();
        assert!(!is_empty(&connections));
        connections.idle_pool.tidy(Instant::now() + idle::IDLE);
        assert!(is_empty(&connections));
        assert_eq!(server.left.recv().await, Some(()));
    }

    #[test]
    fn user_and_password_are_not_sent_as_host() {
        let uri = Uri::from_static("http://user:password@models.example:8000/v1");
        assert_eq!(host(&uri).expect("a host"), "models.example:8000");
        assert!(Origin::of(&Uri::from_static("/v1")).is_none());
    }
}
