//! `bench edit`: measures the time from saving a document to the first error in
//! hand-written code, on both sides, which are compiled together as by `watch`.
//! Writes the table into the README.

use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use serde_json::Value;

use crate::repository;

const ROUNDS: usize = 3;

const BEGIN: &str = "<!-- edits: written by cargo xtask bench edit -->\n";
const END: &str = "<!-- edits end -->\n";

/// An edit that requires changes of both sides.
struct Edit {
    name: &'static str,
    document: &'static str,
    from: &'static str,
    to: &'static str,
}

const EDITS: [Edit; 3] = [
    Edit {
        name: "a query parameter is renamed",
        document: "openapi/patterns.yaml",
        from: "name: integrationInstance",
        to: "name: serviceInstance",
    },
    Edit {
        name: "an operation is renamed",
        document: "openapi/accounts.yaml",
        from: "operationId: listOrganizations",
        to: "operationId: readOrganizations",
    },
    Edit {
        name: "an operation is renamed",
        document: "openapi/inference.yaml",
        from: "operationId: listModels",
        to: "operationId: readModels",
    },
];

/// A side, and the folder of its hand-written code.
const SIDES: [(&str, &str); 2] = [
    ("accord-server", "server/src/"),
    ("accord-client", "client/"),
];

/// Makes each edit, waits for the first error, and reverts the edit.
pub(super) fn run(arguments: &[String]) -> anyhow::Result<()> {
    let rounds = match arguments {
        [name, rounds] if name == "--rounds" => rounds.parse()?,
        [] => ROUNDS,
        _ => bail!("after `--`, only --rounds N is supported"),
    };
    ensure!(rounds > 0, "--rounds must be at least 1");
    let status = Command::new("git")
        .args(["status", "--porcelain", "openapi"])
        .current_dir(repository::root())
        .output()
        .context("cannot run git")?;
    ensure!(
        status.stdout.is_empty(),
        "openapi/ has edits that are not committed, and the benchmark could lose them"
    );
    let mut rows = Vec::new();
    for edit in &EDITS {
        let mut times = [Vec::new(), Vec::new()];
        for round in 1..=rounds {
            warm()?;
            for (times, found) in times.iter_mut().zip(first_errors(edit)?) {
                times.push(found);
            }
            eprintln!("{}: round {round} of {rounds}", edit.document);
        }
        rows.push((edit, times.map(median)));
    }
    let mut table = String::from("\n| edit | document | server | client |\n|---|---|---|---|\n");
    for (edit, [server, client]) in rows {
        let (name, document) = (edit.name, edit.document);
        // Writing to a String cannot fail.
        let _ = writeln!(
            table,
            "| {name} | `{document}` | {server:.1} s | {client:.1} s |"
        );
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let _ = writeln!(
        table,
        "\nMedians of {rounds} rounds on {cores} cores, from saving the document to the first error in hand-written code. Both sides\n\
         compile at once, and everything was compiled before.\n"
    );
    print!("{table}");
    let path = repository::root().join("README.md");
    let readme = fs::read_to_string(&path).context("cannot read README.md")?;
    fs::write(&path, insert(&readme, &table)?).context("cannot write README.md")
}

/// Inserts the table into the README.
fn insert(readme: &str, table: &str) -> anyhow::Result<String> {
    let parts = readme.split_once(BEGIN).and_then(|(before, rest)| {
        let (_, after) = rest.split_once(END)?;
        Some((before, after))
    });
    let (before, after) = parts.with_context(|| format!("README.md has no lines {BEGIN}{END}"))?;
    Ok(format!("{before}{BEGIN}{table}{END}{after}"))
}

/// Compiles everything before an edit.
fn warm() -> anyhow::Result<()> {
    let status = Command::new(repository::cargo())
        .args(["check", "--quiet"])
        .args(
            SIDES
                .iter()
                .flat_map(|(package, _)| ["--package", *package]),
        )
        .current_dir(repository::root())
        .status()
        .context("cannot run cargo")?;
    ensure!(status.success(), "it does not compile before the edit");
    Ok(())
}

/// Restores a document when it is dropped.
struct Restore(PathBuf, String);

impl Drop for Restore {
    fn drop(&mut self) {
        if let Err(error) = fs::write(&self.0, &self.1) {
            eprintln!("cannot restore {}: {error}", self.0.display());
        }
    }
}

/// The time to the first error on each side.
fn first_errors(edit: &Edit) -> anyhow::Result<[Duration; 2]> {
    let path = repository::root().join(edit.document);
    let text =
        fs::read_to_string(&path).with_context(|| format!("cannot read {}", edit.document))?;
    ensure!(
        text.contains(edit.from),
        "{} has no `{}`",
        edit.document,
        edit.from
    );
    let edited = text.replace(edit.from, edit.to);
    let _restore = Restore(path.clone(), text);
    fs::write(&path, edited)?;
    let saved = Instant::now();
    let mut cargo = Command::new(repository::cargo())
        .args(["check", "--quiet", "--keep-going", "--message-format=json"])
        .args(
            SIDES
                .iter()
                .flat_map(|(package, _)| ["--package", *package]),
        )
        .current_dir(repository::root())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .context("cannot run cargo")?;
    let output = cargo.stdout.take().context("cargo has no output")?;
    let mut found = [None; 2];
    for line in BufReader::new(output).lines() {
        let message: Value = serde_json::from_str(&line?)?;
        for (found, (_, folder)) in found.iter_mut().zip(SIDES) {
            if found.is_none() && is_error_in(&message["message"], folder) {
                *found = Some(saved.elapsed());
            }
        }
    }
    cargo.wait()?;
    match found {
        [Some(server), Some(client)] => Ok([server, client]),
        _ => bail!(
            "`{}` in {}: a side compiled without an error",
            edit.to,
            edit.document
        ),
    }
}

fn is_error_in(message: &Value, folder: &str) -> bool {
    let spans = message["spans"].as_array().into_iter().flatten();
    let mut files = spans.filter_map(|span| span["file_name"].as_str());
    message["level"] == "error" && files.any(|file| file.starts_with(folder))
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times[times.len() / 2].as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::{BEGIN, END, insert};

    #[test]
    fn the_table_replaces_the_one_between_its_markers() {
        let readme = format!("a\n{BEGIN}old\n{END}b\n");
        let inserted = insert(&readme, "new\n").expect("markers");
        assert_eq!(inserted, format!("a\n{BEGIN}new\n{END}b\n"));
        assert!(insert("no markers", "new\n").is_err());
    }
}
