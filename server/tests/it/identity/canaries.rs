//! Nothing secret is stored or told: a test uses every kind of secret there is,
//! and then looks for them everywhere. (That the log has none is tested with the
//! program itself.)

use accord_server::identity::demo;

use super::browser::Browser;
use super::client::{ANA, Device, JWT_BEARER, PASSWORD, WEB, post, post_as};
use super::signing::Robot;
use crate::harness::{Database, Server, run};

const TOKEN: &str = "/oauth2/v1/token";

/// Everything that lies in the data directory, the database and its journal
/// included.
fn stored(server: &Server) -> Vec<(String, Vec<u8>)> {
    let directory = &server.app().config.server.data_dir;
    let files = std::fs::read_dir(directory).unwrap();
    let files = files.map(|file| file.unwrap().path());
    files
        .filter(|path| path.is_file())
        .map(|path| (path.display().to_string(), std::fs::read(&path).unwrap()))
        .collect()
}

async fn body(server: Server) {
    let mut secrets = vec![
        ("password", PASSWORD.to_owned()),
        ("client secret", demo::SECRET.to_owned()),
    ];
    let mut told = Vec::new();

    let mut browser = Browser::new(&server);
    browser.get("/ui/v1/signin").await;
    let typed = "a wrong passphrase of somebody";
    let fields = [("username", ANA), ("password", typed)];
    told.push(browser.submit("/ui/v1/signin", &fields).await.body);
    secrets.push(("wrong password", typed.to_owned()));
    browser.sign_in(ANA, PASSWORD).await;
    let (_, cookie) = browser.cookie.clone().unwrap();
    secrets.push(("session cookie", cookie));

    let device = Device::ask_as(&server, demo::CONFIDENTIAL, "accounts.read offline_access").await;
    browser.decide(&device.user_code, "approve").await;
    let answer = post_as(&server, WEB, TOKEN, &device.form(&[])).await;
    let refresh = answer.text("refresh_token").to_owned();
    let form = [
        ("grant_type", "refresh_token"),
        ("refresh_token", refresh.as_str()),
    ];
    let again = post_as(&server, WEB, TOKEN, &form).await;
    assert_eq!(again.status, 200, "{again:?}");
    for _ in 0..2 {
        told.push(post_as(&server, WEB, TOKEN, &form).await.body.to_string());
        told.push(
            post_as(&server, WEB, TOKEN, &device.form(&[]))
                .await
                .body
                .to_string(),
        );
        told.push(
            post_as(&server, (WEB.0, typed), TOKEN, &form)
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

    let assertion = Robot::new(&server).await.assertion();
    let form = [
        ("token", "x"),
        ("client_assertion_type", JWT_BEARER),
        ("client_assertion", assertion.as_str()),
    ];
    for _ in 0..2 {
        told.push(
            post(&server, "/oauth2/v1/revoke", &form)
                .await
                .body
                .to_string(),
        );
    }
    secrets.push(("assertion", assertion));

    told.push(server.get("/metrics").await.text().await.unwrap());
    let stored = stored(&server);
    assert!(
        stored.iter().any(|(_, bytes)| bytes.len() > 10_000),
        "no database"
    );
    for (name, secret) in &secrets {
        for text in &told {
            assert!(!text.contains(secret), "the {name} is told in {text}");
        }
        for (file, bytes) in &stored {
            let found = bytes
                .windows(secret.len())
                .any(|part| part == secret.as_bytes());
            assert!(!found, "the {name} is stored in {file}");
        }
    }
    // What is looked for would be found: these are stored as they are.
    for known in [ANA, "identity.refresh_token.reused"] {
        let found = stored.iter().any(|(_, bytes)| {
            bytes
                .windows(known.len())
                .any(|part| part == known.as_bytes())
        });
        assert!(found, "{known} is not stored");
    }
}

#[test]
fn no_secret_is_in_the_database_the_metrics_or_an_answer() {
    run(Database::Sqlite, body);
}
