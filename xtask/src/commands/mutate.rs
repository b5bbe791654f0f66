//! `mutate`: edits of the documents, and who notices them.
//!
//! The mutants are `dropforge::check::mutation`'s. Each is shown to one check
//! after the other, the cheapest first, and the first that objects is recorded.
//! What a check costs decides its place, so almost every mutant is answered in
//! this process; what the tests of the service send is recorded once and judged by
//! each mutant, and with `--deep` those that are left are compiled and tested.
//!
//! Results are kept under `target/mutate` as they come, by mutant, document and
//! tool: a run that was broken off goes on where it was.

mod checks;
mod report;
mod results;
mod traffic;
mod typos;

use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context;
use dropforge::check::mutation::{self, Mutant};

use crate::{Outcome, repository};

use checks::{Checks, Subject, Verdict};
use results::StoredResults;

/// Edit the documents in one place each, and count which edits the checks notice
///
/// Every mutant passes the checks in this order: lint, examples, compatibility with the
/// unchanged document, generation, the rows of the interface, the signatures that the server
/// implements, the recorded traffic of the service's tests (--record), and the traffic of
/// the contract tests. With --deep the remaining mutants are compiled and tested.
/// Mutants that only change words do not count. With --typos, the edits are slips of the
/// fingers in the text, and the generator alone has to notice every one. The report is printed, and drawn in
/// target/mutate/report.html.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask mutate                         all documents
  cargo xtask mutate --area identity         one document
  cargo xtask mutate --sample 300 --seed 1   the same 300 each time
  cargo xtask mutate --record                record the traffic of the tests, then all
  cargo xtask mutate --deep                  compile and test the remaining ones (long)
  cargo xtask mutate --typos                 typos: the generator alone notices all of them
  cargo xtask mutate --typos --sample 2000   a part of the typos

Exit code: 0 when at least --target percent are noticed, 1 when fewer are,
2 when the run failed.")]
pub(crate) struct Arguments {
    /// Only these areas; may be given several times
    #[arg(long, value_name = "AREA")]
    area: Vec<String>,
    /// Only so many mutants, chosen by the seed
    #[arg(long, value_name = "N")]
    sample: Option<usize>,
    /// The seed of the sample
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Only the survivors of an earlier report, printed with --json
    #[arg(long, value_name = "FILE")]
    survivors: Option<std::path::PathBuf>,
    /// Run the tests of the service first, and record what they send
    #[arg(long)]
    record: bool,
    /// Compile and test what the cheap checks leave
    #[arg(long)]
    deep: bool,
    /// Try typos instead: misspelled keys, lost dashes, wrong indentation
    #[arg(long, conflicts_with_all = ["area", "survivors", "record", "deep", "target", "json"])]
    typos: bool,
    /// Write the counts of typos into openapi/TYPOS.md
    #[arg(long, requires = "typos")]
    write: bool,
    /// The percentage that has to be noticed
    #[arg(long, value_name = "PERCENT", default_value_t = 95.0)]
    target: f64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// One mutant and what became of it.
struct Tried<'s> {
    subject: &'s Subject,
    mutant: Mutant,
    verdict: Verdict,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Outcome> {
    if arguments.typos {
        return typos::run(arguments);
    }
    if arguments.record {
        traffic::record()?;
    }
    let mut subjects = Vec::new();
    for path in repository::documents()? {
        let area = repository::area(&path);
        if arguments.area.is_empty() || arguments.area.contains(&area) {
            subjects.push(Subject::load(&area, &path)?);
        }
    }
    for area in &arguments.area {
        anyhow::ensure!(
            subjects.iter().any(|subject| subject.area == *area),
            "there is no area `{area}`"
        );
    }
    let mut chosen: Vec<(&Subject, Mutant)> = Vec::new();
    for subject in &subjects {
        let mutants = mutation::mutants(&subject.document).into_iter();
        chosen.extend(mutants.map(|mutant| (subject, mutant)));
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
    let checks = Checks::prepare()?;
    let results = StoredResults::open(&checks)?;
    let mut tried = all(&chosen, &checks, &results)?;
    if arguments.deep {
        deep(&mut tried, &checks, &results)?;
    }
    let recorded = subjects.iter().any(Subject::has_traffic);
    let report = report::Report::new(&tried, recorded || arguments.deep);
    let page = results.folder().join("report.html");
    std::fs::write(&page, report.page())
        .with_context(|| format!("cannot write {}", page.display()))?;
    match arguments.json {
        true => println!("{:#}", report.json()),
        false => {
            print!("{}", report.text());
            println!("\nDrawn in {}.", repository::relative(&page).display());
        }
    }
    Ok(match report.score() >= arguments.target {
        true => Outcome::Success,
        false => Outcome::Failure,
    })
}

/// The area, the pointer and the edit of what an earlier report says has survived.
fn survivors(path: &std::path::Path) -> anyhow::Result<HashSet<[String; 3]>> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let report: serde_json::Value = serde_json::from_str(&text)
        .with_context(|| format!("{} is not a report", path.display()))?;
    let survivors = report["survivors"].as_array();
    let survivors = survivors.context("the report lists no survivors")?;
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let places = survivors
        .iter()
        .map(|one| ["area", "pointer", "what"].map(|key| text(&one[key])));
    Ok(places.collect())
}

/// Keeps `size` of them, the same ones for the same seed (Fisher and Yates, with
/// the generator SplitMix64), in the order that they had.
fn sample<T>(all: &mut Vec<T>, size: usize, seed: u64) {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = state;
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        word ^ (word >> 31)
    };
    let size = size.min(all.len());
    let mut indices: Vec<usize> = (0..all.len()).collect();
    for at in 0..size {
        let left = (indices.len() - at) as u64;
        let other = at + usize::try_from(next() % left).unwrap_or(0);
        indices.swap(at, other);
    }
    let mut wanted = vec![false; all.len()];
    for index in &indices[..size] {
        wanted[*index] = true;
    }
    let mut wanted = wanted.into_iter();
    all.retain(|_| wanted.next().unwrap_or(false));
}

/// Shows every mutant to the cheap checks, on all processors.
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

/// Shows what is left to the compiler and to the tests, one after the other.
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

/// How far it is, on stderr: now and then, and never more than a line.
struct Progress {
    total: usize,
    done: AtomicUsize,
    began: Instant,
    told: Mutex<Instant>,
}

impl Progress {
    const PAUSE: Duration = Duration::from_secs(5);

    fn new(total: usize) -> Progress {
        Progress {
            total,
            done: AtomicUsize::new(0),
            began: Instant::now(),
            told: Mutex::new(Instant::now()),
        }
    }

    fn step(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        let Ok(mut told) = self.told.lock() else {
            return;
        };
        if told.elapsed() < Progress::PAUSE {
            return;
        }
        *told = Instant::now();
        let elapsed = self.began.elapsed().as_secs_f64();
        #[allow(clippy::cast_precision_loss)]
        let left = elapsed / done as f64 * self.total.saturating_sub(done) as f64;
        eprintln!("{done} of {}, about {left:.0} s to go", self.total);
    }

    fn end(&self) {
        let elapsed = self.began.elapsed().as_secs_f64();
        eprintln!("{} mutants in {elapsed:.0} s", self.total);
    }
}

#[cfg(test)]
mod tests {
    use super::sample;

    #[test]
    fn a_sample_is_the_same_for_the_same_seed_and_keeps_the_order() {
        let chosen = |seed| {
            let mut all: Vec<u32> = (0..1000).collect();
            sample(&mut all, 50, seed);
            all
        };
        assert_eq!(chosen(1), chosen(1));
        assert_ne!(chosen(1), chosen(2));
        assert_eq!(chosen(3).len(), 50);
        assert!(chosen(3).is_sorted());
        let mut few = vec![1, 2];
        sample(&mut few, 50, 1);
        assert_eq!(few, [1, 2]);
    }
}
