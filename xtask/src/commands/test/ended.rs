//! The end of a step: whether it succeeded, and the last lines of one that failed.

use std::collections::VecDeque;
use std::io::{IsTerminal as _, stderr};
use std::process::Command;

use anyhow::Context;

use crate::running;

/// The number of lines that are repeated at the end of the run. The table of a cluster and its bounds have about 30.
const REPEATED: usize = 45;

/// A step that failed.
pub(super) struct Failed {
    pub(super) name: String,
    pub(super) last_lines: Vec<String>,
}

/// How a step ended.
pub(super) struct Ended {
    pub(super) succeeded: bool,
    /// The last lines of its output.
    pub(super) last_lines: Vec<String>,
}

impl Ended {
    /// The end of a step whose output nobody repeats.
    pub(super) fn with(succeeded: bool) -> Ended {
        Ended {
            succeeded,
            last_lines: Vec::new(),
        }
    }
}

/// The last lines of an output.
#[derive(Default)]
pub(super) struct LastLines(VecDeque<String>);

impl LastLines {
    pub(super) fn add(&mut self, line: &str) {
        if self.0.len() == REPEATED {
            self.0.pop_front();
        }
        self.0.push_back(line.to_owned());
    }

    pub(super) fn into_ended(self, succeeded: bool) -> Ended {
        Ended {
            succeeded,
            last_lines: self.0.into(),
        }
    }
}

/// Runs a step and passes its output on. A terminal keeps its output, so only elsewhere are the last lines kept.
///
/// # Errors
///
/// When the command cannot be run.
pub(super) fn run(mut command: Command) -> anyhow::Result<Ended> {
    let step = format!("cannot run {command:?}");
    if stderr().is_terminal() {
        let status = command.status().context(step)?;
        return Ok(Ended::with(status.success()));
    }
    let mut last = LastLines::default();
    let status = running::follow(command, |line| {
        eprintln!("{line}");
        last.add(line);
    });
    Ok(last.into_ended(status.context(step)?.success()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_of_a_long_output_are_kept() {
        let mut last = LastLines::default();
        for number in 0..REPEATED + 2 {
            last.add(&number.to_string());
        }
        let ended = last.into_ended(false);
        assert_eq!(ended.last_lines.len(), REPEATED);
        assert_eq!(ended.last_lines.first().map(String::as_str), Some("2"));
        assert!(!ended.succeeded);
    }
}
