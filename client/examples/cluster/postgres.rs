//! PostgreSQL: a primary with a synchronous standby.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail};
use tokio_postgres::{NoTls, Row};

use super::installed;
use super::processes::{Folder, Process, free_address};

const TIMEOUT: Duration = Duration::from_secs(60);

/// One cluster of PostgreSQL with its process.
struct Node {
    name: &'static str,
    address: SocketAddr,
    process: Option<Process>,
}

/// A primary and its standby.
pub struct Postgres {
    programs: PathBuf,
    primary: Node,
    standby: Node,
}

impl Postgres {
    /// Creates and starts both.
    pub async fn start(folder: &Folder) -> anyhow::Result<Postgres> {
        let programs = installed::programs()
            .context("PostgreSQL is missing; on Debian: apt-get install postgresql")?;
        let node = |name| {
            let address = free_address()?.parse()?;
            anyhow::Ok(Node {
                name,
                address,
                process: None,
            })
        };
        let mut postgres = Postgres {
            programs,
            primary: node("database-one")?,
            standby: node("database-two")?,
        };
        let mut create = postgres.command("initdb")?;
        create
            .arg("-D")
            .arg(postgres.primary.data(folder))
            .args(["-U", "accord", "-A", "trust", "-E", "UTF8", "--locale=C"])
            .arg("-N");
        folder.run("initdb", create).await?;
        postgres.primary.process = Some(postgres.serve(folder, &postgres.primary)?);
        postgres.wait_for(TIMEOUT, "SELECT 1").await?;
        postgres.query("CREATE DATABASE accord").await?;
        postgres.add_standby(folder).await?;
        Ok(postgres)
    }

    /// The addresses of the primary and its standby.
    pub fn addresses(&self) -> [SocketAddr; 2] {
        [self.primary.address, self.standby.address]
    }

    /// The address of the primary.
    pub fn address(&self) -> SocketAddr {
        self.primary.address
    }

    /// Stops the primary in an orderly way, and starts it again. Returns when it commits.
    pub async fn restart(&mut self, folder: &Folder) -> anyhow::Result<()> {
        self.stop_primary("INT").await?;
        self.primary.process = Some(self.serve(folder, &self.primary)?);
        self.wait_for(TIMEOUT, IN_SYNC).await
    }

    /// Kills the primary and promotes the standby, which then has none.
    pub async fn promote(&mut self) -> anyhow::Result<()> {
        self.stop_primary("QUIT").await?;
        std::mem::swap(&mut self.primary, &mut self.standby);
        self.query("SELECT pg_promote(true, 30)").await?;
        self.wait_for(TIMEOUT, "SELECT 1 WHERE NOT pg_is_in_recovery()")
            .await
    }

    /// Gives the primary a standby, if it has none, and waits until commits wait for it.
    pub async fn add_standby(&mut self, folder: &Folder) -> anyhow::Result<()> {
        if self.standby.process.is_some() {
            return Ok(());
        }
        let data = self.standby.data(folder);
        if data.exists() {
            std::fs::remove_dir_all(&data)?;
        }
        let mut copy = self.command("pg_basebackup")?;
        copy.args(["-h", "127.0.0.1", "-U", "accord", "-R", "-c", "fast"])
            .args(["-p", &self.primary.address.port().to_string()])
            .arg("-D")
            .arg(&data);
        folder.run("pg_basebackup", copy).await?;
        self.standby.process = Some(self.serve(folder, &self.standby)?);
        // After the copy, since a standby that is promoted has nobody to wait for.
        self.query("ALTER SYSTEM SET synchronous_standby_names = '*'")
            .await?;
        self.query("SELECT pg_reload_conf()").await?;
        self.wait_for(TIMEOUT, IN_SYNC).await
    }

    /// The rows of a query on the primary.
    pub async fn query(&self, sql: &str) -> anyhow::Result<Vec<Row>> {
        for database in ["accord", "postgres"] {
            let mut config = tokio_postgres::Config::new();
            config
                .host("127.0.0.1")
                .port(self.primary.address.port())
                .user("accord")
                .dbname(database)
                .connect_timeout(Duration::from_secs(5));
            let (client, connection) = match config.connect(NoTls).await {
                Ok(connected) => connected,
                // The database does not exist yet.
                Err(error) if error.code().is_some_and(|code| code.code() == "3D000") => continue,
                Err(error) => return Err(error).context("PostgreSQL"),
            };
            let driver = tokio::spawn(connection);
            let rows = tokio::time::timeout(TIMEOUT, client.query(sql, &[])).await;
            driver.abort();
            return rows
                .map_err(|_| anyhow!("PostgreSQL does not respond"))?
                .with_context(|| sql.to_owned());
        }
        bail!("PostgreSQL has no database")
    }

    /// Waits until a query on the primary has a row.
    async fn wait_for(&mut self, limit: Duration, sql: &str) -> anyhow::Result<()> {
        let deadline = Instant::now() + limit;
        loop {
            let last = self.query(sql).await;
            if matches!(&last, Ok(rows) if !rows.is_empty()) {
                return Ok(());
            }
            for node in [&mut self.primary, &mut self.standby] {
                if let Some(process) = &mut node.process {
                    process.runs()?;
                }
            }
            if Instant::now() >= deadline {
                bail!("PostgreSQL is not ready: {last:?}");
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    async fn stop_primary(&mut self, signal: &str) -> anyhow::Result<()> {
        let process = self.primary.process.take();
        let mut process = process.context("the primary does not run")?;
        process.signal(signal).await?;
        process.wait(TIMEOUT).await?;
        Ok(())
    }

    /// A program of PostgreSQL, as a user that may run it.
    fn command(&self, name: &str) -> anyhow::Result<Command> {
        let mut command = Command::new(self.programs.join(name));
        command.current_dir("/");
        #[cfg(unix)]
        installed::as_another_user(&mut command).map_err(|error| anyhow!(error))?;
        Ok(command)
    }

    fn serve(&self, folder: &Folder, node: &Node) -> anyhow::Result<Process> {
        let mut command = self.command("postgres")?;
        command.arg("-D").arg(node.data(folder));
        let port = format!("port={}", node.address.port());
        let name = format!("cluster_name={}", node.name);
        for setting in [
            port.as_str(),
            name.as_str(),
            "listen_addresses=127.0.0.1",
            "unix_socket_directories=",
            "max_connections=200",
            "shared_buffers=32MB",
            "wal_keep_size=256MB",
            // A standby that waits five seconds to connect again stops all commits for so long.
            "wal_retrieve_retry_interval=200ms",
            "log_min_messages=warning",
        ] {
            command.args(["-c", setting]);
        }
        folder.start(node.name, "QUIT", command)
    }
}

impl Node {
    fn data(&self, folder: &Folder) -> PathBuf {
        folder.path().join("postgres").join(self.name)
    }
}

/// Has a row when commits wait for a standby, and the standby is there.
const IN_SYNC: &str = "SELECT 1 FROM pg_stat_replication \
    WHERE state = 'streaming' AND sync_state IN ('sync', 'quorum')";
