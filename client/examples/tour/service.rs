//! A service of the tour's own: the built program, a free port and a temporary directory.

use std::fs::{self, File};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, bail, ensure};

/// The top of the repository.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// The timeout for the start of the service, and for its stop.
const TIMEOUT: Duration = Duration::from_secs(60);

pub(super) struct Service {
    process: Child,
    address: String,
    directory: PathBuf,
}

impl Service {
    /// Starts a program, and waits until it is ready.
    pub(super) async fn start(program: &Path) -> anyhow::Result<Service> {
        let program = program.canonicalize().context("there is no such program")?;
        // Another program could take the port before the service starts. The service then reports this and ends.
        let free = TcpListener::bind("127.0.0.1:0").context("there is no free port")?;
        let listen = free.local_addr()?.to_string();
        drop(free);
        let directory = Path::new(ROOT).join(format!("target/tour-{}", std::process::id()));
        fs::create_dir_all(&directory)
            .with_context(|| format!("cannot create {}", directory.display()))?;
        let log = File::create(log_file(&directory))?;
        let process = Command::new(&program)
            .args(["serve", "--listen", &listen, "--log", "warn", "--data-dir"])
            .arg(directory.join("data"))
            .current_dir(&directory)
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            .spawn()
            .with_context(|| format!("cannot start {}", program.display()))?;
        let mut service = Service {
            process,
            address: format!("http://{listen}"),
            directory,
        };
        service.ready().await?;
        Ok(service)
    }

    pub(super) fn address(&self) -> &str {
        &self.address
    }

    /// The output of the service.
    pub(super) fn log(&self) -> String {
        fs::read_to_string(log_file(&self.directory)).unwrap_or_default()
    }

    async fn ready(&mut self) -> anyhow::Result<()> {
        let url = format!("{}/readyz", self.address);
        for _ in 0..TIMEOUT.as_millis() / 50 {
            if let Some(status) = self.process.try_wait()? {
                bail!("the service ended with {status}:\n{}", self.log());
            }
            if reqwest::get(&url)
                .await
                .is_ok_and(|response| response.status().is_success())
            {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        bail!("the service is not ready in time:\n{}", self.log())
    }

    /// Asks the service to stop, and waits for its end.
    pub(super) async fn stop(mut self) -> anyhow::Result<()> {
        let id = self.process.id().to_string();
        let asked = Command::new("kill")
            .args(["-TERM", &id])
            .status()
            .context("cannot run kill")?;
        ensure!(asked.success(), "the service cannot be asked to stop");
        for _ in 0..TIMEOUT.as_millis() / 50 {
            if let Some(status) = self.process.try_wait()? {
                ensure!(status.success(), "the service stopped with {status}");
                println!("The service has stopped.");
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        bail!("the service did not stop in time")
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // The process may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = fs::remove_dir_all(&self.directory);
    }
}

fn log_file(directory: &Path) -> PathBuf {
    directory.join("service.log")
}
