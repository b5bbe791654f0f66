//! The lock over a change of a store.

use super::access::owner_only;
use std::{
    any::Any,
    fmt,
    fs::{OpenOptions, TryLockError},
    io,
    path::Path,
    time::{Duration, Instant},
};

/// How long a program waits for another one to release the lock.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The time between two attempts to take the lock.
const PAUSE: Duration = Duration::from_millis(20);

/// The lock of a [`LoginStore`](crate::LoginStore). It ends when it is dropped.
pub struct LoginLock {
    _guard: Box<dyn Any + Send>,
}

impl LoginLock {
    /// A lock that lasts as long as a guard of the store's own.
    pub fn new(guard: impl Send + 'static) -> Self {
        Self {
            _guard: Box::new(guard),
        }
    }

    /// Locks a file between all processes of the machine. Creates the file, for its owner alone, if it does not exist;
    /// its directory must exist. The file stays, and its content does not matter.
    ///
    /// # Errors
    ///
    /// When the file cannot be opened, or another program has locked it for a minute.
    pub fn of_file(path: impl AsRef<Path>) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false);
        let file = owner_only(&mut options).open(path)?;
        wait_until(|| match file.try_lock() {
            Ok(()) => Ok(true),
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(error)) => Err(error),
        })?;
        Ok(Self::new(file))
    }
}

/// Attempts to take a lock until it is free, for a minute at most.
pub(super) fn wait_until(mut take: impl FnMut() -> io::Result<bool>) -> io::Result<()> {
    let began = Instant::now();
    while !take()? {
        if began.elapsed() > TIMEOUT {
            let message = "another program has locked it for a minute";
            return Err(io::Error::new(io::ErrorKind::TimedOut, message));
        }
        std::thread::sleep(PAUSE);
    }
    Ok(())
}

impl fmt::Debug for LoginLock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LoginLock")
    }
}
