//! The program itself: its command line, its configuration, and how it stops.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::serving::{Serving, error_of, output, program};

fn answer(stream: &mut TcpStream) -> String {
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text
}

#[test]
fn the_template_of_the_configuration_can_be_used_as_it_is() {
    let directory = tempfile::tempdir().unwrap();
    let template = output(directory.path(), &["config"]);
    assert!(template.status.success());
    std::fs::write(directory.path().join("accord.toml"), &template.stdout).unwrap();
    let serving = Serving::start(directory.path(), &[]);
    assert!(serving.banner.contains("Accord"), "{}", serving.banner);
}

#[test]
fn a_command_whose_reader_is_gone_does_its_work() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("empty.toml"), "").unwrap();
    let mut command = program(directory.path());
    command.args(["apply", "empty.toml"]).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    assert!(child.wait().unwrap().success());
}

#[test]
fn the_banner_says_that_the_command_of_cargo_first_compiles_without_output() {
    let examples = |by_cargo: bool| {
        let directory = tempfile::tempdir().unwrap();
        let mut command = program(directory.path());
        command.args(["--listen", "127.0.0.1:0"]);
        if by_cargo {
            command.env("CARGO_MANIFEST_DIR", ".");
        }
        let mut child = command.spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let lines = lines.map_while(Result::ok);
        let lines: Vec<_> = lines.take_while(|it| !it.starts_with("Ctrl-C")).collect();
        child.kill().unwrap();
        child.wait().unwrap();
        lines.join("\n")
    };
    let notice = "The first `cargo accord` compiles for a minute or two, without output.";
    let banner = examples(true);
    assert!(banner.contains("  cargo accord"), "{banner}");
    assert!(banner.contains(notice), "{banner}");
    let banner = examples(false);
    assert!(banner.contains("  accord"), "{banner}");
    assert!(!banner.contains("cargo accord"), "{banner}");
}

#[test]
fn a_bad_configuration_names_file_line_and_key() {
    let directory = tempfile::tempdir().unwrap();
    let text = "[server]\nregion = \"x\"\n\n[log]\nlevle = \"info\"\n";
    std::fs::write(directory.path().join("accord.toml"), text).unwrap();
    let error = error_of(&output(directory.path(), &[]));
    assert!(
        error.starts_with("error: accord.toml:5:1: log.levle: "),
        "{error}"
    );
    let error = error_of(&output(directory.path(), &["--config", "nowhere.toml"]));
    assert!(error.starts_with("error: nowhere.toml: "), "{error}");
}

#[test]
fn the_configuration_is_checked_without_a_service() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("accord.toml");
    let check = || output(directory.path(), &["config", "--check"]);
    let none = check();
    assert!(none.status.success(), "{none:?}");
    assert_eq!(
        none.stdout,
        b"The configuration is valid. There is no file.\n"
    );
    std::fs::write(&file, "[log]\nlevel = \"info\"\n").unwrap();
    assert_eq!(check().stdout, b"accord.toml is valid.\n");
    std::fs::write(&file, "[server]\nlisten = \"everywhere\"\n").unwrap();
    let error = error_of(&check());
    assert!(error.starts_with("error: accord.toml:2:"), "{error}");
    assert_eq!(
        std::fs::read_dir(directory.path()).unwrap().count(),
        1,
        "nothing is created"
    );
}

#[test]
fn the_effective_configuration_has_sources_and_no_secrets() {
    let directory = tempfile::tempdir().unwrap();
    let file = r#"
        [server]
        listen = "127.0.0.1:1"
        region = "eu-1"
        [log]
        level = "warn"
        [mail]
        password = "hunter2"
        [limits]
        url = "redis://:hunter2@127.0.0.1:6379"
        [[inference.models]]
        name = "chat"
        family = "acme"
        [[inference.models.upstreams]]
        url = "http://user:hunter2@127.0.0.1:2/hunter2?key=hunter2"
        set_headers = { authorization = "hunter2" }
    "#;
    std::fs::write(directory.path().join("accord.toml"), file).unwrap();
    let mut command = program(directory.path());
    command
        .env("ACCORD_REGION", "eu-2")
        // An empty variable of a number counts as unset.
        .env("ACCORD_DRAIN_SECONDS", "")
        .env("ACCORD_SERVER_KEY", "hunter2")
        .args(["config", "--effective", "--listen", "127.0.0.1:3"]);
    let printed = command.output().unwrap();
    assert!(printed.status.success(), "{printed:?}");
    let text = String::from_utf8(printed.stdout).unwrap();
    for line in [
        "server.listen = \"127.0.0.1:3\" # option",
        "server.region = \"eu-2\" # ACCORD_REGION",
        "server.key = \"(set)\" # ACCORD_SERVER_KEY",
        "server.drain_seconds = 20 # default",
        "# server.domain is not set",
        "# server.tls.key is not set",
        "log.level = \"warn\" # accord.toml",
        "mail.password = \"(set)\" # accord.toml",
        "limits.url = \"(set)\" # accord.toml",
        "inference.regions = [] # default",
    ] {
        assert!(text.lines().any(|one| one == line), "{line}: {text}");
    }
    assert!(!text.contains("hunter2"), "{text}");
    let both = output(directory.path(), &["config", "--effective", "--check"]);
    assert_eq!(both.status.code(), Some(2));
}

#[test]
fn an_unknown_level_is_refused_with_the_levels_there_are() {
    let directory = tempfile::tempdir().unwrap();
    for level in ["loud", "info,loud", "acord_server=debug"] {
        let error = error_of(&output(directory.path(), &["--log", level]));
        assert!(error.starts_with("error: log.level: "), "{error}");
        assert!(error.contains("expected "), "{error}");
    }
}

#[test]
fn a_bad_variable_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let mut command = program(directory.path());
    let error = error_of(&command.env("ACCORD_LISTEN", "everywhere").output().unwrap());
    assert!(error.contains("ACCORD_LISTEN"), "{error}");
}

#[test]
fn a_usage_line_lists_no_option_that_only_the_environment_sets() {
    let directory = tempfile::tempdir().unwrap();
    let mut command = program(directory.path());
    command.env("ACCORD_CONFIG", "accord.toml");
    let output = command.args(["users", "disable"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(
        text.contains("Usage: accord-server users disable <"),
        "{text}"
    );
    assert!(!text.contains("--config"), "{text}");
}

#[test]
fn flags_go_over_the_environment_and_the_environment_over_the_file() {
    let directory = tempfile::tempdir().unwrap();
    // Neither the file's region nor any database but the flag's can be used.
    let file = "[server]\nregion = \"FILE\"\n[database]\nurl = \"file:\"\n";
    std::fs::write(directory.path().join("accord.toml"), file).unwrap();
    let mut command = program(directory.path());
    command
        .env("ACCORD_REGION", "environment")
        .env("ACCORD_DATABASE_URL", "environment:")
        .args(["--database-url", "sqlite:nowhere/accord.db"]);
    let error = error_of(&command.output().unwrap());
    assert!(error.contains("nowhere/accord.db"), "{error}");
}

#[test]
fn an_address_that_is_taken_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let first = Serving::start(directory.path(), &[]);
    let arguments = ["--data-dir", "other", "--listen", &first.address];
    let error = error_of(&output(directory.path(), &arguments));
    assert!(error.contains(&first.address), "{error}");
    assert!(error.contains("choose another address"), "{error}");
}

#[test]
fn the_demo_catalog_is_not_served_beyond_this_machine() {
    let directory = tempfile::tempdir().unwrap();
    let error = error_of(&output(directory.path(), &["--listen", "0.0.0.0:0"]));
    assert!(error.contains("demo"), "{error}");
    // And nothing of it was written.
    let mut serving = Serving::start(directory.path(), &["--demo", "false"]);
    serving.signal("TERM");
    serving.wait();
    let mut command = program(directory.path());
    let mut child = command.args(["--listen", "0.0.0.0:0"]).spawn().unwrap();
    let mut line = String::new();
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    while !line.contains("http://") && lines.read_line(&mut line).unwrap() > 0 {}
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(line.contains("http://"), "{line}");
}

#[test]
fn the_demo_catalog_is_not_served_at_a_public_address() {
    for url in ["https://accord.example.com", "http://192.0.2.1:8080"] {
        let directory = tempfile::tempdir().unwrap();
        let error = error_of(&output(directory.path(), &["--public-url", url]));
        assert!(error.contains("demo") && error.contains(url), "{error}");
    }
    for url in [
        "http://localhost:8080",
        "http://[::1]:8080",
        "http://a.localhost",
    ] {
        let directory = tempfile::tempdir().unwrap();
        Serving::start(directory.path(), &["--public-url", url]);
    }
}

#[test]
fn the_demo_catalog_is_not_served_behind_a_proxy() {
    let directory = tempfile::tempdir().unwrap();
    let file = "[server]\ntrusted_proxies = [\"127.0.0.1\"]\n";
    std::fs::write(directory.path().join("accord.toml"), file).unwrap();
    let error = error_of(&output(directory.path(), &[]));
    assert!(
        error.contains("demo") && error.contains("trusted proxy 127.0.0.1"),
        "{error}"
    );
    drop(Serving::start(directory.path(), &["--demo", "false"]));
}

#[test]
fn no_command_fills_a_store_with_the_demo_catalog() {
    let commands: [&[&str]; 3] = [&["users", "list"], &["export"], &["mail", "list"]];
    for command in commands {
        let directory = tempfile::tempdir().unwrap();
        let printed = output(directory.path(), command);
        assert!(printed.status.success(), "{printed:?}");
        let printed = String::from_utf8(printed.stdout).unwrap();
        assert!(!printed.contains("north"), "{printed}");
        // And the service does not fill it later: it was begun without.
        drop(Serving::start(directory.path(), &[]));
        let users = output(directory.path(), &["users", "list"]);
        let users = String::from_utf8(users.stdout).unwrap();
        assert!(!users.contains("north"), "{users}");
    }
}

#[test]
fn a_database_file_that_is_gone_is_not_replaced_at_the_next_start() {
    let directory = tempfile::tempdir().unwrap();
    Serving::start(directory.path(), &["--demo", "false"]).log();
    let data = directory.path().join("data");
    lose_database(&data);
    for command in [&["serve"] as &[&str], &["users", "list"]] {
        let error = error_of(&output(directory.path(), command));
        let names = ["server.key", "accord.db", "Put it back"];
        assert!(names.iter().all(|name| error.contains(name)), "{error}");
        assert!(!data.join("accord.db").exists());
    }
}

/// Removes a SQLite database from a directory.
fn lose_database(directory: &Path) {
    for file in std::fs::read_dir(directory).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if name.starts_with("accord.db") {
            std::fs::remove_file(path).unwrap();
        }
    }
}

#[test]
fn a_lost_database_is_noticed_wherever_it_and_the_key_are() {
    const KEY: &str = "YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWE=";
    let key = format!("[server]\nkey = \"{KEY}\"\n");
    let elsewhere = "[database]\nurl = \"sqlite:elsewhere/accord.db\"\n".to_owned();
    let both = format!("{key}{elsewhere}");
    for (file, folder) in [(key, "data"), (elsewhere, "elsewhere"), (both, "elsewhere")] {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        std::fs::write(path("accord.toml"), file).unwrap();
        std::fs::create_dir(path("elsewhere")).unwrap();
        Serving::start(directory.path(), &["--demo", "false"]).log();
        // The store of an earlier version has no mark until its next start.
        std::fs::remove_file(path("data/database.mark")).unwrap();
        assert!(
            output(directory.path(), &["users", "list"])
                .status
                .success()
        );
        lose_database(&path(folder));
        for command in [&["serve"] as &[&str], &["users", "list"]] {
            let error = error_of(&output(directory.path(), command));
            let names = ["data/database.mark", "accord.db", "Put it back"];
            assert!(names.iter().all(|name| error.contains(name)), "{error}");
        }
        let database = path(folder).join("accord.db");
        assert!(!database.exists());
        // A wrong address is no new database either.
        let wrong = [
            "--database-url",
            "sqlite:elsewhere/accrod.db",
            "users",
            "list",
        ];
        let error = error_of(&output(directory.path(), &wrong));
        assert!(
            error.contains("accrod.db") && error.contains("(for "),
            "{error}"
        );
        // Whoever says so gets a new one.
        std::fs::remove_file(path("data/database.mark")).unwrap();
        let _ = std::fs::remove_file(path("data/server.key"));
        drop(Serving::start(directory.path(), &["--demo", "false"]));
        assert!(database.exists());
    }
}

#[test]
fn a_lost_server_key_is_not_replaced() {
    let directory = tempfile::tempdir().unwrap();
    let serving = Serving::start(directory.path(), &[]);
    let key = directory.path().join("data/server.key");
    std::fs::remove_file(&key).unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    while !serving.get("/readyz").starts_with("HTTP/1.1 503") {
        assert!(Instant::now() < deadline, "still ready");
        std::thread::sleep(Duration::from_millis(200));
    }
    assert!(!key.exists());
    let log = serving.log();
    assert!(log.contains("server.key is missing"), "{log}");
    let error = error_of(&output(directory.path(), &[]));
    assert!(error.contains("server.key is missing"), "{error}");
    assert!(!key.exists());
}

#[test]
fn files_that_others_can_read_or_replace_are_warned_of() {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("accord.toml");
    let secret = "YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWE=";
    std::fs::write(&file, format!("[server]\nkey = \"{secret}\"\n")).unwrap();
    std::fs::set_permissions(&file, PermissionsExt::from_mode(0o644)).unwrap();
    let data = directory.path().join("data");
    std::fs::create_dir(&data).unwrap();
    std::fs::set_permissions(&data, PermissionsExt::from_mode(0o777)).unwrap();
    let log = Serving::start(directory.path(), &[]).log();
    assert!(log.contains("has the secret server.key"), "{log}");
    assert!(log.contains("chmod go-w"), "{log}");
    assert!(!log.contains(secret), "{log}");
}

#[test]
fn a_lost_server_key_is_noticed() {
    let directory = tempfile::tempdir().unwrap();
    let mut serving = Serving::start(directory.path(), &[]);
    serving.signal("INT");
    assert_eq!(serving.wait(), Some(0));
    std::fs::remove_file(directory.path().join("data/server.key")).unwrap();
    let error = error_of(&output(directory.path(), &[]));
    assert!(error.contains("server key"), "{error}");
}

#[test]
fn a_new_signing_key_is_published_before_it_signs() {
    let directory = tempfile::tempdir().unwrap();
    let keys = |arguments: &[&str]| {
        let printed = output(directory.path(), &[&["signing-keys"], arguments].concat());
        assert!(printed.status.success(), "{printed:?}");
        let text = String::from_utf8(printed.stdout).unwrap();
        text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    let states = |lines: &[String]| {
        let state = |line: &String| line.split_whitespace().nth(1).unwrap().to_owned();
        lines.iter().map(state).collect::<Vec<_>>()
    };
    let rotated = keys(&["rotate"]);
    assert_eq!(states(&rotated), ["current", "next"], "{rotated:?}");
    assert_eq!(keys(&["list"]), rotated);
    let at_once = keys(&["rotate", "--now"]);
    assert_eq!(states(&at_once)[..2], ["current", "old"], "{at_once:?}");
}

#[test]
fn every_request_leaves_one_line_and_a_count_and_no_secret() {
    let directory = tempfile::tempdir().unwrap();
    let serving = Serving::start(directory.path(), &["--log-format", "json"]);
    let ask = |head: &str, body: &str| {
        let mut stream = serving.connect();
        let length = body.len();
        let request = format!(
            "{head} HTTP/1.1\r\nhost: a\r\nconnection: close\r\nx-request-id: mine-1\r\n\
             authorization: Bearer sk-canary\r\ncontent-length: {length}\r\n\
             content-type: application/x-www-form-urlencoded\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes()).unwrap();
        answer(&mut stream)
    };
    ask(
        "POST /oauth2/v1/token?canary=1",
        "grant_type=canary&client_secret=canary",
    );
    ask("GET /20231130/actions/v1/models", "");
    let metrics = ask("GET /metrics", "");
    let counted =
        "accord_requests_total{area=\"identity\",operation=\"createToken\",status=\"400\"} 1";
    assert!(metrics.contains(counted), "{metrics}");
    assert!(
        metrics.contains("accord_request_duration_seconds_bucket"),
        "{metrics}"
    );
    let log = serving.log();
    let lines: Vec<serde_json::Value> = log
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}")))
        .filter(|line: &serde_json::Value| line["message"] == "request")
        .collect();
    assert_eq!(lines.len(), 2, "{log}");
    assert_eq!(lines[0]["request_id"], "mine-1");
    assert_eq!(lines[0]["operation"], "createToken");
    assert_eq!(lines[0]["status"], 400);
    assert_eq!(lines[1]["operation"], "listModels");
    assert!(!log.contains("canary"), "{log}");
}

#[test]
fn a_request_in_flight_finishes_and_new_ones_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let mut serving = Serving::start(directory.path(), &[]);
    let mut stream = serving.begin_request("connection: close\r\n");
    serving.signal("TERM");
    let deadline = Instant::now() + Duration::from_secs(60);
    while TcpStream::connect(&serving.address).is_ok() {
        assert!(Instant::now() < deadline, "still listens");
        std::thread::sleep(Duration::from_millis(20));
    }
    stream.write_all(b"grant_type=x").unwrap();
    let text = answer(&mut stream);
    assert!(text.starts_with("HTTP/1.1 4"), "{text}");
    assert_eq!(serving.wait(), Some(0));
}

#[test]
fn plain_http_beyond_this_machine_is_warned_of() {
    let directory = tempfile::tempdir().unwrap();
    let serving = Serving::start_on("0.0.0.0:0", directory.path(), &["--demo", "false"]);
    let log = serving.log();
    assert!(log.contains("WARN") && log.contains("plain HTTP"), "{log}");
}

#[test]
fn a_public_address_without_a_trusted_proxy_is_warned_of() {
    let directory = tempfile::tempdir().unwrap();
    let arguments = [
        "--demo",
        "false",
        "--public-url",
        "http://accord.example.com",
    ];
    let log = Serving::start(directory.path(), &arguments).log();
    let words = [
        "WARN",
        "server.trusted_proxies is empty",
        "the proxy's address",
    ];
    assert!(words.iter().all(|word| log.contains(word)), "{log}");
    let file = "[server]\ntrusted_proxies = [\"127.0.0.1\"]\n";
    std::fs::write(directory.path().join("accord.toml"), file).unwrap();
    let log = Serving::start(directory.path(), &arguments).log();
    assert!(!log.contains("server.trusted_proxies"), "{log}");
}

#[test]
fn a_clean_stop_warns_of_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let serving = Serving::start(directory.path(), &[]);
    drop(serving.connect());
    let log = serving.log();
    assert!(log.contains("stopped") && !log.contains("WARN"), "{log}");
}

#[test]
fn a_request_that_never_ends_is_not_waited_for() {
    let directory = tempfile::tempdir().unwrap();
    let file = "[server]\ndrain_seconds = 1\n";
    std::fs::write(directory.path().join("accord.toml"), file).unwrap();
    let mut serving = Serving::start(directory.path(), &[]);
    let _stream = serving.begin_request("");
    let began = Instant::now();
    serving.signal("TERM");
    assert_eq!(serving.wait(), Some(0));
    assert!(began.elapsed() < Duration::from_secs(15));
}

/// The program under these limits.
#[cfg(target_os = "linux")]
fn limited(directory: &Path, limits: &str) -> Serving {
    let mut command = Command::new("/bin/sh");
    command
        .current_dir(directory)
        .env_clear()
        .arg("-c")
        .arg(format!("{limits} && exec \"$0\" --listen 127.0.0.1:0"))
        .arg(env!("CARGO_BIN_EXE_accord-server"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    Serving::of(command)
}

#[cfg(target_os = "linux")]
#[test]
fn the_soft_limit_of_descriptors_is_raised_to_the_hard_one() {
    let directory = tempfile::tempdir().unwrap();
    let serving = limited(directory.path(), "ulimit -Sn 128 && ulimit -Hn 3000");
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let limits = std::fs::read_to_string(format!("/proc/{}/limits", serving.id()));
        let limits = limits.unwrap();
        let line = limits
            .lines()
            .find(|line| line.starts_with("Max open files"));
        let numbers: Vec<_> = line.unwrap().split_whitespace().skip(3).take(2).collect();
        if numbers == ["3000", "3000"] {
            return;
        }
        assert_eq!(numbers, ["128", "3000"]);
        assert!(Instant::now() < deadline, "the limit stays");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn with_hardly_any_descriptors_left_others_are_still_served() {
    let directory = tempfile::tempdir().unwrap();
    let file = "[server]\nhead_seconds = 300\n";
    std::fs::write(directory.path().join("accord.toml"), file).unwrap();
    let serving = limited(directory.path(), "ulimit -n 256");
    let silent: Vec<TcpStream> = (0..320).map(|_| serving.connect()).collect();
    let begun = Instant::now();
    for _ in 0..3 {
        let text = serving.get("/readyz");
        assert!(text.starts_with("HTTP/1.1 200"), "{text}");
    }
    // The silent ones had not reached the time of their headers.
    assert!(begun.elapsed() < Duration::from_secs(200));
    drop(silent);
    let log = serving.log();
    assert!(log.contains("too many"), "{log}");
}
