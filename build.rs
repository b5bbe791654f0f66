//! Makes the documents into a server and a client: load, lower, emit, write.

use dropforge::document::{Diagnostics, Document};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

const AREAS: [&str; 4] = ["accounts", "identity", "inference", "patterns"];

fn main() -> ExitCode {
    let mut exit = ExitCode::SUCCESS;
    for area in AREAS {
        if let Err(report) = generate(area) {
            // Cargo shows the first line, and all of it below.
            println!("cargo::error=openapi/{area}.yaml is refused");
            eprintln!("{report}");
            exit = ExitCode::FAILURE;
        }
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
    let path = document(area);
    let loaded = Document::load_file(&path);
    let source = match &loaded {
        Ok(document) => &document.source,
        Err(refused) => &refused.source,
    };
    // The document, and what it shares with others.
    for file in source.files() {
        println!("cargo::rerun-if-changed={}", file.name);
    }
    let document = loaded.map_err(|refused| {
        refused.diagnostics.tell_cargo(&refused.source);
        refused.to_string()
    })?;
    let refused = |diagnostics: Diagnostics| {
        diagnostics.tell_cargo(&document.source);
        diagnostics.render(&document.source)
    };
    let generated = dropforge::generate_server(&document, area).map_err(refused)?;
    // What generated code would not do has no place in these documents.
    if !generated.warnings.is_empty() {
        return Err(refused(generated.warnings.deny_warnings()));
    }
    if cfg!(feature = "server") {
        write(
            &format!("{area}_server.rs"),
            &dropforge::pretty(generated.tokens),
        )?;
    }
    // The generator has this half only where the feature is on.
    #[cfg(feature = "client")]
    {
        let generated = dropforge::emit::client::generate(&document).map_err(refused)?;
        write(
            &format!("{area}_client.rs"),
            &dropforge::pretty(generated.tokens),
        )?;
    }
    let published = dropforge::publish::json(&document);
    write(
        &format!("{area}.yaml"),
        &dropforge::publish::yaml(&published),
    )?;
    write(&format!("{area}.json"), &published.to_string())
}

/// Writes only what has changed, so that nothing is compiled again for nothing.
fn write(name: &str, text: &str) -> Result<(), String> {
    let path: PathBuf = Path::new(&env::var_os("OUT_DIR").ok_or("OUT_DIR is not set")?).join(name);
    if fs::read_to_string(&path).is_ok_and(|known| known == text) {
        return Ok(());
    }
    fs::write(&path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
}
