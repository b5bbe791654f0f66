//! A Redis server for one test, without files. It ends with the test.

use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A running server.
pub struct RedisServer {
    address: SocketAddr,
    process: Child,
}

impl RedisServer {
    /// Starts a server on a free port.
    ///
    /// # Panics
    ///
    /// When the program is not installed.
    pub fn start() -> Self {
        // Another program can take the free port before Redis does: then another one is tried.
        for _ in 0..5 {
            let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0));
            let address = free.and_then(|free| free.local_addr()).unwrap();
            if let Some(process) = serve(address) {
                return RedisServer { address, process };
            }
        }
        panic!("redis-server ends");
    }

    /// The address of the server.
    pub fn url(&self) -> String {
        format!("redis://{}", self.address)
    }

    fn connect(&self) -> redis::Connection {
        let client = redis::Client::open(self.url()).unwrap();
        client.get_connection().unwrap()
    }

    /// Deletes all data.
    pub fn erase(&self) {
        redis::cmd("FLUSHDB").exec(&mut self.connect()).unwrap();
    }

    /// The number of scripts that were run.
    pub fn scripts(&self) -> u32 {
        let mut command = redis::cmd("INFO");
        command.arg("commandstats");
        let text: String = command.query(&mut self.connect()).unwrap();
        let mut lines = text.lines();
        let count = lines.find_map(|line| line.strip_prefix("cmdstat_evalsha:calls="));
        let count = count.and_then(|count| count.split_once(','));
        count.map_or(0, |(count, _)| count.parse().unwrap())
    }

    /// Stops the process, so that the server accepts connections and never replies.
    pub fn suspend(&self) {
        let id = self.process.id().to_string();
        let status = Command::new("kill").args(["-STOP", &id]).status().unwrap();
        assert!(status.success());
    }

    /// Kills the server and its data.
    pub fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    /// Starts the killed server again.
    pub fn restart(&mut self) {
        self.process = serve(self.address).expect("redis-server ends");
    }
}

impl Drop for RedisServer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Starts a server, and waits until it listens. Nothing, if it ends.
fn serve(address: SocketAddr) -> Option<Child> {
    let port = address.port().to_string();
    let mut process = Command::new("redis-server")
        .args(["--bind", "127.0.0.1", "--port", &port])
        .args(["--save", "", "--appendonly", "no"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .expect(
            "redis-server is needed; on Debian: apt-get install redis-server, or cargo xtask test",
        );
    let since = Instant::now();
    while TcpStream::connect(address).is_err() {
        if process.try_wait().unwrap().is_some() {
            return None;
        }
        assert!(since.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(10));
    }
    Some(process)
}
