//! The command `accord`.

use crate::script::{JSON, Response, Script, login, organizations, remembered, tokens};
use accord_testing::FakeAccord;
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde_json::json;
use std::{
    collections::HashSet,
    path::Path,
    process::{Output, Stdio},
    time::Duration,
};
use tempfile::TempDir;
use tokio::{io::AsyncWriteExt, process::Command};

pub async fn accord(script: &Script, arguments: &[&str]) -> Output {
    accord_reads(script, arguments, "").await
}

/// The command, with this standard input.
pub async fn accord_reads(script: &Script, arguments: &[&str], input: &str) -> Output {
    let mut command = command(&script.address);
    command.args(arguments);
    let mut command = command.spawn().expect("it runs");
    let mut stdin = command.stdin.take().expect("a pipe");
    // Not every command reads the input.
    let _ = stdin.write_all(input.as_bytes()).await;
    drop(stdin);
    command.wait_with_output().await.expect("it runs")
}

/// The command, for a service at this address, without credentials.
pub fn command(address: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_accord"));
    command
        .env("ACCORD_URL", address)
        .env("XDG_STATE_HOME", "/nonexistent")
        .env("XDG_CONFIG_HOME", "/nonexistent")
        .env_remove("ACCORD_TOKEN")
        .env_remove("ACCORD_API_KEY")
        .env_remove("ACCORD_PROFILE")
        .env_remove("ACCORD_CLIENT_ID")
        .env_remove("ACCORD_CLIENT_SECRET")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A file with so many rows.
fn people(rows: usize) -> (TempDir, String) {
    let folder = tempfile::tempdir().expect("a directory");
    let mut text = "emailAddress,firstName,lastName,language,hubOrganizationId\n".to_owned();
    for number in 0..rows {
        text += &format!("user-{number}@north.example,Mira,Lund,en,3104\n");
    }
    let file = folder.path().join("people.csv");
    std::fs::write(&file, text).expect("it can be written");
    let file = file.to_str().expect("a path").to_owned();
    (folder, file)
}

fn created() -> Response {
    let body = r#"{"hubUser":{"id":"u-1","userName":"m","displayName":"Mira Lund","emailAddress":"m@north.example","emailForCommunication":"m@north.example","firstName":"Mira","lastName":"Lund","language":"en","organizationId":3104},"collabUser":[]}"#;
    (JSON, body.to_owned())
}

fn unauthorized(challenge: &'static str) -> Response {
    let body = r#"{"error":"access_denied","error_description":"no"}"#;
    (challenge, body.to_owned())
}

#[tokio::test]
async fn an_import_stops_when_the_service_refuses_the_login() {
    let script = Script::serve(|request| {
        let response = match request.contains("grant_type") {
            true => tokens("a-2", "r-2", 3600),
            false => unauthorized(
                "401 Unauthorized\r\ncontent-type: application/json\r\nwww-authenticate: Bearer realm=\"accord\", error=\"insufficient_scope\", scope=\"accounts.write\"",
            ),
        };
        (Duration::from_millis(5), response)
    })
    .await;
    let (_login, logins) = remembered(&login(&script, "a-1", "r-1", 60, 3600));
    let logins = logins.path().to_str().expect("a path").to_owned();
    let (_folder, file) = people(1000);
    let report = format!("{file}.failed.csv");
    std::fs::write(&report, "from an earlier import").expect("it can be written");
    let arguments = ["--login-file", &logins, "--json", "users", "import", &file];
    let output = accord(&script, &arguments).await;
    assert_eq!(output.status.code(), Some(3));
    assert!(script.requests().len() <= 16, "{}", script.requests().len());
    assert_eq!(script.count("grant_type"), 0);
    let said = stderr(&output);
    assert!(
        said.contains("the import stopped, and 1000 rows are left"),
        "{said}"
    );
    assert!(
        said.contains("no (401 Unauthorized, access_denied)"),
        "{said}"
    );
    assert!(
        stdout(&output).contains(r#""left": 1000"#),
        "{}",
        stdout(&output)
    );
    // No row of this import failed, and the user may have corrected the report.
    let kept = std::fs::read_to_string(&report).expect("a report");
    assert_eq!(kept, "from an earlier import");
}

#[tokio::test]
async fn an_import_stops_when_the_user_has_no_right_to_any_row() {
    let script = Script::serve(|_| {
        let response = unauthorized(
            "401 Unauthorized\r\ncontent-type: application/json\r\nwww-authenticate: Bearer realm=\"accord\"",
        );
        (Duration::ZERO, response)
    })
    .await;
    let (_folder, file) = people(1000);
    let output = accord(&script, &["--token", "t", "users", "import", &file]).await;
    assert_eq!(output.status.code(), Some(3));
    assert!(script.requests().len() < 40, "{}", script.requests().len());
    assert!(
        stderr(&output).contains("the import stopped"),
        "{}",
        stderr(&output)
    );
}

#[tokio::test]
async fn an_import_counts_users_and_leaves_no_report_of_an_earlier_one() {
    let script = Script::serve(|_| (Duration::ZERO, created())).await;
    let (_folder, file) = people(2);
    let mut text = std::fs::read_to_string(&file).expect("rows");
    text += "user-1@north.example,Mira,Lund,en,3104\n";
    std::fs::write(&file, text).expect("it can be written");
    let report = format!("{file}.failed.csv");
    std::fs::write(&report, "from an earlier import").expect("it can be written");
    let output = accord(
        &script,
        &["--token", "t", "--json", "users", "import", &file],
    )
    .await;
    assert!(output.status.success(), "{}", stderr(&output));
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a summary");
    assert_eq!(
        (&summary["created"], &summary["repeated"]),
        (&2.into(), &1.into())
    );
    assert!(!Path::new(&report).exists());
}

#[tokio::test]
async fn a_user_without_a_profile_is_reported_by_each_import() {
    let fake = FakeAccord::start().await;
    let partly = fake.on("createUser").returns(200, json!(null));
    let partly = partly.example("partlyFailed").always();
    partly.expect("the document has it");
    let (_folder, file) = people(1);
    for imports in 1..=2 {
        let mut command = command(fake.url());
        let command = command.args(["--token", "t", "users", "import", &file]);
        let output = command.output().await.expect("it runs");
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        let report = std::fs::read_to_string(format!("{file}.failed.csv"));
        let report = report.expect("a report");
        assert!(report.contains("created, but: "), "{report}");
        // The service repeats its response to the same key.
        let requests = fake.requests_of("createUser");
        let keys = requests.iter().map(|one| one.header("idempotency-key"));
        assert_eq!(keys.collect::<HashSet<_>>().len(), 1);
        assert_eq!(requests.len(), imports);
    }
}

#[tokio::test]
async fn one_row_is_a_row_and_an_empty_file_is_none() {
    let head = "400 Bad Request\r\ncontent-type: application/json";
    let body = r#"{"error":"invalid_request","error_description":"no name"}"#;
    let script = Script::serve(move |_| (Duration::ZERO, (head, body.to_owned()))).await;
    let (_folder, file) = people(1);
    let output = accord(&script, &["--token", "t", "users", "import", &file]).await;
    assert!(
        stderr(&output).contains("1 row failed"),
        "{}",
        stderr(&output)
    );
    std::fs::write(&file, "").expect("it can be written");
    let output = accord(&script, &["--token", "t", "users", "import", &file]).await;
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("is empty"), "{}", stderr(&output));
}

#[tokio::test]
async fn a_chat_that_breaks_off_ends_its_line() {
    let chunk = r#"data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"a b"},"finish_reason":null}]}"#;
    let head = "200 OK\r\ncontent-type: text/event-stream";
    let script = Script::start(vec![
        (head, format!("{chunk}\n\n")),
        (head, format!("{chunk}\n\ndata: {{\n\n")),
    ])
    .await;
    let ask = ["--api-key", "sk", "chat", "-m", "m", "Hi"];
    let output = accord(&script, &ask).await;
    assert_eq!(stdout(&output), "a b\n");
    assert!(
        stderr(&output).starts_with("error: the event stream ended"),
        "{}",
        stderr(&output)
    );
    let output = accord(&script, &ask).await;
    let said = stderr(&output);
    assert_eq!(said.matches("EOF while").count(), 1, "{said}");
}

#[tokio::test]
async fn a_chat_from_a_file_has_all_of_it_but_the_end_of_its_last_line() {
    let script = Script::serve(|_| {
        let head = "200 OK\r\ncontent-type: text/event-stream";
        (Duration::ZERO, (head, "data: [DONE]\n\n".to_owned()))
    })
    .await;
    for (input, message) in [
        ("a", r#""a""#),
        ("a\n", r#""a""#),
        ("a\r\n", r#""a""#),
        ("a\n\n", r#""a\n""#),
    ] {
        let ask = ["--api-key", "sk", "chat", "-m", "m", "-"];
        let output = accord_reads(&script, &ask, input).await;
        assert!(output.status.success(), "{}", stderr(&output));
        let requests = script.requests();
        let sent = requests.last().expect("a request");
        assert!(sent.contains(&format!(r#""content":{message}"#)), "{sent}");
    }
}

#[tokio::test]
async fn whoami_shows_the_token_that_acts() {
    let script = Script::serve(|request| {
        let challenge = "401 Unauthorized\r\ncontent-type: application/json\r\nwww-authenticate: Bearer realm=\"accord\", error=\"invalid_token\"";
        let response = match request.contains("authorization: bearer bad") {
            true => unauthorized(challenge),
            false => organizations(),
        };
        (Duration::ZERO, response)
    })
    .await;
    let (_login, logins) = remembered(&login(&script, "a-1", "r-1", 60, 3600));
    let logins = logins.path().to_str().expect("a path").to_owned();
    let claims = r#"{"sub":"u-7","user_displayname":"Eva North","client_id":"robot","iss":"https://id.example","scope":"accounts.read patterns.read","exp":1798761600}"#;
    let given = format!("e30.{}.e30", URL_SAFE_NO_PAD.encode(claims));
    let whoami = async |file: &str, token: &str| {
        let arguments = ["--login-file", file, "--token", token, "--json", "whoami"];
        let output = accord(&script, &arguments).await;
        assert!(output.status.success(), "{}", stderr(&output));
        serde_json::from_slice::<serde_json::Value>(&output.stdout).expect("JSON")
    };
    // With a login that is remembered, and without one.
    for file in [logins.as_str(), "/nonexistent/login.json"] {
        let shown = whoami(file, &given).await;
        let wanted = serde_json::json!({
            "subject": "u-7", "name": "Eva North", "client": "robot", "identity": "https://id.example",
            "scopes": ["accounts.read", "patterns.read"], "expiresAt": "2027-01-01T00:00:00Z", "refused": null,
        });
        assert_eq!(shown, wanted);
        let shown = whoami(file, "bad").await;
        assert_eq!(shown["client"], serde_json::Value::Null, "{shown}");
        let refused = shown["refused"].as_str().expect("the service refuses it");
        assert!(refused.contains("access_denied"), "{refused}");
    }
}

#[tokio::test]
async fn help_says_where_identifiers_come_from() {
    let script = Script::start(vec![]).await;
    for (command, source) in [
        (["keys", "create"], "accord-server compartments list"),
        (["keys", "list"], "accord-server compartments list"),
        (["patterns", "list"], "accord-server design-instances list"),
        (["patterns", "create"], "accord-server export"),
        (["patterns", "create"], "accord-server accelerators list"),
        (["keys", "renew"], "adds"),
        (["users", "import"], "emailForCommunication another address"),
    ] {
        let output = accord(&script, &[command[0], command[1], "--help"]).await;
        // The comparison ignores line breaks.
        let help = stdout(&output);
        let words: Vec<&str> = help.split_whitespace().collect();
        assert!(words.join(" ").contains(source), "{help}");
    }
}

#[tokio::test]
async fn the_command_alone_helps_and_completes() {
    let script = Script::start(vec![]).await;
    let output = accord(&script, &[]).await;
    assert_eq!(output.status.code(), Some(2));
    assert!(stdout(&output).contains("To begin:"), "{}", stdout(&output));
    let output = accord(&script, &["completions", "bash"]).await;
    assert!(stdout(&output).contains("_accord()"));
}

#[tokio::test]
async fn a_command_without_a_login_or_a_service_says_so_by_its_exit_code() {
    // No service listens at the discard port.
    let address = "http://127.0.0.1:9";
    let folder = tempfile::tempdir().expect("a folder");
    for (arguments, code, text) in [
        (&["whoami"][..], 3, "nobody is logged in"),
        (&["orgs", "list"], 3, "nobody is logged in"),
        (&["models"], 3, "secret of an API key"),
        (&["login"], 6, "cannot be reached"),
        (&["--token", "t", "orgs", "list"], 6, "cannot be reached"),
    ] {
        let mut command = command(address);
        command.args(arguments).env("XDG_STATE_HOME", folder.path());
        let output = command.output().await.expect("it runs");
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
        assert!(said.contains(text), "{arguments:?}: {said}");
    }
}

#[tokio::test]
async fn a_command_during_an_outage_says_to_try_again_and_when() {
    let again = "The service is temporarily unavailable. Try again in 1 second.";
    let script = Script::serve(move |request| {
        let body = match request.contains("/ai/patterns") {
            true => json!({"type": "urn:accord:problem:service-unavailable", "title": "Service unavailable",
                           "status": 503, "errorCode": "SERVER-503", "detail": again}),
            false => json!({"error": "temporarily_unavailable", "error_description": again}),
        };
        let head = "503 Service Unavailable\r\ncontent-type: application/json\r\nretry-after: 0";
        (Duration::ZERO, (head, body.to_string()))
    })
    .await;
    for (arguments, code) in [
        ("orgs list", "temporarily_unavailable"),
        ("patterns list --instance i --project p", "SERVER-503"),
    ] {
        let sent = script.requests().len();
        let words: Vec<&str> = arguments.split(' ').collect();
        let output = accord(&script, &[&["--token", "t"], &words[..]].concat()).await;
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(6), "{said}");
        let expected = format!("error: {again} (503 Service Unavailable, {code})\nhint: wait");
        assert!(said.contains(&expected), "{said}");
        assert_eq!(script.requests().len() - sent, 4);
    }
}

#[tokio::test]
async fn a_request_of_any_path_has_a_body_of_any_bytes() {
    let script = Script::start(vec![("200 OK", "{}".to_owned())]).await;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("photo.png");
    std::fs::write(&file, b"\x89PNG\xff").expect("a file");
    let file = file.display().to_string();
    let arguments = ["api", "POST", "patterns", "/photos", "--body", &file];
    let output = accord(&script, &[&["--token", "t"], &arguments[..]].concat()).await;
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(script.count("content-length: 5"), 1);
}

#[tokio::test]
async fn a_list_has_all_pages() {
    let script = Script::serve(|request| {
        let response = match request.contains("page=b") {
            true => (JSON, "[]".to_owned()),
            false => {
                let head = "200 OK\r\ncontent-type: application/json\r\naccord-next-page: b";
                (head, "[]".to_owned())
            }
        };
        (Duration::ZERO, response)
    })
    .await;
    for (count, list) in ["orgs", "apps"].into_iter().enumerate() {
        let output = accord(&script, &["--token", "t", list, "list"]).await;
        assert!(output.status.success(), "{}", stderr(&output));
        assert_eq!(script.count("page=b"), count + 1, "{list}");
    }
}

#[tokio::test]
async fn completions_that_nobody_reads_are_not_a_failure() {
    let mut command = command("http://127.0.0.1:9");
    let mut command = command
        .args(["completions", "bash"])
        .spawn()
        .expect("it runs");
    drop(command.stdout.take());
    let output = command.wait_with_output().await.expect("it ends");
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(stderr(&output), "");
}
