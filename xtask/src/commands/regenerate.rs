//! `regenerate`: everything that is made of something else and committed.
//!
//! Whatever belongs to it is listed in [`derived`]: a file, what it should
//! hold, and what it is made of. Nothing else has to be done for it to be
//! rewritten here and watched by `--check`.

use std::path::PathBuf;

use anyhow::Context;
use dropforge::check::published;

use crate::{Outcome, repository};

/// Rewrite what is derived and committed
///
/// These are the released form of each document, and what its client leaves out
/// (openapi/published). Nothing that is up to date is touched.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask regenerate           rewrite what is stale
  cargo xtask regenerate --check   only say what is stale

Exit code: 0 when all is up to date (with --check) or has been rewritten,
1 when --check found something stale, 2 when a document cannot be loaded.")]
pub(crate) struct Arguments {
    /// Write nothing; fail when something is stale, and name it
    #[arg(long)]
    check: bool,
}

/// A committed file that is made of something else.
struct Derived {
    path: PathBuf,
    content: String,
    /// What it is made of, for people.
    of: String,
}

/// Everything that is derived.
fn derived() -> anyhow::Result<Vec<Derived>> {
    let mut all = Vec::new();
    for path in repository::documents()? {
        let document = repository::load(&path)?;
        let file = format!("openapi/published/{}.json", repository::area(&path));
        all.push(Derived {
            path: repository::root().join(file),
            content: published::canonical(&document),
            of: document.source.name.clone(),
        });
        let client = dropforge::emit::client::generate(&document)
            .map_err(|diagnostics| anyhow::anyhow!(diagnostics.render(&document.source)))?;
        let file = format!("openapi/published/{}.loss.md", repository::area(&path));
        all.push(Derived {
            path: repository::root().join(file),
            content: client.report.to_markdown(),
            of: document.source.name,
        });
    }
    Ok(all)
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Outcome> {
    let mut stale = false;
    for Derived { path, content, of } in derived()? {
        let name = repository::relative(&path).display().to_string();
        // What cannot be read is written anew, or the writing says why.
        if std::fs::read_to_string(&path).is_ok_and(|present| present == content) {
            continue;
        }
        stale = true;
        if arguments.check {
            println!("stale: {name} (made of {of})");
            continue;
        }
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)
                .with_context(|| format!("cannot create {}", folder.display()))?;
        }
        std::fs::write(&path, content).with_context(|| format!("cannot write {name}"))?;
        println!("rewrote {name} (made of {of})");
    }
    if arguments.check && stale {
        println!("run `cargo xtask regenerate`, and look at what it changes");
        return Ok(Outcome::Failure);
    }
    if !stale {
        println!("all is up to date");
    }
    Ok(Outcome::Success)
}
