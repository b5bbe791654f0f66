//! What the log holds of requests, and what it does not.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use reqwest::{Client, Method};
use serde_json::{Value, json};

use crate::harness::{Database, Server, http};
use crate::inference::client::{Key, Manager};
use crate::inference::fake::Fake;
use crate::serving::Serving;

/// The program with a key to call its models with.
struct Program {
    serving: Serving,
    key: Key,
    http: Client,
    _directory: tempfile::TempDir,
}

impl Program {
    async fn start(file: &str) -> Program {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("accord.toml"), file).unwrap();
        let key = key(directory.path()).await;
        let path = directory.path().to_owned();
        let start = move || Serving::start_on("127.0.0.1:0", &path, &["--log-format", "json"]);
        Program {
            serving: tokio::task::spawn_blocking(start).await.unwrap(),
            key,
            http: http().build().unwrap(),
            _directory: directory,
        }
    }

    /// Calls the echo model; what it answers.
    async fn chat(&self, said: &str, stream: bool) -> String {
        self.chat_with("accord.echo", said, stream).await
    }

    async fn chat_with(&self, model: &str, said: &str, stream: bool) -> String {
        let url = format!(
            "http://{}/20231130/actions/v1/chat/completions",
            self.serving.address
        );
        let body = json!({
            "model": model, "stream": stream,
            "messages": [{"role": "user", "content": said}],
        });
        let request = self.http.post(url).bearer_auth(&self.key.one);
        let request = request.header("x-request-id", "mine-1").json(&body);
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 200);
        response.text().await.unwrap()
    }

    async fn ask(&self, method: Method, path: &str) -> u16 {
        let url = format!("http://{}{path}", self.serving.address);
        let request = self.http.request(method, url).send();
        request.await.unwrap().status().as_u16()
    }

    /// What was logged, and the lines of this message.
    async fn log(self, message: &str) -> (String, Vec<Value>) {
        let serving = self.serving;
        let log = tokio::task::spawn_blocking(|| serving.log());
        let log = log.await.unwrap();
        let parse = |line: &str| -> Value {
            serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}"))
        };
        let lines = log.lines().map(parse);
        let lines = lines.filter(|line| line["message"] == message).collect();
        (log, lines)
    }
}

/// A key in the store that the program will work on.
async fn key(directory: &Path) -> Key {
    let data = directory.join("data");
    let change = |layer: &mut accord_server::config::Layer| {
        layer.server.data_dir = Some(data);
    };
    let server = Server::start_with(Database::Sqlite, change).await;
    let key = Manager::of(&server).await.new_key().await;
    assert_eq!(server.stop().await, Vec::<String>::new());
    key
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_that_is_said_to_a_model_is_logged_unless_it_is_switched_on() {
    let program = Program::start("").await;
    program.chat("CANARY", false).await;
    program.chat("CANARY", true).await;
    let secret = program.key.one.clone();
    let (log, lines) = program.log("request").await;
    assert_eq!(lines.len(), 2, "{log}");
    assert!(!log.contains("CANARY"), "{log}");
    assert!(!log.contains(&secret[..16]), "{log}");
    assert!(!log.contains("LOG.CONTENTS"), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn switched_on_each_call_is_one_line_without_keys_and_the_service_warns() {
    let program = Program::start("[log]\ncontents = true\n").await;
    let secret = program.key.one.clone();
    program
        .chat(&format!("CANARY my key is {secret}"), false)
        .await;
    program.chat("one two three", true).await;
    program.chat(&"long ".repeat(10_000), false).await;
    let (log, lines) = program.log("contents of a model call").await;
    assert!(log.contains("LOG.CONTENTS IS ON"), "{log}");
    let [whole, stream, long] = &lines[..] else {
        panic!("{log}");
    };
    let text = |line: &Value, name: &str| line[name].as_str().unwrap().to_owned();
    assert_eq!(whole["request_id"], "mine-1");
    assert_eq!(whole["model"], "accord.echo");
    for name in ["request", "response"] {
        let text = text(whole, name);
        assert!(text.contains("CANARY my key is sk-…"), "{text}");
    }
    assert!(text(stream, "request").contains("one two three"));
    let answer = text(stream, "response");
    assert!(
        answer.contains("two") && answer.ends_with("data: [DONE]\n\n"),
        "{answer}"
    );
    for name in ["request", "response"] {
        let text = text(long, name);
        assert!(text.len() < 17_000, "{}", text.len());
        assert!(text.ends_with(" bytes in all)"), "{text}");
    }
    assert!(!log.contains(&secret[..16]), "{log}");
    assert!(!log.to_lowercase().contains("bearer"), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_leaves_is_nothing_to_warn_of() {
    let program = Program::start("").await;
    let chat = program.chat_with("builtin/slow", "pace:60000 one two", false);
    let call = tokio::time::timeout(Duration::from_secs(2), chat);
    assert!(call.await.is_err(), "it is still busy");
    tokio::time::sleep(Duration::from_millis(300)).await;
    let (log, lines) = program.log("request").await;
    assert!(lines.len() <= 1, "{log}");
    assert!(!log.contains("\"WARN\""), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_that_no_document_describes_leave_a_line_too() {
    for (level, probes) in [("info", 0), ("debug", 3)] {
        let file = format!("[log]\nlevel = \"error,accord_server::ops={level}\"\n");
        let program = Program::start(&file).await;
        for (path, status) in [
            ("/", 302),
            ("/docs", 200),
            ("/docs/CANARY/CANARY", 404),
            ("/openapi", 200),
            ("/openapi/accounts.json", 200),
            ("/ui/v1/signin?user_code=CANARY", 200),
            ("/ui/v1/account", 303),
            ("/healthz", 200),
            ("/readyz", 200),
            ("/metrics", 200),
        ] {
            assert_eq!(program.ask(Method::GET, path).await, status, "{path}");
        }
        let (log, lines) = program.log("request").await;
        let told = |path: &str, status: u16| {
            let found = lines.iter().filter(|line| line["path"] == path);
            let found: Vec<_> = found.collect();
            assert_eq!(found.len(), 1, "{path}: {log}");
            assert_eq!(found[0]["method"], "GET", "{log}");
            assert_eq!(found[0]["status"], status, "{log}");
            assert!(found[0]["elapsed_us"].is_number(), "{log}");
            assert!(found[0]["request_id"].is_string(), "{log}");
        };
        told("/", 302);
        told("/docs", 200);
        told("/docs/{hash}/{file}", 404);
        told("/openapi", 200);
        told("/openapi/{file}", 200);
        told("/ui/v1/signin", 200);
        told("/ui/v1/account", 303);
        assert_eq!(lines.len(), 7 + probes, "{log}");
        assert!(!log.contains("CANARY"), "{log}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_that_nobody_reads_holds_no_request_up() {
    let program = Program::start("").await;
    // The pipe holds some two hundred lines.
    for _ in 0..1_000 {
        let asked = tokio::time::timeout(Duration::from_secs(60), program.ask(Method::GET, "/"));
        assert_eq!(asked.await.expect("a request waits for the log"), 302);
    }
    let serving = program.serving;
    let log = tokio::task::spawn_blocking(|| serving.log()).await.unwrap();
    // The pipe was full when the program ended, so that its last line may be cut.
    let (whole, _) = log.rsplit_once('\n').unwrap();
    for line in whole.lines() {
        let read: Result<Value, _> = serde_json::from_str(line);
        assert!(read.is_ok(), "{line}");
    }
    assert!(whole.contains(r#""message":"request""#), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn lines_that_were_dropped_are_counted_in_the_metrics() {
    // A line with contents is some 30 KiB, and 4 MiB wait at most.
    let program = Program::start("[log]\ncontents = true\n").await;
    let said = "long ".repeat(3_000);
    let url = format!("http://{}/metrics", program.serving.address);
    let dropped = async || {
        let metrics = program.http.get(&url).send().await.unwrap();
        let metrics = metrics.text().await.unwrap();
        let mut lines = metrics.lines();
        let line = lines.find_map(|line| line.strip_prefix("accord_log_lines_dropped_total "));
        line.map_or(0, |count| count.parse::<u64>().unwrap())
    };
    for _ in 0..300 {
        program.chat(&said, false).await;
    }
    let deadline = Instant::now() + Duration::from_secs(60);
    while dropped().await == 0 {
        assert!(Instant::now() < deadline, "no line is counted");
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}

/// What a model server says is nobody's but the caller's: it can repeat the prompt, or name a key.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_that_a_model_server_says_is_logged_at_info() {
    const TEXT: &str = "CANARY-said";
    let error = json!({"error": {
        "message": TEXT, "type": TEXT, "code": TEXT, "param": TEXT,
    }})
    .to_string();
    let model = json!({"id": "c", "object": "chat.completion", "created": 1, "model": TEXT,
        "choices": [{"index": 0, "message": {"role": "assistant", "content": TEXT},
            "finish_reason": "stop"}]})
    .to_string();
    let chunk = json!({"id": "c", "object": "chat.completion.chunk", "created": 1, "model": TEXT,
        "choices": [{"index": 0, "delta": {"content": TEXT}, "finish_reason": null}]})
    .to_string();
    let answers = [
        ("200 OK", "application/json", model),
        ("200 OK", "application/json", format!("{{\"{TEXT}")),
        ("200 OK", TEXT, TEXT.to_owned()),
        ("400 Bad Request", "application/json", error.clone()),
        ("401 Unauthorized", "application/json", error.clone()),
        ("404 Not Found", "text/plain", TEXT.to_owned()),
        ("429 Too Many Requests", "application/json", error.clone()),
        (
            "500 Internal Server Error",
            "application/json",
            error.clone(),
        ),
        ("200 OK", "text/event-stream", format!("data: {chunk}\n\n")),
        ("200 OK", "text/event-stream", format!("data: {error}\n\n")),
        (
            "200 OK",
            "text/event-stream",
            format!("data: {TEXT}\n\ndata: {{\"{TEXT}"),
        ),
    ];
    let count = answers.len();
    let next = AtomicUsize::new(0);
    let fake = Fake::start(move |mut exchange| {
        let at = next.fetch_add(1, Ordering::Relaxed) % count;
        let (status, media_type, body) = answers[at].clone();
        async move {
            let more = format!("x-said: {TEXT}\r\n");
            exchange.answer(status, media_type, &more, &body).await;
        }
    })
    .await;
    let program = Program::start(&format!(
        "[[inference.models]]\nname = \"acme.chat\"\nfamily = \"acme\"\nurl = \"http://{}/v1\"\n",
        fake.address
    ))
    .await;
    for stream in [false, true] {
        for _ in 0..2 * count {
            let url = format!(
                "http://{}/20231130/actions/v1/chat/completions",
                program.serving.address
            );
            let body = json!({
                "model": "acme.chat", "stream": stream,
                "messages": [{"role": "user", "content": "hello"}],
            });
            let request = program
                .http
                .post(url)
                .bearer_auth(&program.key.one)
                .json(&body);
            let _ = request.send().await.unwrap().text().await;
        }
    }
    assert!(fake.seen().len() > count);
    let (log, lines) = program.log("request").await;
    assert_eq!(lines.len(), 4 * count, "{log}");
    assert!(log.contains("a model server"), "{log}");
    assert!(!log.contains("CANARY"), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn each_attempt_has_its_own_id_and_a_line_with_it_and_that_of_the_call() {
    let answer = json!({"id": "c", "object": "chat.completion", "created": 1, "model": "acme.chat",
        "choices": []});
    let calls = AtomicUsize::new(0);
    let fake = Fake::start(move |mut exchange| {
        let status = match calls.fetch_add(1, Ordering::Relaxed) {
            0 => "502 Bad Gateway",
            _ => "200 OK",
        };
        let answer = answer.to_string();
        async move {
            let media_type = "application/json";
            exchange.answer(status, media_type, "", &answer).await;
        }
    })
    .await;
    let program = Program::start(&format!(
        "[[inference.models]]\nname = \"acme.chat\"\nfamily = \"acme\"\nurl = \"http://{}/v1\"\n",
        fake.address
    ))
    .await;
    for _ in 0..2 {
        program.chat_with("acme.chat", "x", false).await;
    }
    let mut sent = Vec::new();
    for (head, _) in fake.seen() {
        let id = head
            .lines()
            .find_map(|line| line.strip_prefix("x-request-id: "));
        sent.push(id.expect(&head).to_owned());
    }
    let (log, lines) = program.log("calling a model server").await;
    assert_eq!(lines.len(), 3, "{log}");
    for line in &lines {
        assert_eq!(line["request_id"], "mine-1", "{log}");
    }
    let logged: Vec<_> = lines
        .iter()
        .map(|line| line["upstream_request_id"].as_str().unwrap())
        .collect();
    assert_eq!(logged, sent);
    sent.sort();
    sent.dedup();
    assert_eq!(sent.len(), 3, "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_huge_credential_leaves_a_short_line() {
    let program = Program::start("").await;
    let url = format!("http://{}/oauth2/v1/token", program.serving.address);
    let huge = "CANARY".repeat(8_000);
    for (name, value) in [
        ("client_assertion", huge.as_str()),
        ("client_id", huge.as_str()),
        ("assertion", huge.as_str()),
    ] {
        let kind = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
        let form = [
            ("grant_type", "client_credentials"),
            ("client_assertion_type", kind),
            (name, value),
        ];
        let response = program.http.post(&url).form(&form).send().await.unwrap();
        assert!(response.status().is_client_error());
    }
    let (log, lines) = program.log("request").await;
    assert_eq!(lines.len(), 3);
    let longest = log.lines().map(str::len).max();
    assert!(longest < Some(1_500), "{longest:?}");
}

#[test]
fn lines_of_pages_have_the_form_of_those_of_operations() {
    let directory = tempfile::tempdir().unwrap();
    let serving = Serving::start(directory.path(), &[]);
    for path in ["/docs", "/20231130/actions/v1/models"] {
        serving.get(path);
    }
    let log = serving.log();
    let lines: Vec<&str> = log
        .lines()
        .filter(|line| line.contains(" status="))
        .collect();
    assert_eq!(lines.len(), 2, "{log}");
    for line in lines {
        assert!(line.contains(" request_id="), "{line}");
        assert!(!line.contains('"'), "{line}");
    }
}
