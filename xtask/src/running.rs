//! Processes that end with the command that started them.

use std::io;
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
}
