//! `bench lsp`: measures what a person waits for in Neovim: from a misspelled key to its underline,
//! and from saving a renamed parameter to its handlers and callers.

use std::process::{Command, Stdio};

use anyhow::{Context, ensure};

use super::edit::{rounds, warm};
use crate::edited::{self, Edited};
use crate::repository;

const ROUNDS: usize = 5;

/// The document that the script edits and writes.
const DOCUMENT: &str = "openapi/patterns.yaml";

/// What the script prints, each followed by `N ms`, with the goal in milliseconds.
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

/// Runs the script of the tests, with the real compiler, and prints medians.
pub(super) fn run(arguments: &[String]) -> anyhow::Result<()> {
    let rounds = rounds(arguments, ROUNDS)?;
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
    println!("\n| in Neovim | median | longest | goal |\n|---|---|---|---|");
    for (mut times, (_, what, goal)) in times.into_iter().zip(TIMES) {
        times.sort_unstable();
        let median = times.get(times.len() / 2).copied().unwrap_or_default();
        let longest = times.last().copied().unwrap_or_default();
        println!("| {what} | {median} ms | {longest} ms | {goal} ms |");
    }
    Ok(())
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
    number.parse().context("not a number")
}
