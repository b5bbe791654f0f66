//! Nothing secret is stored or told: a test uses every kind of secret there is,
//! and then looks for them everywhere: in every table and file, in the log at its
//! most talkative, in metrics, and in every answer that is an error.

use std::fs::File;
use std::path::Path;

use accord_server::config::Secret;
use accord_server::identity::demo;
use accord_server::identity::password_links::PasswordLink;
use accord_server::mail::outbox;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::browser::Browser;
use super::client::{ANA, Device, JWT_BEARER, PASSWORD, WEB, post, post_as};
use super::signing::Robot;
use crate::harness::{Database, Server, contents, postgres as cluster, run_with};
use crate::inference::client::{Manager, chat};
use crate::serving::{Serving, program};

const TOKEN: &str = "/oauth2/v1/token";

/// Starts the program itself, which logs everything into a file.
fn start(directory: &Path, database_url: Option<&str>) -> Serving {
    let mut command = program(directory);
    command
        .args(["--listen", "127.0.0.1:0", "--data-dir"])
        .arg(directory.join("data"))
        .env("ACCORD_LOG", "trace")
        // On this machine alone, the page to sign in shows the demo's password.
        .env("ACCORD_DEMO_ANYWHERE", "true")
        .stderr(File::create(directory.join("log")).unwrap());
    if let Some(url) = database_url {
        command.args(["--database-url", url]);
    }
    Serving::of(command)
}

/// The tables, and the files of the data directory: the database and its journal, if it is a file.
async fn stored(server: &Server) -> Vec<(String, Vec<u8>)> {
    let directory = &server.app().config.server.data_dir;
    let files = std::fs::read_dir(directory).unwrap();
    let files = files.map(|file| file.unwrap().path());
    let mut stored: Vec<_> = files
        .filter(|path| path.is_file() && path.extension().is_none_or(|kind| kind != "pem"))
        .map(|path| (path.display().to_string(), std::fs::read(&path).unwrap()))
        .collect();
    stored.extend(contents::tables(server).await);
    stored
}

/// The forms in which a secret could lie somewhere.
fn spellings(secret: &str) -> Vec<Vec<u8>> {
    let hex = base16ct::lower::encode_string(secret.as_bytes());
    let form: String = url::form_urlencoded::byte_serialize(secret.as_bytes()).collect();
    vec![
        secret.as_bytes().to_vec(),
        hex.into_bytes(),
        form.into_bytes(),
        STANDARD
            .encode(secret)
            .trim_end_matches('=')
            .as_bytes()
            .to_vec(),
    ]
}

fn holds(bytes: &[u8], part: &[u8]) -> bool {
    memchr::memmem::find(bytes, part).is_some()
}

/// Uses a link that sets a password and an API key. Returns their secrets.
async fn link_and_key(server: &Server, browser: &mut Browser) -> [(&'static str, String); 3] {
    browser.get("/ui/v1/forgot").await;
    let page = browser.submit("/ui/v1/forgot", &[("username", ANA)]).await;
    assert_eq!(page.status, 200, "{}", page.body);
    let mails = server.read(|tx| outbox::list(tx, None, 10)).await.readable;
    let link = PasswordLink::new(&server.app().server_keys, &mails[0].id);
    let address = format!("/ui/v1/password?token={}", link.token());
    assert_eq!(browser.get(&address).await.status, 200);

    let key = Manager::of(server).await.new_key().await;
    for (secret, status) in [(&key.one, 200), (&key.two, 401)] {
        let answer = chat(server, secret, "accord.echo").await;
        assert_eq!(answer.status, status);
        assert!(!answer.body.to_string().contains(secret.as_str()));
    }
    [
        ("link", link.token().to_owned()),
        ("secret of an API key", key.one),
        ("standby secret of an API key", key.two),
    ]
}

/// Uses every kind of secret. Returns the secrets, each with its name, and the responses that must not have them.
async fn use_secrets(server: &Server) -> (Vec<(&'static str, String)>, Vec<String>) {
    let mut secrets = vec![
        ("password", PASSWORD.to_owned()),
        ("client secret", demo::SECRET.to_owned()),
    ];
    let mut told = Vec::new();

    let mut browser = Browser::new(server);
    browser.get("/ui/v1/signin").await;
    let typed = "a wrong passphrase of somebody";
    let fields = [("username", ANA), ("password", typed)];
    told.push(browser.submit("/ui/v1/signin", &fields).await.body);
    secrets.push(("wrong password", typed.to_owned()));
    browser.sign_in(ANA, PASSWORD).await;
    let (_, cookie) = browser.cookie.clone().unwrap();
    secrets.push(("session cookie", cookie));

    let device = Device::ask_as(server, demo::CONFIDENTIAL, "accounts.read offline_access").await;
    browser.decide(&device.user_code, "approve").await;
    let answer = post_as(server, WEB, TOKEN, &device.form(&[])).await;
    let refresh = answer.text("refresh_token").to_owned();
    let form = [
        ("grant_type", "refresh_token"),
        ("refresh_token", refresh.as_str()),
    ];
    let again = post_as(server, WEB, TOKEN, &form).await;
    assert_eq!(again.status, 200, "{again:?}");
    // The first one is not lost once its successor was used.
    let next = [
        ("grant_type", "refresh_token"),
        ("refresh_token", again.text("refresh_token")),
    ];
    assert_eq!(post_as(server, WEB, TOKEN, &next).await.status, 200);
    for _ in 0..2 {
        told.push(post_as(server, WEB, TOKEN, &form).await.body.to_string());
        told.push(
            post_as(server, WEB, TOKEN, &device.form(&[]))
                .await
                .body
                .to_string(),
        );
        told.push(
            post_as(server, (WEB.0, typed), TOKEN, &form)
                .await
                .body
                .to_string(),
        );
    }
    for (name, value) in [
        ("device code", &device.device_code[..]),
        ("user code", &device.user_code),
        ("refresh token", &refresh),
        ("next refresh token", again.text("refresh_token")),
        ("access token", answer.text("access_token")),
        ("next access token", again.text("access_token")),
    ] {
        assert!(!value.is_empty(), "{name}");
        secrets.push((name, value.to_owned()));
    }

    let assertion = Robot::new(server).await.assertion();
    let form = [
        ("token", "x"),
        ("client_assertion_type", JWT_BEARER),
        ("client_assertion", assertion.as_str()),
    ];
    for _ in 0..2 {
        told.push(
            post(server, "/oauth2/v1/revoke", &form)
                .await
                .body
                .to_string(),
        );
    }
    secrets.push(("assertion", assertion));

    secrets.extend(link_and_key(server, &mut browser).await);

    told.push(server.get("/metrics").await.text().await.unwrap());
    // Every error that there is a way to get, with something secret in it.
    for (path, name) in [
        ("/oauth2/v1/device", "client_id"),
        ("/oauth2/v1/device", "scope"),
        ("/oauth2/v1/token", "grant_type"),
        ("/oauth2/v1/introspect", "token_type_hint"),
        ("/oauth2/v1/revoke", "client_assertion"),
    ] {
        let canary = format!("canary in {name} of {path}");
        let form = [(name, canary.as_str()), ("client_secret", &canary)];
        for basic in [false, true] {
            let request = server.http().post(server.url(path)).form(&form);
            let request = match basic {
                true => request.basic_auth(&canary, Some(&canary)),
                false => request.header("authorization", format!("Bearer {canary}")),
            };
            let answer = request.send().await.unwrap();
            assert!(answer.status().is_client_error());
            told.push(answer.text().await.unwrap());
        }
        secrets.push(("canary", canary));
    }
    let basic = STANDARD.encode(format!("{}:{}", WEB.0, WEB.1));
    secrets.push(("Basic credentials", basic));

    (secrets, told)
}

/// Fails if one of the secrets is in a response, in a table or file, or in the log.
fn search(
    secrets: &[(&'static str, String)],
    told: &[String],
    stored: &[(String, Vec<u8>)],
    log: &[u8],
) {
    assert!(holds(log, b"createToken"), "no log");
    for (name, secret) in secrets {
        for part in spellings(secret) {
            for text in told {
                assert!(
                    !holds(text.as_bytes(), &part),
                    "the {name} is told in {text}"
                );
            }
            for (file, bytes) in stored {
                assert!(!holds(bytes, &part), "the {name} is stored in {file}");
            }
            if let Some(line) = log
                .split(|byte| *byte == b'\n')
                .find(|line| holds(line, &part))
            {
                panic!("the {name} is logged: {}", String::from_utf8_lossy(line));
            }
        }
    }
    // What is looked for would be found: these are stored as they are.
    for known in [ANA, "identity.refresh_token.reused"] {
        let found = stored
            .iter()
            .any(|(_, bytes)| holds(bytes, known.as_bytes()));
        assert!(found, "{known} is not stored");
    }
}

/// The program serves; beside it, in this process, is a replica whose public
/// address is the program's, so that all requests go there.
fn nothing_secret_is_anywhere(database: Database) {
    run_with(async || {
        let directory = tempfile::tempdir().unwrap();
        let database = match database {
            Database::Sqlite => None,
            Database::Postgres => {
                let made = tokio::task::spawn_blocking(cluster::fresh_database);
                Some(made.await.unwrap())
            }
        };
        let url = database.as_ref().map(|database| database.url().to_owned());
        let mut program = start(directory.path(), url.as_deref());
        let address = program.address.clone();
        let server = Server::start_with(Database::Sqlite, |layer| {
            layer.server.data_dir = Some(directory.path().join("data"));
            layer.server.public_url = Some(format!("http://{address}").parse().unwrap());
            layer.database.url = url.map(Secret::new);
        })
        .await;
        let (secrets, told) = use_secrets(&server).await;
        let stored = stored(&server).await;
        // The program writes the last lines of its log when it stops.
        program.signal("TERM");
        assert_eq!(program.wait(), Some(0));
        let log = std::fs::read(directory.path().join("log")).unwrap();
        search(&secrets, &told, &stored, &log);
        server
    });
}

mod no_secret_is_in_the_database_the_log_the_metrics_or_an_answer {
    use super::*;

    #[test]
    fn sqlite() {
        nothing_secret_is_anywhere(Database::Sqlite);
    }

    #[test]
    fn postgres() {
        nothing_secret_is_anywhere(Database::Postgres);
    }
}
