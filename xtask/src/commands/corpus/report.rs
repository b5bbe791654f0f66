//! The reports of `corpus`: lines for people, a table of compiled code, and JSON.

use dropforge::document::{Diagnostics, Place, Severity, Source};
use serde_json::{Value, json};

use super::count::Count;
use super::trial::{Outcome, Row};

/// The number of reasons of a refusal that are shown without `--verbose`.
const SHOWN: usize = 3;

/// Prints a row for each compiled document.
fn table(rows: &[Row]) {
    let width = rows
        .iter()
        .map(|row| row.source.name.len())
        .max()
        .unwrap_or(0)
        .max(8);
    println!(
        "{:width$} {:>10} {:>14} {:>6} {:>6} {:>14} {:>6} {:>6}",
        "document", "operations", "started", "s", "MB", "compiled", "s", "MB"
    );
    for row in rows {
        let cells = |outcome: &Outcome| match (outcome, outcome.build()) {
            (_, Some(build)) => {
                let memory = build
                    .megabytes
                    .map_or_else(|| "-".to_owned(), |megabytes| megabytes.to_string());
                format!("{:>14} {:>6.1} {memory:>6}", build.verdict(), build.seconds)
            }
            (Outcome::Refused(_), None) => format!("{:>14} {:>6} {:>6}", "refused", "-", "-"),
            (Outcome::Skipped, None) => format!("{:>14} {:>6} {:>6}", "-", "-", "-"),
            _ => format!("{:>14} {:>6} {:>6}", "defect", "-", "-"),
        };
        let (server, client) = (cells(&row.server), cells(&row.client));
        println!(
            "{:width$} {:>10} {server} {client}",
            row.source.name, row.operations
        );
    }
}

/// Prints the summary of all documents.
pub(super) fn close(rows: &[Row], [server, client]: [&Count; 2], compiled: bool) {
    match rows.len() {
        1 => println!("\n1 document"),
        n => println!("\n{n} documents"),
    }
    if compiled {
        table(rows);
    }
    for (side, works, count) in [
        ("servers", "compile and start", server),
        ("clients", "compile", client),
    ] {
        let Count {
            generated,
            refused,
            defects,
            working,
        } = count;
        let working = match compiled {
            false => String::new(),
            true => format!(", {working} {works}"),
        };
        println!("{side}: {generated} generated, {refused} refused, {defects} defects{working}");
    }
}

pub(super) fn print(row: &Row, verbose: bool) {
    println!("{} ({} operations)", row.source.name, row.operations);
    for (side, outcome) in row.sides() {
        print_side(&row.source, side, outcome, verbose);
    }
    for left_out in &row.left_out {
        let why = summary(&left_out.diagnostics);
        println!("  left out: {}: {why}", left_out.name);
        if verbose {
            print!("{}", left_out.diagnostics.render(&row.source));
        }
    }
}

fn print_side(source: &Source, side: &str, outcome: &Outcome, verbose: bool) {
    match outcome {
        Outcome::Generated { warnings, build } => {
            let warned = match warnings.len() {
                0 => String::new(),
                1 => ", 1 warning".to_owned(),
                n => format!(", {n} warnings"),
            };
            println!("  {side}: generated{warned}");
            if verbose {
                print!("{}", warnings.render(source));
            }
            if let Some(Err(failure)) = build.as_ref().map(|build| &build.result) {
                println!("  {side}: DEFECT: {} failed", failure.step);
                for line in failure.message.lines() {
                    println!("    {line}");
                }
            }
        }
        Outcome::Refused(diagnostics) => {
            println!("  {side}: refused: {}", summary(diagnostics));
            if verbose {
                print!("{}", diagnostics.render(source));
                return;
            }
            for diagnostic in errors(diagnostics).take(SHOWN) {
                let place = source.place(diagnostic.span.start);
                println!("    {place}: {}", diagnostic.message);
            }
        }
        Outcome::Defect(what) => println!("  {side}: DEFECT: {what}"),
        Outcome::Skipped => {}
    }
}

fn errors(diagnostics: &Diagnostics) -> impl Iterator<Item = &dropforge::document::Diagnostic> {
    diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity == Severity::Error)
}

/// The number of violations of each rule: `2 unresolved-reference, 1 too-deep`.
pub(super) fn summary(diagnostics: &Diagnostics) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for diagnostic in errors(diagnostics) {
        match counts.iter_mut().find(|(code, _)| *code == diagnostic.code) {
            Some((_, count)) => *count += 1,
            None => counts.push((diagnostic.code, 1)),
        }
    }
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let counts: Vec<_> = counts
        .iter()
        .map(|(code, count)| format!("{count} {code}"))
        .collect();
    counts.join(", ")
}

pub(super) fn to_json(row: &Row) -> Value {
    let findings = |diagnostics: &Diagnostics| -> Value {
        let finding = |(d, place): (&dropforge::document::Diagnostic, Place<'_>)| {
            let severity = match d.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            };
            json!({"code": d.code, "severity": severity, "message": d.message,
                "file": place.file, "line": place.line, "column": place.column, "help": d.help})
        };
        let places = diagnostics.places(&row.source);
        diagnostics.iter().zip(places).map(finding).collect()
    };
    let side = |outcome: &Outcome| match outcome {
        Outcome::Generated { warnings, build } => {
            let mut value = json!({"outcome": "generated", "findings": findings(warnings)});
            if let Some(build) = build {
                value["build"] = build.to_json();
            }
            value
        }
        Outcome::Refused(diagnostics) => {
            json!({"outcome": "refused", "findings": findings(diagnostics)})
        }
        Outcome::Defect(what) => json!({"outcome": "defect", "message": what}),
        Outcome::Skipped => json!({"outcome": "skipped"}),
    };
    json!({
        "document": row.source.name,
        "operations": row.operations,
        "milliseconds": row.milliseconds as u64,
        "server": side(&row.server),
        "client": side(&row.client),
        "left_out": row.left_out.iter().map(|one| json!({"name": one.name, "pointer": one.pointer, "findings": findings(&one.diagnostics)})).collect::<Vec<_>>(),
    })
}
