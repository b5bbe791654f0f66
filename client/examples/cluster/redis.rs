//! Redis, which counts the limits of all replicas.

use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use tokio::net::TcpStream;

use super::processes::{Folder, Process, free_address, installed};

const TIMEOUT: Duration = Duration::from_secs(10);

/// A server without files.
pub struct Redis {
    /// Its address, which stays.
    pub address: String,
    process: Option<Process>,
}

impl Redis {
    /// Starts a server on a free port.
    pub async fn start(folder: &Folder) -> anyhow::Result<Redis> {
        let mut redis = Redis {
            address: free_address()?,
            process: None,
        };
        redis.start_again(folder).await?;
        Ok(redis)
    }

    /// Starts the stopped server, without its data.
    pub async fn start_again(&mut self, folder: &Folder) -> anyhow::Result<()> {
        let program = installed("redis-server")
            .context("Redis is missing; on Debian: apt-get install redis-server")?;
        let (host, port) = self.address.rsplit_once(':').context("a port")?;
        let mut command = Command::new(program);
        command
            .args(["--bind", host, "--port", port])
            .args(["--save", "", "--appendonly", "no"])
            .current_dir(folder.path());
        let mut process = folder.start("redis", "TERM", command)?;
        let deadline = Instant::now() + TIMEOUT;
        while TcpStream::connect(&self.address).await.is_err() {
            process.runs()?;
            ensure!(Instant::now() < deadline, "Redis does not listen");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        self.process = Some(process);
        Ok(())
    }

    /// Kills the server and its data.
    pub async fn kill(&mut self) -> anyhow::Result<()> {
        let process = self.process.take();
        let mut process = process.context("Redis does not run")?;
        process.signal("KILL").await?;
        process.wait(TIMEOUT).await?;
        Ok(())
    }
}
