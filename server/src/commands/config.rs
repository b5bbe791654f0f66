//! `accord-server config`

use std::io::Write;

use accord_server::config::Config;

use super::options::Options;

/// Print a configuration file with every key, its meaning and its default
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  accord-server config > accord.toml     a file to edit
  accord-server config --check           whether the service can start with its configuration

Exit code: 0 printed or valid, 1 invalid; the error has the file and the line.")]
pub struct Template {
    /// Check the configuration instead: the file, the environment and the options. A running service is
    /// not asked
    #[arg(long)]
    check: bool,
}

pub fn run(options: &Options, command: &Template) -> anyhow::Result<()> {
    if command.check {
        options.load()?;
        match options.file() {
            Some(file) => println!("{} is valid.", file.display()),
            None => println!("The configuration is valid. There is no file."),
        }
        return Ok(());
    }
    // A closed pipe, as after `head`, is not an error.
    match std::io::stdout().write_all(Config::template().as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}
