//! A service with scripted responses: each connection takes one request and gets one
//! response.

use accord_client::{
    Accord, Login, LoginKey, LoginStore, RetryPolicy, TokenFile, accounts::ListOrganizationsError,
};
use chrono::{TimeDelta, Utc};
use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

/// A service with scripted responses that records its requests.
pub struct Script {
    pub address: String,
    requests: Arc<Mutex<Vec<String>>>,
}

/// Status line with headers, and body.
pub type Response = (&'static str, String);

impl Script {
    /// Starts a service that sends these responses in their order.
    pub async fn start(responses: Vec<Response>) -> Script {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let requests = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&requests);
        tokio::spawn(async move {
            let mut responses: VecDeque<_> = responses.into();
            while let Some(response) = responses.pop_front() {
                let Ok((mut stream, _)) = listener.accept().await else {
                    return;
                };
                let request = read_request(&mut stream).await;
                seen.lock().expect("no panic").push(request);
                write(&mut stream, response).await;
            }
        });
        Script { address, requests }
    }

    /// Starts a service for concurrent requests: `respond` returns the delay and the
    /// response of each.
    pub async fn serve(
        respond: impl Fn(&str) -> (Duration, Response) + Send + Sync + 'static,
    ) -> Script {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        Script::on(listener, move |_, request| Some(respond(request)))
    }

    /// Serves concurrent requests: `respond` gets the number of each, from 0 on. Without a
    /// response, the connection is closed.
    pub fn on(
        listener: TcpListener,
        respond: impl Fn(usize, &str) -> Option<(Duration, Response)> + Send + Sync + 'static,
    ) -> Script {
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let requests = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&requests);
        let respond = Arc::new(respond);
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let (seen, respond) = (Arc::clone(&seen), Arc::clone(&respond));
                tokio::spawn(async move {
                    let request = read_request(&mut stream).await;
                    let number = {
                        let mut seen = seen.lock().expect("no panic");
                        seen.push(request.clone());
                        seen.len() - 1
                    };
                    if let Some((wait, response)) = respond(number, &request) {
                        tokio::time::sleep(wait).await;
                        write(&mut stream, response).await;
                    }
                });
            }
        });
        Script { address, requests }
    }

    pub fn requests(&self) -> Vec<String> {
        self.requests.lock().expect("no panic").clone()
    }

    /// Waits until a request contains this text.
    pub async fn until_asked(&self, text: &str) {
        let began = Instant::now();
        while self.count(text) == 0 {
            let waited = began.elapsed();
            assert!(waited < Duration::from_secs(60), "no request with {text}");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// The number of requests that contain this text.
    pub fn count(&self, text: &str) -> usize {
        let requests = self.requests();
        requests
            .iter()
            .filter(|request| request.contains(text))
            .count()
    }
}

async fn write(stream: &mut TcpStream, (head, body): Response) {
    // A length in the head is that of an interrupted body.
    let length = match head.contains("content-length") {
        true => String::new(),
        false => format!("content-length: {}\r\n", body.len()),
    };
    let response = format!("HTTP/1.1 {head}\r\n{length}connection: close\r\n\r\n{body}");
    // A test may close the connection early.
    let _ = stream.write_all(response.as_bytes()).await;
}

/// Head in small letters, and body.
pub async fn read_request(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let mut piece = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let head = head.to_ascii_lowercase();
            let length = head
                .lines()
                .find_map(|line| line.strip_prefix("content-length: ")?.parse().ok())
                .unwrap_or(0);
            if body.len() >= length {
                return format!("{head}\n\n{body}");
            }
        }
        match stream.read(&mut piece).await {
            Ok(0) | Err(_) => return text,
            Ok(read) => bytes.extend_from_slice(&piece[..read]),
        }
    }
}

pub const JSON: &str = "200 OK\r\ncontent-type: application/json";

pub const EVENTS: &str = "200 OK\r\ncontent-type: text/event-stream";

pub fn organizations() -> Response {
    (
        JSON,
        r#"[{"id":3104,"name":"North Works Ltd","tradingName":"North Works"}]"#.to_owned(),
    )
}

pub fn quick() -> RetryPolicy {
    RetryPolicy::default().first_wait(Duration::from_millis(1))
}

pub fn client(script: &Script) -> accord_client::Builder {
    Accord::builder().base_url(&script.address).retry(quick())
}

/// A client whose login is in this file.
pub fn with_file(script: &Script, file: &TokenFile) -> Accord {
    let builder = client(script).token_file(file.clone());
    builder.build().expect("a client")
}

/// Lists the organizations of the user, which needs a token.
pub async fn list(accord: &Accord) -> Result<(), ListOrganizationsError> {
    let listed = accord.accounts().list_organizations().call().await;
    listed.map(drop)
}

pub fn pending() -> Response {
    (
        JSON,
        r#"{"device_code":"d-1","user_code":"KLMRTVWX","verification_uri":"http://id.example/ui","verification_uri_complete":"http://id.example/ui?user_code=KLMRTVWX","expires_in":60,"interval":0}"#
            .to_owned(),
    )
}

pub fn refusal(code: &str) -> Response {
    let body = format!(r#"{{"error":"{code}","error_description":"words"}}"#);
    ("400 Bad Request\r\ncontent-type: application/json", body)
}

pub fn tokens(access: &str, refresh: &str, seconds: u32) -> Response {
    (
        JSON,
        format!(
            r#"{{"access_token":"{access}","token_type":"Bearer","expires_in":{seconds},"scope":"accounts.read","refresh_token":"{refresh}"}}"#
        ),
    )
}

/// A login of this age and lifetime, in seconds.
pub fn login(script: &Script, access: &str, refresh: &str, age: i64, lifetime: i64) -> Login {
    let issued_at = Utc::now() - TimeDelta::seconds(age);
    let expires_at = issued_at + TimeDelta::seconds(lifetime);
    let (identity, client) = (script.address.clone(), "accord-cli");
    Login::new(identity, client, "accounts.read", access, expires_at)
        .issued_at(issued_at)
        .refresh_token(refresh)
}

/// A file with this login, and the directory that it is in.
pub fn remembered(login: &Login) -> (TempDir, TokenFile) {
    let (folder, file) = file();
    save(&file, login);
    (folder, file)
}

/// Stores a login as another program does.
pub fn save(store: &impl LoginStore, login: &Login) {
    let _lock = store.lock().expect("it can be locked");
    let key = LoginKey::new(login.identity.clone());
    store.save(&key, login).expect("it can be written");
}

/// A file that does not exist yet.
pub fn file() -> (TempDir, TokenFile) {
    let folder = tempfile::tempdir().expect("a directory");
    let file = TokenFile::at(folder.path().join("login.json"));
    (folder, file)
}
