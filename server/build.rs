//! Compresses the script that renders the reference page: the program holds a third of its size, and browsers get it as
//! it is stored.

use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::{env, fs};

use flate2::Compression;
use flate2::write::GzEncoder;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    let script = scalar_api_reference::get_asset("scalar.js").ok_or("the crate has no script")?;
    let mut compressed = GzEncoder::new(Vec::new(), Compression::best());
    compressed.write_all(&script)?;
    let folder = env::var("OUT_DIR")?;
    fs::write(
        Path::new(&folder).join("scalar.js.gz"),
        compressed.finish()?,
    )?;
    Ok(())
}
