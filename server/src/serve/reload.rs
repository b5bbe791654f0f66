//! Applies a changed configuration without a restart, on SIGHUP.
//!
//! Models, limits of API keys and the log level change at once. Calls in progress finish with the
//! old models. Other changed keys need a restart, and the log names them. An invalid configuration
//! changes nothing.

use std::sync::Arc;

use crate::app::App;
use crate::config::{Changes, Config, ConfigError};
use crate::inference::reload;
use crate::ops::{self, LogWriter, LogsError};

/// Why a configuration cannot be applied. The previous one stays in use.
#[derive(Debug, thiserror::Error)]
pub enum ReloadError {
    /// The configuration is invalid.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A model cannot be served, or the database cannot be read.
    #[error(transparent)]
    Inference(#[from] reload::ReloadError),
    /// The log levels are invalid.
    #[error(transparent)]
    Logs(#[from] LogsError),
}

/// Applies the configuration that `load` returns at each signal, and logs the outcome.
pub async fn follow(
    app: &Arc<App>,
    log: &LogWriter,
    signals: &mut Hangup,
    load: impl Fn() -> Result<Config, ConfigError>,
) {
    let mut current = Config::clone(&app.config);
    app.metrics.reloaded("configuration", false);
    loop {
        signals.received().await;
        let applied = match load() {
            Ok(new) => apply(app, log, &mut current, new).await,
            Err(error) => Err(error.into()),
        };
        app.metrics.reloaded("configuration", applied.is_err());
        match applied {
            Ok(changes) => report(&changes),
            Err(error) => tracing::error!(
                %error,
                "cannot apply the new configuration; the previous one stays in use"
            ),
        }
    }
}

/// Applies the reloadable keys, which then have the `new` values in `current`.
async fn apply(
    app: &App,
    log: &LogWriter,
    current: &mut Config,
    new: Config,
) -> Result<Changes, ReloadError> {
    let changes = current.changes(&new);
    let next = current.reloaded(new);
    // Even without a change of a key: the keys of model servers may have changed in their files.
    let before = app.inference.reload(&next).await?;
    ops::forget_upstreams(app, &before.models);
    let models = &next.inference.models;
    app.inference.regions.warn_of_unserved(models);
    log.set_levels(&next.log.level)?;
    *current = next;
    Ok(changes)
}

fn report(changes: &Changes) {
    let Changes { reloadable, fixed } = changes;
    let applied = match reloadable.is_empty() {
        true => "none".to_owned(),
        false => reloadable.join(", "),
    };
    tracing::info!(changed = applied, "applied the configuration");
    if !fixed.is_empty() {
        let keys = fixed.join(", ");
        tracing::warn!(
            keys,
            "changed keys were not applied: restart the service to apply them"
        );
    }
}

/// SIGHUP, which is caught from its creation on.
#[cfg(unix)]
#[derive(Debug)]
pub struct Hangup(tokio::signal::unix::Signal);

#[cfg(unix)]
impl Hangup {
    /// Catches the signal.
    ///
    /// # Errors
    ///
    /// When the operating system does not allow it.
    pub fn new() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        signal(SignalKind::hangup()).map(Hangup)
    }

    pub(super) async fn received(&mut self) {
        if self.0.recv().await.is_none() {
            std::future::pending().await
        }
    }
}

/// Other systems have no such signal.
#[cfg(not(unix))]
#[derive(Debug)]
pub struct Hangup;

#[cfg(not(unix))]
impl Hangup {
    /// Does nothing.
    ///
    /// # Errors
    ///
    /// None.
    pub fn new() -> std::io::Result<Self> {
        Ok(Hangup)
    }

    pub(super) async fn received(&mut self) {
        std::future::pending().await
    }
}
