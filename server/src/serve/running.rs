//! The process that serves with a data directory.
//!
//! A service holds a lock on a file in its data directory. The kernel releases the lock when the
//! process ends, and names the process that holds it. So a command never signals another process
//! that got the number of a stopped service.

use std::fs::File;
use std::io;
use std::path::Path;

use rustix::fs::{FlockOperation, fcntl_lock};
use rustix::io::Errno;
use rustix::process::{Flock, FlockType, Pid, Signal, fcntl_getlk, kill_process};

/// The file with the lock.
const FILE: &str = "service.lock";

/// The lock of this process, until it is dropped.
#[derive(Debug)]
pub struct Running {
    _file: File,
}

/// Why a service was not asked to reload its configuration.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// No service has the data directory.
    #[error("no service runs with the data directory {0}: start it, or name its --data-dir")]
    NotRunning(String),
    /// The process is not visible here.
    #[error(
        "the service with the data directory {0} runs in another container or on another machine: \
         run this command there"
    )]
    Elsewhere(String),
    /// The signal was not sent.
    #[error("cannot signal process {process}: {source}; run this command as the service's user")]
    Signal {
        /// The process.
        process: i32,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The file cannot be read.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: String,
        /// The error of the operating system.
        source: io::Error,
    },
}

impl Running {
    /// Takes the lock of the data directory. `None` if another process has it.
    ///
    /// # Errors
    ///
    /// When the file cannot be created or locked.
    pub fn begin(data_dir: &Path) -> io::Result<Option<Running>> {
        let file = File::create(data_dir.join(FILE))?;
        match fcntl_lock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => Ok(Some(Running { _file: file })),
            Err(Errno::AGAIN | Errno::ACCESS) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

/// Sends SIGHUP to the service with this data directory. Returns its process.
///
/// # Errors
///
/// When no service has the directory, or the signal cannot be sent.
pub fn ask_to_reload(data_dir: &Path) -> Result<i32, AskError> {
    let directory = || data_dir.display().to_string();
    let path = data_dir.join(FILE);
    let failed = |source: io::Error| match source.kind() {
        io::ErrorKind::NotFound => AskError::NotRunning(directory()),
        _ => AskError::File {
            path: path.display().to_string(),
            source,
        },
    };
    let file = File::open(&path).map_err(failed)?;
    let lock = fcntl_getlk(&file, &Flock::from(FlockType::WriteLock));
    let lock = lock.map_err(|error| failed(error.into()))?;
    let lock = lock.ok_or_else(|| AskError::NotRunning(directory()))?;
    // The kernel names no process of another namespace of processes, or of another machine.
    let process = lock.pid.ok_or_else(|| AskError::Elsewhere(directory()))?;
    kill_process(process, Signal::HUP).map_err(|error| AskError::Signal {
        process: Pid::as_raw(Some(process)),
        source: error.into(),
    })?;
    Ok(Pid::as_raw(Some(process)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_without_a_lock_has_no_service() {
        let directory = tempfile::tempdir().unwrap();
        let asked = || ask_to_reload(directory.path()).unwrap_err().to_string();
        assert!(asked().starts_with("no service runs with the data directory "));
        // As after a crash: the file is left.
        std::fs::write(directory.path().join(FILE), "").unwrap();
        assert!(asked().starts_with("no service runs with the data directory "));
    }
}
