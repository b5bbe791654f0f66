//! Calls that are let in, while others try invented secrets.
//!
//! The secrets are well formed, so each costs a look-up. They come on many
//! connections, each of which sends without waiting for answers: what a flood
//! attempts does not depend on how it is received.

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use accord_server::inference::keys::secrets::PlainSecret;
use accord_server::kernel::SystemRandom;
use tokio::net::TcpStream;

use super::load::{Kind, Load, Sample, request};
use super::servers::Running;

/// Connections of whoever floods.
const CONNECTIONS: usize = 1_000;
/// Secrets that each of them tries within a second.
const EACH: usize = 50;
/// Connections of the calls that are let in.
const CALLERS: usize = 16;

/// How long they are measured without the flood, and during it.
const TIME: Duration = Duration::from_secs(5);

/// What a flood does to chats of [`CALLERS`] connections.
pub struct Flooded {
    /// Without it.
    pub before: Sample,
    /// During it.
    pub during: Sample,
    /// Secrets tried within a second.
    pub attempts: f64,
}

impl Flooded {
    /// What is left of the calls within a second.
    pub fn share(&self) -> f64 {
        self.during.per_second / self.before.per_second
    }
}

/// Measures one after the other.
pub async fn measure(target: &Running) -> anyhow::Result<Flooded> {
    let calls = || Load {
        target,
        kind: Kind::Chat,
        connections: CALLERS,
        time: TIME,
    };
    let before = calls().run().await?;
    let attempts = Arc::new(AtomicU64::new(0));
    let requests = invented(target);
    let mut floods = tokio::task::JoinSet::new();
    for _ in 0..CONNECTIONS {
        floods.spawn(flood(
            target.address,
            Arc::clone(&requests),
            Arc::clone(&attempts),
        ));
    }
    // Until all of them are there.
    tokio::time::sleep(Duration::from_secs(2)).await;
    let (begun, since) = (Instant::now(), attempts.load(Ordering::Relaxed));
    let during = calls().run().await?;
    let made = attempts.load(Ordering::Relaxed) - since;
    Ok(Flooded {
        before,
        during,
        attempts: made as f64 / begun.elapsed().as_secs_f64(),
    })
}

/// A second's worth of requests, each with a secret of its own.
fn invented(target: &Running) -> Arc<[String]> {
    let secret = || PlainSecret::generate(&SystemRandom).expose().to_owned();
    (0..CONNECTIONS * EACH)
        .map(|_| request(target, &secret(), Kind::Chat))
        .collect()
}

/// Sends until it is stopped, and reads whatever comes.
async fn flood(
    address: SocketAddr,
    requests: Arc<[String]>,
    attempts: Arc<AtomicU64>,
) -> std::io::Result<()> {
    let mut unread = vec![0; 4 << 10];
    loop {
        let stream = TcpStream::connect(address).await?;
        let mut pace = tokio::time::interval(Duration::from_secs(1));
        let mut unsent = Vec::new();
        loop {
            pace.tick().await;
            if unsent.is_empty() {
                let made = attempts.fetch_add(EACH as u64, Ordering::Relaxed) as usize;
                let start = made % requests.len();
                unsent = requests[start..start + EACH].concat().into_bytes();
            }
            match stream.try_write(&unsent) {
                Ok(sent) => drop(unsent.drain(..sent)),
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(_) => break,
            }
            while matches!(stream.try_read(&mut unread), Ok(read) if read > 0) {}
        }
    }
}
