//! `accord-server serve`

use std::io::Write;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use accord_server::app::App;
use accord_server::config::Config;
use accord_server::kernel::{SystemClock, SystemRandom};
use accord_server::patterns::catalog;
use accord_server::{ops, serve};
use anyhow::Context as _;
use dropforge_runtime::{Guard, set_guard};

use super::options::Options;

#[tokio::main]
pub async fn run(options: &Options) -> anyhow::Result<()> {
    // From here on, a signal to reload does not end the process.
    let mut reload = serve::Hangup::new().context("cannot wait for SIGHUP")?;
    // Without a handler, Linux would drop the signal for the first process of a container.
    let mut stop = StopSignal::new()?;
    let config = options.load()?;
    // Dropped last: it then writes the remaining lines.
    let log = ops::init_logs(&config.log)?;
    let complaints = config.open_to_others(options.file()).into_iter();
    for complaint in complaints.chain(Config::misspelled_variables()) {
        tracing::warn!("{complaint}");
    }
    let limit = Duration::from_secs(config.server.drain_seconds.into());
    let delay = Duration::from_secs(config.server.drain_delay_seconds.into());
    if let Some(many) = config.server.compare_one_in {
        set_guard(NonZeroU32::new(many).map_or(Guard::Off, Guard::OneIn));
    }

    let service = tokio::select! {
        started = start(config) => started?,
        stopped = stop.wait() => {
            stopped?;
            tracing::info!("stopped before the end of the start");
            drop(log);
            // The runtime would wait for the thread that opens the database.
            std::process::exit(0);
        }
    };
    #[cfg(target_os = "linux")]
    let _running = begin_running(service.app())?;
    // The standard output may be closed.
    let banner = serve::banner(service.app()).await;
    let _ = std::io::stdout().write_all(banner.as_bytes());

    tokio::select! {
        stopped = stop.wait() => stopped?,
        () = serve::follow_configuration(service.app(), &log, &mut reload, || options.load()) => {}
    }
    tracing::info!(
        delay_seconds = delay.as_secs(),
        seconds = limit.as_secs(),
        "stopping: requests in flight may finish"
    );
    tokio::spawn(async move {
        // A second signal ends the service without waiting.
        if stop.wait().await.is_ok() {
            std::process::exit(1);
        }
    });
    service.leave(delay).await;
    match service.drain(limit).await {
        true => tracing::info!("stopped"),
        false => tracing::warn!("stopped with requests in flight"),
    }
    Ok(())
}

/// Opens the database, which may take long, and starts to listen.
async fn start(config: Config) -> anyhow::Result<serve::Service> {
    let app = App::open(config, Arc::new(SystemClock), Arc::new(SystemRandom)).await?;
    warn_of_unowned_instances(&app).await?;
    Ok(serve::start(app).await?)
}

/// Takes the lock by which `accord-server reload` finds this process.
#[cfg(target_os = "linux")]
fn begin_running(app: &App) -> anyhow::Result<Option<serve::Running>> {
    let data_dir = &app.config.server.data_dir;
    let running = serve::Running::begin(data_dir);
    let running = running.with_context(|| format!("cannot lock {}", data_dir.display()))?;
    if running.is_none() {
        tracing::warn!(
            data_dir = %data_dir.display(),
            "another service runs with this data directory: accord-server reload does not reach \
             this one. Give each service its own server.data_dir"
        );
    }
    Ok(running)
}

/// Logs the service instances without an owner, which only operators see, and how to
/// assign one.
async fn warn_of_unowned_instances(app: &App) -> anyhow::Result<()> {
    for instance in app.store.read(catalog::instances).await? {
        if instance.organization.is_none() {
            tracing::warn!(
                "service instance {0} has no owner, so only operators see its projects; assign one \
                 with: accord-server design-instances set {0} --organization ID",
                instance.name
            );
        }
    }
    Ok(())
}

/// SIGTERM and SIGINT, which are caught from its creation on.
#[cfg(unix)]
struct StopSignal {
    terminate: tokio::signal::unix::Signal,
    interrupt: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl StopSignal {
    fn new() -> anyhow::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(StopSignal {
            terminate: signal(SignalKind::terminate()).context("cannot wait for SIGTERM")?,
            interrupt: signal(SignalKind::interrupt()).context("cannot wait for SIGINT")?,
        })
    }

    async fn wait(&mut self) -> anyhow::Result<()> {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
        Ok(())
    }
}

/// Ctrl-C.
#[cfg(not(unix))]
struct StopSignal;

#[cfg(not(unix))]
impl StopSignal {
    fn new() -> anyhow::Result<Self> {
        Ok(StopSignal)
    }

    async fn wait(&mut self) -> anyhow::Result<()> {
        tokio::signal::ctrl_c()
            .await
            .context("cannot wait for an interrupt")
    }
}
