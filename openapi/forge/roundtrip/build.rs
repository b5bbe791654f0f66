//! Generates both sides of each document.

use dropforge::document::Document;
use dropforge::{Purpose, generate_server_for};
use std::path::Path;
use std::{env, fs};

type Error = Box<dyn std::error::Error>;

fn main() -> Result<(), Error> {
    generate("styles", Purpose::Complete)?;
    generate("modern", Purpose::Prototype)
}

fn generate(name: &str, purpose: Purpose) -> Result<(), Error> {
    let file = format!("{name}.yaml");
    println!("cargo::rerun-if-changed={file}");
    let document = Document::load_file(&file).map_err(|refused| refused.to_string())?;
    let refused =
        |diagnostics: dropforge::document::Diagnostics| diagnostics.render(&document.source);
    let server = generate_server_for(&document, name, purpose).map_err(refused)?;
    let client = dropforge::emit::client::generate(&document).map_err(refused)?;
    let out = Path::new(&env::var_os("OUT_DIR").ok_or("OUT_DIR is not set")?).join(name);
    fs::create_dir_all(&out)?;
    for (file, tokens) in [("server.rs", server.tokens), ("client.rs", client.tokens)] {
        fs::write(out.join(file), dropforge::pretty(tokens))?;
    }
    fs::write(out.join("loss.md"), client.report.to_markdown())?;
    Ok(())
}
