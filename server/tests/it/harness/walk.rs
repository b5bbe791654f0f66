//! Walks through pages: runs their `sh` blocks in order, in one shell, as they are printed, and compares what they
//! print with the `text` block behind them. Each page begins in the same directory.
//!
//! In such a block, `…` stands for any text within a line, and a line of `…` for any number of lines. The last command
//! of a block `sh fails` has to fail. Only ports of 127.0.0.1 differ from the text, because they have to be free.
//!
//! The tests of xtask include this file.

use std::collections::BTreeMap;
use std::net::TcpListener;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

/// Commands of a page, and what they print.
#[derive(Debug, PartialEq)]
struct Block {
    /// The line of the first command in its page.
    line: usize,
    commands: String,
    fails: bool,
    shown: Option<String>,
}

/// The commands of pages.
pub struct Walk {
    /// Each page with its commands.
    pages: Vec<(String, Vec<Block>)>,
}

impl Walk {
    /// Reads pages of the repository, or sections of pages: `PAGE#TITLE`.
    pub fn through(pages: &[&str]) -> Walk {
        let pages = pages.iter().map(|address| {
            let (path, title) = match address.split_once('#') {
                Some((path, title)) => (path, Some(title)),
                None => (*address, None),
            };
            page(path, &text(path), title)
        });
        Walk {
            pages: pages.collect(),
        }
    }

    /// Runs the commands in the directory of `shell`. `prelude` comes before them, in the same shell. Processes that
    /// are left end with the walk.
    pub fn run(&self, shell: &mut Command, prelude: &str) {
        let ports = self.ports();
        let replaced = |text: &str, is_real: bool| {
            ports
                .iter()
                .fold(text.to_owned(), |text, (printed, real)| match is_real {
                    true => text.replace(real, printed),
                    false => text.replace(printed, real),
                })
        };
        let outputs = tempfile::tempdir().unwrap();
        let output = |index: usize| outputs.path().join(index.to_string());
        let mut script = format!("set -eu\n{}\nbegin=$PWD\n", replaced(prelude, false));
        let mut places = Vec::new();
        for (name, blocks) in &self.pages {
            script += "cd \"$begin\"\n";
            for block in blocks {
                script += &format!("exec >'{}' 2>&1\n", output(places.len()).display());
                let commands = replaced(&block.commands, false);
                script += &match block.fails {
                    // The shell of the block does not end at an error, so that its last command decides.
                    true => format!("if (\n{commands}\n) then echo succeeded; exit 1; fi\n"),
                    false => commands,
                };
                places.push((format!("{name}:{}", block.line), block));
            }
        }
        let mut shell = shell
            .args(["-c", &script])
            .stdin(Stdio::null())
            .process_group(0)
            .spawn()
            .unwrap();
        let status = shell.wait().unwrap();
        let end = format!("kill -- -{} 2>/dev/null", shell.id());
        let _ = Command::new("/bin/sh").args(["-c", &end]).status();
        for (index, (place, block)) in places.iter().enumerate() {
            let said = std::fs::read_to_string(output(index));
            let said = said.unwrap_or_else(|_| panic!("{place}: did not run"));
            let said = replaced(&said, true);
            println!("$ {}{}", block.commands, without_progress(&said));
            let is_last = !output(index + 1).exists();
            assert!(
                !is_last || status.success(),
                "{place}: {status}\n{}",
                without_progress(&said)
            );
            if let Some(shown) = &block.shown {
                let is_shown = is_shown(&lines(shown), &lines(&said));
                assert!(is_shown, "{place} shows\n{shown}\nbut prints\n{said}");
            }
        }
    }

    /// The ports of the pages, each with the free one that takes its place.
    fn ports(&self) -> BTreeMap<String, String> {
        let mut ports = BTreeMap::new();
        // All stay bound until each has its port, so that no two have the same.
        let mut bound = Vec::new();
        for block in self.pages.iter().flat_map(|(_, blocks)| blocks) {
            for rest in block.commands.split("127.0.0.1:").skip(1) {
                let port = rest.split(|c: char| !c.is_ascii_digit()).next();
                let port = port.unwrap_or_default().to_owned();
                ports.entry(port).or_insert_with(|| {
                    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
                    let port = listener.local_addr().unwrap().port();
                    bound.push(listener);
                    port.to_string()
                });
            }
        }
        ports
    }
}

/// Leaves out cargo's lines of progress, so that a reader finds the error.
fn without_progress(said: &str) -> String {
    let is_progress = |line: &str| line.trim_start().starts_with("Compiling ");
    let lines = said.split_inclusive('\n');
    lines.filter(|line| !is_progress(line)).collect()
}

fn text(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    std::fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn page(name: &str, text: &str, section: Option<&str>) -> (String, Vec<Block>) {
    let blocks = blocks(text, section);
    assert!(!blocks.is_empty(), "{name} has no commands");
    (name.to_owned(), blocks)
}

/// The blocks of a text, or of one section of it.
fn blocks(text: &str, section: Option<&str>) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut is_in = section.is_none();
    // The language of the open block, and its text.
    let mut open: Option<(&str, String)> = None;
    // Whether only empty lines are between the last `sh` block and here.
    let mut follows = false;
    for (index, line) in text.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(language)) => open = Some((language, String::new())),
            (None, None) => {
                if let (Some(title), Some(section)) = (line.strip_prefix("## "), section) {
                    is_in = title == section;
                }
                follows &= line.is_empty();
            }
            (Some((_, inside)), None) => {
                inside.push_str(line);
                inside.push('\n');
            }
            (Some((language, inside)), Some(_)) => {
                let (language, inside) = (*language, std::mem::take(inside));
                let is_shell = language == "sh" || language == "sh fails";
                if is_in && is_shell {
                    blocks.push(Block {
                        line: index + 1 - inside.lines().count(),
                        commands: inside,
                        fails: language == "sh fails",
                        shown: None,
                    });
                } else if is_in && language == "text" && follows {
                    blocks.last_mut().expect("a block").shown = Some(inside);
                }
                follows = is_in && is_shell;
                open = None;
            }
        }
    }
    assert!(open.is_none(), "a block has no end");
    blocks
}

fn lines(text: &str) -> Vec<&str> {
    let lines: Vec<_> = text.lines().map(str::trim_end).collect();
    let is_empty = |line: &&&str| line.is_empty();
    let first = lines.iter().take_while(is_empty).count();
    let last = lines.iter().rev().take_while(is_empty).count();
    lines[first..lines.len().saturating_sub(last).max(first)].to_vec()
}

/// Whether a page shows what was printed.
fn is_shown(shown: &[&str], said: &[&str]) -> bool {
    match (shown, said) {
        ([], said) => said.is_empty(),
        (["…", rest @ ..], said) => (0..=said.len()).any(|skip| is_shown(rest, &said[skip..])),
        ([line, shown @ ..], [first, said @ ..]) => {
            is_line_shown(line, first) && is_shown(shown, said)
        }
        (_, []) => false,
    }
}

fn is_line_shown(shown: &str, said: &str) -> bool {
    let Some((before, after)) = shown.split_once('…') else {
        return shown == said;
    };
    let Some(rest) = said.strip_prefix(before) else {
        return false;
    };
    let mut ends = rest.char_indices().map(|(index, _)| index);
    ends.any(|index| is_line_shown(after, &rest[index..])) || after.is_empty()
}

#[test]
fn a_page_shows_what_its_commands_print() {
    let text = "\
## One\n\n```sh\necho a\n```\n\n```text\na\n```\n\n## Two\n\nText.\n\n```sh fails\nfalse\n```\n\nBetween.\n\n\
```text\nnot of it\n```\n";
    let all = blocks(text, None);
    assert_eq!(all.len(), 2);
    assert_eq!((all[0].line, all[0].fails), (4, false));
    assert_eq!(all[0].shown.as_deref(), Some("a\n"));
    assert_eq!((all[1].fails, &all[1].shown), (true, &None));
    assert_eq!(blocks(text, Some("Two")), all[1..]);

    let is = |shown: &str, said: &str| is_shown(&lines(shown), &lines(said));
    assert!(is("a\n…\nd …\n", "a\nb\nc\nd 7\n"));
    assert!(is("a … c", "a b c") && is("…c", "a b c"));
    assert!(!is("a\nb\n", "a\n") && !is("a\n", "a\nb\n") && !is("a …c", "a b d"));
}

#[test]
fn a_walk_ends_at_a_failure_and_at_another_output() {
    let walk = |text: &str| {
        let pages = vec![page("page.md", text, None)];
        std::panic::catch_unwind(|| Walk { pages }.run(&mut Command::new("/bin/sh"), "")).is_ok()
    };
    assert!(walk(
        "```sh\ncd /; is=1; echo 127.0.0.1:8080\n```\n\n```text\n127.0.0.1:8080\n```\n\n```sh\ntest $is\n```\n"
    ));
    assert!(!walk("```sh\nfalse\n```\n"));
    assert!(!walk("```sh\necho a\n```\n\n```text\nb\n```\n"));
    assert!(walk("```sh fails\nfalse\n```\n") && !walk("```sh fails\ntrue\n```\n"));
}
