//! Manual pages.

use crate::output::note;
use anyhow::Context;
use clap::{Args, Command};
use std::path::PathBuf;

/// Create a manual page for each command, in a directory
#[derive(Args)]
#[command(after_help = "\
Example:
  accord man ~/.local/share/man/man1
  man accord-keys-create")]
pub struct Man {
    /// The directory; it is created if it does not exist
    directory: PathBuf,
}

impl Man {
    /// Writes the pages of this command and those below it, and prints how to read them.
    pub fn write(self, command: Command) -> anyhow::Result<()> {
        let created = std::fs::create_dir_all(&self.directory);
        let written = created.and_then(|()| clap_mangen::generate_to(command, &self.directory));
        written.with_context(|| format!("{} cannot be written", self.directory.display()))?;
        let first = self.directory.join("accord.1");
        note(format!(
            "The manual pages are written. Read the first with: man {}",
            first.display()
        ));
        Ok(())
    }
}
