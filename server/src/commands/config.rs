//! `accord-server config`

use std::io::Write;

use accord_server::config::Config;

pub fn run() -> anyhow::Result<()> {
    // A closed pipe, as after `head`, is not an error.
    match std::io::stdout().write_all(Config::template().as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}
