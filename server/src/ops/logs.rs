//! Logs, to standard error: one line each, for people or for machines.
//!
//! Nothing secret reaches them: secrets are types that do not print, and of
//! requests only the operation, the path's pattern and the outcome are logged. One
//! setting adds the contents of model calls; the service says so when it starts.

use std::io::IsTerminal;

use slog::Drain;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::config::{LogConfig, LogFormat};

/// Why logs cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum LogsError {
    /// The filter cannot be read.
    #[error("log.level: {0}")]
    Level(#[from] tracing_subscriber::filter::ParseError),
    /// It was done before.
    #[error("logs are already set up: {0}")]
    Twice(#[from] tracing_subscriber::util::TryInitError),
}

/// Sends the program's logs to standard error.
///
/// # Errors
///
/// When the level cannot be understood, or logs were set up before.
pub fn init(config: &LogConfig) -> Result<(), LogsError> {
    let filter: Targets = config.level.parse()?;
    let lines = tracing_subscriber::fmt::layer()
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(std::io::stderr);
    let subscriber = tracing_subscriber::registry().with(filter);
    match config.format {
        LogFormat::Text => subscriber.with(lines.with_target(false)).try_init()?,
        LogFormat::Json => subscriber
            .with(lines.json().flatten_event(true))
            .try_init()?,
    }
    Ok(())
}

/// dropshot's logger: its warnings reach ours. Its line for each request would
/// be a second one, and costs a fifth of the throughput.
pub fn dropshot_log() -> slog::Logger {
    let drain = slog::LevelFilter::new(Forward, slog::Level::Warning);
    slog::Logger::root(drain.ignore_res(), slog::o!())
}

struct Forward;

impl Drain for Forward {
    type Ok = ();
    type Err = slog::Never;

    /// Key-values are left out but for the error: they hold the URI, whose
    /// query can hold a code.
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
        let message = record.msg();
        let (request_id, error) = (chosen.request_id, chosen.error);
        if record.level().is_at_least(slog::Level::Error) {
            tracing::error!(target: "dropshot", request_id, error, "{message}");
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
            "error" => self.error = Some(value.to_string()),
            _ => {}
        }
        Ok(())
    }
}
