//! How a login stays valid.

use crate::script::{
    JSON, Script, client, file, list, login, organizations, pending, refusal, remembered, save,
    tokens, with_file,
};
use accord_client::{LoginKey, LoginStore, OperationError, RetryPolicy, TokenFile, explain};
use secrecy::ExposeSecret;
use std::time::{Duration, Instant};

#[tokio::test]
async fn an_expired_token_is_refreshed_first() {
    let script = Script::start(vec![
        pending(),
        tokens("a-1", "r-1", 0),
        tokens("a-2", "r-2", 3600),
        organizations(),
    ])
    .await;
    let (_folder, file) = file();
    let accord = with_file(&script, &file);
    accord
        .login("accord-cli", &["offline_access"], |_| {})
        .await
        .expect("a login");
    list(&accord).await.expect("a list");
    let requests = script.requests();
    assert!(
        requests[2].contains("grant_type=refresh_token")
            && requests[2].contains("refresh_token=r-1"),
        "{}",
        requests[2]
    );
    assert!(
        requests[3].contains("authorization: bearer a-2"),
        "{}",
        requests[3]
    );
    let key = LoginKey::new(script.address.clone());
    let remembered = file.load(&key).expect("it can be read").expect("a login");
    let refresh = remembered.refresh_token.expect("a refresh token");
    assert_eq!(refresh.expose_secret(), "r-2");
}

#[tokio::test]
async fn a_refused_token_is_refreshed_once() {
    let unauthorized = || {
        let body = r#"{"error":"invalid_token","error_description":"expired"}"#.to_owned();
        ("401 Unauthorized\r\ncontent-type: application/json", body)
    };
    let script = Script::start(vec![
        unauthorized(),
        tokens("a-2", "r-2", 3600),
        unauthorized(),
        organizations(),
    ])
    .await;
    let (_folder, file) = remembered(&login(&script, "a-1", "r-1", 60, 3600));
    let accord = with_file(&script, &file);
    let error = list(&accord).await.expect_err("refused twice");
    assert_eq!(error.status().map(|status| status.as_u16()), Some(401));
    let requests = script.requests();
    assert_eq!(requests.len(), 3);
    assert!(
        requests[2].contains("authorization: bearer a-2"),
        "{}",
        requests[2]
    );
}

/// Waits until the client reads the file again.
async fn wait_for_poll() {
    tokio::time::sleep(Duration::from_millis(1100)).await;
}

fn token_in(file: &TokenFile, script: &Script) -> Option<String> {
    let key = LoginKey::new(script.address.clone());
    let login = file.load(&key).expect("it can be read");
    login.map(|login| login.access_token.expose_secret().to_owned())
}

const AT_ONCE: Duration = Duration::ZERO;

/// The time of a refresh: longer than a machine is busy with anything else.
const REFRESH: Duration = Duration::from_secs(5);

#[tokio::test]
async fn a_call_that_is_dropped_does_not_lose_the_login() {
    let script = Script::serve(|request| match request.contains("grant_type") {
        true => (REFRESH, tokens("a-2", "r-2", 3600)),
        false => (AT_ONCE, organizations()),
    })
    .await;
    let (_folder, file) = remembered(&login(&script, "a-1", "r-1", 3600, 60));
    let accord = with_file(&script, &file);
    let accounts = accord.accounts();
    let dropped = accounts.list_organizations().call();
    tokio::select! {
        biased;
        () = script.until_asked("grant_type") => {}
        _ = dropped => panic!("the refresh takes longer"),
    }
    accord.settle().await;
    assert_eq!(token_in(&file, &script).as_deref(), Some("a-2"));
    let listed = accounts.list_organizations().call().await;
    listed.expect("a list");
    assert_eq!(script.count("refresh_token=r-1"), 1);
    assert_eq!(script.count("authorization: bearer a-2"), 1);
}

#[tokio::test]
async fn a_refresh_follows_no_redirect() {
    let thief = Script::start(vec![tokens("stolen", "stolen", 3600)]).await;
    let head = format!(
        "307 Temporary Redirect\r\nlocation: {}/oauth2/v1/token",
        thief.address
    );
    let script = Script::start(vec![(head.leak(), String::new())]).await;
    let (_folder, file) = remembered(&login(&script, "a-1", "r-1", 3600, 60));
    let accord = client(&script)
        .user_agent("tester/1")
        .token_file(file)
        .build()
        .expect("a client");
    let error = explain(&list(&accord).await.expect_err("no token"));
    assert!(error.contains("could not be refreshed"), "{error}");
    assert!(thief.requests().is_empty());
    // The client of the builder has sent it.
    assert_eq!(script.count("user-agent: tester/1"), 1);
}

#[tokio::test]
async fn a_valid_token_is_used_while_it_is_refreshed_once() {
    let busy = || ("503 Service Unavailable", String::new());
    let script = Script::serve(move |request| match request.contains("grant_type") {
        true => (REFRESH, busy()),
        false => (AT_ONCE, organizations()),
    })
    .await;
    let (_folder, file) = remembered(&login(&script, "a-1", "r-1", 290, 300));
    let accord = client(&script)
        .retry(RetryPolicy::never())
        .token_file(file)
        .build()
        .expect("a client");
    let began = Instant::now();
    let calls = (0..6).map(|_| accord.accounts().list_organizations().call());
    for listed in futures::future::join_all(calls).await {
        listed.expect("a list");
    }
    assert!(began.elapsed() < REFRESH);
    accord.settle().await;
    // A failed refresh is not repeated at once.
    list(&accord).await.expect("a list");
    accord.settle().await;
    assert_eq!(script.count("grant_type"), 1);
    assert_eq!(script.count("authorization: bearer a-1"), 7);
}

#[tokio::test]
async fn callers_share_a_refresh_that_fails() {
    let script = Script::serve(|_| {
        let busy = ("503 Service Unavailable", String::new());
        (Duration::from_millis(200), busy)
    })
    .await;
    let (_folder, file) = remembered(&login(&script, "a-1", "r-1", 3600, 60));
    let accord = client(&script)
        .retry(RetryPolicy::never())
        .token_file(file)
        .build()
        .expect("a client");
    let calls = (0..6).map(|_| accord.accounts().list_organizations().call());
    for listed in futures::future::join_all(calls).await {
        let error = explain(&listed.expect_err("no token"));
        assert!(error.contains("could not be refreshed"), "{error}");
    }
    assert_eq!(script.requests().len(), 1);
}

#[tokio::test]
async fn a_refresh_is_repeated_while_the_service_accepts_the_old_token() {
    let busy = |head| (head, String::new());
    let script = Script::start(vec![
        busy("429 Too Many Requests\r\nretry-after: 0"),
        busy("503 Service Unavailable"),
        busy("500 Internal Server Error"),
        tokens("a-2", "r-2", 3600),
        organizations(),
        // Another refresh is not possible within the time.
        busy("503 Service Unavailable\r\nretry-after: 26"),
    ])
    .await;
    let (_folder, file) = remembered(&login(&script, "a-1", "r-1", 3600, 60));
    let builder = client(&script).token_file(file.clone());
    let accord = builder.clone().build().expect("a client");
    list(&accord).await.expect("a list");
    assert_eq!(script.count("refresh_token=r-1"), 4);
    assert_eq!(token_in(&file, &script).as_deref(), Some("a-2"));
    save(&file, &login(&script, "a-2", "r-2", 3600, 60));
    let patient = RetryPolicy::default().max_wait(Duration::from_secs(60));
    let accord = builder.retry(patient).build().expect("a client");
    let error = explain(&list(&accord).await.expect_err("no token"));
    assert!(error.contains("could not be refreshed"), "{error}");
    assert_eq!(script.count("refresh_token=r-2"), 1);
}

#[tokio::test]
async fn a_refused_refresh_token_is_not_sent_again_and_another_login_is_found() {
    let script = Script::serve(|request| {
        let response = match request.contains("grant_type") {
            true => refusal("invalid_grant"),
            false => organizations(),
        };
        (AT_ONCE, response)
    })
    .await;
    let (_folder, file) = remembered(&login(&script, "a-1", "r-1", 3600, 60));
    let accord = with_file(&script, &file);
    for _ in 0..3 {
        let error = explain(&list(&accord).await.expect_err("the login is over"));
        assert!(error.contains("log in again"), "{error}");
    }
    assert_eq!(script.count("grant_type"), 1);
    // `accord login`, in another process.
    save(&file, &login(&script, "a-9", "r-9", 0, 3600));
    wait_for_poll().await;
    list(&accord).await.expect("a list");
    assert_eq!(script.count("authorization: bearer a-9"), 1);
}

#[tokio::test]
async fn a_login_of_another_process_is_noticed() {
    let script = Script::start(vec![organizations()]).await;
    let (_folder, file) = file();
    let accord = with_file(&script, &file);
    let error = explain(&list(&accord).await.expect_err("nobody is logged in"));
    assert!(error.contains("nobody is logged in"), "{error}");
    save(&file, &login(&script, "a-1", "r-1", 0, 3600));
    wait_for_poll().await;
    list(&accord).await.expect("a list");
}

#[tokio::test]
async fn a_login_that_another_process_forgot_is_not_restored_by_a_refresh() {
    let script = Script::start(vec![tokens("a-2", "r-2", 3600)]).await;
    let (_folder, file) = remembered(&login(&script, "a-1", "r-1", 3600, 60));
    let accord = with_file(&script, &file);
    let known = accord.remembered_login().await.expect("it can be read");
    assert!(known.is_some());
    let key = LoginKey::new(script.address.clone());
    file.remove(&key).expect("it can be forgotten");
    let error = explain(&list(&accord).await.expect_err("nobody is logged in"));
    assert!(error.contains("nobody is logged in"), "{error}");
    assert!(script.requests().is_empty());
    assert_eq!(token_in(&file, &script), None);
}

#[tokio::test]
async fn a_running_refresh_does_not_restore_a_login_that_was_ended() {
    let script = Script::serve(|request| match request {
        _ if request.contains("grant_type") => (REFRESH, tokens("a-2", "r-2", 3600)),
        _ if request.contains("/revoke") => (AT_ONCE, (JSON, String::new())),
        _ => (AT_ONCE, organizations()),
    })
    .await;
    // It is valid, and refreshed in the background.
    let (_folder, file) = remembered(&login(&script, "a-1", "r-1", 290, 300));
    let accord = with_file(&script, &file);
    list(&accord).await.expect("a list");
    script.until_asked("grant_type").await;
    assert!(accord.logout().await.expect("it is revoked"));
    accord.settle().await;
    assert_eq!(script.count("/revoke"), 1);
    // The logout began before the refresh was over.
    let is_of_old = |request: &String| request.contains("/revoke") && request.contains("r-1");
    assert!(script.requests().iter().any(is_of_old));
    assert_eq!(token_in(&file, &script), None);
    let error = explain(&list(&accord).await.expect_err("nobody is logged in"));
    assert!(error.contains("nobody is logged in"), "{error}");
    assert_eq!(script.count("bearer a-2"), 0);
}

#[tokio::test]
async fn a_short_token_is_not_refreshed_at_every_call() {
    let script = Script::start(vec![organizations(), organizations()]).await;
    let (_folder, file) = remembered(&login(&script, "a-1", "r-1", 10, 60));
    let accord = with_file(&script, &file);
    for _ in 0..2 {
        list(&accord).await.expect("a list");
    }
    accord.settle().await;
    assert_eq!(script.count("grant_type"), 0);
}
