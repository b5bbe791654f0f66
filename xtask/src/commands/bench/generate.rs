//! `bench generate`: measures the costs of generated code, and those of progenitor alone on the same lowered document.
//!
//! Every generation runs in a separate process, which reports its time and peak memory. Cargo checks the generated code
//! in a separate project, whose dependencies are compiled before. The sides alternate within a round. The table shows
//! processor time, because other work on the machine changes it least.

mod draw;
mod report;
mod side;
mod table;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail, ensure};
use clap::Parser;
use serde_json::Value;

use crate::commands::corpus::{compile::Workbench, count_operations};
use crate::{Outcome, files, pages, repository};
use report::{Baseline, Row};
use side::{SIDES, Side};

/// Measure generation and the check of generated code
#[derive(Parser)]
#[command(name = "cargo xtask bench generate --", no_binary_name = true)]
struct Arguments {
    /// Documents [default: those of this repository]
    documents: Vec<PathBuf>,
    /// Number of rounds; the output shows their medians
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// An earlier target/bench/generate.json, for ratios to its figures
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// The program openapi-to-rust, to measure its client as well
    #[arg(long, value_name = "PATH")]
    openapi_to_rust: Option<PathBuf>,
    /// Write the table of the README
    #[arg(long, conflicts_with = "documents")]
    write: bool,
    /// Generate one side into a folder and print its figures; for the processes of the benchmark
    #[arg(long, hide = true)]
    one: Option<Side>,
    /// The folder for `--one`
    #[arg(long, hide = true)]
    into: Option<PathBuf>,
}

/// The costs of one side of a document in one round.
#[derive(Clone, Copy)]
struct Figures {
    /// Seconds from the loaded document to tokens.
    tokens: f64,
    /// Seconds from tokens to formatted text.
    format: f64,
    /// Peak memory of the generator.
    megabytes: f64,
    lines: f64,
    /// Processor time of a clean `cargo check`.
    check: f64,
    /// Peak memory of the compiler.
    check_megabytes: f64,
}

impl Figures {
    fn values(self) -> [f64; 6] {
        let Figures {
            tokens,
            format,
            megabytes,
            lines,
            check,
            check_megabytes,
        } = self;
        [tokens, format, megabytes, lines, check, check_megabytes]
    }
}

pub(super) fn run(arguments: &[String]) -> anyhow::Result<Outcome> {
    let arguments = Arguments::try_parse_from(arguments).unwrap_or_else(|error| error.exit());
    let Arguments {
        documents,
        rounds,
        baseline,
        openapi_to_rust,
        write,
        one,
        into,
    } = arguments;
    let tool = openapi_to_rust.as_deref();
    if let (Some(side), [document], Some(folder)) = (one, documents.as_slice(), &into) {
        return side::generate(side, document, folder, tool).map(|()| Outcome::Success);
    }
    ensure!(rounds > 0, "--rounds must be at least 1");
    let baseline = baseline.as_deref().map(Baseline::read).transpose()?;
    let documents = match documents.is_empty() {
        true => repository::documents()?,
        false => documents,
    };
    let sides: Vec<Side> = SIDES
        .into_iter()
        .filter(|side| *side != Side::OpenapiToRust || tool.is_some())
        .collect();
    let mut bench = Bench {
        workbench: Workbench::new("bench/generate")?,
        sides,
        rounds,
        tool: openapi_to_rust,
    };
    bench.warm_up()?;
    let folder = repository::root().join("target/bench");
    let mut rows = Vec::new();
    for document in &documents {
        rows.extend(bench.measure(document)?);
        // Written after each document, so that a later failure does not lose the figures.
        let text = format!("{:#}", report::to_json(&rows));
        files::write(&folder.join("generate.json"), text)?;
    }
    report::print(&rows, baseline.as_ref());
    if write {
        pages::write(table::PAGE, table::LINES, &table::table(&rows, rounds))?;
    }
    files::write(&folder.join("generate.svg"), draw::svg(&rows))?;
    println!("figures and drawing: target/bench/generate.json, target/bench/generate.svg");
    Ok(match rows.iter().all(|row| row.outcome.is_ok()) {
        true => Outcome::Success,
        false => Outcome::Failure,
    })
}

/// The setup with which all documents are measured.
struct Bench {
    workbench: Workbench,
    sides: Vec<Side>,
    rounds: usize,
    /// The program openapi-to-rust.
    tool: Option<PathBuf>,
}

impl Bench {
    /// Compiles the dependencies of generated code.
    fn warm_up(&mut self) -> anyhow::Result<()> {
        eprintln!("compiling the dependencies of generated code");
        let mut packages = Vec::new();
        for side in &self.sides {
            let package = self.workbench.package_with(&side.dependencies())?;
            self.workbench.source(&package, "lib.rs", "")?;
            packages.push(package);
        }
        for package in packages {
            check(&self.workbench, &package)?;
        }
        Ok(())
    }

    /// Measures every side of a document.
    fn measure(&mut self, document: &PathBuf) -> anyhow::Result<Vec<Row>> {
        let operations = repository::load(document).map_or(1, |loaded| count_operations(&loaded));
        let mut sides = Vec::new();
        for side in &self.sides {
            let package = self.workbench.package_with(&side.dependencies())?;
            // Cargo reads the manifests of all packages, and each must have a source.
            self.workbench.source(&package, side.root(), "")?;
            sides.push((*side, package, Ok(Vec::new())));
        }
        for round in 1..=self.rounds {
            for (side, package, measured) in &mut sides {
                let Ok(found) = measured else {
                    // A failed side would fail in each round.
                    continue;
                };
                eprintln!(
                    "{}: {}, round {round} of {}",
                    document.display(),
                    side.name(),
                    self.rounds
                );
                match figures(self, *side, document, package) {
                    Ok(figures) => found.push(figures.values()),
                    Err(error) => {
                        eprintln!("  {error:#}");
                        *measured = Err(format!("{error:#}"));
                    }
                }
            }
        }
        let name = document.file_stem().unwrap_or(document.as_os_str());
        let row = |(side, _, measured): (Side, String, Result<Vec<[f64; 6]>, String>)| Row {
            document: name.to_string_lossy().into_owned(),
            operations: operations.max(1),
            side,
            outcome: measured.map(|measured| {
                std::array::from_fn(|at| median(measured.iter().map(|one| one[at]).collect()))
            }),
        };
        Ok(sides.into_iter().map(row).collect())
    }
}

/// Generates and checks one side once.
fn figures(
    bench: &Bench,
    side: Side,
    document: &PathBuf,
    package: &str,
) -> anyhow::Result<Figures> {
    let folder = repository::root().join("target/bench/generated");
    let mut generator = Command::new(std::env::current_exe()?);
    generator.args(["bench", "generate", "--", "--one", side.name()]);
    if let Some(tool) = &bench.tool {
        generator.arg("--openapi-to-rust").arg(tool);
    }
    let output = generator
        .arg("--into")
        .args([&folder, document])
        .output()
        .context("cannot start the generator")?;
    if !output.status.success() {
        bail!("{}", String::from_utf8_lossy(&output.stderr).trim());
    }
    let printed: Value = serde_json::from_slice(&output.stdout)?;
    let mut lines = 0;
    for file in sources(&folder)? {
        let name = file.strip_prefix(&folder)?.to_string_lossy();
        let text = fs::read_to_string(&file)?;
        if side.counts(&name) {
            lines += text.lines().count();
        }
        bench.workbench.source(package, &name, &text)?;
    }
    let figure = |name: &str| printed[name].as_f64().unwrap_or(f64::NAN);
    let (check, check_megabytes) = check(&bench.workbench, package)?;
    Ok(Figures {
        tokens: figure("tokens"),
        format: figure("format"),
        megabytes: figure("megabytes"),
        lines: lines as f64,
        check,
        check_megabytes,
    })
}

/// The sources below a folder.
fn sources(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in folder.read_dir()? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(sources(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    Ok(found)
}

/// Processor time and memory of a check; an error if the code does not compile.
fn check(workbench: &Workbench, package: &str) -> anyhow::Result<(f64, f64)> {
    let build = workbench.cargo("check", package)?;
    if let Err(failure) = build.result {
        bail!("the code does not compile:\n{}", failure.message);
    }
    let megabytes = build
        .megabytes
        .map_or(f64::NAN, |megabytes| megabytes as f64);
    Ok((build.processor_seconds.unwrap_or(build.seconds), megabytes))
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::{Row, Side, draw, median};

    #[test]
    fn the_median_is_the_middle_of_the_sorted_values() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert!(median(Vec::new()).is_nan());
    }

    #[test]
    fn the_drawing_has_a_line_for_each_side() {
        let row = |operations| Row {
            document: "pets".into(),
            operations,
            side: Side::Server,
            outcome: Ok([1.0; 6]),
        };
        let svg = draw::svg(&[row(9), row(3)]);
        assert_eq!(svg.matches("<polyline").count(), 1);
        assert_eq!(svg.matches("<circle").count(), 2);
    }
}
