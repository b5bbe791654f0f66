//! The folder of a run, and the processes in it.
//!
//! A shell keeps both. It waits for the end of a pipe, which closes when this program ends, however
//! it ends. The shell then stops every process that has a note in the folder, and removes the folder.

use std::fs::{self, File};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, Command};

/// $1: the folder. A note has a signal and the id of a process.
const KEEPER: &str = r#"
trap '' INT TERM HUP
chmod 711 "$1" && mkdir "$1/processes" && mkdir -m 777 "$1/postgres" && echo ready
read -r keep
each() {
    for note in "$1"/processes/*; do
        [ -e "$note" ] && read -r signal id <"$note" && kill -s "${2:-$signal}" "$id" && alive=yes
    done 2>/dev/null
}
each "$1"
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    alive=
    each "$1" 0
    [ "$alive" ] || break
    sleep 0.25
done
each "$1" KILL
[ "$keep" = keep ] || rm -rf "$1"
"#;

/// How long the shell may take to stop everything.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(30);

/// The folder of a run.
pub struct Folder {
    path: PathBuf,
    keeper: Child,
    keep: bool,
}

impl Folder {
    /// Creates a folder, which is kept or removed at the end.
    pub async fn create(keep: bool) -> anyhow::Result<Folder> {
        let path = tempfile::Builder::new()
            .prefix("accord-cluster-")
            .tempdir()?;
        let path = path.keep();
        let mut keeper = Command::new("/bin/sh");
        keeper
            .args(["-c", KEEPER, "keeper"])
            .arg(&path)
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut keeper = keeper.spawn().context("cannot run /bin/sh")?;
        let output = keeper.stdout.take().context("the shell has no output")?;
        let ready = BufReader::new(output).lines().next_line().await?;
        ensure!(ready.is_some(), "{} cannot be prepared", path.display());
        Ok(Folder { path, keeper, keep })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Stops all processes, and removes the folder.
    pub async fn close(mut self) -> anyhow::Result<()> {
        if let Some(mut pipe) = self.keeper.stdin.take() {
            let word: &[u8] = if self.keep { b"keep\n" } else { b"end\n" };
            pipe.write_all(word).await?;
        }
        let ended = tokio::time::timeout(CLOSE_TIMEOUT, self.keeper.wait()).await;
        ended.context("the processes do not stop")??;
        if self.keep {
            eprintln!("the folder stays: {}", self.path.display());
        }
        Ok(())
    }

    /// Starts a program. `signal` stops it at the end. Its output goes to a file of its name.
    pub fn start(
        &self,
        name: &str,
        signal: &str,
        command: std::process::Command,
    ) -> anyhow::Result<Process> {
        let log = self.path.join(format!("{name}.log"));
        let output = File::options().create(true).append(true).open(&log)?;
        let mut command = Command::from(command);
        command
            .stdin(Stdio::null())
            .stdout(output.try_clone()?)
            .stderr(output);
        let child = command
            .spawn()
            .with_context(|| format!("cannot start {name}"))?;
        let id = child.id().with_context(|| format!("{name} ended"))?;
        let note = self.path.join("processes").join(name);
        fs::write(&note, format!("{signal} {id}\n"))?;
        Ok(Process {
            name: name.to_owned(),
            child,
            id,
            note,
            log,
        })
    }

    /// Runs a program to its end, which must be a success.
    pub async fn run(&self, name: &str, command: std::process::Command) -> anyhow::Result<()> {
        let mut process = self.start(name, "KILL", command)?;
        let status = process.wait(Duration::from_secs(120)).await?;
        ensure!(
            status.success(),
            "{name} failed: {status}\n{}",
            process.log()
        );
        Ok(())
    }
}

/// A process of the run.
pub struct Process {
    name: String,
    child: Child,
    id: u32,
    note: PathBuf,
    log: PathBuf,
}

impl Process {
    pub fn id(&self) -> u32 {
        self.id
    }

    /// Sends a signal.
    pub async fn signal(&self, signal: &str) -> anyhow::Result<()> {
        let id = self.id.to_string();
        let sent = Command::new("kill").args(["-s", signal, &id]).status();
        ensure!(
            sent.await?.success(),
            "{} cannot be sent {signal}",
            self.name
        );
        Ok(())
    }

    /// Waits for the end of the process.
    pub async fn wait(&mut self, limit: Duration) -> anyhow::Result<ExitStatus> {
        let ended = tokio::time::timeout(limit, self.child.wait()).await;
        let status = ended.with_context(|| format!("{} does not end", self.name))??;
        // The system may give the id to a process of others.
        fs::remove_file(&self.note)?;
        Ok(status)
    }

    /// Fails when the process has ended.
    pub fn runs(&mut self) -> anyhow::Result<()> {
        match self.child.try_wait()? {
            Some(status) => bail!("{} ended with {status}:\n{}", self.name, self.log()),
            None => Ok(()),
        }
    }

    /// The end of its output.
    pub fn log(&self) -> String {
        let log = fs::read_to_string(&self.log).unwrap_or_default();
        let lines: Vec<_> = log.lines().collect();
        lines[lines.len().saturating_sub(20)..].join("\n")
    }
}

/// An address that is free now. Its port is below those that systems give to connections: the load opens many, also
/// while the program at the address does not run.
pub fn free_address() -> anyhow::Result<String> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    // Other processes begin elsewhere.
    let first = std::process::id() % 1000 * 20;
    for _ in 0..20_000 {
        let next = first + NEXT.fetch_add(1, Ordering::Relaxed);
        let address = format!("127.0.0.1:{}", 10_000 + next % 20_000);
        if TcpListener::bind(&address).is_ok() {
            return Ok(address);
        }
    }
    bail!("there is no free port")
}

/// A program in PATH, or where Debian installs servers.
pub fn installed(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/sbin")]);
    folders.find_map(|folder| Some(folder.join(name)).filter(|program| program.is_file()))
}
