//! The output of a program that has to succeed.

use std::process::{Command, Stdio};

use anyhow::{Context, ensure};

/// The standard output of a program that succeeds, without blank space at its end.
///
/// # Errors
///
/// When the program cannot be run, or fails. It has printed why.
pub(crate) fn output(command: &mut Command) -> anyhow::Result<String> {
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| {
            let program = command.get_program();
            let advice = advice(&program.to_string_lossy());
            format!("cannot run {}{advice}", program.display())
        })?;
    ensure!(output.status.success(), "{command:?} failed");
    Ok(String::from_utf8(output.stdout)?.trim_end().to_owned())
}

/// How to install a program that a system may lack.
fn advice(program: &str) -> &'static str {
    match program {
        "buildah" => "; on Debian: apt-get install buildah",
        "dpkg" | "dpkg-deb" | "dpkg-shlibdeps" | "strip" => {
            "; on Debian: apt-get install dpkg-dev binutils"
        }
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_program_that_can_be_installed_has_advice() {
        assert!(advice("strip").ends_with("apt-get install dpkg-dev binutils"));
        assert_eq!(advice("rustc"), "");
    }

    #[test]
    fn a_program_that_is_missing_or_fails_is_named() {
        for (program, expected) in [
            ("no-such-program", "cannot run no-such-program"),
            ("false", "\"false\" failed"),
        ] {
            let error = output(&mut Command::new(program)).expect_err("no output");
            assert_eq!(error.to_string(), expected);
        }
    }
}
