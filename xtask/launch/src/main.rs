//! `cargo xtask`: builds the tool, and becomes it.
//!
//! `cargo run` selects one package, and with it other features of shared dependencies than a build of the whole
//! workspace. It would compile 107 packages again that the service has already. `cargo build` can select the workspace
//! and build one program of it.

use std::env;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let error = match program() {
        Ok(mut program) => format!("cannot start the tool: {}", program.exec()),
        Err(error) => error,
    };
    eprintln!("error: {error}");
    // As the tool does if a check cannot run: 1 is the code of a check that failed.
    ExitCode::from(2)
}

/// The tool with the arguments of this program, built.
fn program() -> Result<Command, String> {
    // Cargo sets both variables for the programs that it runs.
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let own = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let tool = own.as_deref().and_then(|own| own.parent());
    let tool = tool.ok_or("start this program with `cargo xtask`")?;
    let built = Command::new(cargo)
        .args(["build", "--workspace", "--bin", "xtask", "--manifest-path"])
        .arg(tool.join("Cargo.toml"))
        .status()
        .map_err(|error| format!("cannot run cargo: {error}"))?;
    if !built.success() {
        return Err("the tool cannot be built".to_owned());
    }
    let own = env::current_exe().map_err(|error| format!("cannot find this program: {error}"))?;
    let mut program = Command::new(own.with_file_name("xtask"));
    program.args(env::args_os().skip(1));
    // As for a program that cargo runs.
    program.env("CARGO_MANIFEST_DIR", tool);
    Ok(program)
}
