//! `bench lsp`: measures what a person waits for in Neovim: from a misspelled key to its underline,
//! and from saving a renamed parameter to its handlers and callers.

use std::fmt::Write as _;
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use clap::Parser;

use super::edit::warm;
use crate::edited::{self, Edited};
use crate::{Outcome, pages, repository};

/// The document that the script edits and writes.
const DOCUMENT: &str = "openapi/patterns.yaml";

/// The page with the table, and its lines around the table.
const PAGE: &str = "openapi/EDITOR.md";
const LINES: [&str; 2] = [
    "<!-- times: written by cargo xtask bench lsp -- --write -->\n",
    "<!-- times end -->\n",
];

/// What the script prints, each followed by `N ms`, with the goal of the median in milliseconds.
const TIMES: [(&str, &str, u32); 3] = [
    ("underlined after ", "a misspelled key is underlined", 300),
    (
        "handler after ",
        "a renamed parameter shows its handlers",
        3000,
    ),
    (
        "caller after ",
        "a renamed parameter shows its callers",
        3000,
    ),
];

/// Measure the editor
#[derive(Parser)]
#[command(name = "cargo xtask bench lsp --", no_binary_name = true)]
struct Arguments {
    /// Number of rounds; the table has their medians
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Write the table into openapi/EDITOR.md
    #[arg(long)]
    write: bool,
}

/// Runs the script of the tests, with the real compiler. Prints medians, and fails if one is above its goal.
pub(super) fn run(arguments: &[String]) -> anyhow::Result<Outcome> {
    let arguments = Arguments::try_parse_from(arguments).unwrap_or_else(|error| error.exit());
    let Arguments { rounds, write } = arguments;
    ensure!(rounds > 0, "--rounds must be at least 1");
    edited::ensure_committed()?;
    let mut times = TIMES.map(|_| Vec::new());
    for round in 1..=rounds {
        warm()?;
        let said = edit_in_neovim()?;
        for (times, (begin, ..)) in times.iter_mut().zip(TIMES) {
            times.push(time(&said, begin)?);
        }
        eprintln!("round {round} of {rounds}");
    }
    let (table, missed) = table(times);
    print!("{table}");
    if write {
        pages::write(PAGE, LINES, &table)?;
    }
    for what in &missed {
        println!("missed: {what}");
    }
    Ok(match missed.is_empty() {
        true => Outcome::Success,
        false => Outcome::Failure,
    })
}

/// The table of all rounds, and the goals that a median misses.
fn table(times: [Vec<u32>; TIMES.len()]) -> (String, Vec<&'static str>) {
    let mut table = String::from("\n| in Neovim | median | longest | goal |\n|---|---|---|---|\n");
    let mut missed = Vec::new();
    let rounds = times[0].len();
    for (mut times, (_, what, goal)) in times.into_iter().zip(TIMES) {
        times.sort_unstable();
        let median = times.get(times.len() / 2).copied().unwrap_or_default();
        let longest = times.last().copied().unwrap_or_default();
        // Writing to a String cannot fail.
        let _ = writeln!(table, "| {what} | {median} ms | {longest} ms | {goal} ms |");
        if median > goal {
            missed.push(what);
        }
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let _ = writeln!(table, "\nMedians of {rounds} rounds on {cores} cores.\n");
    (table, missed)
}

/// What the script prints. The document is as before when it ends.
fn edit_in_neovim() -> anyhow::Result<String> {
    let _document = Edited::by_others(DOCUMENT)?;
    let script = repository::root().join("xtask/tests/lsp/neovim.lua");
    let state = tempfile::tempdir().context("cannot create a directory")?;
    let program = std::env::current_exe().context("cannot find this program")?;
    let output = Command::new("nvim")
        .args(["--headless", "-n", "-i", "NONE", "-u", "NONE", "-c"])
        .arg(format!("luafile {}", script.display()))
        .current_dir(repository::root())
        .env("ACCORD_XTASK", program)
        .env("ACCORD_RENAME", "1")
        .env("XDG_STATE_HOME", state.path())
        .env("XDG_CACHE_HOME", state.path())
        .env("XDG_DATA_HOME", state.path())
        .stdin(Stdio::null())
        .output()
        .context("cannot run nvim: cargo xtask test --only tools installs it")?;
    let said = String::from_utf8_lossy(&output.stderr) + String::from_utf8_lossy(&output.stdout);
    ensure!(output.status.success(), "the script failed:\n{said}");
    Ok(said.into_owned())
}

/// The milliseconds in the line that begins so.
fn time(said: &str, begin: &str) -> anyhow::Result<u32> {
    let line = said
        .lines()
        .find_map(|line| line.trim().strip_prefix(begin));
    let number = line.and_then(|line| line.strip_suffix(" ms"));
    let number = number.with_context(|| format!("no `{begin}`:\n{said}"))?;
    let time = number.parse();
    time.with_context(|| format!("`{begin}{number} ms` has no number"))
}

#[cfg(test)]
mod tests {
    use super::{LINES, PAGE, TIMES, table};
    use crate::repository;

    #[test]
    fn a_median_above_its_goal_is_missed() {
        let times = |underlined| [vec![900, underlined, 10], vec![2000; 3], vec![3000; 3]];
        let (shown, missed) = table(times(300));
        assert_eq!(missed, [""; 0]);
        let row = "| a misspelled key is underlined | 300 ms | 900 ms | 300 ms |\n";
        assert!(shown.contains(row), "{shown}");
        let (_, missed) = table(times(301));
        assert_eq!(missed, [TIMES[0].1]);
    }

    #[test]
    fn the_page_has_a_place_for_the_table() {
        let page = std::fs::read_to_string(repository::root().join(PAGE)).expect("a page");
        assert!(LINES.iter().all(|line| page.contains(line)));
    }
}
