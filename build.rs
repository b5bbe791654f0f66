//! The build script of the crates `openapi/AREA/SIDE`: makes one side of one document. A warning fails the build.

#![allow(
    unexpected_cfgs,
    reason = "a crate has the feature of its own side only"
)]

use dropforge::build::{once, refused, write};
use dropforge::document::{Diagnostics, Document};
use dropforge::pretty;
use std::env;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(report) => {
            // Cargo shows the first line of each error; here they are in full.
            eprintln!("{report}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let package = env::var("CARGO_PKG_NAME").map_err(|error| format!("CARGO_PKG_NAME: {error}"))?;
    let area = package.split('-').nth(1).unwrap_or_default();
    let folder =
        env::var("CARGO_MANIFEST_DIR").map_err(|error| format!("CARGO_MANIFEST_DIR: {error}"))?;
    // Positions are given from the top of the repository.
    let top = Path::new(&folder).join("../../..");
    env::set_current_dir(&top)
        .map_err(|error| format!("cannot enter {}: {error}", top.display()))?;
    once("document", "", document(area), |document| {
        #[cfg(feature = "server")]
        server(document, area)?;
        #[cfg(feature = "client")]
        client(document)?;
        Ok(Diagnostics::default())
    })
}

/// The document of an area, or the one that `cargo xtask mutate` compiles in its place.
fn document(area: &str) -> String {
    println!("cargo::rerun-if-env-changed=ACCORD_DOCUMENTS");
    let other = env::var("ACCORD_DOCUMENTS").map(|folder| format!("{folder}/{area}.json"));
    match other {
        Ok(other) if Path::new(&other).is_file() => other,
        _ => format!("openapi/{area}.yaml"),
    }
}

/// Writes the server and the published document.
#[cfg(feature = "server")]
fn server(document: &Document, area: &str) -> Result<(), String> {
    let generated = dropforge::generate_server(document, area)
        .map_err(|findings| refused(document, &findings))?;
    deny(document, generated.warnings)?;
    write("server.rs", &pretty(generated.tokens))?;
    let published = dropforge::publish::json(document);
    write("published.yaml", &dropforge::publish::yaml(&published))?;
    write("published.json", &published.to_string())
}

#[cfg(feature = "client")]
fn client(document: &Document) -> Result<(), String> {
    let generated = dropforge::emit::client::generate(document)
        .map_err(|findings| refused(document, &findings))?;
    deny(document, generated.warnings)?;
    write("client.rs", &pretty(generated.tokens))?;
    write("client.md", &generated.summary)
}

/// A document says nothing that generated code does not do.
fn deny(document: &Document, warnings: Diagnostics) -> Result<(), String> {
    match warnings.is_empty() {
        true => Ok(()),
        false => Err(refused(document, &warnings.deny_warnings())),
    }
}
