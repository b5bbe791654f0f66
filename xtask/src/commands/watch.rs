//! `watch`: checks the documents after each edit.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use dropforge::document::{Document, Refused};

use super::diff;
use crate::{Outcome, compile, repository};

/// How often the documents are checked for changes.
const PAUSE: Duration = Duration::from_millis(100);

/// How often in a row the documents may be unreadable: an editor may replace a file, which does not exist for a moment.
const MAX_UNREADABLE: usize = 50;

/// Report the effects of each edit of a document
///
/// Waits until a document is saved, classifies the changes for clients and servers,
/// and then compiles both sides. The compiler names every handler and every caller that
/// has to follow, with the line of the document. An invalid document is reported with
/// its line. Runs until it is interrupted.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask watch            until Ctrl-C
  cargo xtask watch --edits 1  until one edit was reported

Exit code: 0 when the last edit compiles on both sides, 1 when it does not.")]
pub(crate) struct Arguments {
    /// Number of edits after which to end
    #[arg(long, value_name = "N")]
    edits: Option<usize>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Outcome> {
    let mut watched = Watched::new()?;
    eprintln!(
        "watching {} documents in {}",
        watched.0.len(),
        repository::root().join("openapi").display()
    );
    let mut outcome = Outcome::Success;
    let (mut reported, mut unreadable) = (0, 0);
    while arguments.edits.is_none_or(|most| reported < most) {
        std::thread::sleep(PAUSE);
        let documents = match repository::documents() {
            Err(_) if unreadable < MAX_UNREADABLE => {
                unreadable += 1;
                continue;
            }
            documents => documents?,
        };
        unreadable = 0;
        for path in watched.saved(documents) {
            let saved = Instant::now();
            outcome = match watched.print_effect(&path) {
                Ok(()) => compile(saved)?,
                Err(error) => {
                    eprintln!("{error:#}");
                    Outcome::Failure
                }
            };
            reported += 1;
        }
    }
    Ok(outcome)
}

/// The documents, each with the last texts of its files, and its last valid state.
struct Watched(BTreeMap<PathBuf, (Texts, Option<Document>)>);

/// The files of a document, with their texts.
type Texts = Vec<(PathBuf, String)>;

impl Watched {
    fn new() -> anyhow::Result<Watched> {
        let mut watched = BTreeMap::new();
        for path in repository::documents()? {
            let loaded = repository::read(&path)?;
            let texts = texts(&loaded);
            watched.insert(path, (texts, loaded.ok()));
        }
        Ok(Watched(watched))
    }

    /// Those of the documents with a changed or new file.
    fn saved(&mut self, documents: Vec<PathBuf>) -> Vec<PathBuf> {
        let mut saved = Vec::new();
        for path in documents {
            let (known, _) = self.0.entry(path.clone()).or_default();
            let is_same = |(file, text): &(PathBuf, String)| match std::fs::read(file) {
                // As in the source of a document that is not UTF-8.
                Ok(now) => String::from_utf8_lossy(&now) == *text,
                Err(_) => true,
            };
            if !known.is_empty() && known.iter().all(is_same) {
                continue;
            }
            if let Ok(loaded) = repository::read(&path) {
                *known = texts(&loaded);
                saved.push(path);
            }
        }
        saved
    }

    /// Prints the effect of an edit. After an invalid edit, the next one is compared with
    /// the last valid state.
    fn print_effect(&mut self, path: &Path) -> anyhow::Result<()> {
        let new = repository::load_valid(path)?;
        let Some((_, known)) = self.0.get_mut(path) else {
            return Ok(());
        };
        match known.replace(new.clone()) {
            Some(old) => diff::print(&diff::compare(old, new)?),
            None => println!("{} is new", new.source.name),
        }
        Ok(())
    }
}

/// The files of a document, whether it could be loaded or not.
fn texts(loaded: &Result<Document, Refused>) -> Texts {
    let source = match loaded {
        Ok(document) => &document.source,
        Err(refused) => &refused.source,
    };
    let files = source.files();
    files
        .map(|file| (repository::root().join(file.name), file.text.to_owned()))
        .collect()
}

/// Compiles both sides, even if one fails.
fn compile(saved: Instant) -> anyhow::Result<Outcome> {
    eprintln!("compiling both sides");
    let compiles = compile::both_sides()?;
    let seconds = saved.elapsed().as_secs_f64();
    Ok(match compiles {
        true => {
            println!("both sides compile, {seconds:.1} s after the edit\n");
            Outcome::Success
        }
        false => {
            println!("the code does not compile, {seconds:.1} s after the edit\n");
            Outcome::Failure
        }
    })
}
