//! progenitor on the published documents, with its own defaults.

use progenitor::Generator;
use std::{env, error::Error, fs, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    let out = env::var("OUT_DIR")?;
    for area in ["accounts", "identity", "inference", "patterns"] {
        let document = format!("../../openapi/published/{area}.json");
        println!("cargo::rerun-if-changed={document}");
        let document = serde_json::from_str(&fs::read_to_string(document)?)?;
        let tokens = Generator::default().generate_tokens(&document)?;
        let code = prettyplease::unparse(&syn::parse2(tokens)?);
        fs::write(Path::new(&out).join(format!("{area}.rs")), code)?;
    }
    Ok(())
}
