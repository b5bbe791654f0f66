//! Requests over connections that are kept, each answer checked.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use http::{HeaderMap, Method, StatusCode, header};
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpStream;
use tokio::task::LocalSet;

/// A request of a caller.
#[derive(Debug, Clone)]
pub struct Request {
    /// The method.
    pub method: Method,
    /// The path, with its query.
    pub path: String,
    /// The value of `Content-Type`.
    pub content_type: Option<&'static str>,
    /// The value of `Authorization`.
    pub authorization: Option<String>,
    /// The value of `Idempotency-Key`.
    pub idempotency_key: Option<String>,
    /// The body.
    pub body: Bytes,
}

impl Request {
    /// A request without a body. `path` includes the query.
    pub fn new(method: Method, path: impl Into<String>) -> Request {
        Request {
            method,
            path: path.into(),
            content_type: None,
            authorization: None,
            idempotency_key: None,
            body: Bytes::new(),
        }
    }

    /// A GET request.
    pub fn get(path: impl Into<String>) -> Request {
        Request::new(Method::GET, path)
    }

    /// A POST request of a form.
    pub fn form(path: impl Into<String>, form: impl Into<Bytes>) -> Request {
        Request {
            content_type: Some("application/x-www-form-urlencoded"),
            body: form.into(),
            ..Request::new(Method::POST, path)
        }
    }

    /// The same with a body.
    pub fn json(self, body: &Value) -> Request {
        Request {
            content_type: Some("application/json"),
            body: body.to_string().into(),
            ..self
        }
    }

    /// The same with credentials, as in `Bearer TOKEN`.
    pub fn authorization(self, credentials: &str) -> Request {
        Request {
            authorization: Some(credentials.to_owned()),
            ..self
        }
    }

    /// The same with an `Idempotency-Key`.
    pub fn idempotency_key(self, key: String) -> Request {
        Request {
            idempotency_key: Some(key),
            ..self
        }
    }
}

/// What was answered.
pub struct Answer {
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The whole body.
    pub body: Bytes,
}

/// What came of a run.
#[derive(Debug, Clone, Copy)]
pub struct Figures {
    /// Answers a second.
    pub rate: f64,
    /// The median of the times to the whole answer, in milliseconds.
    pub p50: f64,
    /// 99 of 100 were at least as fast, in milliseconds.
    pub p99: f64,
}

impl Figures {
    fn new(mut times: Vec<u32>, elapsed: Duration) -> Figures {
        assert!(!times.is_empty(), "nothing was answered");
        times.sort_unstable();
        let at = |share: usize| f64::from(times[(times.len() - 1) * share / 100]) / 1000.0;
        Figures {
            rate: times.len() as f64 / elapsed.as_secs_f64(),
            p50: at(50),
            p99: at(99),
        }
    }
}

/// The median of each figure over several runs.
pub fn median(runs: &[Figures]) -> Figures {
    let of = |figure: fn(&Figures) -> f64| {
        let mut values: Vec<f64> = runs.iter().map(figure).collect();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    Figures {
        rate: of(|run| run.rate),
        p50: of(|run| run.p50),
        p99: of(|run| run.p99),
    }
}

/// Sends what `next` gives until it gives nothing or the time is over, and hands
/// every answer to `check`.
///
/// # Panics
///
/// When a connection breaks; `check` panics at an answer that is wrong, so that
/// nobody is fast by refusing.
pub async fn closed_loop(
    address: &str,
    connections: usize,
    limit: Duration,
    next: impl FnMut() -> Option<Request> + 'static,
    check: impl FnMut(Answer) + 'static,
) -> Figures {
    let next = Rc::new(RefCell::new(next));
    let check = Rc::new(RefCell::new(check));
    let times = Rc::new(RefCell::new(Vec::new()));
    let tasks = LocalSet::new();
    let began = Instant::now();
    let mut running = Vec::new();
    for _ in 0..connections {
        let (next, check, times) = (next.clone(), check.clone(), times.clone());
        let address = address.to_owned();
        running.push(tasks.spawn_local(async move {
            let stream = TcpStream::connect(&address).await.expect("a connection");
            stream.set_nodelay(true).expect("TCP_NODELAY");
            let (mut sender, connection) = http1::handshake(TokioIo::new(stream))
                .await
                .expect("a connection");
            tokio::task::spawn_local(connection);
            while began.elapsed() < limit {
                let Some(request) = (next.borrow_mut())() else {
                    break;
                };
                let request = written(request, &address);
                let sent = Instant::now();
                let response = sender.send_request(request).await.expect("an answer");
                let (head, body) = response.into_parts();
                let body = body.collect().await.expect("a body");
                let time = u32::try_from(sent.elapsed().as_micros()).unwrap_or(u32::MAX);
                times.borrow_mut().push(time);
                (check.borrow_mut())(Answer {
                    status: head.status,
                    headers: head.headers,
                    body: body.to_bytes(),
                });
            }
        }));
    }
    let ended = tasks.run_until(futures::future::join_all(running)).await;
    for one in ended {
        one.expect("every answer is right");
    }
    Figures::new(times.take(), began.elapsed())
}

fn written(request: Request, host: &str) -> http::Request<Full<Bytes>> {
    let mut builder = http::Request::builder()
        .method(request.method)
        .uri(request.path)
        .header(header::HOST, host);
    if let Some(content_type) = request.content_type {
        builder = builder.header(header::CONTENT_TYPE, content_type);
    }
    if let Some(key) = request.idempotency_key {
        builder = builder.header("idempotency-key", key);
    }
    if let Some(authorization) = request.authorization {
        builder = builder.header(header::AUTHORIZATION, authorization);
    }
    builder
        .body(Full::new(request.body))
        .expect("a well-formed request")
}
