//! Stores of logins: in memory, in a file, and of the program.

use crate::command::{command, stderr};
use crate::script::{Script, client, file, list, login, organizations, pending, save, tokens};
use accord_client::{
    BoxError, Login, LoginKey, LoginLock, LoginStore, MemoryStore, TokenFile, explain,
};
use secrecy::ExposeSecret;
use std::time::Duration;

#[tokio::test]
async fn clients_share_a_login_in_memory_and_refresh_it_once() {
    let script = Script::serve(|request| match request.contains("grant_type") {
        true => (Duration::from_millis(200), tokens("a-2", "r-2", 3600)),
        false => (Duration::ZERO, organizations()),
    })
    .await;
    let store = MemoryStore::new();
    save(&store, &login(&script, "a-1", "r-1", 3600, 60));
    let clients = [(); 3].map(|()| {
        let builder = client(&script).login_store(store.clone());
        builder.build().expect("a client")
    });
    let calls = clients
        .iter()
        .map(|accord| accord.accounts().list_organizations().call());
    for listed in futures::future::join_all(calls).await {
        listed.expect("a list");
    }
    assert_eq!(script.count("grant_type"), 1);
    assert_eq!(script.count("authorization: bearer a-2"), 3);
    let printed = format!("{store:?} {:?}", clients[0]);
    assert!(
        !printed.contains("a-2") && !printed.contains("r-2"),
        "{printed}"
    );
}

#[tokio::test]
async fn clients_of_one_builder_without_a_store_do_not_share_a_login() {
    let script = Script::start(vec![pending(), tokens("a-1", "r-1", 3600)]).await;
    let builder = client(&script);
    let first = builder.clone().build().expect("a client");
    let second = builder.build().expect("a client");
    let login = first.login("accord-cli", &[], |_| {}).await;
    login.expect("a login");
    let known = first.remembered_login().await.expect("it is in memory");
    assert!(known.is_some());
    let known = second.remembered_login().await.expect("it is in memory");
    assert!(known.is_none());
}

#[tokio::test]
async fn each_profile_logs_in_and_out_for_itself() {
    let script = Script::serve(|request| {
        let response = match request {
            _ if request.contains("/device") => pending(),
            _ if request.contains("grant_type") => tokens("a-ops", "r-ops", 3600),
            _ => organizations(),
        };
        (Duration::ZERO, response)
    })
    .await;
    let (_folder, file) = file();
    save(&file, &login(&script, "a-own", "r-own", 0, 3600));
    let of = |profile: Option<&str>| {
        let mut builder = client(&script).token_file(file.clone());
        if let Some(name) = profile {
            builder = builder.profile(name);
        }
        builder.build().expect("a client")
    };
    let (own, ops) = (of(None), of(Some("ops")));
    let nobody = ops.accounts().list_organizations().call().await;
    let error = explain(&nobody.expect_err("no login"));
    assert!(
        error.contains("nobody is logged in with the profile ops"),
        "{error}"
    );
    let login = ops.login("accord-cli", &["accounts.read"], |_| {}).await;
    login.expect("a login");
    for accord in [&own, &of(Some("default")), &ops, &of(Some("ops"))] {
        list(accord).await.expect("a list");
    }
    assert_eq!(script.count("authorization: bearer a-own"), 2);
    assert_eq!(script.count("authorization: bearer a-ops"), 2);
    assert!(own.logout().await.expect("it is revoked"));
    let left = file.logins().expect("it can be read");
    let left: Vec<&str> = left.iter().map(|(key, _)| key.profile.as_str()).collect();
    assert_eq!(left, ["ops"]);
}

/// A store whose logins can be read, and not replaced.
struct ReadOnly(TokenFile);

impl LoginStore for ReadOnly {
    fn lock(&self) -> Result<LoginLock, BoxError> {
        Ok(LoginLock::new(()))
    }

    fn load(&self, key: &LoginKey) -> Result<Option<Login>, BoxError> {
        self.0.load(key)
    }

    fn save(&self, _: &LoginKey, _: &Login) -> Result<(), BoxError> {
        Err("the store is full".into())
    }

    fn remove(&self, key: &LoginKey) -> Result<(), BoxError> {
        self.0.remove(key)
    }
}

#[tokio::test]
async fn a_login_that_a_store_refuses_lasts_as_long_as_the_client() {
    let script = Script::serve(|request| {
        let response = match request {
            _ if request.contains("/device") => pending(),
            _ if request.contains("grant_type") => tokens("a-2", "r-2", 3600),
            _ => organizations(),
        };
        (Duration::ZERO, response)
    })
    .await;
    let (_folder, file) = file();
    let build = || {
        let builder = client(&script).login_store(ReadOnly(file.clone()));
        builder.build().expect("a client")
    };
    let accord = build();
    let error = accord.login("accord-cli", &[], |_| {}).await;
    let error = error.expect_err("it is not stored").to_string();
    assert_eq!(error, "the store is full");
    // A refreshed login that cannot be stored also lasts as long as the client.
    save(&file, &login(&script, "a-1", "r-1", 3600, 60));
    for accord in [accord, build()] {
        list(&accord).await.expect("a list");
    }
    assert_eq!(script.count("authorization: bearer a-2"), 2);
    let stored = file.load(&LoginKey::new(script.address.clone()));
    let stored = stored.expect("it can be read").expect("a login");
    assert_eq!(stored.access_token.expose_secret(), "a-1");
}

#[tokio::test]
async fn processes_that_share_a_file_take_turns() {
    let script = Script::serve(|request| match request.contains("grant_type") {
        true => (Duration::from_millis(200), tokens("a-2", "r-2", 3600)),
        false => (Duration::ZERO, organizations()),
    })
    .await;
    let (_folder, file) = file();
    save(&file, &login(&script, "a-1", "r-1", 3600, 60));
    let lock = file.lock().expect("it is free");
    let processes = [(); 3].map(|()| {
        let mut command = command(&script.address);
        command.env("ACCORD_LOGIN_FILE", file.path()).arg("orgs");
        command.spawn().expect("it runs")
    });
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert!(script.requests().is_empty());
    drop(lock);
    for process in processes {
        let output = process.wait_with_output().await.expect("it ends");
        assert!(output.status.success(), "{}", stderr(&output));
    }
    assert_eq!(script.count("grant_type"), 1);
    assert_eq!(script.count("authorization: bearer a-2"), 3);
}

#[tokio::test]
async fn a_lock_of_a_file_holds_until_it_is_dropped() {
    let folder = tempfile::tempdir().expect("a directory");
    let path = folder.path().join("a.lock");
    let lock = LoginLock::of_file(&path).expect("it is free");
    let waiting = tokio::task::spawn_blocking({
        let path = path.clone();
        move || LoginLock::of_file(path).map(drop)
    });
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert!(!waiting.is_finished());
    drop(lock);
    let taken = waiting.await.expect("no panic");
    taken.expect("it is free again");
}
