//! Connections to model servers (HTTP/1.1), kept from one call to the next.
//!
//! A connection is driven by the call that uses it, in the call's own task: between
//! what a model server sends and what its caller gets, no other task has to be woken,
//! and [`Gate`] sees to it that the call's own is woken no more often than it must be.
//! So nobody looks after a connection while it is kept; whether it still stands shows
//! when it is taken, or tidied up.

use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures::task::AtomicWaker;
use http::uri::{Authority, Scheme};
use http::{HeaderValue, Request, Response, Uri, header};
use http_body::{Body, Frame};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::client::conn::{TrySendError, http1};
use hyper_rustls::{HttpsConnector, MaybeHttpsStream};
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::time::{Sleep, timeout_at};
use tower_service::Service as _;

/// How long a connection is kept for the next call.
const IDLE: Duration = Duration::from_secs(60);
/// How often a connection may go on before other tasks have their turn.
const TURNS: usize = 8;

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
    #[error("there is no answer in time")]
    Late,
}

/// Connections to all model servers.
#[derive(Clone)]
pub struct Connections {
    connector: HttpsConnector<HttpConnector>,
    kept: Arc<Kept>,
}

/// Whom a connection leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Origin {
    scheme: Scheme,
    authority: Authority,
}

/// Connections that no call uses, by the thread that used them last: what is kept of
/// them is at hand there, and threads seldom wait for each other.
struct Kept(Box<[Shelf]>);

/// Connections that no call uses, the one used last at the end. There are few origins:
/// comparing with each takes less time than hashing one.
#[derive(Default)]
struct Shelf(Mutex<Vec<(Origin, Links)>>);

type Links = Vec<(Instant, Box<Link>)>;

/// A connection.
struct Link {
    origin: Origin,
    sender: http1::SendRequest<Full<Bytes>>,
    /// Nothing once it has ended.
    connection: Option<http1::Connection<MaybeHttpsStream<TokioIo<TcpStream>>, Full<Bytes>>>,
    gate: Arc<Gate>,
    /// The gate, as the connection knows it.
    waker: Waker,
    /// Until when an answer may begin; set anew for each call, as making one and taking
    /// it down takes longer.
    deadline: Pin<Box<Sleep>>,
}

/// An exchange that brought no answer.
enum Unanswered {
    /// What hyper says, and the request if nothing of it was sent.
    Broke(Box<TrySendError<Request<Full<Bytes>>>>),
    /// It took too long.
    Late,
}

/// Between a connection and the task that drives it.
///
/// A connection wakes its task also for what that task itself does: it takes a piece of
/// the body, and there is room for another. Such a wake-up is only noted, and followed
/// before the task goes to sleep.
struct Gate {
    task: AtomicWaker,
    /// Whether the connection was woken since it was driven.
    woken: AtomicBool,
    /// Whether the task is just looking.
    looking: AtomicBool,
}

impl Wake for Gate {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        // In one order for all: either the task is seen to look no more, or it sees
        // this before it sleeps.
        self.woken.store(true, Ordering::SeqCst);
        if !self.looking.load(Ordering::SeqCst) {
            self.task.wake();
        }
    }
}

impl Connections {
    /// Connections that are made so.
    pub fn new(connector: HttpsConnector<HttpConnector>) -> Self {
        Connections {
            connector,
            kept: Arc::new(Kept::new()),
        }
    }

    /// Sends a request to a server: on a connection that is kept, else on a new one.
    /// `Host` and the request's target are filled in. The connection is closed when
    /// what is returned is dropped before its end.
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
    ) -> Result<Response<Arriving>, CallError> {
        let deadline = tokio::time::Instant::now() + time;
        *request.uri_mut() = origin_form(uri);
        let host = HeaderValue::from_str(host(uri)?);
        let host = host.map_err(|_| CallError::Address)?;
        request.headers_mut().insert(header::HOST, host);
        loop {
            let (mut link, is_new) = match self.kept.take(uri) {
                Some(link) => (link, false),
                None => {
                    let connected = timeout_at(deadline, self.connect(uri)).await;
                    (connected.map_err(|_| CallError::Late)??, true)
                }
            };
            match link.exchange(request, deadline).await {
                Ok(response) => {
                    let kept = Arc::clone(&self.kept);
                    return Ok(response.map(|body| Arriving {
                        body,
                        link: Some(link),
                        kept,
                    }));
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
        self.kept.tidy(Instant::now());
    }

    async fn connect(&self, uri: &Uri) -> Result<Box<Link>, CallError> {
        let origin = Origin::of(uri)?;
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

impl Origin {
    fn of(uri: &Uri) -> Result<Self, CallError> {
        match (uri.scheme(), uri.authority()) {
            (Some(scheme), Some(authority)) => Ok(Origin {
                scheme: scheme.clone(),
                authority: authority.clone(),
            }),
            _ => Err(CallError::Address),
        }
    }

    fn is_of(&self, uri: &Uri) -> bool {
        uri.authority() == Some(&self.authority) && uri.scheme() == Some(&self.scheme)
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

impl Kept {
    fn new() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Kept((0..threads).map(|_| Shelf::default()).collect())
    }

    /// The place of this thread's shelf.
    fn place(&self) -> usize {
        static THREADS: AtomicUsize = AtomicUsize::new(0);
        thread_local! {
            static THREAD: usize = THREADS.fetch_add(1, Ordering::Relaxed);
        }
        THREAD.with(|thread| thread % self.0.len())
    }

    fn take(&self, uri: &Uri) -> Option<Box<Link>> {
        let now = Instant::now();
        let (before, from_here) = self.0.split_at(self.place());
        let mut shelves = from_here.iter().chain(before);
        shelves.find_map(|shelf| shelf.take(uri, now))
    }

    fn put(&self, link: Box<Link>) {
        self.0[self.place()].put(link);
    }

    fn tidy(&self, now: Instant) {
        self.0.iter().for_each(|shelf| shelf.tidy(now));
    }
}

impl Shelf {
    fn take(&self, uri: &Uri, now: Instant) -> Option<Box<Link>> {
        loop {
            let (since, mut link) = links(&mut self.lock(), uri)?.pop()?;
            if now.saturating_duration_since(since) < IDLE && link.stands() {
                return Some(link);
            }
        }
    }

    fn put(&self, mut link: Box<Link>) {
        link.forget_task();
        let now = Instant::now();
        let mut kept = self.lock();
        let links = kept.iter_mut().find(|(origin, _)| *origin == link.origin);
        match links {
            Some((_, links)) => links.push((now, link)),
            None => kept.push((link.origin.clone(), vec![(now, link)])),
        }
    }

    fn tidy(&self, now: Instant) {
        self.lock().retain_mut(|(_, links)| {
            links.retain_mut(|(since, link)| {
                now.saturating_duration_since(*since) < IDLE && link.stands()
            });
            !links.is_empty()
        });
    }

    /// No panic happens while the lock is held, but nothing would be broken.
    fn lock(&self) -> MutexGuard<'_, Vec<(Origin, Links)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn links<'a>(kept: &'a mut [(Origin, Links)], uri: &Uri) -> Option<&'a mut Links> {
    let found = kept.iter_mut().find(|(origin, _)| origin.is_of(uri));
    found.map(|(_, links)| links)
}

impl Link {
    fn new(
        origin: Origin,
        sender: http1::SendRequest<Full<Bytes>>,
        connection: http1::Connection<MaybeHttpsStream<TokioIo<TcpStream>>, Full<Bytes>>,
    ) -> Self {
        let gate = Arc::new(Gate {
            task: AtomicWaker::new(),
            // It has yet to be driven for the first time.
            woken: AtomicBool::new(true),
            looking: AtomicBool::new(false),
        });
        Link {
            origin,
            sender,
            connection: Some(connection),
            waker: Waker::from(Arc::clone(&gate)),
            gate,
            deadline: Box::pin(tokio::time::sleep(Duration::ZERO)),
        }
    }

    /// Sends a request and waits for the head of its answer, until then.
    async fn exchange(
        &mut self,
        request: Request<Full<Bytes>>,
        deadline: tokio::time::Instant,
    ) -> Result<Response<Incoming>, Unanswered> {
        // Only the connection brings the answer: it must not have to wait for its turn
        // once it is there.
        let answer = self.sender.try_send_request(request);
        let mut answer = pin!(tokio::task::unconstrained(answer));
        self.deadline.as_mut().reset(deadline);
        poll_fn(|cx| match self.look(cx, |cx| answer.as_mut().poll(cx)) {
            Poll::Ready(answer) => {
                let broke = |error| Unanswered::Broke(Box::new(error));
                Poll::Ready(answer.map_err(broke))
            }
            Poll::Pending => {
                let late = self.deadline.as_mut().poll(cx);
                late.map(|()| Err(Unanswered::Late))
            }
        })
        .await
    }

    /// Whoever it was used by is not told of it any more.
    fn forget_task(&mut self) {
        drop(self.gate.task.take());
        // The deadline knows one task, whoever asked last.
        let _ = self
            .deadline
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()));
    }

    /// Looks for what only the connection brings, and lets it go on while it is not
    /// there. `what` is asked without being able to wake anybody.
    fn look<T>(
        &mut self,
        cx: &mut Context<'_>,
        mut what: impl FnMut(&mut Context<'_>) -> Poll<T>,
    ) -> Poll<T> {
        let gate = Arc::clone(&self.gate);
        gate.task.register(cx.waker());
        gate.looking.store(true, Ordering::SeqCst);
        for _ in 0..TURNS {
            if let Poll::Ready(found) = what(&mut Context::from_waker(Waker::noop())) {
                gate.looking.store(false, Ordering::SeqCst);
                return Poll::Ready(found);
            }
            if !self.go_on() {
                gate.looking.store(false, Ordering::SeqCst);
                if !gate.woken.load(Ordering::SeqCst) {
                    return Poll::Pending;
                }
                gate.looking.store(true, Ordering::SeqCst);
            }
        }
        gate.looking.store(false, Ordering::SeqCst);
        cx.waker().wake_by_ref();
        Poll::Pending
    }

    /// Lets the connection send and receive what it can, if it was woken. Returns
    /// whether it was.
    fn go_on(&mut self) -> bool {
        let woken = self.gate.woken.swap(false, Ordering::SeqCst);
        if woken
            && let Some(connection) = &mut self.connection
            && Pin::new(connection)
                .poll(&mut Context::from_waker(&self.waker))
                .is_ready()
        {
            // Why it ended is what the request or the body is told.
            self.connection = None;
        }
        woken
    }

    /// Whether another request can be sent.
    fn stands(&mut self) -> bool {
        self.go_on();
        self.connection.is_some() && self.sender.is_ready()
    }
}

/// An answer's body, as it arrives. At its end the connection is kept.
pub struct Arriving {
    body: Incoming,
    /// Nothing once the body has ended.
    link: Option<Box<Link>>,
    kept: Arc<Kept>,
}

impl Body for Arriving {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let this = self.get_mut();
        let body = &mut this.body;
        let frame = match &mut this.link {
            Some(link) => link.look(cx, |cx| Pin::new(&mut *body).poll_frame(cx)),
            None => Poll::Ready(None),
        };
        if let Poll::Ready(None) = frame
            && let Some(mut link) = this.link.take()
            && link.stands()
        {
            this.kept.put(link);
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        // Its end has to be polled for the connection to be kept.
        self.link.is_none()
    }

    fn size_hint(&self) -> http_body::SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use http_body_util::BodyExt;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;
    use tokio::sync::mpsc;

    use super::*;

    const WHOLE: &[&str] = &["HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nwhole"];

    /// Within which answers begin.
    const TIME: Duration = Duration::from_millis(500);

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
            connections.call(&uri, request, TIME).await
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
        let mut shelves = connections.kept.0.iter();
        shelves.all(|shelf| shelf.lock().is_empty())
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
        connections.kept.tidy(Instant::now() + IDLE);
        assert!(is_empty(&connections));
        assert_eq!(server.left.recv().await, Some(()));
    }

    #[test]
    fn user_and_password_are_not_sent_as_host() {
        let uri = Uri::from_static("http://user:password@models.example:8000/v1");
        assert_eq!(host(&uri).expect("a host"), "models.example:8000");
        assert!(Origin::of(&Uri::from_static("/v1")).is_err());
    }
}
