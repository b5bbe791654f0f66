//! A proxy in front of PostgreSQL that counts what passes.
//!
//! It reads the messages of the frontend/backend protocol, version 3: a type, and a length with the
//! body. Only the first message of a client has no type.

use std::io::{BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

/// The counts since the start of the proxy.
#[derive(Debug, Default)]
struct Counters {
    round_trips: AtomicU64,
    transactions: AtomicU64,
    statements: AtomicU64,
    written: AtomicU64,
}

/// Counts at one time, or their growth.
#[derive(Debug, Clone, Copy, Default)]
pub struct Counts {
    /// Times that a client sends something and waits.
    pub round_trips: f64,
    /// Transactions that begin.
    pub transactions: f64,
    /// Statements that read or write rows.
    pub statements: f64,
    /// Rows that are inserted, updated or deleted.
    pub written: f64,
}

impl Counts {
    /// Combines two counts, figure by figure.
    pub fn with(self, other: Counts, combine: impl Fn(f64, f64) -> f64) -> Counts {
        Counts {
            round_trips: combine(self.round_trips, other.round_trips),
            transactions: combine(self.transactions, other.transactions),
            statements: combine(self.statements, other.statements),
            written: combine(self.written, other.written),
        }
    }
}

/// A running proxy. It ends with the process.
pub struct Proxy {
    /// The address on which it listens.
    pub address: SocketAddr,
    counters: Arc<Counters>,
}

impl Proxy {
    /// Starts a proxy in front of the server at this port of this machine.
    pub fn start(port: u16) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        let counters = Arc::<Counters>::default();
        let shared = Arc::clone(&counters);
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let server = TcpStream::connect(("127.0.0.1", port)).expect("the database");
                connect(client, server, &shared);
            }
        });
        Proxy { address, counters }
    }

    /// The counts until now.
    pub fn counts(&self) -> Counts {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed) as f64;
        Counts {
            round_trips: read(&self.counters.round_trips),
            transactions: read(&self.counters.transactions),
            statements: read(&self.counters.statements),
            written: read(&self.counters.written),
        }
    }
}

fn connect(client: TcpStream, server: TcpStream, counters: &Arc<Counters>) {
    for stream in [&client, &server] {
        stream.set_nodelay(true).expect("TCP_NODELAY");
    }
    let both = |stream: &TcpStream| stream.try_clone().expect("a second handle");
    let (to_client, to_server) = (both(&client), both(&server));
    // Requests whose end the server has not confirmed.
    let open = Arc::new(AtomicU64::new(0));
    let (sent, counted) = (Arc::clone(&open), Arc::clone(counters));
    thread::spawn(move || {
        forward(client, to_server, false, |kind, _| {
            // Query and Sync are the messages that the server answers with ReadyForQuery.
            if matches!(kind, b'Q' | b'S') && sent.fetch_add(1, Ordering::SeqCst) == 0 {
                counted.round_trips.fetch_add(1, Ordering::Relaxed);
            }
        });
    });
    let counted = Arc::clone(counters);
    let mut is_started = false;
    thread::spawn(move || {
        forward(server, to_client, true, |kind, body| match kind {
            // The first one ends the start of the connection.
            b'Z' if !is_started => is_started = true,
            b'Z' => {
                open.fetch_sub(1, Ordering::SeqCst);
            }
            b'C' => counted.complete(body),
            _ => {}
        });
    });
}

impl Counters {
    /// Counts a statement by its CommandComplete, as in `UPDATE 3`, `INSERT 0 1` or `BEGIN`.
    fn complete(&self, body: &[u8]) {
        let tag = String::from_utf8_lossy(body);
        let mut words = tag.trim_end_matches('\0').split(' ');
        let rows = words.clone().next_back().and_then(|rows| rows.parse().ok());
        match (words.next(), rows) {
            (Some("BEGIN"), _) => {
                self.transactions.fetch_add(1, Ordering::Relaxed);
            }
            (Some("INSERT" | "UPDATE" | "DELETE"), Some(rows)) => {
                self.statements.fetch_add(1, Ordering::Relaxed);
                self.written.fetch_add(rows, Ordering::Relaxed);
            }
            (Some("SELECT"), _) => {
                self.statements.fetch_add(1, Ordering::Relaxed);
            }
            _ => {}
        }
    }
}

/// Forwards messages until a side closes the connection.
fn forward(
    from: TcpStream,
    mut to: TcpStream,
    mut has_type: bool,
    mut see: impl FnMut(u8, &[u8]),
) -> Option<()> {
    let mut from = BufReader::new(from);
    loop {
        let mut message = Vec::new();
        if has_type {
            message.push(read::<1>(&mut from)?[0]);
        }
        let length = read::<4>(&mut from)?;
        message.extend(length);
        let body = usize::try_from(u32::from_be_bytes(length)).ok()?;
        let start = message.len();
        message.resize(start + body.checked_sub(4)?, 0);
        from.read_exact(&mut message[start..]).ok()?;
        if has_type {
            see(message[0], &message[start..]);
        }
        has_type = true;
        to.write_all(&message).ok()?;
    }
}

fn read<const N: usize>(from: &mut impl Read) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    from.read_exact(&mut bytes).ok()?;
    Some(bytes)
}
