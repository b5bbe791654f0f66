//! Completion of the command line in shells.

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
    pub fn print(self, command: &mut Command) {
        clap_complete::generate(self.shell, command, "accord", &mut std::io::stdout());
    }
}
