//! The network path from the replicas to the primary: a proxy that can pause.
//!
//! A pause is like lost packets: connections stay open, and no byte arrives until its end.

use std::net::SocketAddr;
use std::sync::Arc;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

/// The state of the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Route {
    to: SocketAddr,
    is_paused: bool,
}

/// A proxy in this process.
pub struct NetworkPath {
    /// The address of the proxy.
    pub address: SocketAddr,
    route: Arc<watch::Sender<Route>>,
}

impl NetworkPath {
    /// Starts a proxy to an address.
    pub async fn start(to: SocketAddr) -> anyhow::Result<NetworkPath> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let route = Route {
            to,
            is_paused: false,
        };
        let route = Arc::new(watch::Sender::new(route));
        tokio::spawn(accept(listener, route.subscribe()));
        Ok(NetworkPath { address, route })
    }

    /// Lets no byte pass.
    pub fn pause(&self) {
        self.route.send_modify(|route| route.is_paused = true);
    }

    /// Lets everything pass again, also what was sent during the pause.
    pub fn resume(&self) {
        self.route.send_modify(|route| route.is_paused = false);
    }

    /// Leads to another address; the connections to the earlier one are closed.
    pub fn repoint(&self, to: SocketAddr) {
        self.route.send_modify(|route| route.to = to);
    }
}

async fn accept(listener: TcpListener, mut route: watch::Receiver<Route>) {
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            return;
        };
        let Ok(current) = open(&mut route).await else {
            return;
        };
        tokio::spawn(forward(stream, current.to, route.clone()));
    }
}

/// Waits for the end of a pause.
async fn open(route: &mut watch::Receiver<Route>) -> Result<Route, watch::error::RecvError> {
    Ok(*route.wait_for(|route| !route.is_paused).await?)
}

/// Forwards both directions until one ends or the route changes. Closing both at once is what
/// PostgreSQL and its clients do as well.
async fn forward(from: TcpStream, to: SocketAddr, mut route: watch::Receiver<Route>) {
    let Ok(onward) = TcpStream::connect(to).await else {
        return;
    };
    // Delays of small packets would be the proxy's, not the database's.
    let _ = (from.set_nodelay(true), onward.set_nodelay(true));
    let (from_read, from_write) = from.into_split();
    let (to_read, to_write) = onward.into_split();
    let mut directions = JoinSet::new();
    directions.spawn(copy(from_read, to_write, route.clone()));
    directions.spawn(copy(to_read, from_write, route.clone()));
    tokio::select! {
        _ = directions.join_next() => {}
        _ = route.wait_for(|route| route.to != to) => {}
    }
}

async fn copy(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, mut route: watch::Receiver<Route>) {
    let mut bytes = vec![0; 16 << 10];
    while let Ok(length @ 1..) = from.read(&mut bytes).await {
        if open(&mut route).await.is_err() || to.write_all(&bytes[..length]).await.is_err() {
            return;
        }
    }
    // A lost connection is not noticed during a pause either.
    let _ = open(&mut route).await;
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// A server that returns every byte.
    async fn echo() -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                tokio::spawn(async move {
                    let (mut read, mut write) = stream.split();
                    tokio::io::copy(&mut read, &mut write).await
                });
            }
        });
        address
    }

    #[tokio::test]
    async fn bytes_wait_during_a_pause_and_arrive_after_it() {
        let path = NetworkPath::start(echo().await).await.expect("a path");
        let mut stream = TcpStream::connect(path.address)
            .await
            .expect("a connection");
        stream.write_all(b"a").await.expect("sent");
        assert_eq!(stream.read_u8().await.expect("returned"), b'a');
        path.pause();
        stream.write_all(b"b").await.expect("sent");
        let wait = tokio::time::timeout(Duration::from_millis(200), stream.read_u8()).await;
        assert!(wait.is_err(), "a byte passed");
        path.resume();
        assert_eq!(stream.read_u8().await.expect("returned"), b'b');
    }

    #[tokio::test]
    async fn a_new_target_closes_the_connections_to_the_earlier_one() {
        let path = NetworkPath::start(echo().await).await.expect("a path");
        let mut stream = TcpStream::connect(path.address)
            .await
            .expect("a connection");
        stream.write_all(b"a").await.expect("sent");
        assert_eq!(stream.read_u8().await.expect("returned"), b'a');
        path.repoint(echo().await);
        assert!(stream.read_u8().await.is_err(), "the connection stays");
        let mut stream = TcpStream::connect(path.address)
            .await
            .expect("a connection");
        stream.write_all(b"c").await.expect("sent");
        assert_eq!(stream.read_u8().await.expect("returned"), b'c');
    }
}
