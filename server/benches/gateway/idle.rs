//! Streams that have begun and wait for their next event.

use anyhow::{Context as _, bail};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::load::{Kind, request};
use super::servers::Running;

/// How many are open at once.
pub const STREAMS: usize = 1_000;

/// The memory of a server, in MiB, while it holds so many streams.
pub async fn memory(target: &Running) -> anyhow::Result<u64> {
    let request = request(target, &target.secret, Kind::Idle);
    let mut open = Vec::with_capacity(STREAMS);
    for _ in 0..STREAMS {
        let mut stream = TcpStream::connect(target.address).await?;
        stream.write_all(request.as_bytes()).await?;
        open.push(stream);
    }
    let mut bytes = Vec::new();
    for stream in &mut open {
        bytes.clear();
        while !bytes.windows(5).any(|window| window == b"data:") {
            if stream.read_buf(&mut bytes).await? == 0 {
                bail!("a stream ended: {}", String::from_utf8_lossy(&bytes));
            }
        }
    }
    target.memory_mib().context("no process to look at")
}
