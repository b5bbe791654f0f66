//! `accord-server config`

use accord_server::config::Config;

use super::options::Options;
use super::output::print;

/// Print a configuration file with every key, its meaning and its default
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  accord-server config > accord.toml     a file to edit
  accord-server config --check           whether the values of the configuration are valid
  accord-server config --effective       which values are in force, and where each is set

Exit code: 0 printed or valid, 1 invalid; the error has the file and the line.")]
pub struct Template {
    /// Check the values of the file, the environment and the options instead. Does not contact a running
    /// service, and opens no files or addresses
    #[arg(long)]
    check: bool,
    /// Print the values in force instead, each with its source: an option, a variable, the file or the
    /// default. Secrets are `(set)`
    #[arg(long, conflicts_with = "check")]
    effective: bool,
}

pub fn run(options: &Options, command: &Template) -> anyhow::Result<()> {
    if command.check {
        options.load()?;
        return print(&match options.file() {
            Some(file) => format!("{} is valid.\n", file.display()),
            None => "The configuration is valid. There is no file.\n".to_owned(),
        });
    }
    if command.effective {
        return print(&options.effective()?);
    }
    print(&Config::template())
}
