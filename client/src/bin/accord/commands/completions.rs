//! Completion of the command line in shells.

use crate::output::bytes;
use clap::{Args, Command};
use clap_complete::Shell;

/// Print a script that completes commands in a shell
#[derive(Args)]
#[command(after_help = "\
Example:
  accord completions bash > ~/.local/share/bash-completion/completions/accord")]
pub struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    /// Prints the script for this command.
    pub fn print(self, command: &mut Command) -> anyhow::Result<()> {
        // clap_complete panics if its output cannot be written.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, command, "accord", &mut script);
        bytes(&script)
    }
}
