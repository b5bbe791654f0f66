//! `bench edit`: measures the time from saving a document to the first error in
//! hand-written code, on both sides, which are compiled together as by `watch`.
//! Writes the table into the README.

use std::fmt::Write as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use serde_json::Value;

use crate::edited::{self, Edited};
use crate::running::Running;
use crate::{compile, pages, repository};

const ROUNDS: usize = 3;

/// The lines of the README around the table.
const LINES: [&str; 2] = [
    "<!-- edits: written by cargo xtask bench edit -->\n",
    "<!-- edits end -->\n",
];

/// An edit that hand-written code has to follow, on both sides or on one.
struct Edit {
    name: &'static str,
    document: &'static str,
    from: &'static str,
    to: &'static str,
}

const EDITS: [Edit; 14] = [
    Edit {
        name: "an operation is renamed",
        document: "openapi/accounts.yaml",
        from: "operationId: listOrganizations",
        to: "operationId: readOrganizations",
    },
    Edit {
        name: "a property is renamed",
        document: "openapi/accounts.yaml",
        from: "userName",
        to: "loginName",
    },
    Edit {
        name: "a header is renamed",
        document: "openapi/accounts.yaml",
        from: "name: Idempotency-Key",
        to: "name: Change-Key",
    },
    Edit {
        name: "a status is replaced",
        document: "openapi/patterns.yaml",
        from: "\"200\":",
        to: "\"202\":",
    },
    Edit {
        name: "an operation is renamed",
        document: "openapi/identity.yaml",
        from: "operationId: introspectToken",
        to: "operationId: inspectToken",
    },
    Edit {
        name: "a property is renamed",
        document: "openapi/identity.yaml",
        from: "expires_in",
        to: "expires_after",
    },
    Edit {
        name: "a scheme is renamed",
        document: "openapi/identity.yaml",
        from: "clientBasic",
        to: "clientPassword",
    },
    Edit {
        name: "an operation is renamed",
        document: "openapi/inference.yaml",
        from: "operationId: listModels",
        to: "operationId: readModels",
    },
    Edit {
        name: "a parameter is renamed",
        document: "openapi/inference.yaml",
        from: "name: lifecycleState",
        to: "name: keyState",
    },
    Edit {
        name: "a scheme is renamed",
        document: "openapi/inference.yaml",
        from: "apiKeySecret",
        to: "keySecret",
    },
    Edit {
        name: "an enum value is renamed",
        document: "openapi/inference.yaml",
        from: "DEACTIVATED",
        to: "SUSPENDED",
    },
    Edit {
        name: "a parameter is renamed",
        document: "openapi/patterns.yaml",
        from: "name: integrationInstance",
        to: "name: serviceInstance",
    },
    Edit {
        name: "a property is renamed",
        document: "openapi/patterns.yaml",
        from: "patternRoles",
        to: "agentRoles",
    },
    Edit {
        name: "an operation is renamed",
        document: "openapi/patterns.yaml",
        from: "operationId: deletePattern",
        to: "operationId: removePattern",
    },
];

/// A side, and the folder of its hand-written code.
const SIDES: [(&str, &str); 2] = [("accord-server", "server/"), ("accord-client", "client/")];

/// The number of rounds that the arguments after `--` ask for.
fn rounds(arguments: &[String]) -> anyhow::Result<usize> {
    let rounds = match arguments {
        [name, rounds] if name == "--rounds" => rounds
            .parse::<usize>()
            .with_context(|| format!("--rounds {rounds} is not a number"))?,
        [] => ROUNDS,
        _ => bail!("after `--`, only --rounds N is supported"),
    };
    ensure!(rounds > 0, "--rounds must be at least 1");
    Ok(rounds)
}

/// Makes each edit, waits for the first error, and reverts the edit.
pub(super) fn run(arguments: &[String]) -> anyhow::Result<()> {
    let rounds = rounds(arguments)?;
    edited::ensure_committed()?;
    let mut rows = Vec::new();
    for edit in &EDITS {
        let mut times = [Vec::new(), Vec::new()];
        for round in 1..=rounds {
            warm()?;
            for (times, found) in times.iter_mut().zip(first_errors(edit)?) {
                times.extend(found);
            }
            eprintln!("{}: round {round} of {rounds}", edit.document);
        }
        rows.push((edit, times.map(median)));
    }
    let mut table = String::from("\n| edit | document | server | client |\n|---|---|---|---|\n");
    let cell =
        |time: &Option<f64>| time.map_or("compiles".to_owned(), |time| format!("{time:.1} s"));
    for (edit, [server, client]) in &rows {
        let (name, document) = (edit.name, edit.document);
        // Writing to a String cannot fail.
        let _ = writeln!(
            table,
            "| {name} | `{document}` | {} | {} |",
            cell(server),
            cell(client)
        );
    }
    let mut all: Vec<f64> = rows
        .iter()
        .flat_map(|(_, times)| times)
        .flatten()
        .copied()
        .collect();
    all.sort_by(f64::total_cmp);
    if let (Some(median), Some(worst)) = (all.get(all.len() / 2), all.last()) {
        let _ = writeln!(
            table,
            "| median of all | | {median:.1} s | |\n| longest | | {worst:.1} s | |"
        );
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let measured = match rounds {
        1 => "One round".to_owned(),
        _ => format!("Medians of {rounds} rounds"),
    };
    let _ = writeln!(
        table,
        "\n{measured} on {cores} cores, from saving the document to the first error in hand-written code. Both sides\n\
         compile at once, and everything was compiled before. A side `compiles` where it does not use what changed.\n"
    );
    print!("{table}");
    pages::write("README.md", LINES, &table)
}

/// Compiles everything before an edit.
pub(super) fn warm() -> anyhow::Result<()> {
    let status = Command::new(repository::cargo())
        .args(["check", "--quiet"])
        .args(
            SIDES
                .iter()
                .flat_map(|(package, _)| ["--package", *package]),
        )
        .args(compile::FEATURES)
        .current_dir(repository::root())
        .status()
        .context("cannot run cargo")?;
    ensure!(status.success(), "it does not compile before the edit");
    Ok(())
}

/// The time to the first error on each side that has one.
fn first_errors(edit: &Edit) -> anyhow::Result<[Option<Duration>; 2]> {
    let _edit = Edited::save(edit.document, edit.from, edit.to)?;
    let saved = Instant::now();
    let mut cargo = compile::command("--message-format=json");
    cargo.arg("--quiet").stderr(Stdio::null());
    let mut cargo = Running::start(&mut cargo).context("cannot run cargo")?;
    let output = cargo.0.stdout.take().context("cargo has no output")?;
    let mut found = [None; 2];
    compile::messages(output, |message, _| {
        for (found, (_, folder)) in found.iter_mut().zip(SIDES) {
            if found.is_none() && is_error_in(message, folder) {
                *found = Some(saved.elapsed());
            }
        }
    })?;
    cargo.wait()?;
    ensure!(
        found.iter().any(Option::is_some),
        "`{}` in {}: nothing in hand-written code has to follow",
        edit.to,
        edit.document
    );
    Ok(found)
}

fn is_error_in(message: &Value, folder: &str) -> bool {
    let spans = message["spans"].as_array().into_iter().flatten();
    let mut files = spans.filter_map(|span| span["file_name"].as_str());
    message["level"] == "error" && files.any(|file| file.starts_with(folder))
}

fn median(mut times: Vec<Duration>) -> Option<f64> {
    times.sort();
    Some(times.get(times.len() / 2)?.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use dropforge::document::Document;

    use super::EDITS;
    use crate::repository;

    #[test]
    fn each_edit_gives_another_document_that_is_valid() {
        let folder = std::env::temp_dir().join(format!("accord-edits-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("openapi")).expect("a folder");
        let shared = "openapi/common.yaml";
        let common = repository::root().join(shared);
        std::fs::copy(common, folder.join(shared)).expect("a copy");
        for edit in &EDITS {
            let text = std::fs::read_to_string(repository::root().join(edit.document));
            let text = text.expect("a document");
            assert!(text.contains(edit.from), "{}: {}", edit.document, edit.from);
            let path = folder.join(edit.document);
            std::fs::write(&path, text.replace(edit.from, edit.to)).expect("a file");
            let document = Document::load_file(&path)
                .unwrap_or_else(|refused| panic!("{}: {refused}", edit.to));
            let findings = dropforge::diagnose(&document);
            assert!(!findings.has_errors(), "{}: {findings:?}", edit.to);
        }
        std::fs::remove_dir_all(folder).expect("no folder");
    }
}
