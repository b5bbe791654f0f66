//! Sums up the summaries of cargo's test runners, for one line at the end.
//!
//! `cargo test` prints a summary for each test binary and none for all. An ignored test counts
//! as a failure: it would be forgotten. The end repeats the beginning of each failure's panic,
//! where a reader finds it, and names the binaries that took most of the time.

use std::process::Command;

use anyhow::Context;

use super::ended::Failed;
use crate::running;

/// The number of lines that are repeated of a failed test's output, from its first panic if it has one.
const REPEATED: usize = 30;

/// The number of slow test binaries that are named.
const SLOWEST: usize = 8;

/// The sum of several summaries.
#[derive(Debug, Default, PartialEq)]
struct Tally {
    passed: u64,
    failed: u64,
    ignored: u64,
    /// The tests that failed, each with the lines to repeat.
    failures: Vec<(String, Vec<String>)>,
    /// Whether the next lines are the output of the last failure.
    inside: bool,
    /// The test binary that runs.
    running: String,
    /// The seconds of each test binary.
    seconds: Vec<(f64, String)>,
}

impl Tally {
    /// Records the beginning of the output after `---- a_test stdout ----`.
    fn record(&mut self, line: &str) {
        let heading = line
            .strip_prefix("---- ")
            .and_then(|rest| rest.strip_suffix(" stdout ----"));
        if let Some(name) = heading {
            self.failures.push((name.into(), Vec::new()));
            self.inside = true;
        } else if line == "failures:" || line == "stack backtrace:" {
            self.inside = false;
        } else if let (true, Some((_, lines))) = (self.inside, self.failures.last_mut())
            && !line.is_empty()
        {
            let is_panic =
                |line: &str| line.starts_with("thread '") && line.contains(" panicked at ");
            if is_panic(line) && !lines.first().is_some_and(|first| is_panic(first)) {
                lines.clear();
            }
            if lines.len() < REPEATED {
                lines.push(line.into());
            }
        }
    }

    /// Reads cargo's `Running tests/it.rs (target/debug/deps/it-0123)` and `Doc-tests a_crate`.
    fn follow(&mut self, line: &str) {
        let line = line.trim_start();
        if let Some(name) = line.strip_prefix("Running ") {
            // Several crates have a file of the same name.
            self.running = name.replace("target/debug/deps/", "");
        } else if line.starts_with("Doc-tests ") {
            self.running = line.into();
        }
    }

    /// The slowest binaries, one in each line.
    fn slowest(&mut self) -> Vec<String> {
        self.seconds.sort_by(|one, other| other.0.total_cmp(&one.0));
        let slowest = self.seconds.iter().take(SLOWEST);
        slowest
            .map(|(seconds, name)| format!("{seconds:8.1} s  {name}"))
            .collect()
    }

    /// Adds `test result: ok. 5 passed; 0 failed; 1 ignored; …`, and ignores other lines, and those
    /// that a failed test has printed.
    fn add(&mut self, line: &str) {
        if self.inside {
            return;
        }
        let Some((_, counts)) = line
            .strip_prefix("test result: ")
            .and_then(|rest| rest.split_once(". "))
        else {
            return;
        };
        for count in counts.split(';') {
            let count = count.trim();
            if let Some(seconds) = count
                .strip_prefix("finished in ")
                .and_then(|rest| rest.strip_suffix('s')?.parse().ok())
            {
                self.seconds.push((seconds, self.running.clone()));
            }
            match count.split_once(' ') {
                Some((number, "passed")) => self.passed += number.parse().unwrap_or(0),
                Some((number, "failed")) => self.failed += number.parse().unwrap_or(0),
                Some((number, "ignored")) => self.ignored += number.parse().unwrap_or(0),
                _ => {}
            }
        }
    }
}

/// Runs the tests, forwards their output, and prints the sum last.
///
/// `failed_before` are the steps that failed before: a log may be cut to its end.
/// True when there were tests, all of them ran and none failed.
///
/// # Errors
///
/// When the command cannot be run.
pub(super) fn run(command: Command, failed_before: &[Failed]) -> anyhow::Result<bool> {
    let mut tally = Tally::default();
    let status = running::follow(command, |line| {
        println!("{line}");
        tally.follow(line);
        tally.add(line);
        tally.record(line);
    });
    let status = status.context("cannot run cargo test")?;
    println!("the slowest:");
    for line in tally.slowest() {
        println!("{line}");
    }
    let Tally {
        passed,
        failed,
        ignored,
        failures,
        ..
    } = tally;
    for (name, lines) in failures {
        println!("failed: {name}");
        for line in lines {
            println!("    {line}");
        }
    }
    if ignored > 0 {
        println!("{ignored} skipped, which counts as a failure");
    }
    for step in failed_before {
        println!("failed before: {}", step.name);
        for line in &step.last_lines {
            println!("    {line}");
        }
    }
    println!("{passed} passed, {failed} failed, {ignored} skipped");
    Ok(status.success() && passed > 0 && failed == 0 && ignored == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_add_up() {
        let mut tally = Tally::default();
        tally.add("test result: ok. 5 passed; 0 failed; 1 ignored; 0 measured; 2 filtered out; finished in 0.01s");
        tally.add("test result: FAILED. 2 passed; 3 failed; 0 ignored; 0 measured; 0 filtered out");
        tally.add("test a_test ... ok");
        assert_eq!(
            tally,
            Tally {
                passed: 7,
                failed: 3,
                ignored: 1,
                seconds: vec![(0.01, String::new())],
                ..Tally::default()
            }
        );
    }

    #[test]
    fn a_summary_that_a_failed_test_has_printed_does_not_count() {
        let mut tally = Tally::default();
        for line in [
            "---- a_test stdout ----",
            "test result: ok. 5 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out",
            "failures:",
            "test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out",
        ] {
            tally.record(line);
            tally.add(line);
        }
        assert_eq!((tally.passed, tally.failed), (2, 1));
    }

    #[test]
    fn the_slowest_binary_comes_first() {
        let mut tally = Tally::default();
        for line in [
            "     Running tests/it.rs (target/debug/deps/it-01)",
            "test result: ok. 5 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 2.50s",
            "   Doc-tests accord_client",
            "test result: ok. 5 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 13.00s",
        ] {
            tally.follow(line);
            tally.add(line);
        }
        let slowest = [
            "    13.0 s  Doc-tests accord_client",
            "     2.5 s  tests/it.rs (it-01)",
        ];
        assert_eq!(tally.slowest(), slowest);
    }

    #[test]
    fn failures_are_kept_from_their_first_panic() {
        let mut tally = Tally::default();
        for line in [
            "failures:",
            "",
            "---- area::a_test stdout ----",
            "",
            "a line of its output",
            "thread 'area::a_test' panicked at tests/it/area.rs:1:2:",
            "left is not right",
            "stack backtrace:",
            "   0: rust_begin_unwind",
            "failures:",
            "    area::a_test",
        ] {
            tally.record(line);
        }
        let words = [
            "thread 'area::a_test' panicked at tests/it/area.rs:1:2:",
            "left is not right",
        ];
        let words = words.map(str::to_owned).to_vec();
        assert_eq!(tally.failures, [("area::a_test".to_owned(), words)]);
    }
}
