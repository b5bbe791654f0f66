//! What is measured, each in a process of its own.

use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use accord_server::accounts::demo::ADMINISTRATOR;
use accord_server::app::App;
use accord_server::config::Config;
use accord_server::inference::admission::limits::Limits;
use accord_server::inference::admission::period::Period;
use accord_server::inference::demo::COMPARTMENT;
use accord_server::inference::keys::access::Manager;
use accord_server::inference::keys::create::{NewKey, NewSecret, create};
use accord_server::inference::operator;
use accord_server::kernel::{SystemClock, SystemRandom};
use anyhow::{Context as _, bail};

use super::Run;
use super::plain::{self, HAPROXY, NGINX};

/// The model server itself.
pub const DIRECT: &str = "direct";
/// The bare proxy.
pub const BARE: &str = "bare proxy";
/// The service as it is without a configuration: with its log, which is read.
pub const ACCORD: &str = "accord";
/// The service without its log.
pub const QUIET: &str = "accord, no log";
/// The service that is built by a profile, with its log.
pub const GUIDED: &str = "accord, guided";
/// The rival that the service is measured by.
pub const ROUTER: &str = "vllm-router";
/// Other rivals.
const PORTKEY: &str = "portkey";
const LITELLM: &str = "litellm";
/// LiteLLM takes its time to start.
const START_TIMEOUT: Duration = Duration::from_secs(90);

/// How long one may take to end.
const STOP_TIMEOUT: Duration = Duration::from_secs(10);

/// A server that answers.
pub struct Running {
    /// Its name, for people.
    pub name: &'static str,
    /// Where it is.
    pub address: SocketAddr,
    /// Where chat completions are.
    pub path: &'static str,
    /// As whom they are asked for.
    pub secret: String,
    /// Header lines that it wants besides.
    pub headers: String,
    process: Child,
    _directory: Option<tempfile::TempDir>,
}

impl Running {
    /// Whether it is somebody else's.
    pub fn is_rival(&self) -> bool {
        [ROUTER, PORTKEY, LITELLM, NGINX, HAPROXY].contains(&self.name)
    }

    /// Whether its process is all there is of it, so that its memory can be told.
    pub fn is_one_process(&self) -> bool {
        self.name != NGINX
    }

    /// Keeps a directory for as long as it runs.
    pub fn keep(&mut self, directory: tempfile::TempDir) {
        self._directory = Some(directory);
    }

    /// How much memory it takes up.
    pub fn memory_mib(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).ok()?;
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("VmRSS:"))?;
        let kib: u64 = line.split_whitespace().next()?.parse().ok()?;
        Some(kib / 1024)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.ask_to_stop();
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Running {
    /// Leaves it time to write down what it counted, and to close its files.
    fn ask_to_stop(&mut self) {
        let id = self.process.id().to_string();
        let asked = Command::new("kill").args(["-s", "TERM", &id]).status();
        let since = Instant::now();
        while asked.as_ref().is_ok_and(|status| status.success())
            && since.elapsed() < STOP_TIMEOUT
            && matches!(self.process.try_wait(), Ok(None))
        {
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// Starts all of them; the first is the model server itself.
pub async fn start(run: &Run) -> anyhow::Result<Vec<Running>> {
    let this = std::env::current_exe()?;
    let direct = free()?;
    let mut all = Vec::new();
    let mut role = Command::new(&this);
    role.args(["upstream", &direct.to_string()]);
    all.push(running(DIRECT, direct, "/v1/chat/completions", role)?);

    let address = free()?;
    let mut role = Command::new(&this);
    role.args(["proxy", &address.to_string(), &direct.to_string()]);
    all.push(running(BARE, address, "/v1/chat/completions", role)?);

    all.push(accord(ACCORD, &run.service, direct, "").await?);
    all.push(accord(QUIET, &run.service, direct, "[log]\nlevel = \"off\"\n").await?);
    if let Some(program) = &run.guided {
        all.push(accord(GUIDED, program, direct, "").await?);
    }

    if let Some(program) = &run.nginx {
        all.push(plain::nginx(program, direct)?);
    }
    if let Some(program) = &run.haproxy {
        all.push(plain::haproxy(program, direct)?);
    }
    if let Some(router) = &run.vllm_router {
        let address = free()?;
        let metrics = free()?;
        let mut command = Command::new(router);
        command
            .args(["--worker-urls", &format!("http://{direct}")])
            .args(["--host", "127.0.0.1", "--port", &address.port().to_string()])
            .args(["--prometheus-port", &metrics.port().to_string()])
            .args(["--log-level", "error"]);
        all.push(running(ROUTER, address, "/v1/chat/completions", command)?);
    }
    if let Some(script) = &run.portkey {
        all.push(portkey(script, direct)?);
    }
    if let Some(program) = &run.litellm {
        all.push(litellm(program, direct)?);
    }
    Ok(all)
}

/// Portkey's gateway, which is told by each request where it goes.
fn portkey(script: &Path, upstream: SocketAddr) -> anyhow::Result<Running> {
    let address = free()?;
    let mut command = Command::new("node");
    command
        .arg(script)
        .arg(format!("--port={}", address.port()))
        .arg("--headless")
        .env("NODE_ENV", "production")
        .stderr(Stdio::null());
    let mut gateway = running(PORTKEY, address, "/v1/chat/completions", command)?;
    gateway.headers =
        format!("x-portkey-provider: openai\r\nx-portkey-custom-host: http://{upstream}/v1\r\n");
    Ok(gateway)
}

/// LiteLLM's proxy with one worker, and a key that everybody uses.
fn litellm(program: &Path, upstream: SocketAddr) -> anyhow::Result<Running> {
    let address = free()?;
    let directory = tempfile::tempdir()?;
    let config = directory.path().join("config.yaml");
    let text = format!(
        "model_list:\n  - model_name: bench\n    litellm_params:\n      model: openai/bench\n      \
         api_base: http://{upstream}/v1\n      api_key: none\n\
         general_settings:\n  master_key: sk-bench\n"
    );
    std::fs::write(&config, text)?;
    let mut command = Command::new(program);
    command
        .arg("--config")
        .arg(&config)
        .args(["--host", "127.0.0.1", "--port", &address.port().to_string()])
        .args(["--num_workers", "1"])
        .env("LITELLM_LOG", "ERROR")
        .env("LITELLM_LOCAL_MODEL_COST_MAP", "True")
        .stderr(Stdio::null());
    let mut proxy = running(LITELLM, address, "/v1/chat/completions", command)?;
    proxy.secret = "sk-bench".into();
    proxy._directory = Some(directory);
    Ok(proxy)
}

/// The service, with a key whose limits are never reached, and otherwise as it is without
/// a configuration, except for what `more` says. Its log is read, as it is in operation.
async fn accord(
    name: &'static str,
    program: &Path,
    upstream: SocketAddr,
    more: &str,
) -> anyhow::Result<Running> {
    let directory = tempfile::tempdir()?;
    let address = free()?;
    let data = directory.path().join("data");
    let file = directory.path().join("accord.toml");
    let text = format!(
        "[server]\nlisten = \"{address}\"\ndata_dir = {data:?}\n{more}\
         [[inference.models]]\nname = \"bench\"\nfamily = \"bench\"\n\
         url = \"http://{upstream}/v1\"\n"
    );
    std::fs::write(&file, text)?;
    let secret = key(&file).await?;
    let mut command = Command::new(program);
    command.arg("--config").arg(&file).arg("serve");
    command.stderr(Stdio::piped());
    let path = "/20231130/actions/v1/chat/completions";
    let mut service = running(name, address, path, command)?;
    if let Some(mut log) = service.process.stderr.take() {
        std::thread::spawn(move || std::io::copy(&mut log, &mut std::io::sink()));
    }
    service.secret = secret;
    service._directory = Some(directory);
    Ok(service)
}

/// Makes a key in the store that the service will open.
async fn key(file: &Path) -> anyhow::Result<String> {
    let flags = <accord_server::config::Layer as confique::Layer>::empty();
    let config = Config::load(flags, Some(file))?;
    let app = App::open(config, Arc::new(SystemClock), Arc::new(SystemRandom)).await?;
    accord_server::demo::prepare(&app.identity).await?;
    let new = NewKey {
        display_name: "bench".into(),
        compartment_id: COMPARTMENT.into(),
        description: None,
        freeform_tags: serde_json::Map::new(),
        defined_tags: serde_json::Map::new(),
        secrets: vec![NewSecret {
            name: "one".into(),
            expires_at: None,
        }],
    };
    let manager = Manager {
        principal: ADMINISTRATOR.into(),
        origin: "127.0.0.1".into(),
        region: app.config.server.region.clone(),
    };
    let answer = create(&app.inference, &manager, None, new).await?;
    let id = answer.key.id.clone();
    let most = u32::MAX;
    let limits = Limits {
        concurrent_calls: Some(most),
        requests_per_minute: Some(most),
        tokens_per_minute: Some(most),
        concurrent_streams: Some(most),
        budget: Some((i64::MAX / 2, Period::Month)),
    };
    app.store
        .write(move |tx| operator::put_limits(tx, &id, Some(&limits)))
        .await
        .map_err(|error: accord_server::store::StoreError| error)?;
    let shown = answer.shown.into_iter().next();
    let (_, secret) = shown.context("a new key shows its secrets")?;
    Ok(secret.expose().to_owned())
}

/// An address that nobody listens on.
pub fn free() -> anyhow::Result<SocketAddr> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?)
}

/// Starts a server and waits until it listens.
pub fn running(
    name: &'static str,
    address: SocketAddr,
    path: &'static str,
    mut command: Command,
) -> anyhow::Result<Running> {
    let process = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .with_context(|| format!("cannot start {name}"))?;
    let mut running = Running {
        name,
        address,
        path,
        secret: "none".into(),
        headers: String::new(),
        process,
        _directory: None,
    };
    let since = Instant::now();
    while std::net::TcpStream::connect(address).is_err() {
        if let Some(status) = running.process.try_wait()? {
            bail!("{name} ended: {status}");
        }
        if since.elapsed() > START_TIMEOUT {
            bail!("{name} does not listen");
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    // Listening is not yet being ready, for some.
    std::thread::sleep(Duration::from_secs(1));
    Ok(running)
}
