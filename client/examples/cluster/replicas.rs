//! The replicas of the service.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use chrono::{DateTime, Utc};
use reqwest::header::DATE;

use super::processes::{Folder, Process, free_address};

/// How long a replica may take to start, and to stop.
const TIMEOUT: Duration = Duration::from_secs(60);
/// The seconds for which a stopping replica is not ready and still serves.
const DRAIN_DELAY: &str = "3";
/// The seconds for which model calls continue without the database.
pub const OFFLINE_SECONDS: u64 = 10;
/// The model of the upstream.
pub const MODEL: &str = "cluster.chat";

/// The settings that all replicas share.
pub struct Settings {
    /// The program.
    pub service: PathBuf,
    /// The address that clients use.
    pub public_url: String,
    /// The address of the database.
    pub database_url: String,
    /// The key of keyed hashes.
    pub server_key: String,
    /// The address of the model server.
    pub upstream: String,
    /// The address of Redis.
    pub redis: String,
}

/// The addresses of the replicas that run.
#[derive(Clone, Default)]
pub struct Running(Arc<Mutex<Vec<String>>>);

impl Running {
    /// The addresses now.
    pub fn addresses(&self) -> Vec<String> {
        self.lock().clone()
    }

    fn add(&self, address: &str) {
        self.lock().push(address.to_owned());
    }

    fn remove(&self, address: &str) {
        self.lock().retain(|one| one != address);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One replica.
pub struct Replica {
    /// Its name, which the model server sees.
    pub name: &'static str,
    /// The address of its listener.
    pub address: String,
    process: Option<Process>,
    running: Running,
}

/// A clock that is wrong by this many seconds, by a library of libfaketime.
pub struct Skew<'a> {
    pub library: &'a Path,
    pub seconds: i64,
}

impl Replica {
    /// A replica that does not run yet.
    pub fn new(name: &'static str, running: &Running) -> anyhow::Result<Replica> {
        Ok(Replica {
            name,
            address: free_address()?,
            process: None,
            running: running.clone(),
        })
    }

    /// Starts the replica, and waits until it is ready. It has the same folder each time.
    pub async fn start(
        &mut self,
        folder: &Folder,
        settings: &Settings,
        skew: Option<Skew<'_>>,
    ) -> anyhow::Result<()> {
        let file = folder.path().join(format!("{}.toml", self.name));
        let data = folder.path().join(self.name);
        std::fs::write(&file, self.configuration(settings, &data))?;
        // A process that ignores this signal gets an error when its files may not grow, as on a full
        // disk.
        let mut command = Command::new("/bin/sh");
        command
            .args(["-c", "trap '' XFSZ; exec \"$@\"", "replica"])
            .arg(&settings.service)
            .arg("--config")
            .arg(&file)
            .arg("serve")
            .current_dir(folder.path())
            .env("ACCORD_DRAIN_DELAY_SECONDS", DRAIN_DELAY)
            .env("ACCORD_SERVER_KEY", &settings.server_key)
            .env("ACCORD_DATABASE_URL", &settings.database_url);
        if let Some(Skew { library, seconds }) = skew {
            command
                .env("LD_PRELOAD", library)
                .env("FAKETIME", format!("{seconds:+}s"))
                .env("FAKETIME_DONT_FAKE_MONOTONIC", "1")
                .env("FAKETIME_DISABLE_SHM", "1");
        }
        let mut process = folder.start(self.name, "KILL", command)?;
        let deadline = Instant::now() + TIMEOUT;
        while !self.is_ready().await {
            process.runs()?;
            if Instant::now() >= deadline {
                bail!("{} is not ready:\n{}", self.name, process.log());
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        self.process = Some(process);
        self.running.add(&self.address);
        Ok(())
    }

    /// Kills the replica. Returns when it is gone.
    pub async fn kill(&mut self) -> anyhow::Result<()> {
        self.running.remove(&self.address);
        let mut process = self.process.take().context("the replica does not run")?;
        process.signal("KILL").await?;
        process.wait(TIMEOUT).await?;
        Ok(())
    }

    /// Asks the replica to stop, and waits for its end. Returns whether its readiness turned 503 while
    /// it still listened.
    pub async fn stop(&mut self) -> anyhow::Result<bool> {
        self.running.remove(&self.address);
        let mut process = self.process.take().context("the replica does not run")?;
        process.signal("TERM").await?;
        let deadline = Instant::now() + TIMEOUT;
        let mut readiness = Some(200);
        while readiness == Some(200) && Instant::now() < deadline {
            readiness = self.readiness().await;
        }
        let status = process.wait(TIMEOUT).await?;
        ensure!(
            status.success(),
            "{} stopped with {status}:\n{}",
            self.name,
            process.log()
        );
        Ok(readiness == Some(503))
    }

    /// Sets the size to which files may grow: 0, or no limit.
    pub async fn limit_files(&self, bytes: Option<u64>) -> anyhow::Result<()> {
        let process = self.process.as_ref().context("the replica does not run")?;
        let limit = bytes.map_or("unlimited".to_owned(), |bytes| bytes.to_string());
        // The hard limit stays, so that the soft one can be raised again.
        let set = tokio::process::Command::new("prlimit")
            .arg(format!("--pid={}", process.id()))
            .arg(format!("--fsize={limit}:unlimited"))
            .status();
        ensure!(set.await?.success(), "the limit cannot be set");
        Ok(())
    }

    /// Whether the replica is ready.
    pub async fn is_ready(&self) -> bool {
        self.readiness().await == Some(200)
    }

    /// The value of a metric without labels.
    pub async fn metric(&self, name: &str) -> anyhow::Result<f64> {
        let text = self.get("/metrics").await?.text().await?;
        let value = text
            .lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        let value = value.with_context(|| format!("{} has no metric {name}", self.name))?;
        Ok(value.parse()?)
    }

    /// By how many seconds the clock of the replica is ahead of this program's, at least and at most: the replica reads
    /// it at some time during the call, and may send what it has read a second before.
    pub async fn seconds_ahead(&self) -> anyhow::Result<RangeInclusive<i64>> {
        let before = Utc::now();
        let response = self.get("/healthz").await?;
        let after = Utc::now();
        let date = response.headers().get(DATE).context("there is no date")?;
        let date = DateTime::parse_from_rfc2822(date.to_str()?)?;
        let ahead_of = |time: DateTime<Utc>| (date.to_utc() - time).num_seconds();
        Ok(ahead_of(after) - 1..=ahead_of(before) + 3)
    }

    /// The status of `/readyz`; nothing when the replica does not respond.
    async fn readiness(&self) -> Option<u16> {
        let response = self.get("/readyz").await;
        Some(response.ok()?.status().as_u16())
    }

    async fn get(&self, path: &str) -> anyhow::Result<reqwest::Response> {
        let url = format!("http://{}{path}", self.address);
        let response = tokio::time::timeout(Duration::from_secs(5), reqwest::get(url)).await;
        Ok(response??)
    }

    fn configuration(&self, settings: &Settings, data: &Path) -> String {
        let Replica { name, address, .. } = self;
        let Settings {
            public_url,
            upstream,
            redis,
            ..
        } = settings;
        format!(
            r#"[server]
listen = "{address}"
public_url = "{public_url}"
data_dir = {data:?}
trusted_proxies = ["127.0.0.1"]
forwarded_headers = ["X-Forwarded-Proto", "X-Forwarded-Host"]

[demo]
anywhere = true

[identity]
poll_seconds = 1
device_requests_per_address = 0
device_requests_per_client = 0

[inference]
key_limit = 1000000
offline_seconds = {OFFLINE_SECONDS}
# Redis counts only keys with limits. No load here reaches these.
requests_per_minute = 1000000
tokens_per_minute = 1000000000
concurrent_streams = 1000

[limits]
url = "redis://{redis}"

[[inference.models]]
name = "{MODEL}"
family = "cluster"

[[inference.models.upstreams]]
url = "{upstream}"
set_headers = {{ "x-replica" = "{name}" }}
"#
        )
    }
}
