//! Options of the listening socket of a dropshot server, which dropshot does not expose.
//!
//! Dropshot accepts connections with the system's defaults, so Nagle's algorithm is on. A response
//! that is written in pieces, such as an event stream, then waits for the caller's delayed
//! acknowledgment, some 40 ms for each piece. While dropshot shuts down, it keeps its socket open
//! without accepting from it. Callers then wait for a response that never arrives, instead of
//! trying another replica at once.
//!
//! This module finds the socket by its address among the descriptors of the process. Accepted
//! connections inherit its options. A function fails if it cannot list the descriptors, or if the
//! system rejects the option.
//!
//! Dropshot does not end idle connections either. [`Accepted`] finds the connections in the
//! same way, for a server that ends them itself.

#[cfg(unix)]
mod accepted;
#[cfg(unix)]
mod descriptors;

use std::io;
use std::net::{Shutdown, SocketAddr};
use std::time::Duration;

use socket2::{SockRef, TcpKeepalive};

#[cfg(unix)]
pub use accepted::{Accepted, Connection, Found};

/// The system probes a connection that is silent for this long.
const PROBE_AFTER: Duration = Duration::from_secs(60);
/// Time between two probes.
const PROBE_EVERY: Duration = Duration::from_secs(15);

/// Sets TCP_NODELAY on the socket of this process that listens at `address`, for the connections
/// that it accepts from now on. Returns the number of such sockets: one for the address of a
/// running server, and none on a system where they cannot be found.
pub fn set_nodelay(address: SocketAddr) -> io::Result<usize> {
    for_each(address, |socket| socket.set_tcp_nodelay(true))
}

/// Refuses every connection to `address` from now on, for a server that shuts down. Accepted
/// connections continue. Returns the number of sockets that were listening there: one for the
/// address of a running server, and none on a system where they cannot be found.
pub fn stop_listening(address: SocketAddr) -> io::Result<usize> {
    for_each(address, |socket| socket.shutdown(Shutdown::Read))
}

/// Ends connections whose other side is unreachable or reads nothing. The system probes each silent
/// connection accepted at `address` from now on. It ends the connection if the other side
/// acknowledges no written bytes for `unread`. Returns the number of sockets that listen there, as
/// [`set_nodelay`] does.
pub fn set_unread_timeout(address: SocketAddr, unread: Duration) -> io::Result<usize> {
    let probes = TcpKeepalive::new()
        .with_time(PROBE_AFTER)
        .with_interval(PROBE_EVERY);
    for_each(address, |socket| {
        socket.set_tcp_keepalive(&probes)?;
        #[cfg(target_os = "linux")]
        socket.set_tcp_user_timeout(Some(unread))?;
        #[cfg(not(target_os = "linux"))]
        let _ = unread;
        Ok(())
    })
}

#[cfg(unix)]
fn for_each(address: SocketAddr, act: impl Fn(SockRef<'_>) -> io::Result<()>) -> io::Result<usize> {
    let mut found = 0;
    for descriptor in descriptors::List::open()?.numbers()? {
        found += usize::from(descriptors::with_socket(descriptor, |socket| {
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

#[cfg(not(unix))]
fn for_each(_: SocketAddr, _: impl Fn(SockRef<'_>) -> io::Result<()>) -> io::Result<usize> {
    Ok(0)
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

    #[cfg(target_os = "linux")]
    #[test]
    fn accepted_connections_have_the_timeout_of_their_listener() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let unread = Duration::from_secs(7);
        assert_eq!(set_unread_timeout(address, unread).unwrap(), 1);
        let client = TcpStream::connect(address).unwrap();
        let (accepted, _) = listener.accept().unwrap();
        let socket = SockRef::from(&accepted);
        assert_eq!(socket.tcp_user_timeout().unwrap(), Some(unread));
        assert!(socket.keepalive().unwrap());
        drop(client);
    }
}
