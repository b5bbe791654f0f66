//! The descriptors of the process, by number.

use std::io;
use std::os::fd::{BorrowedFd, RawFd};

use rustix::fs::{CWD, Dir, Mode, OFlags};
use socket2::SockRef;

/// Where a system lists the descriptors of a process.
const LISTS: [&str; 2] = ["/proc/self/fd", "/dev/fd"];

/// The system's list. It stays open, because it could not be opened once no descriptor is free.
pub(super) struct List(Option<Dir>);

impl List {
    /// Opens the list. On a system without one it is empty.
    pub(super) fn open() -> io::Result<Self> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let mut lists = LISTS
            .iter()
            .filter_map(|list| rustix::fs::openat(CWD, *list, flags, Mode::empty()).ok());
        Ok(List(lists.next().map(Dir::new).transpose()?))
    }

    /// The descriptors that are open now.
    pub(super) fn numbers(&mut self) -> io::Result<Vec<RawFd>> {
        let mut numbers = Vec::new();
        let Some(list) = &mut self.0 else {
            return Ok(numbers);
        };
        list.rewind();
        for entry in list {
            let entry = entry?;
            let name = entry.file_name().to_str().ok();
            numbers.extend(name.and_then(|name| name.parse::<RawFd>().ok()));
        }
        Ok(numbers)
    }
}

/// Borrows a descriptor as a socket.
#[expect(
    unsafe_code,
    reason = "std has no safe way to borrow a descriptor by its number"
)]
pub(super) fn with_socket<T>(
    descriptor: RawFd,
    look: impl FnOnce(SockRef<'_>) -> io::Result<T>,
) -> io::Result<T> {
    // SAFETY: the number was in the list of open descriptors a moment ago. Another thread may have
    // closed it since. Then the system calls below fail, or meet another socket, which changes only
    // if it has the same addresses. No descriptor is closed, and the borrow ends with this call.
    let borrowed = unsafe { BorrowedFd::borrow_raw(descriptor) };
    look(SockRef::from(&borrowed))
}
