//! The whole cluster: database, path, model server, replicas and balancer.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use accord_client::Accord;
use anyhow::{Context as _, ensure};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::balancer::{Balancer, Endpoint, FOUND};
use super::journal::{Failed, Written};
use super::load::{self, Context, Load, demo};
use super::path::NetworkPath;
use super::postgres::Postgres;
use super::processes::{Folder, Process};
use super::redis::Redis;
use super::replicas::{Replica, Running, Settings, Skew};
use super::upstream::{Served, Upstream};

/// How long the balancer may take to find a replica.
const TIMEOUT: Duration = Duration::from_secs(30);
/// The number of API keys whose secrets stay.
const KEYS: usize = 2;
/// Where Debian's package installs libfaketime.
const FAKETIME: [&str; 2] = [
    "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1",
    "/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1",
];

/// How replicas find the primary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Address {
    /// One address, which leads to the primary.
    Path,
    /// The addresses of the primary and its standby, of which the service takes the one that accepts writes.
    Hosts,
}

/// Everything that runs.
pub struct Cluster<'a> {
    folder: &'a Folder,
    settings: Settings,
    postgres: Postgres,
    path: NetworkPath,
    database: Address,
    redis: Redis,
    upstream: Upstream,
    replicas: Vec<Replica>,
    running: Running,
    _balancer: Process,
    endpoint: Endpoint,
    manager: Accord,
    secrets: Vec<String>,
}

impl Cluster<'_> {
    /// Starts everything, and signs in.
    pub async fn start<'a>(folder: &'a Folder, service: &Path) -> anyhow::Result<Cluster<'a>> {
        let postgres = Postgres::start(folder).await?;
        let path = NetworkPath::start(postgres.address()).await?;
        let upstream = Upstream::start().await?;
        let redis = Redis::start(folder).await?;
        let balancer = Balancer::prepare(folder).await?;
        let endpoint = balancer.endpoint.clone();
        let key: Vec<u8> = [uuid::Uuid::new_v4(), uuid::Uuid::new_v4()]
            .iter()
            .flat_map(|random| *random.as_bytes())
            .collect();
        let settings = Settings {
            service: service.to_owned(),
            public_url: endpoint.url.clone(),
            database_url: database_url(&[path.address]),
            server_key: STANDARD.encode(key),
            upstream: format!("http://{}/v1", upstream.address),
            redis: redis.address.clone(),
        };
        let running = Running::default();
        let mut replicas = Vec::new();
        for name in ["one", "two", "three"] {
            let mut replica = Replica::new(name, &running)?;
            replica.start(folder, &settings, None).await?;
            replicas.push(replica);
        }
        let mut balancer = balancer.start(folder, &replicas)?;
        wait_for(&endpoint, &mut balancer).await?;
        let manager = load::manager(&endpoint).await?;
        let mut secrets = Vec::new();
        for number in 0..KEYS {
            let created = load::create_key(&manager, &format!("cluster-{number}")).await;
            let key = created.map_err(|failed| anyhow::anyhow!(failed.text))?;
            secrets.push(load::shown(&key).context("the key shows no secret")?);
        }
        Ok(Cluster {
            folder,
            settings,
            postgres,
            path,
            database: Address::Path,
            redis,
            upstream,
            replicas,
            running,
            _balancer: balancer,
            endpoint,
            manager,
            secrets,
        })
    }

    /// Starts the load of one failure.
    pub fn load(&self, name: &str) -> anyhow::Result<Load> {
        let name = format!("cluster-{name}");
        let context = Context::new(&self.endpoint, &self.running, &self.manager, name)?;
        Ok(Load::start(context, &self.secrets))
    }

    pub fn path(&self) -> &NetworkPath {
        &self.path
    }

    /// A secret that stays valid.
    pub fn secret(&self) -> &str {
        &self.secrets[0]
    }

    pub fn replica(&self, index: usize) -> &Replica {
        &self.replicas[index]
    }

    pub fn replicas(&self) -> &[Replica] {
        &self.replicas
    }

    /// The replicas that run and are not ready, after some time to become so.
    pub async fn unready(&self, limit: Duration) -> Vec<&'static str> {
        let deadline = Instant::now() + limit;
        loop {
            let mut unready = Vec::new();
            for replica in &self.replicas {
                if !replica.is_ready().await {
                    unready.push(replica.name);
                }
            }
            if unready.is_empty() || Instant::now() >= deadline {
                return unready;
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }

    /// Lets the replicas find the primary in another way. Without load, since it kills them all.
    pub async fn use_address(&mut self, address: Address) -> anyhow::Result<()> {
        if self.database == address {
            return Ok(());
        }
        self.settings.database_url = match address {
            Address::Path => database_url(&[self.path.address]),
            Address::Hosts => database_url(&self.postgres.addresses()),
        };
        self.database = address;
        for index in 0..self.replicas.len() {
            self.kill(index).await?;
        }
        for index in 0..self.replicas.len() {
            self.start_replica(index, 0).await?;
        }
        tokio::time::sleep(FOUND).await;
        Ok(())
    }

    /// Kills a replica; returns when it is gone.
    pub async fn kill(&mut self, index: usize) -> anyhow::Result<()> {
        self.replicas[index].kill().await
    }

    /// Stops a replica in an orderly way. Returns whether its readiness turned 503 first.
    pub async fn stop(&mut self, index: usize) -> anyhow::Result<bool> {
        self.replicas[index].stop().await
    }

    /// Starts a replica that does not run, with a clock that is ahead by some seconds.
    pub async fn start_replica(&mut self, index: usize, ahead: i64) -> anyhow::Result<()> {
        let library = faketime();
        let skew = match (ahead, &library) {
            (0, _) => None,
            (seconds, Some(library)) => Some(Skew { library, seconds }),
            (_, None) => anyhow::bail!("libfaketime is missing"),
        };
        let replica = &mut self.replicas[index];
        replica.start(self.folder, &self.settings, skew).await
    }

    /// Restarts the primary; returns when it commits.
    pub async fn restart_postgres(&mut self) -> anyhow::Result<()> {
        self.postgres.restart(self.folder).await
    }

    /// Kills the primary, promotes the standby, and points the path to it.
    pub async fn promote_standby(&mut self) -> anyhow::Result<()> {
        self.postgres.promote().await?;
        self.path.repoint(self.postgres.address());
        Ok(())
    }

    /// Kills Redis.
    pub async fn kill_redis(&mut self) -> anyhow::Result<()> {
        self.redis.kill().await
    }

    /// Starts Redis, which does not run.
    pub async fn start_redis(&mut self) -> anyhow::Result<()> {
        self.redis.start_again(self.folder).await
    }

    /// Replaces what a failure has used up.
    pub async fn heal(&mut self) -> anyhow::Result<()> {
        self.postgres.add_standby(self.folder).await
    }

    /// Takes the responses of the model server since the last call.
    pub fn take_served(&self) -> Vec<Served> {
        self.upstream.take_served()
    }

    /// The tokens that the service has counted in all.
    pub async fn tokens_counted(&self) -> anyhow::Result<u64> {
        let mut sum = 0;
        let mut page: Option<String> = None;
        loop {
            let mut request = self.manager.inference().list_usage();
            request = request.compartment_id(demo::COMPARTMENT).limit(1000);
            if let Some(page) = page.take() {
                request = request.page(page);
            }
            let response = request.call().await;
            let response = response.map_err(|error| anyhow::anyhow!(Failed::of(&error).text))?;
            let tokens = response
                .items
                .iter()
                .map(|one| one.input_tokens + one.output_tokens);
            sum += u64::try_from(tokens.sum::<i64>())?;
            let next = response.headers().get("accord-next-page");
            match next.map(|next| next.to_str()).transpose()? {
                Some(next) => page = Some(next.to_owned()),
                None => return Ok(sum),
            }
        }
    }

    /// The acknowledged writes that the database has lost, and those that it has more than once.
    pub async fn lost_and_doubled(
        &self,
        name: &str,
        written: &Written,
    ) -> anyhow::Result<(usize, usize)> {
        let like = format!("LIKE 'cluster-{name}-%'");
        let users =
            format!("SELECT email, COUNT(*) FROM hub_users WHERE email {like} GROUP BY email");
        let keys = format!(
            "SELECT display_name, COUNT(*) FROM inference_keys WHERE display_name {like} \
             GROUP BY display_name"
        );
        let events = format!(
            "SELECT e.subject, COUNT(*) FROM audit_trail e JOIN hub_users u ON u.id = e.subject \
             WHERE e.action = 'accounts.user.created' AND u.email {like} GROUP BY e.subject"
        );
        let renewals = format!(
            "SELECT 'renewals', COUNT(*) FROM audit_trail e JOIN inference_keys k ON k.id = e.subject \
             WHERE e.action = 'inference.secret.renewed' AND k.display_name {like}"
        );
        let (mut lost, mut doubled) = (0, 0);
        for (sql, names) in [(users, &written.users), (keys, &written.keys)] {
            let found = self.numbers(&sql).await?;
            lost += names
                .iter()
                .filter(|name| !found.contains_key(*name))
                .count();
            doubled += found.values().filter(|number| **number > 1).count();
        }
        let events = self.numbers(&events).await?;
        lost += written.users.len().saturating_sub(events.len());
        doubled += events.values().filter(|number| **number > 1).count();
        let renewals = self.numbers(&renewals).await?;
        let renewals = usize::try_from(renewals.values().sum::<i64>())?;
        lost += written.rotations.saturating_sub(renewals);
        doubled += renewals.saturating_sub(written.rotations + written.unknown);
        Ok((lost, doubled))
    }

    async fn numbers(&self, sql: &str) -> anyhow::Result<BTreeMap<String, i64>> {
        let rows = self.postgres.query(sql).await?;
        rows.iter()
            .map(|row| Ok((row.try_get(0)?, row.try_get(1)?)))
            .collect()
    }

    /// Where everything listens.
    pub fn addresses(&self) -> String {
        let replicas = self.running.addresses().join(", ");
        format!(
            "balancer {}, replicas {replicas}, PostgreSQL {} through {}, Redis {}",
            self.endpoint.url,
            self.postgres.address(),
            self.path.address,
            self.redis.address
        )
    }
}

/// The library that changes the clock of a process.
pub fn faketime() -> Option<PathBuf> {
    let mut paths = FAKETIME.iter().map(PathBuf::from);
    paths.find(|path| path.is_file())
}

/// The address of a database on these servers, of which one accepts writes.
fn database_url(servers: &[SocketAddr]) -> String {
    let addresses: Vec<_> = servers.iter().map(SocketAddr::to_string).collect();
    let choice = match servers {
        [_] => "",
        _ => "&target_session_attrs=read-write",
    };
    format!(
        "postgres://accord@{}/accord?sslmode=disable{choice}",
        addresses.join(",")
    )
}

/// Waits until the balancer has a replica that is ready.
async fn wait_for(endpoint: &Endpoint, balancer: &mut Process) -> anyhow::Result<()> {
    let http = endpoint.http().build()?;
    let page = format!("{}/.well-known/oauth-authorization-server", endpoint.url);
    let deadline = Instant::now() + TIMEOUT;
    loop {
        let response = http.get(&page).send().await;
        if response.is_ok_and(|response| response.status().is_success()) {
            return Ok(());
        }
        balancer.runs()?;
        ensure!(Instant::now() < deadline, "the balancer finds no replica");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
