//! `watch`: the loop of editing a document, kept running.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context;
use dropforge::document::Document;

use super::diff;
use crate::{Outcome, compile, repository};

/// How often the documents are looked at.
const PAUSE: Duration = Duration::from_millis(100);

/// Tell what each edit of a document means, and what has to follow it
///
/// Waits for a document to be saved, prints what the edit means to clients and
/// servers, and then compiles both sides, so that every handler and every caller
/// that has to follow is named, with the line of the document that it follows. A document that cannot be read is said so with
/// its line, and waited for. Runs until it is interrupted.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask watch            until Ctrl-C
  cargo xtask watch --edits 1  until one edit was told

Exit code: 0 when the last edit compiles on both sides, 1 when it does not.")]
pub(crate) struct Arguments {
    /// End after so many edits
    #[arg(long, value_name = "N")]
    edits: Option<usize>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Outcome> {
    let mut watched = Watched::new()?;
    eprintln!("watching {} documents in openapi/", watched.0.len());
    let mut outcome = Outcome::Success;
    let mut told = 0;
    while arguments.edits.is_none_or(|most| told < most) {
        std::thread::sleep(PAUSE);
        for path in watched.saved()? {
            let saved = Instant::now();
            outcome = match watched.tell(&path) {
                Ok(()) => compile(saved)?,
                Err(error) => {
                    eprintln!("{error:#}");
                    Outcome::Failure
                }
            };
            told += 1;
        }
    }
    Ok(outcome)
}

/// The documents: their texts as they were seen last, and what they said when
/// they could be read last.
struct Watched(BTreeMap<PathBuf, (String, Option<Document>)>);

impl Watched {
    fn new() -> anyhow::Result<Watched> {
        let mut watched = BTreeMap::new();
        for path in repository::documents()? {
            let text = read(&path)?;
            let document = repository::load(&path).ok();
            watched.insert(path, (text, document));
        }
        Ok(Watched(watched))
    }

    /// The documents that have another text than before, new ones too.
    fn saved(&mut self) -> anyhow::Result<Vec<PathBuf>> {
        let mut saved = Vec::new();
        for path in repository::documents()? {
            // Editors replace a file by another one: for a moment there is none.
            let Ok(text) = read(&path) else { continue };
            let (known, _) = self.0.entry(path.clone()).or_default();
            if *known != text {
                *known = text;
                saved.push(path);
            }
        }
        Ok(saved)
    }

    /// Prints what an edit means. An edit that cannot be read leaves what was
    /// there before to compare the next one with.
    fn tell(&mut self, path: &Path) -> anyhow::Result<()> {
        let new = repository::load(path)?;
        let Some((_, known)) = self.0.get_mut(path) else {
            return Ok(());
        };
        match known.take() {
            Some(old) => diff::print(&diff::compare(old, new)?),
            None => println!("{} is new", new.source.name),
        }
        *known = repository::load(path).ok();
        Ok(())
    }
}

fn read(path: &Path) -> anyhow::Result<String> {
    std::fs::read_to_string(path)
        .with_context(|| format!("cannot read {}", repository::relative(path).display()))
}

/// Compiles both sides, each as far as it comes.
fn compile(saved: Instant) -> anyhow::Result<Outcome> {
    let compiles = compile::both_sides()?;
    let seconds = saved.elapsed().as_secs_f64();
    Ok(match compiles {
        true => {
            println!("both sides compile, {seconds:.1} s after the edit\n");
            Outcome::Success
        }
        false => {
            println!("the places above have to follow, {seconds:.1} s after the edit\n");
            Outcome::Failure
        }
    })
}
