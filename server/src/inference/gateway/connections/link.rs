//! One connection to a model server, driven by the call that uses it.

use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use bytes::Bytes;
use futures::task::AtomicWaker;
use http::uri::{Authority, Scheme};
use http::{Request, Response, Uri};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::client::conn::{TrySendError, http1};
use hyper_rustls::MaybeHttpsStream;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::time::Sleep;

/// How often a connection may go on before other tasks have their turn.
const TURNS: usize = 8;

/// Whom a connection leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Origin {
    scheme: Scheme,
    authority: Authority,
}

/// A connection.
pub(super) struct Link {
    /// Whom it leads to.
    pub(super) origin: Origin,
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
pub(super) enum Unanswered {
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

impl Origin {
    /// Nothing where an address has no server.
    pub(super) fn of(uri: &Uri) -> Option<Self> {
        Some(Origin {
            scheme: uri.scheme()?.clone(),
            authority: uri.authority()?.clone(),
        })
    }

    /// Whether a call to this address goes there.
    pub(super) fn is_of(&self, uri: &Uri) -> bool {
        uri.authority() == Some(&self.authority) && uri.scheme() == Some(&self.scheme)
    }
}

impl Link {
    pub(super) fn new(
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
    pub(super) async fn exchange(
        &mut self,
        request: Request<Full<Bytes>>,
        deadline: tokio::time::Instant,
    ) -> Result<Response<Incoming>, Unanswered> {
        // The connection brings the response, which must not have to wait for a turn once it has
        // arrived.
        let answer = self.sender.try_send_request(request);
        let mut answer = pin!(tokio::task::unconstrained(answer));
        self.set_deadline(deadline);
        poll_fn(|cx| match self.look(cx, |cx| answer.as_mut().poll(cx)) {
            Poll::Ready(answer) => {
                let broke = |error| Unanswered::Broke(Box::new(error));
                Poll::Ready(answer.map_err(broke))
            }
            Poll::Pending => self.is_late(cx).map(|()| Err(Unanswered::Late)),
        })
        .await
    }

    /// Sets until when something has to arrive.
    pub(super) fn set_deadline(&mut self, deadline: tokio::time::Instant) {
        self.deadline.as_mut().reset(deadline);
    }

    /// Ready once the deadline has passed.
    pub(super) fn is_late(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        self.deadline.as_mut().poll(cx)
    }

    /// The previous user of the connection gets no more wake-ups.
    pub(super) fn forget_task(&mut self) {
        drop(self.gate.task.take());
        // The deadline knows one task, whoever asked last.
        let _ = self
            .deadline
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()));
    }

    /// Looks for what only the connection brings, and lets it go on while it is not
    /// there. `what` is asked without being able to wake anybody.
    pub(super) fn look<T>(
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
            // The request or the body reports why the connection ended.
            self.connection = None;
        }
        woken
    }

    /// Whether another request can be sent.
    pub(super) fn stands(&mut self) -> bool {
        self.go_on();
        self.connection.is_some() && self.sender.is_ready()
    }
}
