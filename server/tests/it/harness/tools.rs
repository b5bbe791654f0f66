//! Independent clients, run as processes against the service.
//!
//! `cargo xtask test` installs what they need under `target/tools`, as
//! `server/tests/node/package-lock.json` and
//! `server/tests/python/requirements.txt` say.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use super::{Database, Server};

/// Nothing that is run here takes longer.
pub const TIMEOUT: Duration = Duration::from_secs(600);

/// Runs `server/tests/node/{script}` with these arguments, and returns what it
/// printed.
///
/// # Panics
///
/// With all of its output, when it fails or is not installed.
pub async fn node(script: &str, arguments: &[&str]) -> String {
    let modules = tools().join("node/node_modules");
    assert!(
        modules.is_dir(),
        "Node's packages are not installed: cargo xtask test --only tools"
    );
    // Packages are looked up in the folders around the script, so it is run as a copy there, which no
    // other test writes to. The scripts import each other.
    let copy = tempfile::tempdir_in(tools().join("node")).unwrap();
    for file in std::fs::read_dir(tests().join("node")).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "mjs") {
            std::fs::copy(&path, copy.path().join(path.file_name().unwrap())).unwrap();
        }
    }
    run("node".as_ref(), &copy.path().join(script), arguments).await
}

/// The browser that is installed.
///
/// # Panics
///
/// When there is none.
pub fn browser() -> PathBuf {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .flat_map(|directory| names.map(|name| directory.join(name)))
        .find(|program| program.is_file())
        .expect("a browser is needed; on Debian: apt-get install chromium, or cargo xtask test")
}

/// The folder in which tests leave pictures of pages, for people to look at.
pub fn pictures() -> String {
    let directory = tools().join("../screenshots");
    std::fs::create_dir_all(&directory).unwrap();
    directory.display().to_string()
}

/// The folder for pictures of a script that runs on each database, or no folder (an empty text) on
/// PostgreSQL. Pages are the same on both databases, so the scripts check and photograph them on SQLite
/// only.
pub fn pictures_of(server: &Server) -> String {
    match server.database() {
        Database::Sqlite => pictures(),
        Database::Postgres => String::new(),
    }
}

/// Runs `server/tests/python/{script}` with these arguments, and returns what
/// it printed.
///
/// # Panics
///
/// With all of its output, when it fails or is not installed.
pub async fn python(script: &str, arguments: &[&str]) -> String {
    let program = tools().join("python/bin/python");
    assert!(
        program.exists(),
        "Python's packages are not installed: cargo xtask test --only tools"
    );
    let script = tests().join("python").join(script);
    run(program.as_os_str(), &script, arguments).await
}

/// Lets Schemathesis try the document at `url` for about this long, as `config`
/// says, with all of its checks. `token` is for what it has to ask for itself.
///
/// # Panics
///
/// With its report, when it finds something or is not installed.
pub async fn schemathesis(config: &Path, url: &str, token: &str, time: Option<Duration>) {
    let directory = config.parent().unwrap();
    let program = tools().join("python/bin/st");
    let output = tokio::process::Command::new(&program)
        .arg("--no-color")
        .arg("--config-file")
        .arg(config)
        .args(["run", url, "--continue-on-failure"])
        .args(["--generation-database", "none"])
        .args(match time {
            None => ["--seed", "1"].map(str::to_owned),
            Some(time) => ["--max-time".to_owned(), time.as_secs().to_string()],
        })
        .env("PYTHONPATH", tests().join("python"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("ACCORD_TOKEN", token)
        .current_dir(directory)
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output();
    // What it began it ends, and what it found it makes small.
    let patience = time.map_or(4 * TIMEOUT, |time| 3 * time + TIMEOUT);
    let output = tokio::time::timeout(patience, output)
        .await
        .unwrap_or_else(|_| panic!("{} does not end", program.display()))
        .unwrap_or_else(|error| {
            panic!("{error}; Python's packages: cargo xtask test --only tools")
        });
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{}{}",
        &printed[printed.find("= FAILURES =").unwrap_or_default()..],
        String::from_utf8_lossy(&output.stderr)
    );
    println!("{printed}");
}

async fn run(program: &OsStr, script: &Path, arguments: &[&str]) -> String {
    let output = tokio::process::Command::new(program)
        .arg(script)
        .args(arguments)
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output();
    let output = tokio::time::timeout(TIMEOUT, output)
        .await
        .unwrap_or_else(|_| panic!("{} does not end", script.display()))
        .unwrap_or_else(|error| panic!("{}: {error}", program.display()));
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success(),
        "{} failed:\n{printed}{}",
        script.display(),
        String::from_utf8_lossy(&output.stderr)
    );
    printed
}

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

/// `target/tools/{name}`, where `cargo xtask test` installs packages.
pub fn folder(name: &str) -> PathBuf {
    tools().join(name)
}

fn tools() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../target");
    target.unwrap_or_else(beside).join("tools")
}

/// A Python program that runs beside the test and ends with it.
pub struct Beside {
    lines: tokio::io::Lines<tokio::io::BufReader<tokio::process::ChildStdout>>,
    _child: tokio::process::Child,
}

impl Beside {
    /// Starts `server/tests/python/{script}` with these arguments.
    ///
    /// # Panics
    ///
    /// When it is not installed.
    pub fn start(script: &str, arguments: &[&str]) -> Beside {
        let program = tools().join("python/bin/python");
        let mut child = tokio::process::Command::new(&program)
            .arg(tests().join("python").join(script))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap_or_else(|error| {
                panic!("{error}; Python's packages: cargo xtask test --only tools")
            });
        let output = tokio::io::BufReader::new(child.stdout.take().unwrap());
        Beside {
            lines: tokio::io::AsyncBufReadExt::lines(output),
            _child: child,
        }
    }

    /// The next line that it prints.
    ///
    /// # Panics
    ///
    /// When there is none for long.
    pub async fn line(&mut self) -> String {
        let line = tokio::time::timeout(TIMEOUT, self.lines.next_line());
        let line = line.await.expect("it prints nothing").unwrap();
        line.expect("it ended")
    }

    /// Whether it prints nothing for this long.
    pub async fn is_quiet_for(&mut self, time: Duration) -> bool {
        let line = tokio::time::timeout(time, self.lines.next_line());
        line.await.is_err()
    }
}
