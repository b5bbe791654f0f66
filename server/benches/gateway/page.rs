//! The table in the README, and the picture beside it.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Context as _;

use super::load::{Kind, Sample, Tool};
use super::servers::DIRECT;
use super::{Memory, Row, draw};

/// Connections of the cases in the table.
const CONNECTIONS: usize = 16;

const BEGIN: &str = "<!-- gateway: written by cargo xtask bench gateway -- --write -->\n";
const END: &str = "<!-- gateway end -->\n";

/// Writes the table into `README.md` of a repository, and the picture into `server/pictures`.
///
/// # Errors
///
/// When the own tool has measured nothing, when the README has no place for the table, or when a file
/// cannot be written.
pub fn write(root: &Path, rows: &[Row], memory: &[Memory], rounds: usize) -> anyhow::Result<()> {
    let path = root.join("README.md");
    let readme = std::fs::read_to_string(&path).context("cannot read README.md")?;
    let (before, rest) = readme.split_once(BEGIN).context("README.md has no table")?;
    let (_, after) = rest.split_once(END).context("README.md has no table")?;
    let table = table(rows, memory, rounds).context("the own tool has measured nothing")?;
    std::fs::write(&path, format!("{before}{BEGIN}{table}{END}{after}"))?;
    std::fs::write(root.join("server/pictures/gateway.svg"), draw::svg(rows))?;
    Ok(())
}

fn table(rows: &[Row], memory: &[Memory], rounds: usize) -> Option<String> {
    let of = |target: &str, kind: Kind| -> Option<Sample> {
        let is_it = |row: &&Row| {
            let case = (row.target, row.tool, row.kind, row.connections);
            case == (target, Tool::Own, kind, CONNECTIONS)
        };
        rows.iter().find(is_it).map(|row| row.median)
    };
    let mut targets: Vec<_> = rows.iter().map(|row| row.target).collect();
    targets.dedup();
    targets.retain(|target| *target != DIRECT);
    let mut table = String::from(
        "\n| | chats/s | p99 ms | streams/s | p99 ms | ms to the first event | MiB |\n\
         |---|---|---|---|---|---|---|\n",
    );
    let rate =
        |sample: Option<Sample>| sample.map_or("-".into(), |it| format!("{:.0}", it.per_second));
    let p99 = |sample: Option<Sample>| sample.map_or("-".into(), |it| format!("{:.2}", it.p99));
    let first = |sample: Option<Sample>| sample.map_or("-".into(), |it| format!("{:.2}", it.first));
    let mut is_measured = false;
    for target in targets {
        let (chat, stream) = (of(target, Kind::Chat), of(target, Kind::Stream));
        is_measured |= chat.is_some();
        let memory = memory.iter().find(|memory| memory.target == target);
        let memory = memory.map_or("-".into(), |memory| memory.busy.to_string());
        // Writing to a String cannot fail.
        let _ = writeln!(
            table,
            "| {target} | {} | {} | {} | {} | {} | {memory} |",
            rate(chat),
            p99(chat),
            rate(stream),
            p99(stream),
            first(stream),
        );
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let _ = writeln!(
        table,
        "\nMedians of {rounds} alternated rounds with {CONNECTIONS} connections on {cores} cores, which the load and the\n\
         model server share. A stream has 21 events. MiB are resident after 64 connections.\n"
    );
    is_measured.then_some(table)
}
