//! `accord-server reload`

use super::options::Options;

/// Checks the configuration, and signals the service that runs with its data directory.
#[cfg(target_os = "linux")]
pub fn run(options: &Options) -> anyhow::Result<()> {
    let config = options.load()?;
    let process = accord_server::serve::ask_to_reload(&config.server.data_dir)?;
    super::output::print_line(&format!(
        "Asked the service (process {process}) to apply the configuration. Its log has the outcome."
    ))
}

#[cfg(not(target_os = "linux"))]
pub fn run(_: &Options) -> anyhow::Result<()> {
    anyhow::bail!("this command needs Linux: send SIGHUP to the service instead")
}
