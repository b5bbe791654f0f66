//! Makes the documents into a server and a client: load, lower, emit, write.

use dropforge::build::{once, refused, write};
use dropforge::document::{Diagnostics, Document};
use std::env;
use std::path::Path;
use std::process::ExitCode;
use std::thread;

const AREAS: [&str; 4] = ["accounts", "identity", "inference", "patterns"];

fn main() -> ExitCode {
    // The areas do not depend on each other.
    let reports = thread::scope(|scope| {
        let areas = AREAS.map(|area| (area, scope.spawn(move || generate(area))));
        areas.map(|(area, running)| (area, running.join()))
    });
    let mut exit = ExitCode::SUCCESS;
    for (area, report) in reports {
        let report = match report {
            Ok(Ok(())) => continue,
            Ok(Err(report)) => report,
            Err(_) => "the generator panicked".to_owned(),
        };
        // Cargo shows the first line, and all of it below.
        println!("cargo::error=openapi/{area}.yaml is refused");
        eprintln!("{report}");
        exit = ExitCode::FAILURE;
    }
    exit
}

/// The document of an area; another in its place where `cargo xtask mutate` asks
/// what becomes of it.
fn document(area: &str) -> String {
    println!("cargo::rerun-if-env-changed=ACCORD_DOCUMENTS");
    let other = env::var("ACCORD_DOCUMENTS").map(|folder| format!("{folder}/{area}.json"));
    match other {
        Ok(other) if Path::new(&other).is_file() => other,
        _ => format!("openapi/{area}.yaml"),
    }
}

fn generate(area: &str) -> Result<(), String> {
    once(area, "", document(area), |document| {
        let generated = dropforge::generate_server(document, area)
            .map_err(|findings| refused(document, &findings))?;
        deny(document, generated.warnings)?;
        if cfg!(feature = "server") {
            write(
                &format!("{area}_server.rs"),
                &dropforge::pretty(generated.tokens),
            )?;
        }
        // The generator has this half only where the feature is on.
        #[cfg(feature = "client")]
        {
            let generated = dropforge::emit::client::generate(document)
                .map_err(|findings| refused(document, &findings))?;
            deny(document, generated.warnings)?;
            write(
                &format!("{area}_client.rs"),
                &dropforge::pretty(generated.tokens),
            )?;
        }
        let published = dropforge::publish::json(document);
        write(
            &format!("{area}.yaml"),
            &dropforge::publish::yaml(&published),
        )?;
        write(&format!("{area}.json"), &published.to_string())?;
        Ok(Diagnostics::default())
    })
}

/// What generated code would not do has no place in these documents.
fn deny(document: &Document, warnings: Diagnostics) -> Result<(), String> {
    match warnings.is_empty() {
        true => Ok(()),
        false => Err(refused(document, &warnings.deny_warnings())),
    }
}
