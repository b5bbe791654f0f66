//! A thousand concurrent calls, while the login expires and the service fails every tenth request.

use crate::script::{JSON, quick, read_request, remembered, tokens};
use accord_client::{
    Accord, Login, LoginKey, LoginStore, Operation, Pending, StreamError, TokenFile, Transport,
    explain,
    inference::types::{ChatCompletionRequest, ChatMessage},
    reqwest::{self, Client, Request, Response},
};
use chrono::{TimeDelta, Utc};
use futures::StreamExt;
use secrecy::ExposeSecret;
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
    },
    time::Duration,
};
use tempfile::TempDir;
use tokio::{
    io::AsyncWriteExt,
    net::{TcpListener, TcpStream},
    sync::Semaphore,
    task::JoinSet,
};

/// The number of concurrent calls.
const CALLS: usize = 1_000;
const LIMITED: &str = "429 Too Many Requests\r\nretry-after: 0";
const BUSY: &str = "503 Service Unavailable\r\nretry-after: 0";
const REJECTED: &str = "401 Unauthorized\r\nwww-authenticate: Bearer error=\"invalid_token\"";
const STREAM: &str = "200 OK\r\ncontent-type: text/event-stream";
const CHUNK: &str = r#"data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"x"},"finish_reason":null}]}"#;

/// A service whose connections serve many requests.
#[derive(Default)]
struct Service {
    /// Whether every tenth request fails: with 429, 503 and a third failure, in turn. The third one of a list is a reset,
    /// and that of an event stream is its early end.
    fails: bool,
    /// How many requests the service rejects before it sends the new access token.
    rejects: usize,
    requests: AtomicUsize,
    failures: AtomicUsize,
    /// Event streams that ended early.
    cuts: AtomicUsize,
    /// Requests with the old access token when it was invalid.
    rejections: AtomicUsize,
    /// Requests of tokens, and those that exchanged the refresh token.
    refresh_attempts: AtomicUsize,
    refreshes: AtomicUsize,
    /// Whether the old access token is invalid.
    has_expired: AtomicBool,
}

enum Reply {
    Whole(&'static str, String),
    /// The first event of a stream that ends early.
    Cut,
    Reset,
}

impl Service {
    async fn reply(&self, request: &str) -> Reply {
        if request.contains("grant_type") {
            return self.refresh(request).await;
        }
        let streams = request.contains("bearer sk-1");
        if self.requests.fetch_add(1, SeqCst) % 10 == 9 && self.fails {
            return match self.failures.fetch_add(1, SeqCst) % 3 {
                0 => Reply::Whole(LIMITED, String::new()),
                1 => Reply::Whole(BUSY, String::new()),
                _ if streams => {
                    self.cuts.fetch_add(1, SeqCst);
                    Reply::Cut
                }
                _ => Reply::Reset,
            };
        }
        if streams {
            return Reply::Whole(STREAM, format!("{CHUNK}\n\ndata: [DONE]\n\n"));
        }
        let is_old = request.contains("bearer a-1");
        if is_old && self.has_expired.load(SeqCst) {
            self.rejections.fetch_add(1, SeqCst);
            return Reply::Whole(REJECTED, String::new());
        }
        assert!(is_old || request.contains("bearer a-2"), "{request}");
        Reply::Whole(JSON, "[]".to_owned())
    }

    async fn refresh(&self, request: &str) -> Reply {
        self.has_expired.store(true, SeqCst);
        if self.refresh_attempts.fetch_add(1, SeqCst) == 0 && self.fails {
            return Reply::Whole(LIMITED, String::new());
        }
        // Calls arrive in the meantime.
        tokio::time::sleep(Duration::from_millis(100)).await;
        while self.rejections.load(SeqCst) < self.rejects {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        assert!(request.contains("refresh_token=r-1"), "{request}");
        self.refreshes.fetch_add(1, SeqCst);
        let (head, body) = tokens("a-2", "r-2", 3600);
        Reply::Whole(head, body)
    }

    /// Serves the requests of a connection.
    async fn serve(&self, mut stream: TcpStream) {
        loop {
            let request = read_request(&mut stream).await;
            if request.is_empty() {
                return;
            }
            let response = match self.reply(&request).await {
                Reply::Whole(head, body) => {
                    let length = body.len();
                    format!("HTTP/1.1 {head}\r\ncontent-length: {length}\r\n\r\n{body}")
                }
                Reply::Cut => {
                    let length = CHUNK.len() + 2;
                    let chunk = format!("{length:x}\r\n{CHUNK}\n\n\r\n");
                    let head = format!("HTTP/1.1 {STREAM}\r\ntransfer-encoding: chunked");
                    let response = format!("{head}\r\n\r\n{chunk}");
                    let _ = stream.write_all(response.as_bytes()).await;
                    return;
                }
                Reply::Reset => {
                    stream.set_zero_linger().expect("an open connection");
                    return;
                }
            };
            if stream.write_all(response.as_bytes()).await.is_err() {
                return;
            }
        }
    }
}

/// Limits the open connections, for machines that allow few files. All calls run nevertheless.
#[derive(Debug)]
struct FewConnections(Semaphore);

impl Transport for FewConnections {
    fn send<'a>(
        &'a self,
        client: &'a Client,
        request: Request,
        _operation: &'static Operation,
    ) -> Pending<'a, reqwest::Result<Response>> {
        Box::pin(async move {
            let _permit = self.0.acquire().await.expect("it is never closed");
            client.execute(request).await
        })
    }
}

/// A service, and a client with a login that ends soon.
struct Storm {
    service: Arc<Service>,
    accord: Accord,
    file: TokenFile,
    _folder: TempDir,
}

impl Storm {
    /// With `rejects`, the client considers the old access token valid until the service has rejected so many requests.
    async fn start(fails: bool, rejects: usize) -> Storm {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let service = Arc::new(Service {
            fails,
            rejects,
            ..Service::default()
        });
        let serving = Arc::clone(&service);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let service = Arc::clone(&serving);
                tokio::spawn(async move { service.serve(stream).await });
            }
        });
        // It ends in less than a minute, so that it is refreshed.
        let expires_at = Utc::now() + TimeDelta::seconds(if rejects > 0 { 50 } else { -50 });
        let login = Login::new(
            address.clone(),
            "accord-cli",
            "accounts.read",
            "a-1",
            expires_at,
        )
        .issued_at(Utc::now() - TimeDelta::hours(1))
        .refresh_token("r-1");
        let (_folder, file) = remembered(&login);
        let accord = Accord::builder()
            .base_url(address)
            // No call meets every tenth request ten times in a row.
            .retry(quick().attempts(10))
            .transport(FewConnections(Semaphore::new(200)))
            .api_key("sk-1")
            .token_file(file.clone())
            .build();
        Storm {
            service,
            accord: accord.expect("a client"),
            file,
            _folder,
        }
    }

    /// Starts a thousand calls, most of them while the login is refreshed, and returns their outcomes.
    async fn calls<T, F>(&self, call: fn(Accord) -> F) -> Vec<T>
    where
        T: Send + 'static,
        F: Future<Output = T> + Send + 'static,
    {
        let mut calls = JoinSet::new();
        for number in 0..CALLS {
            let call = call(self.accord.clone());
            let wait =
                Duration::from_micros(150).saturating_mul(u32::try_from(number).unwrap_or(0));
            calls.spawn(async move {
                tokio::time::sleep(wait).await;
                call.await
            });
        }
        calls.join_all().await
    }

    /// Checks that there was one refresh, and that its login is in the store.
    async fn assert_one_refresh(&self) {
        self.accord.settle().await;
        assert_eq!(self.service.refreshes.load(SeqCst), 1);
        let known = self.accord.remembered_login().await;
        let known = known.expect("it can be read").expect("a login");
        let stored = self.file.load(&LoginKey::new(known.identity.clone()));
        let stored = stored.expect("it can be read").expect("a login");
        for login in [known, stored] {
            assert_eq!(login.access_token.expose_secret(), "a-2");
            let refresh_token = login.refresh_token.expect("a refresh token");
            assert_eq!(refresh_token.expose_secret(), "r-2");
        }
    }
}

async fn list(accord: Accord) -> Result<usize, String> {
    let listed = accord.accounts().list_organizations().call().await;
    let listed = listed.map_err(|error| explain(&error))?;
    Ok(listed.len())
}

/// Lists organizations, and reads an event stream. Returns the number of its events and its error.
async fn list_and_chat(accord: Accord) -> Result<(usize, Option<StreamError>), String> {
    list(accord.clone()).await?;
    let message = ChatMessage::new("user").content("Hi");
    let request = ChatCompletionRequest::new([message], "m");
    let call = accord.inference().create_chat_completion_stream();
    let events = call.body(request).call().await;
    let mut events = events.map_err(|error| explain(&error))?;
    let mut number = 0;
    while let Some(event) = events.next().await {
        match event {
            Ok(_) => number += 1,
            Err(error) => return Ok((number, Some(error))),
        }
    }
    Ok((number, None))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_thousand_calls_wait_for_one_refresh() {
    let storm = Storm::start(false, 0).await;
    for listed in storm.calls(list).await {
        assert_eq!(listed, Ok(0));
    }
    storm.assert_one_refresh().await;
    assert_eq!(storm.service.requests.load(SeqCst), CALLS);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_thousand_calls_share_the_refresh_of_a_rejected_token() {
    let storm = Storm::start(false, 100).await;
    for listed in storm.calls(list).await {
        assert_eq!(listed, Ok(0));
    }
    storm.assert_one_refresh().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_thousand_calls_succeed_though_every_tenth_request_fails() {
    let storm = Storm::start(true, 100).await;
    for listed in storm.calls(list).await {
        assert_eq!(listed, Ok(0));
    }
    storm.assert_one_refresh().await;
    assert!(storm.service.failures.load(SeqCst) >= CALLS / 10);
    assert_eq!(storm.service.refresh_attempts.load(SeqCst), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_thousand_streams_begin_and_those_that_are_cut_say_so() {
    let storm = Storm::start(true, 0).await;
    let mut cuts = 0;
    for outcome in storm.calls(list_and_chat).await {
        let (events, error) = outcome.expect("a stream");
        assert_eq!(events, 1);
        if let Some(error) = error {
            assert!(matches!(error, StreamError::Connection(_)), "{error:?}");
            cuts += 1;
        }
    }
    storm.assert_one_refresh().await;
    assert!(cuts > 0);
    assert_eq!(cuts, storm.service.cuts.load(SeqCst));
}
