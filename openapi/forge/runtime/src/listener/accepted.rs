//! Connections that dropshot has accepted, found among the descriptors of the
//! process.

use std::io;
use std::net::{Shutdown, SocketAddr};
use std::os::fd::{AsRawFd, RawFd};

use socket2::{SockRef, Type};

use super::descriptors::{List, with_socket};

/// Finds the connections that this process has accepted.
pub struct Accepted(List);

/// The connections found.
pub struct Found {
    /// Connections that are open.
    pub connections: Vec<Connection>,
    /// Number of descriptors that the process has open, connections among them.
    pub descriptors: usize,
}

/// A connection that this process has accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Connection {
    descriptor: RawFd,
    /// Address of the other side.
    pub peer: SocketAddr,
}

impl Accepted {
    /// Opens the system's list of descriptors. On a system without such a list, the search finds
    /// nothing.
    pub fn open() -> io::Result<Self> {
        List::open().map(Accepted)
    }

    /// The connections that were accepted at one of these addresses.
    pub fn find(&mut self, listeners: &[SocketAddr]) -> io::Result<Found> {
        let numbers = self.0.numbers()?;
        let peer = |descriptor| {
            with_socket(descriptor, |socket| Ok(peer_of(&socket, listeners)))
                .ok()
                .flatten()
        };
        Ok(Found {
            descriptors: numbers.len(),
            connections: numbers
                .into_iter()
                .filter_map(|descriptor| {
                    peer(descriptor).map(|peer| Connection { descriptor, peer })
                })
                .collect(),
        })
    }
}

/// The other side of a socket, if the socket was accepted at one of the addresses.
fn peer_of(socket: &SockRef<'_>, listeners: &[SocketAddr]) -> Option<SocketAddr> {
    let local = socket.local_addr().ok()?.as_socket()?;
    let is_ours = |listener: &SocketAddr| {
        listener.port() == local.port()
            && (listener.ip().is_unspecified() || listener.ip() == local.ip())
    };
    listeners.iter().any(is_ours).then_some(())?;
    (socket.r#type().ok()? == Type::STREAM).then_some(())?;
    socket.peer_addr().ok()?.as_socket()
}

impl Connection {
    /// Whether the other side has not yet acknowledged all written bytes.
    #[cfg(target_os = "linux")]
    pub fn has_unsent(&self) -> bool {
        with_socket(self.descriptor, |socket| unsent(&socket)).is_ok_and(|bytes| bytes > 0)
    }

    /// Whether the other side has not yet acknowledged all written bytes. Unknown on this system.
    #[cfg(not(target_os = "linux"))]
    pub fn has_unsent(&self) -> bool {
        false
    }

    /// Ends the connection: the server reads its end, and cannot write to it any more. Returns
    /// false if it has ended already.
    pub fn shut_down(&self) -> io::Result<bool> {
        with_socket(self.descriptor, |socket| {
            // The duplicate keeps the system from reusing the number for another socket between the
            // check and the shutdown. Without a free descriptor, there is no duplicate.
            match socket.try_clone() {
                Ok(socket) => self.shut_down_if_same(&SockRef::from(&socket)),
                Err(_) => self.shut_down_if_same(&socket),
            }
        })
    }

    fn shut_down_if_same(&self, socket: &SockRef<'_>) -> io::Result<bool> {
        let peer = socket.peer_addr().ok().and_then(|peer| peer.as_socket());
        match peer == Some(self.peer) {
            true => socket.shutdown(Shutdown::Both).map(|()| true),
            false => Ok(false),
        }
    }
}

/// Bytes that were written and that the other side has not acknowledged.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "no crate here has a safe call for this request")]
fn unsent(socket: &SockRef<'_>) -> io::Result<libc::c_int> {
    let mut bytes: libc::c_int = 0;
    // SAFETY: the request writes one int through the pointer, and the descriptor is borrowed for
    // the duration of the call.
    match unsafe { libc::ioctl(socket.as_raw_fd(), libc::TIOCOUTQ, &mut bytes) } {
        0 => Ok(bytes),
        _ => Err(io::Error::last_os_error()),
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::{TcpListener, TcpStream};

    use super::*;

    #[test]
    fn accepted_connections_are_found_by_their_listener_and_can_be_ended() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let mut client = TcpStream::connect(address).unwrap();
        let (accepted, peer) = listener.accept().unwrap();
        let mut all = Accepted::open().unwrap();
        let found = all.find(&[address]).unwrap();
        assert!(found.descriptors >= 3);
        let [connection] = found.connections[..] else {
            panic!("{:?}", found.connections);
        };
        assert_eq!(connection.peer, peer);
        assert!(connection.shut_down().unwrap());
        assert_eq!(client.read(&mut [0]).unwrap(), 0);
        drop(accepted);
        assert!(all.find(&[address]).unwrap().connections.is_empty());
    }

    #[test]
    fn a_listener_on_every_address_has_the_connections_of_each() {
        let listener = TcpListener::bind("0.0.0.0:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let client = TcpStream::connect(("127.0.0.1", port)).unwrap();
        let accepted = listener.accept().unwrap();
        let mut all = Accepted::open().unwrap();
        let found = all.find(&[listener.local_addr().unwrap()]).unwrap();
        assert_eq!(found.connections.len(), 1);
        drop((client, accepted));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_the_other_side_has_not_taken_is_seen() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let client = TcpStream::connect(address).unwrap();
        let (mut accepted, _) = listener.accept().unwrap();
        accepted.set_nonblocking(true).unwrap();
        let found = Accepted::open().unwrap().find(&[address]).unwrap();
        assert!(!found.connections[0].has_unsent());
        while accepted.write(&[0; 1 << 16]).is_ok() {}
        assert!(found.connections[0].has_unsent());
        drop(client);
    }
}
