//! `mutate --typos`: makes typing mistakes in the text of the documents.
//!
//! Only the generator checks each typo of `dropforge_mutants::typos`, up to the point where it
//! writes code: load, check of the structure, lowering. A document with an error or a warning does
//! not build. A typo that passes must be exempt by a rule, and the number of exempt typos of each
//! rule is committed in [`PAGE`].

mod exemption;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::ensure;
use dropforge::document::{Diagnostics, Document, Source};
use dropforge::{lower, structure};
use dropforge_mutants::typos::{self, Slip, Typo};

use super::outdated;
use super::progress::Progress;
use super::sample::sample;
use crate::{Outcome, files, panics, repository};

use exemption::Exemption;

/// The committed counts.
const PAGE: &str = "openapi/TYPOS.md";

/// The numbers of its rows that add up to the typos: the first one.
const COLUMNS: usize = 1;

/// The documents with the files that they share, by file name.
struct Contract {
    /// The texts of all files.
    texts: BTreeMap<String, String>,
    /// Each document with the files that it is made of.
    documents: Vec<(String, Vec<String>)>,
}

/// One typo and its outcome.
struct Tried<'t> {
    file: &'t str,
    typo: &'t Typo,
    verdict: Verdict,
}

enum Verdict {
    /// The generator reports an error or a warning.
    Noticed,
    /// The typo is exempt by this rule.
    Exempt(Exemption),
    Missed,
}

pub(super) fn run(size: Option<usize>, seed: u64, write: bool) -> anyhow::Result<Outcome> {
    let contract = Contract::load()?;
    let mut all = Vec::new();
    for (file, text) in &contract.texts {
        let found = typos::typos(file, text).map_err(|diagnostics| {
            anyhow::anyhow!(diagnostics.render(&Source::new(file.as_str(), text.as_str())))
        })?;
        all.extend(found.into_iter().map(|typo| (file.as_str(), typo)));
    }
    let outdated = outdated::message(PAGE, "all", COLUMNS, all.len());
    if let Some(size) = size {
        sample(&mut all, size, seed);
    }
    ensure!(!all.is_empty(), "no typo is left to try: increase --sample");
    let tried = contract.try_all(&all);
    let missed = tried
        .iter()
        .filter(|one| matches!(one.verdict, Verdict::Missed));
    let page = page(&tried);
    print!("{page}");
    if missed.count() > 0 {
        return Ok(Outcome::Failure);
    }
    match (size, outdated) {
        (None, _) => settle(&page, write),
        (Some(_), None) => Ok(Outcome::Success),
        (Some(_), Some(message)) => {
            println!("\n{message}");
            Ok(Outcome::Failure)
        }
    }
}

/// Compares the counts with the committed ones, or writes them.
fn settle(page: &str, write: bool) -> anyhow::Result<Outcome> {
    let path = repository::root().join(PAGE);
    if std::fs::read_to_string(&path).is_ok_and(|present| present == page) {
        return Ok(Outcome::Success);
    }
    if write {
        files::write(&path, page)?;
        println!("\nrewrote {PAGE}");
        return Ok(Outcome::Success);
    }
    println!(
        "\n{PAGE} has other counts: run `cargo xtask mutate --typos --write`, and review them"
    );
    Ok(Outcome::Failure)
}

impl Contract {
    fn load() -> anyhow::Result<Contract> {
        let mut texts = BTreeMap::new();
        let mut documents = Vec::new();
        for path in repository::documents()? {
            let document = repository::load(&path)?;
            let mut files = Vec::new();
            for file in document.source.files() {
                let name = file_name(file.name);
                texts.insert(name.clone(), file.text.to_owned());
                files.push(name);
            }
            let name = files.first().cloned().unwrap_or_default();
            documents.push((name, files));
        }
        Ok(Contract { texts, documents })
    }

    fn try_all<'t>(&self, all: &'t [(&'t str, Typo)]) -> Vec<Tried<'t>> {
        let next = AtomicUsize::new(0);
        let done = Mutex::new(Vec::new());
        let progress = Progress::new(all.len());
        let workers = std::thread::available_parallelism().map_or(1, usize::from);
        std::thread::scope(|scope| {
            for _ in 0..workers {
                scope.spawn(|| {
                    while let Some((file, typo)) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let verdict = self.verdict(file, typo);
                        if let Verdict::Missed = verdict {
                            println!("missed: {}", self.describe(file, typo));
                        }
                        progress.step();
                        if let Ok(mut done) = done.lock() {
                            done.push(Tried {
                                file,
                                typo,
                                verdict,
                            });
                        }
                    }
                });
            }
        });
        progress.end();
        let mut done = done.into_inner().unwrap_or_default();
        done.sort_by_key(|one| (one.file, one.typo.at, one.typo.slip));
        done
    }

    fn verdict(&self, file: &str, typo: &Typo) -> Verdict {
        let text = &self.texts[file];
        let Some(mutated) = typo.apply(text) else {
            return Verdict::Missed;
        };
        let users = self
            .documents
            .iter()
            .filter(|(_, files)| files.iter().any(|f| f == file));
        for (document, _) in users {
            // A panic is not a diagnostic.
            match panics::catch(|| self.judge(document, file, &mutated)) {
                Ok(findings) if findings.is_empty() => {}
                Ok(_) => return Verdict::Noticed,
                Err(_) => return Verdict::Missed,
            }
        }
        match exemption::of(file, text, &mutated, typo) {
            Some(exemption) => Verdict::Exempt(exemption),
            None => Verdict::Missed,
        }
    }

    /// The generator's findings in a document if one file has another text.
    fn judge(&self, document: &str, file: &str, mutated: &str) -> Diagnostics {
        let text = |name: &str| match name == file {
            true => Ok(mutated.to_owned()),
            false => self
                .texts
                .get(name)
                .cloned()
                .ok_or_else(|| "no such file".to_owned()),
        };
        let Ok(own) = text(document) else {
            return Diagnostics::default();
        };
        let loaded = match Document::load_with(document, &own, text) {
            Ok(loaded) => loaded,
            Err(refused) => return refused.diagnostics,
        };
        // This check notices most typos, and lowering takes longer.
        let found = structure::check(&loaded);
        if !found.is_empty() {
            return found;
        }
        match lower::lower(&loaded, "document") {
            Ok(lowered) => lowered.warnings,
            Err(diagnostics) => diagnostics,
        }
    }

    fn describe(&self, file: &str, typo: &Typo) -> String {
        let source = Source::new(file, self.texts[file].as_str());
        let place = source.place(typo.at);
        format!("{place}: {}, #{}", typo.slip, typo.pointer)
    }
}

fn file_name(path: &str) -> String {
    let name = Path::new(path).file_name();
    name.map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

/// The counts of each slip and each exemption as Markdown.
fn page(tried: &[Tried<'_>]) -> String {
    let mut page = String::from(
        "# Typos\n\n\
         Typing mistakes at every key of the four documents and of `common.yaml` that OpenAPI or the generator \
         defines, and how many of them the generator notices before it writes code. \
         `cargo xtask mutate --typos --write` writes this page.\n\n\
         | Mistake | Tried | Noticed | Exempt | Missed |\n|---|---|---|---|---|\n",
    );
    let row = |page: &mut String, name: &str, of: &dyn Fn(&Tried<'_>) -> bool| {
        let count = |wanted: &dyn Fn(&Verdict) -> bool| {
            let all = tried.iter().filter(|one| of(one));
            all.filter(|one| wanted(&one.verdict)).count()
        };
        let _ = writeln!(
            page,
            "| {name} | {} | {} | {} | {} |",
            count(&|_| true),
            count(&|verdict| matches!(verdict, Verdict::Noticed)),
            count(&|verdict| matches!(verdict, Verdict::Exempt(_))),
            count(&|verdict| matches!(verdict, Verdict::Missed)),
        );
    };
    for slip in Slip::all() {
        row(&mut page, &slip.to_string(), &|one| one.typo.slip == slip);
    }
    row(&mut page, "all", &|_| true);
    page.push_str("\n| Exempt, because | Count |\n|---|---|\n");
    for exemption in Exemption::ALL {
        let is_it =
            |one: &&Tried<'_>| matches!(one.verdict, Verdict::Exempt(of) if of == exemption);
        let _ = writeln!(
            page,
            "| {} | {} |",
            exemption.reason(),
            tried.iter().filter(is_it).count()
        );
    }
    page
}
