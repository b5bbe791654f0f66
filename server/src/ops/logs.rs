//! Writes the log to standard error: one line for each event, for people or for machines.
//!
//! Requests never wait for the log: lines go into a bounded buffer, and a thread writes
//! them. Those that do not fit are dropped and counted.
//!
//! The log has no secrets: types of secrets are not printed, and only the operation and the outcome
//! of requests are logged. One setting adds the contents of model calls; the service warns of it
//! when it starts.

mod fields;
mod lines;
mod timer;

use std::io::IsTerminal;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, OnceLock};

use slog::Drain;
use tracing_subscriber::Registry;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::reload;
use tracing_subscriber::util::SubscriberInitExt;

use crate::app::App;
use crate::config::{LogConfig, LogFormat, levels};
use crate::kernel::Short;
use fields::fields;
use lines::{Lines, Writer};
use timer::Timer;

/// The lines of the program.
static LINES: OnceLock<Lines> = OnceLock::new();

/// Why logs cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum LogsError {
    /// The levels are invalid.
    #[error("log.level: {0}")]
    Level(String),
    /// The thread cannot be started.
    #[error("cannot start the thread that writes the log: {0}")]
    Thread(#[source] std::io::Error),
    /// Logs were set up before.
    #[error("logs are already set up: {0}")]
    Twice(#[from] tracing_subscriber::util::TryInitError),
}

/// Writes the last lines when it is dropped.
#[must_use = "without it nothing is logged"]
pub struct LogWriter {
    levels: reload::Handle<Targets, Registry>,
    _writer: Writer,
}

impl LogWriter {
    /// Changes the level, or the levels of modules.
    ///
    /// # Errors
    ///
    /// When the levels are invalid. The old ones stay.
    pub fn set_levels(&self, levels: &str) -> Result<(), LogsError> {
        let filter = levels::parse(levels).map_err(LogsError::Level)?;
        let reloaded = self.levels.reload(filter);
        reloaded.map_err(|error| LogsError::Level(error.to_string()))
    }
}

/// Sends the program's logs to standard error, by a thread of their own. Panics are
/// logged as well.
///
/// # Errors
///
/// When the level is invalid, or logs were set up before.
pub fn init(config: &LogConfig) -> Result<LogWriter, LogsError> {
    let filter = levels::parse(&config.level).map_err(LogsError::Level)?;
    let (filter, levels) = reload::Layer::new(filter);
    let is_terminal = std::io::stderr().is_terminal();
    let (lines, writer) = Lines::new(std::io::stderr(), is_terminal).map_err(LogsError::Thread)?;
    let _ = LINES.set(lines.clone());
    let subscriber = tracing_subscriber::registry().with(filter);
    let layer = tracing_subscriber::fmt::layer()
        .with_ansi(is_terminal)
        .with_timer(Timer)
        .with_writer(lines);
    match config.format {
        LogFormat::Json => subscriber
            .with(layer.json().flatten_event(true))
            .try_init()?,
        LogFormat::Text => subscriber
            .with(layer.with_target(false).fmt_fields(fields()))
            .try_init()?,
    }
    // The default hook would block while nobody reads standard error.
    std::panic::set_hook(Box::new(|panic| {
        tracing::error!(panic = %Short(panic), "a thread panicked");
    }));
    Ok(LogWriter {
        levels,
        _writer: writer,
    })
}

/// The number of lines that were dropped since the start, because standard error was read too
/// slowly.
pub fn dropped_lines() -> u64 {
    LINES.get().map_or(0, Lines::dropped)
}

/// dropshot's logger, which forwards warnings only. The service logs each request itself, and
/// dropshot's line would cost a fifth of the throughput.
pub fn dropshot_log(app: &Arc<App>) -> slog::Logger {
    let forward = Forward(AssertUnwindSafe(Arc::clone(app)));
    let drain = slog::LevelFilter::new(forward, slog::Level::Warning);
    slog::Logger::root(drain.ignore_res(), slog::o!())
}

struct Forward(AssertUnwindSafe<Arc<App>>);

/// Whether a warning reports a usual event: a client that closed its connection or did not
/// use TLS, or a listener that closes because the service stops.
fn is_usual(message: &str, is_stopping: bool) -> bool {
    message.starts_with("request handling cancelled")
        || message.starts_with("tls accept err")
        || (message == "accept error" && is_stopping)
}

impl Drain for Forward {
    type Ok = ();
    type Err = slog::Never;

    /// Of the key-values, only the error is logged: the query of the URI can have a code.
    fn log(
        &self,
        record: &slog::Record<'_>,
        values: &slog::OwnedKVList,
    ) -> Result<Self::Ok, Self::Err> {
        use slog::KV;
        let mut chosen = Chosen::default();
        // The serializer below cannot fail.
        let _ = record.kv().serialize(record, &mut chosen);
        let _ = values.serialize(record, &mut chosen);
        let message = record.msg().to_string();
        let (request_id, error) = (chosen.request_id, chosen.error);
        if record.level().is_at_least(slog::Level::Error) {
            tracing::error!(target: "dropshot", request_id, error, "{message}");
        } else if is_usual(&message, self.0.is_stopping()) {
            tracing::debug!(target: "dropshot", request_id, error, "{message}");
        } else {
            tracing::warn!(target: "dropshot", request_id, error, "{message}");
        }
        Ok(())
    }
}

#[derive(Default)]
struct Chosen {
    request_id: Option<String>,
    error: Option<String>,
}

impl slog::Serializer for Chosen {
    fn emit_arguments(&mut self, key: slog::Key, value: &std::fmt::Arguments<'_>) -> slog::Result {
        match key.as_str() {
            "req_id" => self.request_id = Some(value.to_string()),
            "error" => self.error = Some(Short(value).to_string()),
            _ => {}
        }
        Ok(())
    }
}
