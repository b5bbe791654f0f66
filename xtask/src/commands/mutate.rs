//! `mutate`: edits the documents, and counts the edits that the checks notice.
//!
//! `dropforge_mutants` makes the mutants. Each one goes through the checks, the cheapest first,
//! until one rejects it. Most mutants are decided in this process. The traffic of the service's
//! tests is recorded once, and replayed for each mutant. With `--deep`, the surviving mutants are
//! compiled and tested.
//!
//! Each result is stored at once in `target/mutate` by mutant, document and tool, so that an
//! interrupted run can continue.

mod checks;
mod folder;
mod outdated;
mod page;
mod progress;
mod report;
mod results;
mod sample;
mod traffic;
mod typos;
mod verdict;

use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, ensure};
use dropforge_mutants::Mutant;

use crate::{Outcome, files, repository};

use checks::{Checks, Subject};
use progress::Progress;
use report::{Report, Tried};
use results::StoredResults;
use sample::sample;
use verdict::{CHECKS, Verdict};

/// The committed counts of a full run.
const PAGE: &str = "openapi/MUTANTS.md";

/// The numbers of its rows: the mutants that each check noticed, the survivors, and the equivalent ones.
const COLUMNS: usize = CHECKS.len() + 2;

/// Edit the documents in one place each, and count which edits the checks notice
///
/// Every mutant passes the checks in this order: lint, examples, compatibility with the
/// unchanged document, generation, the rows of the interface, the signatures that the server
/// implements, the recorded traffic of the service's tests (--record), and the traffic of
/// the contract tests. With --deep the remaining mutants are compiled and tested.
/// Mutants that only change words do not count. With --typos, the edits are typing
/// mistakes in the text, and the generator alone has to notice every one. The command prints a
/// report, and draws it in target/mutate/report.html.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask mutate                         all documents
  cargo xtask mutate --area identity         one document
  cargo xtask mutate --sample 300 --seed 1   the same 300 each time
  cargo xtask mutate --record                record the traffic of the tests, then all
  cargo xtask mutate --record --write        write the counts into openapi/MUTANTS.md
  cargo xtask mutate --deep                  compile and test the remaining ones (long)
  cargo xtask mutate --typos                 typos: the generator alone notices all of them
  cargo xtask mutate --typos --sample 2000   a part of the typos

Exit code: 0 when at least --target percent are noticed, 1 when fewer are or
openapi/MUTANTS.md is out of date, 2 when the run failed.")]
pub(crate) struct Arguments {
    /// Only these areas; may be given several times
    #[arg(long, value_name = "AREA")]
    area: Vec<String>,
    /// Only this many mutants, chosen by the seed
    #[arg(long, value_name = "N")]
    sample: Option<usize>,
    /// The seed of the sample
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Only the survivors of an earlier report of --json
    #[arg(long, value_name = "FILE")]
    survivors: Option<std::path::PathBuf>,
    /// Run the tests of the service first, and record their requests
    #[arg(long)]
    record: bool,
    /// Compile and test the mutants that pass the cheap checks
    #[arg(long)]
    deep: bool,
    /// Test typos instead: misspelled keys, lost dashes, wrong indentation
    #[arg(long, conflicts_with_all = ["area", "survivors", "record", "deep", "target", "json"])]
    typos: bool,
    /// Write the counts of a full run into openapi/MUTANTS.md, those of typos into openapi/TYPOS.md
    #[arg(long, conflicts_with_all = ["area", "sample", "survivors", "deep"])]
    write: bool,
    /// The percentage of mutants that the checks must notice
    #[arg(long, value_name = "PERCENT", default_value_t = 95.0, value_parser = percentage)]
    target: f64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Outcome> {
    if arguments.typos {
        return typos::run(arguments.sample, arguments.seed, arguments.write);
    }
    if arguments.record {
        traffic::record()?;
    }
    let subjects = subjects(&arguments.area)?;
    let (chosen, mut outdated) = choose(arguments, &subjects)?;
    let recorded = subjects.iter().any(Subject::has_traffic);
    ensure!(
        recorded || !arguments.write,
        "the counts include the tests of the service: run `cargo xtask mutate --record --write`"
    );
    let checks = Checks::prepare()?;
    let results = StoredResults::open(&checks)?;
    let mut tried = all(&chosen, &checks, &results)?;
    if arguments.deep {
        deep(&mut tried, &checks, &results)?;
    }
    let report = Report::new(&tried, recorded || arguments.deep);
    if arguments.write {
        files::write(&repository::root().join(PAGE), report.markdown())?;
        eprintln!("rewrote {PAGE}");
        outdated.clear();
    }
    for message in &outdated {
        eprintln!("{message}");
    }
    print(&report, arguments.json)?;
    let is_noticed = report.score() >= arguments.target;
    Ok(match is_noticed && outdated.is_empty() {
        true => Outcome::Success,
        false => Outcome::Failure,
    })
}

/// The documents of these areas, or of all.
fn subjects(areas: &[String]) -> anyhow::Result<Vec<Subject>> {
    let mut subjects = Vec::new();
    for path in repository::documents()? {
        let area = repository::area(&path);
        if areas.is_empty() || areas.contains(&area) {
            subjects.push(Subject::load(&area, &path)?);
        }
    }
    for area in areas {
        ensure!(
            subjects.iter().any(|subject| subject.area == *area),
            "there is no document `{area}`; there are {}",
            repository::areas()?.join(", ")
        );
    }
    Ok(subjects)
}

/// A number from 0 to 100.
fn percentage(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok();
    let number = number.filter(|number| (0.0..=100.0).contains(number));
    number.ok_or_else(|| "expected a number from 0 to 100".to_owned())
}

/// Mutants, each with its document.
type Chosen<'s> = Vec<(&'s Subject, Mutant)>;

/// The mutants that the arguments ask for, and messages about pages that count another number of mutants.
fn choose<'s>(
    arguments: &Arguments,
    subjects: &'s [Subject],
) -> anyhow::Result<(Chosen<'s>, Vec<String>)> {
    let mut chosen: Chosen<'s> = Vec::new();
    let mut outdated = Vec::new();
    for subject in subjects {
        let mutants = dropforge_mutants::mutants(&subject.document);
        let row = format!("area {}", subject.area);
        outdated.extend(outdated::message(PAGE, &row, COLUMNS, mutants.len()));
        chosen.extend(mutants.into_iter().map(|mutant| (subject, mutant)));
    }
    if let Some(path) = &arguments.survivors {
        let left = survivors(path)?;
        let place = |subject: &Subject, mutant: &Mutant| {
            let of = [&subject.area, &mutant.pointer, &mutant.what];
            of.map(ToOwned::to_owned)
        };
        chosen.retain(|(subject, mutant)| left.contains(&place(subject, mutant)));
    }
    if let Some(size) = arguments.sample {
        sample(&mut chosen, size, arguments.seed);
    }
    // The score of no mutants would be 100 %.
    ensure!(
        !chosen.is_empty(),
        "no mutant is left to try: increase --sample, or make a new report for --survivors with --json"
    );
    Ok((chosen, outdated))
}

/// Draws a report, and prints it.
fn print(report: &Report<'_, '_>, as_json: bool) -> anyhow::Result<()> {
    let page = folder::path().join("report.html");
    files::write(&page, page::page(report))?;
    match as_json {
        true => println!("{:#}", report.json()),
        false => {
            print!("{}", report.text());
            println!("\nDrawn in {}.", repository::relative(&page).display());
        }
    }
    Ok(())
}

/// The area, the pointer and the edit of each survivor in an earlier report.
fn survivors(path: &std::path::Path) -> anyhow::Result<HashSet<[String; 3]>> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let is_not = || format!("{} is not a report of `mutate --json`", path.display());
    let report: serde_json::Value = serde_json::from_str(&text).with_context(is_not)?;
    let survivors = report["survivors"].as_array().with_context(is_not)?;
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let places = survivors
        .iter()
        .map(|one| ["area", "pointer", "what"].map(|key| text(&one[key])));
    Ok(places.collect())
}

/// Runs the cheap checks for every mutant, on all processors.
fn all<'s>(
    chosen: &[(&'s Subject, Mutant)],
    checks: &Checks,
    results: &StoredResults,
) -> anyhow::Result<Vec<Tried<'s>>> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    let progress = Progress::new(chosen.len());
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for worker in 0..workers {
            let (next, done, progress) = (&next, &done, &progress);
            scope.spawn(move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some((subject, mutant)) = chosen.get(index) else {
                        return;
                    };
                    let verdict = match results.get(subject, mutant) {
                        Some(verdict) => Ok(verdict),
                        None => checks.cheap(subject, mutant, worker),
                    };
                    if let Ok(verdict) = &verdict {
                        results.put(subject, mutant, verdict);
                    }
                    progress.step();
                    if let Ok(mut done) = done.lock() {
                        done.push((index, verdict));
                    }
                }
            });
        }
    });
    progress.end();
    let mut done = done.into_inner().unwrap_or_default();
    done.sort_by_key(|(index, _)| *index);
    done.into_iter()
        .map(|(index, verdict)| {
            let (subject, mutant) = &chosen[index];
            Ok(Tried {
                subject,
                mutant: mutant.clone(),
                verdict: verdict?,
            })
        })
        .collect()
}

/// Compiles and tests the surviving mutants one after the other.
fn deep(tried: &mut [Tried<'_>], checks: &Checks, results: &StoredResults) -> anyhow::Result<()> {
    let left = tried
        .iter_mut()
        .filter(|tried| tried.verdict == Verdict::Alive);
    let left: Vec<_> = left.collect();
    eprintln!(
        "{} mutants are left for the compiler and the tests",
        left.len()
    );
    let progress = Progress::new(left.len());
    for tried in left {
        tried.verdict = checks.deep(tried.subject, &tried.mutant)?;
        results.put(tried.subject, &tried.mutant, &tried.verdict);
        progress.step();
    }
    progress.end();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(line: &[&str]) -> Result<Arguments, clap::Error> {
        let command = <Arguments as clap::Args>::augment_args(clap::Command::new("mutate"));
        let matches = command.try_get_matches_from([&["mutate"][..], line].concat())?;
        <Arguments as clap::FromArgMatches>::from_arg_matches(&matches)
    }

    #[test]
    fn a_target_is_a_percentage() {
        for target in ["0", "99.5", "100"] {
            assert!(arguments(&["--target", target]).is_ok(), "{target}");
        }
        for target in ["101", "NaN", "much"] {
            assert!(arguments(&["--target", target]).is_err(), "{target}");
        }
    }

    #[test]
    fn a_run_without_mutants_is_an_error() {
        let folder = tempfile::tempdir().expect("a folder");
        let report = folder.path().join("report.json");
        let survivor = serde_json::json!({"area": "patterns", "pointer": "/gone", "what": "gone"});
        let text = serde_json::json!({"survivors": [survivor]}).to_string();
        std::fs::write(&report, text).expect("a file");
        let report = report.to_str().expect("a path");
        let subjects = subjects(&["patterns".to_owned()]).expect("a document");
        for line in [["--sample", "0"], ["--survivors", report]] {
            let arguments = arguments(&line).expect("arguments");
            let Err(error) = choose(&arguments, &subjects) else {
                panic!("{line:?} leaves mutants");
            };
            assert!(
                error.to_string().starts_with("no mutant is left"),
                "{error}"
            );
        }
        let arguments = arguments(&["--sample", "1"]).expect("arguments");
        assert!(choose(&arguments, &subjects).is_ok());
    }
}
