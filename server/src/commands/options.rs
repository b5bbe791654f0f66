//! Flags of every command. They override the environment, which overrides the file.

use std::fmt::Display;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use accord_server::app::App;
use accord_server::audit::AuditContext;
use accord_server::config::{Config, ConfigError, Layer, LogFormat, Secret, in_plain_words};
use accord_server::demo;
use accord_server::kernel::{Kernel, SystemClock, SystemRandom};
use confique::Layer as _;

/// The default configuration file.
const DEFAULT_FILE: &str = "accord.toml";

#[derive(clap::Args)]
#[command(next_help_heading = "Configuration")]
pub struct Options {
    /// Configuration file [default: accord.toml, if it exists].
    #[arg(long, global = true, env = "ACCORD_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
    /// Address to listen on [default: 127.0.0.1:8080].
    #[arg(long, global = true, value_name = "ADDRESS", value_parser = parsed::<SocketAddr>)]
    listen: Option<SocketAddr>,
    /// Address that clients use, if it differs.
    #[arg(long, global = true, value_name = "URL", value_parser = parsed::<url::Url>)]
    public_url: Option<url::Url>,
    /// sqlite:PATH or postgres://USER@HOST/DATABASE [default: accord.db in the data directory].
    #[arg(long, global = true, value_name = "URL")]
    database_url: Option<String>,
    /// Directory of the database file and the server's key [default: data].
    #[arg(long, global = true, value_name = "DIRECTORY")]
    data_dir: Option<PathBuf>,
    /// Fill a new store with the demo catalog [default: true].
    #[arg(long, global = true, value_name = "BOOLEAN")]
    demo: Option<bool>,
    /// Log level: off, error, warn, info, debug or trace [default: info].
    #[arg(long, global = true, value_name = "LEVEL")]
    log: Option<String>,
    /// Log format: text or json [default: text].
    #[arg(long, global = true, value_name = "FORMAT", value_parser = log_format)]
    log_format: Option<LogFormat>,
}

/// The user who runs a command, for the audit trail: the user of the operating system, or the one
/// who called `sudo`.
pub fn operator() -> String {
    ["SUDO_USER", "USER", "LOGNAME"]
        .into_iter()
        .find_map(|name| std::env::var(name).ok().filter(|name| !name.is_empty()))
        .unwrap_or_else(|| "unknown".to_owned())
}

/// The operator who runs a command, for the audit trail.
pub fn audit_context(kernel: &Kernel) -> AuditContext {
    let now = kernel.clock.now().timestamp_millis();
    AuditContext::of_operator(&kernel.server_keys, &operator(), now)
}

/// Parses a value, with the same error as in a file.
fn parsed<T: FromStr<Err: Display>>(text: &str) -> Result<T, String> {
    text.parse()
        .map_err(|error: T::Err| in_plain_words(&error.to_string()))
}

fn log_format(text: &str) -> Result<LogFormat, String> {
    match text {
        "text" => Ok(LogFormat::Text),
        "json" => Ok(LogFormat::Json),
        _ => Err("expected text or json".to_owned()),
    }
}

impl Options {
    /// Reads the configuration, and overrides it with these flags.
    pub fn load(&self) -> Result<Config, ConfigError> {
        Config::load(self.layer(), self.file())
    }

    /// The values in force, each with its source, as lines of text.
    pub fn effective(&self) -> Result<String, ConfigError> {
        Config::effective(self.layer(), self.file())
    }

    /// Opens the database and the server key of the service. A running service applies changes in
    /// them without a restart. Commands do not fill a new store with the demo catalog.
    pub async fn open(&self) -> anyhow::Result<Arc<App>> {
        let (clock, random) = (Arc::new(SystemClock), Arc::new(SystemRandom));
        let app = App::open(self.load()?, clock, random).await?;
        demo::leave_out(&app.store).await?;
        Ok(app)
    }

    /// The file that the configuration is read from, if there is one.
    pub fn file(&self) -> Option<&Path> {
        let default = Path::new(DEFAULT_FILE);
        match &self.config {
            Some(path) => Some(path.as_path()),
            None => Some(default).filter(|path| path.exists()),
        }
    }

    fn layer(&self) -> Layer {
        let Options {
            config: _,
            listen,
            public_url,
            database_url,
            data_dir,
            demo,
            log,
            log_format,
        } = self;
        let mut layer = Layer::empty();
        layer.server.listen = *listen;
        layer.server.public_url = public_url.clone();
        layer.server.data_dir = data_dir.clone();
        layer.database.url = database_url.clone().map(Secret::new);
        layer.demo.enabled = *demo;
        layer.log.level = log.clone();
        layer.log.format = *log_format;
        layer
    }
}
