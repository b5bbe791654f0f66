//! A step that mostly waits. It runs beside steps that use the processors, and prints at its end.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Seek};
use std::process::Command;

use anyhow::Context;

use super::ended::{Ended, LastLines};
use crate::running::Running;

/// A running step. It ends with this value, so that a run that ends early leaves none behind.
pub(super) struct Beside {
    step: Running,
    /// What it has printed: the lines of two steps would mix.
    output: File,
}

impl Beside {
    /// Starts a step.
    ///
    /// # Errors
    ///
    /// When the command cannot be run.
    pub(super) fn start(mut command: Command) -> anyhow::Result<Beside> {
        let output = tempfile::tempfile().context("cannot create a temporary file")?;
        command
            .stdout(output.try_clone().context("cannot copy a file")?)
            .stderr(output.try_clone().context("cannot copy a file")?);
        let step = Running::start(&mut command);
        let step = step.with_context(|| format!("cannot run {command:?}"))?;
        Ok(Beside { step, output })
    }

    /// Waits for the end of the step, and prints what it has printed.
    ///
    /// # Errors
    ///
    /// When its output cannot be read.
    pub(super) fn end(mut self) -> anyhow::Result<Ended> {
        let status = self.step.wait().context("cannot wait for a step")?;
        self.output.rewind().context("cannot read the output")?;
        let mut last = LastLines::default();
        for line in BufReader::new(self.output).split(b'\n') {
            let line = line.context("cannot read the output")?;
            let line = String::from_utf8_lossy(&line);
            eprintln!("{line}");
            last.add(&line);
        }
        Ok(last.into_ended(status.success()))
    }
}
