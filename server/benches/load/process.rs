//! Services as processes of their own, so that each has its memory to itself.

use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const TIMEOUT: Duration = Duration::from_secs(30);

/// A process that listens, and ends with this value.
pub struct Process {
    child: Child,
    /// Where it listens: `127.0.0.1:40123`.
    pub address: String,
}

impl Process {
    /// Starts a program and waits until `address` is listened on.
    ///
    /// # Panics
    ///
    /// When it cannot be started or does not listen.
    pub fn start(command: &mut Command, address: String) -> Process {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("{command:?}: {error}"));
        let began = Instant::now();
        while std::net::TcpStream::connect(&address).is_err() {
            if let Ok(Some(status)) = child.try_wait() {
                panic!("{command:?} ended with {status}");
            }
            assert!(began.elapsed() < TIMEOUT, "{command:?} does not listen");
            std::thread::sleep(Duration::from_millis(20));
        }
        Process { child, address }
    }

    /// The most memory that it has had, in MB.
    pub fn peak_memory(&self) -> f64 {
        let status = format!("/proc/{}/status", self.child.id());
        let status = std::fs::read_to_string(status).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB"));
        kilobytes.map_or(f64::NAN, |number| number.parse().unwrap_or(f64::NAN)) / 1024.0
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Either may be gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An address that nobody listens on.
pub fn free_port() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("an address").to_string()
}

/// The service itself, as users run it, over this database and with these
/// settings in its environment.
pub fn service(directory: &Path, database: &str, settings: &[(&str, &str)]) -> Process {
    let address = free_port();
    Process::start(
        Command::new(env!("CARGO_BIN_EXE_accord-server"))
            .args(["serve", "--listen", &address, "--log", "warn", "--data-dir"])
            .arg(directory)
            .env("ACCORD_DATABASE_URL", database)
            // All of the load comes from one client and one address.
            .env("ACCORD_DEVICE_REQUESTS_PER_CLIENT", "0")
            .env("ACCORD_DEVICE_REQUESTS_PER_ADDRESS", "0")
            .envs(settings.iter().copied()),
        address,
    )
}
