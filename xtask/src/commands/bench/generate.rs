//! `bench generate`: what generated code costs its user, beside progenitor alone on the same lowered document.
//!
//! Every generation runs in a process of its own, which knows its own time and peak memory. What it wrote is checked by
//! cargo in the project of `corpus --compile`, where everything that it depends on is compiled before. The sides
//! alternate within a round. Processor time is shown, since other work on the machine changes it least.

mod draw;
mod side;

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, bail, ensure};
use clap::Parser;
use serde_json::{Value, json};

use crate::commands::corpus::{compile::Workbench, count_operations};
use crate::repository;
use side::{SIDES, Side};

/// Measure generation and the check of generated code
#[derive(Parser)]
#[command(name = "cargo xtask bench generate --", no_binary_name = true)]
struct Arguments {
    /// Documents; without any, those of this repository
    documents: Vec<PathBuf>,
    /// Rounds, of which the medians are shown
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// Generate one side into a folder and print its figures; the benchmark starts itself so
    #[arg(long, hide = true)]
    one: Option<Side>,
    /// The folder for `--one`
    #[arg(long, hide = true)]
    into: Option<PathBuf>,
}

/// What one side of a document cost in one round.
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

/// The medians of a side of a document.
struct Row {
    document: String,
    operations: usize,
    side: Side,
    medians: [f64; 6],
}

pub(super) fn run(arguments: &[String]) -> anyhow::Result<()> {
    let arguments = Arguments::try_parse_from(arguments)?;
    if let (Some(side), [document], Some(folder)) = (
        arguments.one,
        arguments.documents.as_slice(),
        &arguments.into,
    ) {
        return side::generate(side, document, folder);
    }
    ensure!(arguments.rounds > 0, "--rounds must be at least 1");
    let documents = match arguments.documents.is_empty() {
        true => repository::documents()?,
        false => arguments.documents,
    };
    let mut workbench = Workbench::new()?;
    eprintln!("compiling what generated code depends on");
    for side in SIDES {
        let package = workbench.package_with(&side.dependencies())?;
        workbench.source(&package, "lib.rs", "")?;
        check(&workbench, &package)?;
    }
    let mut rows = Vec::new();
    for document in &documents {
        rows.extend(measure(&mut workbench, document, arguments.rounds)?);
    }
    print(&rows);
    let folder = repository::root().join("target/bench");
    fs::create_dir_all(&folder)?;
    fs::write(
        folder.join("generate.json"),
        format!("{:#}", to_json(&rows)),
    )?;
    fs::write(folder.join("generate.svg"), draw::svg(&rows))?;
    println!("figures and drawing: target/bench/generate.json, target/bench/generate.svg");
    Ok(())
}

fn measure(
    workbench: &mut Workbench,
    document: &PathBuf,
    rounds: usize,
) -> anyhow::Result<Vec<Row>> {
    let loaded = repository::load(document)?;
    let mut packages = Vec::new();
    for side in SIDES {
        let package = workbench.package_with(&side.dependencies())?;
        // Cargo reads the manifests of all packages, and each wants a source.
        workbench.source(&package, side.root(), "")?;
        packages.push(package);
    }
    let mut measured = SIDES.map(|_| Vec::new());
    for round in 1..=rounds {
        for ((side, package), measured) in SIDES.iter().zip(&packages).zip(&mut measured) {
            eprintln!(
                "{}: {}, round {round} of {rounds}",
                document.display(),
                side.name()
            );
            match figures(workbench, *side, document, package) {
                Ok(figures) => measured.push(figures.values()),
                // A document that one generator refuses is a row less.
                Err(error) => eprintln!("  {error:#}"),
            }
        }
    }
    let name = document.file_stem().unwrap_or(document.as_os_str());
    let rows = SIDES.into_iter().zip(measured);
    Ok(rows
        .filter(|(_, measured)| measured.len() == rounds)
        .map(|(side, measured)| Row {
            document: name.to_string_lossy().into_owned(),
            operations: count_operations(&loaded).max(1),
            side,
            medians: std::array::from_fn(|at| median(measured.iter().map(|one| one[at]).collect())),
        })
        .collect())
}

/// Generates and checks one side once.
fn figures(
    workbench: &Workbench,
    side: Side,
    document: &PathBuf,
    package: &str,
) -> anyhow::Result<Figures> {
    let folder = repository::root().join("target/bench/generated");
    let output = Command::new(std::env::current_exe()?)
        .args(["bench", "generate", "--", "--one", side.name(), "--into"])
        .args([&folder, document])
        .output()
        .context("cannot start the generator")?;
    if !output.status.success() {
        bail!("{}", String::from_utf8_lossy(&output.stderr).trim());
    }
    let told: Value = serde_json::from_slice(&output.stdout)?;
    let mut lines = 0;
    for entry in folder.read_dir()? {
        let path = entry?.path();
        let text = fs::read_to_string(&path)?;
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        if file == side.generated() {
            lines = text.lines().count();
        }
        workbench.source(package, &file, &text)?;
    }
    let figure = |name: &str| told[name].as_f64().unwrap_or(f64::NAN);
    let (check, check_megabytes) = check(workbench, package)?;
    Ok(Figures {
        tokens: figure("tokens"),
        format: figure("format"),
        megabytes: figure("megabytes"),
        lines: lines as f64,
        check,
        check_megabytes,
    })
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

fn print(rows: &[Row]) {
    if cfg!(debug_assertions) {
        println!(
            "The generator was built without optimization: compare tokens and format only as ratios."
        );
    }
    println!(
        "{:<28} {:>10} {:<11} {:>9} {:>9} {:>7} {:>9} {:>9} {:>9}",
        "document",
        "operations",
        "side",
        "tokens s",
        "format s",
        "MB",
        "lines/op",
        "check s",
        "check MB"
    );
    for row in rows {
        let [tokens, format, megabytes, lines, check, check_megabytes] = row.medians;
        println!(
            "{:<28} {:>10} {:<11} {tokens:>9.3} {format:>9.3} {megabytes:>7.0} {:>9.0} {check:>9.2} {check_megabytes:>9.0}",
            row.document,
            row.operations,
            row.side.name(),
            lines / row.operations as f64
        );
        let alone = rows
            .iter()
            .find(|other| other.document == row.document && other.side == Side::Progenitor);
        if let (Some(alone), true) = (alone, row.side != Side::Progenitor) {
            let ratio = |at: usize| row.medians[at] / alone.medians[at];
            println!(
                "{:<28} {:>10} {:<11} {:>9.2} {:>9.2} {:>7.2} {:>9.2} {:>9.2} {:>9.2}",
                "",
                "",
                "  ratio",
                ratio(0),
                ratio(1),
                ratio(2),
                ratio(3),
                ratio(4),
                ratio(5)
            );
        }
    }
}

fn to_json(rows: &[Row]) -> Value {
    let row = |row: &Row| {
        let [tokens, format, megabytes, lines, check, check_megabytes] = row.medians;
        json!({"document": row.document, "operations": row.operations, "side": row.side.name(),
            "tokens_seconds": tokens, "format_seconds": format, "megabytes": megabytes, "lines": lines,
            "check_seconds": check, "check_megabytes": check_megabytes})
    };
    rows.iter().map(row).collect()
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
            medians: [1.0; 6],
        };
        let svg = draw::svg(&[row(9), row(3)]);
        assert_eq!(svg.matches("<polyline").count(), 1);
        assert_eq!(svg.matches("<circle").count(), 2);
    }
}
