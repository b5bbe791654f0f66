//! The load: connections that ask again as soon as they are answered.
//!
//! It runs on one thread of its own, so that on a small machine each target is left the
//! same rest: load on all cores takes the more of them the less a target needs.

use std::fmt;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::servers::Running;

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A chat completion in one piece.
    Chat,
    /// One in events, as fast as they come.
    Stream,
    /// One in events that come at a pace.
    Paced,
    /// One whose first event comes at once and the others never.
    Idle,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Kind::Chat => "chat",
            Kind::Stream => "stream",
            Kind::Paced => "paced",
            Kind::Idle => "idle",
        })
    }
}

impl Kind {
    /// The body of the request.
    pub fn body(self) -> String {
        let more = match self {
            Kind::Chat => "",
            Kind::Stream => r#","stream":true"#,
            Kind::Paced => r#","stream":true,"user":"paced""#,
            Kind::Idle => r#","stream":true,"user":"idle""#,
        };
        format!(r#"{{"model":"bench","messages":[{{"role":"user","content":"Hello"}}]{more}}}"#)
    }
}

/// What is measured.
pub struct Load<'a> {
    /// Whom to ask.
    pub target: &'a Running,
    /// For what.
    pub kind: Kind,
    /// On how many connections at once.
    pub connections: usize,
    /// For how long.
    pub time: Duration,
}

/// Who asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tool {
    /// This benchmark.
    Own,
    /// wrk.
    Wrk,
}

impl fmt::Display for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Tool::Own => "own",
            Tool::Wrk => "wrk",
        })
    }
}

/// What was measured. Times are in milliseconds.
#[derive(Debug, Clone, Copy, Default)]
pub struct Sample {
    /// Answers a second.
    pub per_second: f64,
    /// Half of the answers took less.
    pub p50: f64,
    /// All but one in a hundred took less.
    pub p99: f64,
    /// Half of the answers began sooner; not a number where the tool does not tell.
    pub first: f64,
}

impl Sample {
    /// The median of each figure.
    pub fn median(samples: &[Sample]) -> Sample {
        let of = |figure: fn(&Sample) -> f64| {
            let mut all: Vec<f64> = samples.iter().map(figure).collect();
            all.sort_by(f64::total_cmp);
            all.get(all.len() / 2).copied().unwrap_or(0.0)
        };
        Sample {
            per_second: of(|s| s.per_second),
            p50: of(|s| s.p50),
            p99: of(|s| s.p99),
            first: of(|s| s.first),
        }
    }
}

impl Load<'_> {
    /// Measures.
    pub async fn run(&self) -> anyhow::Result<Sample> {
        let request = request(self.target, &self.target.secret, self.kind);
        let (address, connections, time) = (self.target.address, self.connections, self.time);
        let begun = Instant::now();
        let load = move || -> anyhow::Result<Vec<(Duration, Duration)>> {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()?;
            let clients = (0..connections).map(|_| client(address, request.clone(), begun + time));
            let clients: Vec<_> = clients.map(|client| runtime.spawn(client)).collect();
            let mut times = Vec::new();
            for client in clients {
                times.extend(runtime.block_on(client)??);
            }
            Ok(times)
        };
        let times = tokio::task::spawn_blocking(load).await??;
        let elapsed = begun.elapsed().as_secs_f64();
        let at = |share: f64, times: &mut Vec<Duration>| {
            times.sort_unstable();
            let index = (times.len() as f64 * share) as usize;
            let time = times.get(index.min(times.len().saturating_sub(1)));
            time.map_or(0.0, |time| time.as_secs_f64() * 1000.0)
        };
        let mut whole: Vec<_> = times.iter().map(|(_, whole)| *whole).collect();
        let mut first: Vec<_> = times.iter().map(|(first, _)| *first).collect();
        Ok(Sample {
            per_second: times.len() as f64 / elapsed,
            p50: at(0.5, &mut whole),
            p99: at(0.99, &mut whole),
            first: at(0.5, &mut first),
        })
    }
}

/// The text of a request.
pub fn request(target: &Running, secret: &str, kind: Kind) -> String {
    let Running {
        address,
        path,
        headers,
        ..
    } = target;
    let body = kind.body();
    format!(
        "POST {path} HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\n\
         authorization: Bearer {secret}\r\n{headers}content-length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// Times to the first byte of the body and to its end.
async fn client(
    address: SocketAddr,
    request: String,
    end: Instant,
) -> anyhow::Result<Vec<(Duration, Duration)>> {
    let mut stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    let mut times = Vec::new();
    let mut bytes = Vec::with_capacity(16 << 10);
    while Instant::now() < end {
        let begun = Instant::now();
        stream.write_all(request.as_bytes()).await?;
        bytes.clear();
        let mut head = None;
        let mut first = None;
        loop {
            if stream.read_buf(&mut bytes).await? == 0 {
                bail!(
                    "the connection was closed: {}",
                    String::from_utf8_lossy(&bytes)
                );
            }
            let (start, length) = match head {
                Some(head) => head,
                None => match read_head(&bytes)? {
                    Some(found) => *head.insert(found),
                    None => continue,
                },
            };
            if bytes.len() > start {
                first.get_or_insert_with(|| begun.elapsed());
            }
            let is_whole = match length {
                Some(length) => bytes.len() >= start + length,
                None => bytes[start..].ends_with(b"\r\n0\r\n\r\n"),
            };
            if is_whole {
                break;
            }
        }
        let whole = begun.elapsed();
        times.push((first.unwrap_or(whole), whole));
    }
    Ok(times)
}

/// Where the body begins, and its length unless it comes in chunks.
fn read_head(bytes: &[u8]) -> anyhow::Result<Option<(usize, Option<usize>)>> {
    let mut headers = [httparse::EMPTY_HEADER; 32];
    let mut head = httparse::Response::new(&mut headers);
    let httparse::Status::Complete(end) = head.parse(bytes)? else {
        return Ok(None);
    };
    if head.code != Some(200) {
        bail!("{}", String::from_utf8_lossy(bytes));
    }
    let mut headers = head.headers.iter();
    let length = headers.find(|header| header.name.eq_ignore_ascii_case("content-length"));
    let number = |header: &httparse::Header<'_>| -> anyhow::Result<usize> {
        Ok(std::str::from_utf8(header.value)?.parse()?)
    };
    let length = length.map(number).transpose();
    Ok(Some((end, length.context("a bad length")?)))
}
