//! A service that will stop: balancers learn it before any caller does.

use std::net::TcpListener;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::serving::{Serving, program};

/// The status line of a `GET` on a connection of its own.
fn status(serving: &Serving, path: &str) -> String {
    let text = serving.get(path);
    text.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn readiness_turns_503_while_requests_are_still_accepted() {
    let directory = tempfile::tempdir().unwrap();
    // Longer than the test may take: a second signal ends it.
    let file = "[server]\ndrain_delay_seconds = 600\n";
    std::fs::write(directory.path().join("accord.toml"), file).unwrap();
    let mut serving = Serving::start_on("127.0.0.1:0", directory.path(), &[]);
    assert_eq!(status(&serving, "/readyz"), "HTTP/1.1 200 OK");
    serving.signal("TERM");
    let deadline = Instant::now() + Duration::from_secs(60);
    while status(&serving, "/readyz") != "HTTP/1.1 503 Service Unavailable" {
        assert!(Instant::now() < deadline, "the service stays ready");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(status(&serving, "/openapi"), "HTTP/1.1 200 OK");
    serving.signal("TERM");
    assert_eq!(serving.wait(), Some(1));
}

#[test]
fn a_signal_to_stop_ends_a_service_that_waits_for_its_database() {
    let directory = tempfile::tempdir().unwrap();
    let database = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!(
        "postgres://accord@{}/accord",
        database.local_addr().unwrap()
    );
    let mut command = program(directory.path());
    let mut child = command.args(["--database-url", &url]).spawn().unwrap();
    // The database never responds.
    let _connection = database.accept().unwrap();
    let id = child.id().to_string();
    let killed = Command::new("kill").args(["-s", "TERM", &id]).status();
    assert!(killed.unwrap().success());
    // A signal without a handler ends a process without an exit code.
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
