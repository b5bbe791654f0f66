//! How a user logs in on a device: the code, and the approval.

use crate::command::{command, stderr};
use crate::script::{
    JSON, Response, Script, client, file, list, organizations, pending, refusal, tokens, with_file,
};
use accord_client::{LoginError, TokenFile};
use std::time::{Duration, Instant};

#[tokio::test]
async fn a_login_waits_for_the_approval_and_is_remembered() {
    let script = Script::start(vec![
        pending(),
        refusal("authorization_pending"),
        tokens("a-1", "r-1", 3600),
        organizations(),
    ])
    .await;
    let (_folder, file) = file();
    let accord = with_file(&script, &file);
    let mut shown = String::new();
    let scopes = ["accounts.read", "offline_access"];
    accord
        .login("accord-cli", &scopes, |prompt| {
            shown = prompt.user_code.clone()
        })
        .await
        .expect("a login");
    assert_eq!(shown, "KLMRTVWX");
    // Another process finds it.
    let other = with_file(&script, &file);
    list(&other).await.expect("a list");
    let requests = script.requests();
    assert!(
        requests[0].contains("scope=accounts.read+offline_access"),
        "{}",
        requests[0]
    );
    assert!(requests[1].contains("device_code=d-1"), "{}", requests[1]);
    assert!(
        requests[3].contains("authorization: bearer a-1"),
        "{}",
        requests[3]
    );
}

#[tokio::test]
async fn a_login_whose_errors_go_to_a_pipe_says_once_that_it_waits() {
    let script = Script::start(vec![
        pending(),
        refusal("authorization_pending"),
        tokens("a-1", "r-1", 3600),
    ])
    .await;
    let folder = tempfile::tempdir().expect("a directory");
    let mut command = command(&script.address);
    let command = command.arg("login").env("XDG_STATE_HOME", folder.path());
    let output = command.output().await.expect("it runs");
    let said = stderr(&output);
    assert!(output.status.success(), "{said}");
    assert_eq!(said.matches("Waiting").count(), 1, "{said}");
    assert!(!said.contains(['\r', '\x1b']), "{said:?}");
}

#[tokio::test]
async fn a_denied_or_expired_login_says_so() {
    for (code, wanted) in [("access_denied", "denied"), ("expired_token", "expired")] {
        let script = Script::start(vec![pending(), refusal(code)]).await;
        let accord = client(&script).build().expect("a client");
        let error = accord
            .login("accord-cli", &[], |_| {})
            .await
            .expect_err(code);
        assert!(error.to_string().contains(wanted), "{error}");
        assert!(matches!(error, LoginError::Denied | LoginError::Expired));
    }
}

#[tokio::test]
async fn the_halves_of_a_login_end_by_the_approval() {
    let script = Script::start(vec![
        pending_for(60, 1),
        refusal("authorization_pending"),
        tokens("a-1", "r-1", 3600),
        organizations(),
    ])
    .await;
    let accord = client(&script).build().expect("a client");
    let pending = accord.start_login("accord-cli", &["accounts.read"]).await;
    let pending = pending.expect("a code");
    let prompt = pending.prompt();
    assert_eq!(prompt.user_code, "KLMRTVWX");
    assert_eq!(prompt.verification_uri, "http://id.example/ui");
    assert!(prompt.verification_uri_complete.ends_with("=KLMRTVWX"));
    assert_eq!(prompt.expires_in, Duration::from_secs(60));
    assert_eq!(script.requests().len(), 1, "nothing polls yet");
    let login = pending.wait().await.expect("a login");
    assert_eq!(login.identity, script.address);
    list(&accord).await.expect("a list");
    assert_eq!(script.count("authorization: bearer a-1"), 1);
}

#[tokio::test]
async fn a_pending_login_ends_by_a_denial_or_the_end_of_its_code() {
    for (code, wanted) in [("access_denied", "denied"), ("expired_token", "expired")] {
        let script = Script::start(vec![pending(), refusal(code)]).await;
        let accord = client(&script).build().expect("a client");
        let pending = accord.start_login("accord-cli", &[]).await.expect("a code");
        let error = pending.wait().await.expect_err(code);
        assert!(error.to_string().contains(wanted), "{error}");
    }
    let script = Script::start(vec![pending_for(1, 1), refusal("authorization_pending")]).await;
    let accord = client(&script).build().expect("a client");
    let pending = accord.start_login("accord-cli", &[]).await.expect("a code");
    let outcome = pending.wait().await;
    assert!(matches!(outcome, Err(LoginError::Expired)), "{outcome:?}");
}

#[tokio::test]
async fn a_pending_login_polls_less_often_when_the_service_asks_for_it() {
    let script = Script::start(vec![
        pending_for(60, 1),
        refusal("slow_down"),
        tokens("a-1", "r-1", 3600),
    ])
    .await;
    let accord = client(&script).build().expect("a client");
    let pending = accord.start_login("accord-cli", &[]).await.expect("a code");
    let began = Instant::now();
    pending.wait().await.expect("a login");
    // One second, and then five more (RFC 8628, section 3.5).
    assert!(began.elapsed() >= Duration::from_secs(7));
}

#[tokio::test]
async fn a_pending_login_that_is_dropped_polls_no_more() {
    let script = Script::start(vec![
        pending_for(60, 1),
        refusal("authorization_pending"),
        tokens("a-1", "r-1", 3600),
    ])
    .await;
    let accord = client(&script).build().expect("a client");
    let pending = accord.start_login("accord-cli", &[]).await.expect("a code");
    tokio::select! {
        biased;
        () = script.until_asked("device_code=d-1") => {}
        _ = pending.wait() => panic!("the user has not decided"),
    }
    tokio::time::sleep(Duration::from_millis(1500)).await;
    assert_eq!(script.count("device_code=d-1"), 1);
    let known = accord.remembered_login().await.expect("it can be read");
    assert!(known.is_none());
}

fn pending_for(expires_in: u32, interval: u32) -> Response {
    let body = format!(
        r#"{{"device_code":"d-1","user_code":"KLMRTVWX","verification_uri":"http://id.example/ui","verification_uri_complete":"http://id.example/ui?user_code=KLMRTVWX","expires_in":{expires_in},"interval":{interval}}}"#
    );
    (JSON, body)
}

#[tokio::test]
async fn a_login_outlasts_a_service_that_is_busy() {
    let script = Script::start(vec![
        pending_for(60, 0),
        ("503 Service Unavailable", "<html>busy</html>".to_owned()),
        (
            "429 Too Many Requests\r\nretry-after: 1",
            "slowly".to_owned(),
        ),
        tokens("a-1", "r-1", 3600),
    ])
    .await;
    let accord = client(&script).build().expect("a client");
    let began = Instant::now();
    let login = accord.login("accord-cli", &["accounts.read"], |_| {}).await;
    login.expect("a login");
    // The client waits one second, then two, then four, although the interval
    // is 0.
    assert!(began.elapsed() >= Duration::from_secs(7));
    assert_eq!(script.requests().len(), 4);
}

#[tokio::test]
async fn the_last_poll_comes_at_the_end_of_the_code() {
    let script = Script::start(vec![pending_for(2, 5), tokens("a-1", "r-1", 3600)]).await;
    let accord = client(&script).build().expect("a client");
    let login = accord.login("accord-cli", &["accounts.read"], |_| {}).await;
    login.expect("a login");
}

#[tokio::test]
async fn a_login_that_cannot_be_remembered_is_not_started() {
    let script = Script::start(vec![pending()]).await;
    let folder = tempfile::tempdir().expect("a directory");
    let blocked = folder.path().join("file");
    std::fs::write(&blocked, "").expect("it can be written");
    let accord = client(&script)
        .token_file(TokenFile::at(blocked.join("login.json")))
        .build()
        .expect("a client");
    let error = accord.login("accord-cli", &[], |_| {}).await;
    assert!(matches!(error, Err(LoginError::Store(_))), "{error:?}");
    assert!(script.requests().is_empty());
}
