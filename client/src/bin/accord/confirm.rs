//! The confirmation of a deletion.

use clap::Args;
use std::io::{self, IsTerminal, Write};
use thiserror::Error;

/// How a deletion is confirmed.
#[derive(Args)]
pub struct Confirmation {
    /// Delete without asking; required where there is no terminal
    #[arg(long, short)]
    yes: bool,
}

/// Why nothing was deleted.
#[derive(Debug, Error)]
pub enum NotConfirmed {
    /// Nobody can be asked.
    #[error("nothing was deleted: there is no terminal to confirm it in; add --yes to delete {0}")]
    NoTerminal(String),
    /// The user has not agreed.
    #[error("nothing was deleted")]
    Declined,
}

impl Confirmation {
    /// Asks in the terminal whether to delete this.
    ///
    /// # Errors
    ///
    /// When the user does not agree, or there is no terminal.
    pub async fn ask(&self, what: &str) -> anyhow::Result<()> {
        if self.yes {
            return Ok(());
        }
        if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
            return Err(NotConfirmed::NoTerminal(what.to_owned()).into());
        }
        let mut out = io::stderr();
        write!(out, "Delete {what}? [y/N] ")?;
        out.flush()?;
        // Reading may block; on this thread it would delay Ctrl-C.
        let reply = tokio::task::spawn_blocking(|| {
            let mut reply = String::new();
            io::stdin().read_line(&mut reply).map(|_| reply)
        });
        match is_yes(&reply.await??) {
            true => Ok(()),
            false => Err(NotConfirmed::Declined.into()),
        }
    }
}

fn is_yes(reply: &str) -> bool {
    let reply = reply.trim().to_ascii_lowercase();
    matches!(reply.as_str(), "y" | "yes")
}

#[cfg(test)]
mod tests {
    use super::is_yes;

    #[test]
    fn only_a_clear_yes_deletes() {
        for reply in ["y\n", "Yes\r\n"] {
            assert!(is_yes(reply), "{reply}");
        }
        for reply in ["", "\n", "n\n", "yesterday\n"] {
            assert!(!is_yes(reply), "{reply}");
        }
    }
}
