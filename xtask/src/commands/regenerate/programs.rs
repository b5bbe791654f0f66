//! The references of the command lines: the `--help` of every command.
//!
//! The programs are built and run, so that this tool does not depend on them
//! and builds in any state of the documents.

use std::collections::HashSet;
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
    const PROGRAMS: [(&str, &str); 2] = [("server", "accord-server"), ("client", "accord")];
    PROGRAMS
        .into_iter()
        .map(|(folder, name)| {
            let program = built::program(name)
                .with_context(|| format!("the reference of {name} stays unchanged"))?;
            let mut content = format!(
                "# `{name}`\n\nEvery command, as `--help` prints it. Options of all commands are only in the first list.\n\
                 Written by `cargo xtask regenerate`.\n"
            );
            let path = &mut Vec::new();
            describe(&program, name, path, &HashSet::new(), &mut content)?;
            Ok(Reference { folder, content })
        })
        .collect()
}

/// Describes a command and those below it, without the `known` options.
fn describe(
    program: &Path,
    name: &str,
    path: &mut Vec<String>,
    known: &HashSet<&str>,
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
    into.push_str(&format!("\n```text\n{}\n```\n", without(&help, known)));
    // Every option of the program itself is one of all commands.
    let of_all: HashSet<&str> = help.lines().filter_map(option).collect();
    let known = match path.is_empty() {
        true => &of_all,
        false => known,
    };
    for command in commands(&help) {
        path.push(command);
        describe(program, name, path, known, into)?;
        path.pop();
    }
    Ok(())
}

/// A help text without these options, and without headings that then have no option.
fn without(help: &str, options: &HashSet<&str>) -> String {
    let mut lines = Vec::new();
    let mut skips = false;
    for line in help.trim_end().lines().map(str::trim_end) {
        if let Some(name) = option(line) {
            skips = options.contains(name);
        } else if skips && !line.is_empty() && !line.starts_with(' ') {
            skips = false;
            end_section(&mut lines);
            lines.push("");
        }
        if !skips {
            lines.push(line);
        }
    }
    if skips {
        end_section(&mut lines);
    }
    lines.join("\n")
}

/// Removes blank lines at the end, and a heading without options.
fn end_section(lines: &mut Vec<&str>) {
    let is_heading = |line: &str| line.ends_with(':') && !line.starts_with(' ');
    while lines
        .last()
        .is_some_and(|line| line.is_empty() || is_heading(line))
    {
        lines.pop();
    }
}

/// The long name of the option that a line of a list begins with.
fn option(line: &str) -> Option<&str> {
    let text = line.trim_start();
    // Further lines of a description have more indentation.
    let is_first = text.starts_with('-') && line.len() - text.len() <= 6;
    let mut words = text.split([' ', ',', '=', '[']).filter(|_| is_first);
    words.find(|word| word.starts_with("--"))
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

    #[test]
    fn known_options_are_left_out_with_their_headings() {
        let help = "\
About

Usage: x one [OPTIONS]

Options:
      --own <VALUE>
          Something

          [default: --config]

      --json
          Print JSON

  -h, --help
          Print help

Service:
      --url <URL>
          Address

Examples:
  x one
";
        let known = std::collections::HashSet::from(["--json", "--help", "--url"]);
        let expected = "\
About

Usage: x one [OPTIONS]

Options:
      --own <VALUE>
          Something

          [default: --config]

Examples:
  x one";
        assert_eq!(super::without(help, &known), expected);
        let help = "About\n\nUsage: x\n\nOptions:\n  -h, --help  Print help\n\nService:\n      --url <URL>  Address\n";
        assert_eq!(super::without(help, &known), "About\n\nUsage: x");
    }
}
