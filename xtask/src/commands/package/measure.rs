//! How many crates a consumer of the package compiles, and how long that takes.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, ensure};

use crate::commands::corpus::memory;
use crate::{files, pages, repository};

/// The page with the table, and its lines around the table.
const PAGE: &str = "client/README.md";
const LINES: [&str; 2] = [
    "<!-- cost: written by cargo xtask package --measure --write -->\n",
    "<!-- cost end -->\n",
];

/// A consumer, and the lines of its manifest.
struct Consumer {
    name: &'static str,
    features: &'static str,
    /// Whether hosts with other letters than ASCII are left out, by the version of a dependency.
    ascii: bool,
}

const CONSUMERS: [Consumer; 4] = [
    Consumer {
        name: "`accounts`",
        features: "default-features = false, features = [\"accounts\"]",
        ascii: false,
    },
    Consumer {
        name: "`accounts`, `idna_adapter` 1.0",
        features: "default-features = false, features = [\"accounts\"]",
        ascii: true,
    },
    Consumer {
        name: "`accounts`, `rustls`",
        features: "default-features = false, features = [\"accounts\", \"rustls\"]",
        ascii: false,
    },
    Consumer {
        name: "default",
        features: "",
        ascii: false,
    },
];

/// What a consumer costs.
struct Cost {
    crates: usize,
    seconds: f64,
    processor_seconds: f64,
}

/// Measures consumers of a package, prints a table, and writes it into the README of the client.
pub(super) fn run(package: &Path, write: bool) -> anyhow::Result<()> {
    let mut table =
        String::from("\n| features | crates | seconds | processor seconds |\n|---|---|---|---|\n");
    for consumer in &CONSUMERS {
        let Cost {
            crates,
            seconds,
            processor_seconds,
        } = measure(package, consumer)?;
        // Writing to a String cannot fail.
        let _ = writeln!(
            table,
            "| {} | {crates} | {seconds:.0} | {processor_seconds:.0} |",
            consumer.name
        );
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let _ = writeln!(
        table,
        "\nOne cold debug build of a program, after its sources were downloaded, on {cores} cores. The crates are those of\n\
         `cargo tree --edges normal,build`, with the program. Other processes extend the seconds more than the processor\n\
         seconds.\n"
    );
    print!("{table}");
    if write {
        pages::write(PAGE, LINES, &table)?;
    }
    Ok(())
}

/// Builds a consumer in a new folder.
fn measure(package: &Path, consumer: &Consumer) -> anyhow::Result<Cost> {
    let folder = tempfile::tempdir().context("cannot create a temporary folder")?;
    let folder = folder.path();
    let package = package.canonicalize()?;
    let client = package.join("accord-client");
    files::write(
        &folder.join("src/main.rs"),
        "fn main() {\n    let _ = accord_client::Accord::builder().build();\n}\n",
    )?;
    files::write(
        &folder.join("Cargo.toml"),
        format!(
            "[package]\nname = \"consumer\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n\
             accord-client = {{ path = {:?}, {} }}\n",
            client.display().to_string(),
            consumer.features
        ),
    )?;
    fs::copy(package.join("Cargo.lock"), folder.join("Cargo.lock"))?;
    let cargo = |arguments: &[&str]| {
        let mut command = Command::new(repository::cargo());
        command
            .args(arguments)
            .current_dir(folder)
            .env("CARGO_TARGET_DIR", folder.join("target"))
            .env_remove("RUSTFLAGS");
        let output = command.output().context("cannot run cargo")?;
        let problem = String::from_utf8_lossy(&output.stderr).into_owned();
        ensure!(output.status.success(), "cargo {arguments:?}: {problem}");
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    };
    if consumer.ascii {
        cargo(&["update", "--quiet", "idna_adapter", "--precise", "1.0.0"])?;
    }
    cargo(&["fetch", "--quiet"])?;
    let tree = cargo(&[
        "tree",
        "--prefix",
        "none",
        "--no-dedupe",
        "--edges",
        "normal,build",
    ])?;
    let crates: BTreeSet<&str> = tree.lines().filter(|line| !line.is_empty()).collect();
    let processor_seconds =
        || memory::children_seconds().context("only Linux counts processor time");
    let (began, before) = (Instant::now(), processor_seconds()?);
    cargo(&["build", "--quiet", "--locked", "--offline"])?;
    Ok(Cost {
        crates: crates.len(),
        seconds: began.elapsed().as_secs_f64(),
        processor_seconds: processor_seconds()? - before,
    })
}
