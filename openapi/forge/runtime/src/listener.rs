//! What a dropshot server's listening socket is told behind its back.
//!
//! Dropshot accepts connections as the system hands them over, with Nagle's
//! algorithm on: a response that is written in pieces, as an event stream is,
//! then waits for the caller's delayed acknowledgement, some 40 ms for a piece.
//! And while it shuts down it keeps its socket open without accepting from it:
//! callers wait for an answer that never comes, instead of being refused and
//! turning elsewhere.
//!
//! Dropshot binds its socket itself and shows it to nobody. So it is looked for
//! among the descriptors of the process, by its address. TCP_NODELAY is
//! inherited: set on the listening socket, every connection accepted from then
//! on has it.

use std::io;
use std::net::{Shutdown, SocketAddr};

/// Sets TCP_NODELAY on the socket of this process that listens at `address`,
/// for the connections that it accepts from now on. Returns how many such
/// sockets there are: one, where the address is that of a running server; none
/// on a system where they cannot be looked for.
pub fn set_nodelay(address: SocketAddr) -> io::Result<usize> {
    for_each(address, |socket| socket.set_tcp_nodelay(true))
}

/// Refuses every connection to `address` from now on; those that were accepted
/// go on. For a server that has been told to close. Returns how many sockets
/// were listening there: one, where the address is that of a running server;
/// none on a system where they cannot be looked for.
pub fn stop_listening(address: SocketAddr) -> io::Result<usize> {
    for_each(address, |socket| socket.shutdown(Shutdown::Read))
}

#[cfg(unix)]
use unix::for_each;

#[cfg(not(unix))]
fn for_each(
    _: SocketAddr,
    _: impl Fn(socket2::SockRef<'_>) -> io::Result<()>,
) -> io::Result<usize> {
    Ok(0)
}

#[cfg(unix)]
mod unix {
    use std::io;
    use std::net::SocketAddr;
    use std::os::fd::{BorrowedFd, RawFd};

    use socket2::SockRef;

    /// Where a system lists the descriptors of a process.
    const LISTS: [&str; 2] = ["/proc/self/fd", "/dev/fd"];

    /// Does something to each socket of this process that listens at `address`.
    pub(super) fn for_each(
        address: SocketAddr,
        act: impl Fn(SockRef<'_>) -> io::Result<()>,
    ) -> io::Result<usize> {
        let mut found = 0;
        for descriptor in descriptors()? {
            found += usize::from(with_socket(descriptor, |socket| {
                let listens = socket.is_listener().unwrap_or(false)
                    && socket
                        .local_addr()
                        .is_ok_and(|local| local.as_socket() == Some(address));
                if listens {
                    act(socket)?;
                }
                Ok(listens)
            })?);
        }
        Ok(found)
    }

    /// The descriptors that are open now.
    pub(super) fn descriptors() -> io::Result<Vec<RawFd>> {
        let list = LISTS.iter().find_map(|list| std::fs::read_dir(list).ok());
        let Some(list) = list else {
            return Ok(Vec::new());
        };
        let mut descriptors = Vec::new();
        for entry in list {
            if let Some(descriptor) = entry?
                .file_name()
                .to_str()
                .and_then(|name| name.parse().ok())
            {
                descriptors.push(descriptor);
            }
        }
        Ok(descriptors)
    }

    /// Looks at a descriptor as a socket.
    #[expect(
        unsafe_code,
        reason = "std has no safe way to look at a descriptor by its number"
    )]
    pub(super) fn with_socket<T>(
        descriptor: RawFd,
        look: impl FnOnce(SockRef<'_>) -> io::Result<T>,
    ) -> io::Result<T> {
        // SAFETY: the number was in the list of open descriptors a moment ago.
        // Should another thread have closed it since, the system calls below
        // fail, or meet another socket, which is only changed if it listens at
        // the very address that is looked for. No descriptor is closed, and the
        // borrow ends with this call.
        let borrowed = unsafe { BorrowedFd::borrow_raw(descriptor) };
        look(SockRef::from(&borrowed))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::net::{TcpListener, TcpStream};

    use super::*;

    #[test]
    fn connections_accepted_afterwards_have_the_option() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let other = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let before = TcpStream::connect(address).unwrap();
        let (accepted, _) = listener.accept().unwrap();
        assert!(!accepted.nodelay().unwrap());
        assert_eq!(set_nodelay(address).unwrap(), 1);
        let after = TcpStream::connect(address).unwrap();
        let (accepted, _) = listener.accept().unwrap();
        assert!(accepted.nodelay().unwrap());
        let elsewhere = TcpStream::connect(other.local_addr().unwrap()).unwrap();
        assert!(!other.accept().unwrap().0.nodelay().unwrap());
        drop((before, after, elsewhere));
    }

    #[test]
    fn connections_are_refused_once_nobody_listens() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let before = TcpStream::connect(address).unwrap();
        let (mut accepted, _) = listener.accept().unwrap();
        assert_eq!(stop_listening(address).unwrap(), 1);
        assert!(TcpStream::connect(address).is_err());
        io::Write::write_all(&mut accepted, b"x").unwrap();
        let mut byte = [0];
        io::Read::read_exact(&mut &before, &mut byte).unwrap();
        assert_eq!(&byte, b"x");
    }
}
