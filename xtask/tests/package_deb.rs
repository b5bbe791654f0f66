//! Builds, installs, runs and purges the Debian package.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

/// A user that exists only while the service runs, as with `DynamicUser`.
const USER: u32 = 61_184;

fn run(program: impl AsRef<std::ffi::OsStr>, arguments: &[&str]) -> Output {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let path = std::env::var("PATH").expect("a path") + ":/usr/sbin:/sbin";
    let output = Command::new(&program)
        .args(arguments)
        .current_dir(root)
        .env("PATH", path)
        .stdin(Stdio::null())
        .output();
    output.unwrap_or_else(|error| panic!("{}: {error}", program.as_ref().display()))
}

fn succeed(program: impl AsRef<std::ffi::OsStr>, arguments: &[&str]) -> String {
    let output = run(program, arguments);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {complaint}");
    String::from_utf8(output.stdout)
        .expect("text")
        .trim_end()
        .to_owned()
}

/// The installed package. Dropping it purges the package.
struct Installed;

impl Installed {
    fn of(package: &str) -> Installed {
        let installed = Installed;
        succeed("dpkg", &["--install", package]);
        installed
    }

    fn purge(&self) {
        succeed("dpkg", &["--purge", "accord-server"]);
    }
}

impl Drop for Installed {
    fn drop(&mut self) {
        // Only a failed test has not purged the package yet.
        run("dpkg", &["--purge", "accord-server"]);
    }
}

/// A running service. Dropping it ends the process.
struct Service(Child);

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The values of a key in the installed unit. `state` and `credentials` replace the folders that systemd creates.
fn values(key: &str, state: &Path, credentials: &Path) -> Vec<String> {
    let unit = fs::read_to_string("/usr/lib/systemd/system/accord.service").expect("a unit");
    let lines = unit
        .lines()
        .filter_map(|line| line.strip_prefix(key)?.strip_prefix('='));
    lines
        .map(|value| value.replace("%d", &credentials.display().to_string()))
        .map(|value| value.replace("/var/lib/accord", &state.display().to_string()))
        .collect()
}

/// Starts `ExecStart` with the environment of the unit, on a free port.
fn start(state: &Path, credentials: &Path) -> Child {
    let command = values("ExecStart", state, credentials).remove(0);
    let id = USER.to_string();
    Command::new("setpriv")
        .args([
            "--reuid",
            &id,
            "--regid",
            &id,
            "--clear-groups",
            "--no-new-privs",
        ])
        .args(command.split(' '))
        .env_clear()
        .envs(
            values("Environment", state, credentials)
                .iter()
                .map(|pair| pair.split_once('=').expect("a variable")),
        )
        .env("ACCORD_LISTEN", "127.0.0.1:0")
        .current_dir(state)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("setpriv runs")
}

/// Creates a folder that belongs to [`USER`].
fn folder(parent: &Path, name: &str) -> PathBuf {
    let folder = parent.join(name);
    fs::create_dir_all(&folder).expect("a folder");
    chown(&folder, Some(USER), Some(USER)).expect("root changes the owner");
    folder
}

#[test]
fn the_debian_package_is_installed_runs_as_its_unit_says_and_is_purged() {
    if run("dpkg", &["--version"]).status.code() != Some(0) {
        return;
    }
    let package = succeed(
        env!("CARGO_BIN_EXE_xtask"),
        &["package-deb", "--profile", "dev"],
    );
    let listed = succeed("dpkg-deb", &["--contents", &package]);
    assert!(
        listed.lines().all(|line| line.contains(" root/root ")),
        "{listed}"
    );
    let depends = succeed("dpkg-deb", &["--field", &package, "Depends"]);
    assert!(depends.contains("libc6 (>= "), "{depends}");
    if succeed("id", &["--user"]) != "0" {
        // Only root installs packages.
        return;
    }
    let before = run("dpkg-query", &["--status", "accord-server"]);
    assert!(
        !before.status.success(),
        "accord-server is installed already: purge it first"
    );

    let installed = Installed::of(&package);
    assert_eq!(succeed("dpkg", &["--verify", "accord-server"]), "");
    let licenses = fs::read_to_string("/usr/share/doc/accord-server/LICENSES.txt").expect("texts");
    assert!(licenses.contains("Apache License"));
    let mode = fs::metadata("/etc/accord/accord.toml")
        .expect("a configuration")
        .permissions();
    assert_eq!(mode.mode() & 0o777, 0o644);

    let directory = PathBuf::from(succeed("mktemp", &["--directory"]));
    fs::set_permissions(&directory, fs::Permissions::from_mode(0o755)).expect("permissions");
    let (state, credentials) = (
        folder(&directory, "state"),
        folder(&directory, "credentials"),
    );
    let key = credentials.join("server.key");
    fs::write(&key, succeed("openssl", &["rand", "-base64", "32"])).expect("a key");
    fs::set_permissions(&key, fs::Permissions::from_mode(0o400)).expect("permissions");
    chown(&key, Some(USER), Some(USER)).expect("root changes the owner");
    let mut service = Service(start(&state, &credentials));
    let lines = BufReader::new(service.0.stdout.take().expect("a pipe")).lines();
    let mut addresses = lines.map_while(Result::ok).filter_map(|line| {
        let (_, rest) = line.split_once("http://127.0.0.1:")?;
        let port: String = rest.chars().take_while(char::is_ascii_digit).collect();
        Some(format!("http://127.0.0.1:{port}"))
    });
    let address = addresses.next().expect("an address");
    let ready = succeed(
        "curl",
        &["--silent", "--fail", &format!("{address}/readyz")],
    );
    assert_eq!(ready, "ready");
    assert!(state.join("accord.db").is_file());
    succeed("kill", &[&service.0.id().to_string()]);
    let mut log = String::new();
    let mut errors = service.0.stderr.take().expect("a pipe");
    errors.read_to_string(&mut log).expect("a log");
    assert!(service.0.wait().expect("the end").success(), "{log}");
    assert!(!log.contains("ERROR"), "{log}");

    installed.purge();
    for path in [
        "/usr/bin/accord-server",
        "/etc/accord",
        "/usr/share/doc/accord-server",
    ] {
        assert!(!Path::new(path).exists(), "{path} is left");
    }
    fs::remove_dir_all(directory).expect("removed");
}
