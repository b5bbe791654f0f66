//! The references of the command lines: the `--help` of every command.
//!
//! The programs are built and run, so that this tool does not depend on them
//! and builds in any state of the documents.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};

use crate::built;

/// The reference of one program.
pub(super) struct Reference {
    /// The folder of its crate.
    pub(super) folder: &'static str,
    pub(super) content: String,
}

/// Builds the programs and reads their help.
pub(super) fn references() -> anyhow::Result<Vec<Reference>> {
    const PROGRAMS: [(&str, &str, &str, &[&str]); 2] = [
        ("server", "accord-server", "accord-server", &[]),
        ("client", "accord-client", "accord", &["cli"]),
    ];
    PROGRAMS
        .into_iter()
        .map(|(folder, package, name, features)| {
            let program = built::program(package, name, features)
                .with_context(|| format!("the reference of {name} stays unchanged"))?;
            let mut content = format!(
                "# `{name}`\n\nEvery command, as `--help` prints it. Written by `cargo xtask regenerate`.\n"
            );
            describe(&program, name, &mut Vec::new(), &mut content)?;
            Ok(Reference { folder, content })
        })
        .collect()
}

/// Describes a command and those below it.
fn describe(
    program: &Path,
    name: &str,
    path: &mut Vec<String>,
    into: &mut String,
) -> anyhow::Result<()> {
    let output = Command::new(program)
        .args(&*path)
        .arg("--help")
        // Otherwise the help would show values of the environment.
        .env_clear()
        .env("COLUMNS", "100")
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot run {}", program.display()))?;
    ensure!(
        output.status.success(),
        "{name} {} --help failed",
        path.join(" ")
    );
    let help = String::from_utf8_lossy(&output.stdout);
    if !path.is_empty() {
        into.push_str(&format!("\n## `{name} {}`\n", path.join(" ")));
    }
    let lines: Vec<&str> = help.trim_end().lines().map(str::trim_end).collect();
    into.push_str(&format!("\n```text\n{}\n```\n", lines.join("\n")));
    for command in commands(&help) {
        path.push(command);
        describe(program, name, path, into)?;
        path.pop();
    }
    Ok(())
}

/// The names that a help text lists under `Commands:`.
fn commands(help: &str) -> Vec<String> {
    help.lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        // Further lines of a description have more indentation.
        .filter_map(|line| {
            line.strip_prefix("  ")
                .filter(|rest| !rest.starts_with(' '))
        })
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_commands_of_a_help_text_are_found() {
        let help = "About\n\nUsage: x <COMMAND>\n\nCommands:\n  one   Does one\n        thing\n  two   Other\n  help  Print\n\nOptions:\n  -h\n";
        assert_eq!(super::commands(help), ["one", "two"]);
        assert!(super::commands("Options:\n  -h\n").is_empty());
    }
}
