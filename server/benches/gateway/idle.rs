//! Streams that have begun and wait for their next event.

use std::time::Duration;

use anyhow::{Context as _, bail};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::load::{Kind, request};
use super::servers::Running;

/// How many are open at once.
pub const STREAMS: usize = 1_000;
/// For all of them to begin.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The memory of a server, in MiB, while it holds so many streams.
pub async fn memory(target: &Running) -> anyhow::Result<u64> {
    let begun = tokio::time::timeout(TIMEOUT, begin(target)).await;
    let _streams = begun.context("streams do not begin")??;
    target.memory_mib().context("no process to look at")
}

async fn begin(target: &Running) -> anyhow::Result<Vec<TcpStream>> {
    let request = request(target, &target.secret, Kind::Idle);
    let mut streams = Vec::with_capacity(STREAMS);
    for _ in 0..STREAMS {
        let mut stream = TcpStream::connect(target.address).await?;
        stream.write_all(request.as_bytes()).await?;
        streams.push(stream);
    }
    let mut bytes = Vec::new();
    for stream in &mut streams {
        bytes.clear();
        while !bytes.windows(5).any(|window| window == b"data:") {
            if stream.read_buf(&mut bytes).await? == 0 {
                bail!("a stream ended: {}", String::from_utf8_lossy(&bytes));
            }
        }
    }
    Ok(streams)
}
