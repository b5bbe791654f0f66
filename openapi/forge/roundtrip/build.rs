//! Generates both sides of `styles.yaml`.

use dropforge::document::Document;
use std::path::Path;
use std::{env, fs};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=styles.yaml");
    let document = Document::load_file("styles.yaml").map_err(|refused| refused.to_string())?;
    let refused =
        |diagnostics: dropforge::document::Diagnostics| diagnostics.render(&document.source);
    let server = dropforge::generate_server(&document, "styles").map_err(refused)?;
    let client = dropforge::emit::client::generate(&document).map_err(refused)?;
    let out = env::var_os("OUT_DIR").ok_or("OUT_DIR is not set")?;
    for (name, tokens) in [("server.rs", server.tokens), ("client.rs", client.tokens)] {
        fs::write(Path::new(&out).join(name), dropforge::pretty(tokens))?;
    }
    fs::write(Path::new(&out).join("loss.md"), client.report.to_markdown())?;
    Ok(())
}
