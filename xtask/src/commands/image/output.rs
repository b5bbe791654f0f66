//! The output of a program that has to succeed.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};

/// The standard output of a program that succeeds.
pub(super) fn output(command: &mut Command) -> anyhow::Result<String> {
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| {
            let program = Path::new(command.get_program()).display();
            format!("cannot run {program}; on Debian: apt-get install buildah")
        })?;
    ensure!(output.status.success(), "{command:?} failed");
    Ok(String::from_utf8(output.stdout)?.trim_end().to_owned())
}
