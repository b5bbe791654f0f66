//! Compiles both sides beside the editor, after each save.
//!
//! A newer save ends the check of an older one: cargo and its compilers are killed together, as a
//! process group.

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::Value;

use super::compiler;
use super::files::Files;
use super::finding::ByFile;
use crate::{compile, panics, repository};

/// A message of a check to the server.
pub(super) struct Report {
    /// The number of the check.
    pub(super) check: usize,
    /// The state of the check.
    pub(super) progress: Progress,
}

/// The state of a check.
pub(super) enum Progress {
    /// It has begun.
    Begun,
    /// The compiler has reported errors so far.
    Found(ByFile),
    /// It has ended, with a text for people. The findings are all of the check; `None` if the
    /// sides could not be compiled.
    Ended(Option<ByFile>, String),
    /// A newer check has ended it.
    Replaced,
}

/// The checks; one of them may be running.
pub(super) struct Checks {
    report: Arc<dyn Fn(Report) + Send + Sync>,
    running: Option<Arc<Running>>,
    count: usize,
}

impl Checks {
    /// No check has run yet. `report` is called from other threads.
    pub(super) fn new(report: impl Fn(Report) + Send + Sync + 'static) -> Checks {
        Checks {
            report: Arc::new(report),
            running: None,
            count: 0,
        }
    }

    /// Ends the running check, and starts another one.
    pub(super) fn start(&mut self, files: &Files) {
        self.end();
        self.count += 1;
        let running = Arc::new(Running::default());
        self.running = Some(Arc::clone(&running));
        let (report, files, check) = (Arc::clone(&self.report), files.clone(), self.count);
        std::thread::spawn(move || {
            let report = |progress| report(Report { check, progress });
            report(Progress::Begun);
            let ended = match panics::catch(|| run(&running, &files, &report)) {
                Ok(Ok(ended)) => ended,
                Ok(Err(error)) => Progress::Ended(None, format!("{error:#}")),
                Err(panic) => Progress::Ended(None, format!("the check panicked: {panic}")),
            };
            report(match running.state().is_replaced {
                true => Progress::Replaced,
                false => ended,
            });
        });
    }

    /// Ends the running check, if there is one.
    pub(super) fn end(&mut self) {
        if let Some(running) = self.running.take() {
            running.end();
        }
    }
}

impl Drop for Checks {
    fn drop(&mut self) {
        self.end();
    }
}

/// A check that is running.
#[derive(Default)]
struct Running(Mutex<RunState>);

#[derive(Default)]
struct RunState {
    is_replaced: bool,
    /// The process group of cargo, while cargo runs.
    group: Option<Pid>,
}

impl Running {
    fn state(&self) -> MutexGuard<'_, RunState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn end(&self) {
        let mut state = self.state();
        state.is_replaced = true;
        if let Some(group) = state.group.take() {
            // The group may have ended by itself.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }

    /// Starts cargo in a process group of its own, unless the check has been replaced.
    fn spawn(&self) -> anyhow::Result<Option<Child>> {
        let mut state = self.state();
        if state.is_replaced {
            return Ok(None);
        }
        let mut command = compile::command("--message-format=json");
        let cargo = command
            .arg("--quiet")
            .process_group(0)
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        state.group = i32::try_from(cargo.id()).ok().and_then(Pid::from_raw);
        Ok(Some(cargo))
    }
}

/// Checks the documents, and compiles both sides. An invalid document is not compiled.
fn run(running: &Running, files: &Files, report: &impl Fn(Progress)) -> anyhow::Result<Progress> {
    for path in repository::documents()? {
        if let Err(error) = repository::load_valid(&path) {
            let error = format!("{error:#}");
            let reason = error.lines().next().unwrap_or_default();
            return Ok(Progress::Ended(None, reason.to_owned()));
        }
        if running.state().is_replaced {
            return Ok(Progress::Replaced);
        }
    }
    let Some(mut cargo) = running.spawn()? else {
        return Ok(Progress::Replaced);
    };
    let mut found = ByFile::new();
    let mut errors = 0;
    let mut read = Ok(());
    if let Some(output) = cargo.stdout.take() {
        read = compile::messages(output, |message: &Value, places| {
            if let Some((path, finding)) = compiler::finding(message, places, files) {
                errors += usize::from(message["level"] == "error");
                add(&mut found, &path, finding);
                report(Progress::Found(found.clone()));
            }
        });
    }
    if read.is_err() {
        // Cargo may have ended by itself.
        let _ = cargo.kill();
    }
    // The output has ended, and so has cargo: the number of its group may be given to another
    // process once it has been waited for.
    running.state().group = None;
    let status = cargo.wait()?;
    read?;
    let text = match (status.success(), errors) {
        (true, _) => "both sides compile".to_owned(),
        (false, 0) => "cargo failed: run `cargo xtask check`".to_owned(),
        (false, 1) => "1 error".to_owned(),
        (false, errors) => format!("{errors} errors"),
    };
    Ok(Progress::Ended(Some(found), text))
}

fn add(found: &mut ByFile, path: &Path, finding: super::finding::Finding) {
    let of_file = found.entry(path.to_owned()).or_default();
    // The compiler repeats a message for each target of a package.
    if !of_file.iter().any(|known| known.shown == finding.shown) {
        of_file.push(finding);
    }
}
