//! Processes that end with the command that started them.

use std::io::{self, BufRead as _, BufReader};
use std::process::{Child, Command, ExitStatus};

/// A process that is killed when this value is dropped before the process has ended.
pub(crate) struct Running(pub(crate) Child);

impl Running {
    /// Starts a command.
    ///
    /// # Errors
    ///
    /// When the command cannot be run.
    pub(crate) fn start(command: &mut Command) -> io::Result<Running> {
        command.spawn().map(Running)
    }

    /// Waits for the end of the process.
    ///
    /// # Errors
    ///
    /// When the system does not report the end.
    pub(crate) fn wait(mut self) -> io::Result<ExitStatus> {
        self.0.wait()
    }
}

/// Runs a command to its end, and gives each line of its output to `take`: of both streams, in their order.
///
/// # Errors
///
/// When the command cannot be run, or its output cannot be read.
pub(crate) fn follow(mut command: Command, mut take: impl FnMut(&str)) -> io::Result<ExitStatus> {
    let (output, writer) = io::pipe()?;
    command.stdout(writer.try_clone()?).stderr(writer);
    let running = Running::start(&mut command)?;
    // The command keeps the pipe open.
    drop(command);
    for line in BufReader::new(output).split(b'\n') {
        take(&String::from_utf8_lossy(&line?));
    }
    running.wait()
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;
    use std::process::Stdio;
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn a_process_ends_with_the_command_that_started_it() {
        let began = Instant::now();
        let mut sleep = Command::new("sleep");
        let mut running =
            Running::start(sleep.arg("600").stdout(Stdio::piped())).expect("a process");
        let mut output = running.0.stdout.take().expect("an output");
        drop(running);
        // The end of the process closes its output.
        output.read_to_end(&mut Vec::new()).expect("the end");
        assert!(began.elapsed() < Duration::from_secs(300));
        let running = Running::start(&mut Command::new("false")).expect("a process");
        assert!(!running.wait().expect("the end").success());
    }

    #[test]
    fn both_streams_are_followed_in_their_order() {
        let mut shell = Command::new("sh");
        shell.args(["-c", "echo one; echo two >&2; printf three; exit 3"]);
        let mut lines = Vec::new();
        let status = follow(shell, |line| lines.push(line.to_owned())).expect("the end");
        assert_eq!(status.code(), Some(3));
        assert_eq!(lines, ["one", "two", "three"]);
    }
}
