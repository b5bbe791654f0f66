//! The program applies a changed configuration while it serves.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use futures::StreamExt as _;
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::harness::{Database, Server};
use crate::inference::client::Manager;
use crate::inference::fake::{Exchange, Fake};
use crate::serving::{Serving, own_address};

const ANSWER: &str =
    r#"{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[]}"#;

/// An event of a streamed chat with this word.
fn event(word: &str) -> String {
    let choice = json!({"index": 0, "delta": {"content": word}, "finish_reason": null});
    let chunk = json!({"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m",
        "choices": [choice]});
    format!("data: {chunk}\n\n")
}

/// A model server. Its streams pause after the first word until `open` is true.
async fn upstream(open: watch::Receiver<bool>) -> Fake {
    Fake::start(move |mut exchange: Exchange| {
        let mut open = open.clone();
        async move {
            if exchange.json()["stream"] != true {
                let media_type = "application/json";
                return exchange.answer("200 OK", media_type, "", ANSWER).await;
            }
            exchange.begin_stream().await;
            exchange.piece(&event("first")).await;
            open.wait_for(|open| *open).await.unwrap();
            exchange.piece(&event("last")).await;
            exchange.piece("data: [DONE]\n\n").await;
            exchange.end_stream().await;
        }
    })
    .await
}

/// The program beside a service on the same database, with a key of the demo catalog.
struct Reloaded {
    server: Server,
    serving: Serving,
    directory: tempfile::TempDir,
    secret: String,
}

impl Reloaded {
    async fn start(configuration: &str) -> Reloaded {
        let directory = tempfile::tempdir().unwrap();
        let address = own_address().to_string();
        let url = format!("http://{address}");
        let server = Server::start_with(Database::Sqlite, |layer| {
            layer.server.data_dir = Some(directory.path().join("data"));
            layer.server.public_url = Some(url.parse().unwrap());
        })
        .await;
        write(directory.path(), configuration);
        let database_url = server.app().config.database_url().expose().to_owned();
        let arguments = ["--public-url", &url, "--database-url", &database_url];
        let serving = Serving::start_on(&address, directory.path(), &arguments);
        let secret = Manager::of(&server).await.new_key().await.one;
        Reloaded {
            server,
            serving,
            directory,
            secret,
        }
    }

    fn request(&self, model: &str, streams: bool) -> reqwest::RequestBuilder {
        let path = "/20231130/actions/v1/chat/completions";
        let body = json!({"model": model, "stream": streams,
            "messages": [{"role": "user", "content": "Hello"}]});
        let url = format!("http://{}{path}", self.serving.address);
        let request = self.server.http().post(url);
        request.bearer_auth(&self.secret).json(&body)
    }

    /// The status of a chat, and the code of an error.
    async fn chat(&self, model: &str) -> (u16, Value) {
        let response = self.request(model, false).send().await.unwrap();
        let status = response.status().as_u16();
        let body: Value = response.json().await.unwrap();
        (status, body["error"]["code"].clone())
    }

    /// Waits until a model is served.
    async fn until_served(&self, model: &str) {
        let deadline = Instant::now() + Duration::from_secs(60);
        loop {
            let (status, code) = self.chat(model).await;
            if status == 200 {
                return;
            }
            assert_eq!((status, code), (404, "model_not_found".into()));
            assert!(Instant::now() < deadline, "{model} is not served");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Whether the metrics say that the last reload has failed.
    async fn has_failed(&self) -> bool {
        let url = format!("http://{}/metrics", self.serving.address);
        let metrics = self.server.http().get(url).send().await.unwrap();
        let metrics = metrics.text().await.unwrap();
        let line = "accord_reload_failed{kind=\"configuration\"} ";
        let value = metrics.lines().find_map(|found| found.strip_prefix(line));
        value.unwrap_or_else(|| panic!("{metrics}")) == "1"
    }

    /// The command, and its output.
    fn command(&self) -> (bool, String) {
        command(self.directory.path())
    }
}

fn command(directory: &Path) -> (bool, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_accord-server"))
        .current_dir(directory)
        .env_clear()
        .arg("reload")
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(text).unwrap())
}

fn write(directory: &Path, configuration: &str) {
    std::fs::write(directory.join("accord.toml"), configuration).unwrap();
}

fn model(name: &str, fake: &Fake) -> String {
    let url = format!("http://{}/v1", fake.address);
    format!("[[inference.models]]\nname = \"{name}\"\nfamily = \"acme\"\nurl = \"{url}\"\n")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_model_replaces_an_old_one_while_a_stream_goes_on() {
    let (open, opened) = watch::channel(false);
    let fake = upstream(opened).await;
    let program = Reloaded::start(&model("acme.old", &fake)).await;
    let response = program.request("acme.old", true).send().await.unwrap();
    assert_eq!(response.status(), 200);
    let mut pieces = response.bytes_stream();
    let first = pieces.next().await.unwrap().unwrap();
    assert!(String::from_utf8_lossy(&first).contains("first"));

    let region = "[server]\nregion = \"elsewhere\"\n";
    let limit = "[inference]\nheartbeat_seconds = 1\n";
    let new = format!("{region}{limit}{}", model("acme.new", &fake));
    write(program.directory.path(), &new);
    // Calls of a model that stays do not fail meanwhile.
    let calls = async {
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(2) {
            assert_eq!(program.chat("accord.echo").await.0, 200);
        }
    };
    let signals = async {
        for _ in 0..10 {
            program.serving.signal("HUP");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    tokio::join!(calls, signals);
    program.until_served("acme.new").await;
    let gone = (404, "model_not_found".into());
    assert_eq!(program.chat("acme.old").await, gone);

    open.send(true).unwrap();
    let mut rest = String::new();
    while let Some(piece) = pieces.next().await {
        rest += &String::from_utf8_lossy(&piece.unwrap());
    }
    assert!(
        rest.contains("last") && rest.ends_with("data: [DONE]\n\n"),
        "{rest}"
    );

    let log = program.serving.log();
    let lines = |text: &str| log.lines().filter(|line| line.contains(text)).count();
    assert!(lines("applied the configuration") > 0, "{log}");
    assert!(
        log.contains("inference.heartbeat_seconds, inference.models"),
        "{log}"
    );
    // Each reload names the key that still waits for a restart.
    assert_eq!(
        lines("server.region"),
        lines("applied the configuration"),
        "{log}"
    );
    program.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invalid_file_changes_nothing() {
    let (_open, opened) = watch::channel(true);
    let fake = upstream(opened).await;
    let mut program = Reloaded::start(&model("acme.old", &fake)).await;
    let key = program.directory.path().join("key");
    let keyed = |name: &str| format!("{}key_file = {key:?}\n", model(name, &fake));
    for (configuration, message) in [
        (
            "[inference]\nmodles = []\n".to_owned(),
            "accord.toml:2:1: inference.modles: no such key; there are ",
        ),
        (
            "[log]\nlevel = \"loud\"\n".to_owned(),
            "log.level: \"loud\" is not a level: ",
        ),
        (keyed("acme.new"), "inference.models: acme.new: "),
    ] {
        write(program.directory.path(), &configuration);
        program.serving.signal("HUP");
        let log = program
            .serving
            .log_until("cannot apply the new configuration");
        assert!(log.replace("\\\"", "\"").contains(message), "{log}");
        assert!(program.has_failed().await);
        assert_eq!(program.chat("acme.old").await.0, 200);
        assert_eq!(program.chat("acme.new").await.0, 404);
    }
    // The last file is valid with the key of its model server.
    std::fs::write(&key, "upstream-key\n").unwrap();
    program.serving.signal("HUP");
    program.until_served("acme.new").await;
    program.serving.log_until("applied the configuration");
    assert!(!program.has_failed().await);
    let last = fake.seen().pop().unwrap().0;
    assert!(
        last.contains("authorization: bearer upstream-key"),
        "{last}"
    );
    program.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_command_asks_the_running_service() {
    let (_open, opened) = watch::channel(true);
    let fake = upstream(opened).await;
    let program = Reloaded::start(&model("acme.old", &fake)).await;
    write(program.directory.path(), "[inference]\nmodles = []\n");
    let (success, refused) = program.command();
    assert!(!success);
    let expected = "error: accord.toml:2:1: inference.modles: no such key; ";
    assert!(refused.starts_with(expected), "{refused}");
    write(program.directory.path(), &model("acme.new", &fake));
    let (success, printed) = program.command();
    let process = format!("(process {})", program.serving.id());
    assert!(success && printed.contains(&process), "{printed}");
    program.until_served("acme.new").await;

    let Reloaded {
        server,
        mut serving,
        directory,
        ..
    } = program;
    serving.signal("KILL");
    serving.wait();
    let (success, refused) = command(directory.path());
    assert!(!success);
    let expected = "error: no service runs with the data directory data: ";
    assert!(refused.starts_with(expected), "{refused}");
    server.stop().await;
}
