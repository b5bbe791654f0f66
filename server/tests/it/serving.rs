//! The program itself, as a process that a test starts.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU16, AtomicU32, Ordering};
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

/// The time for a response, for a line of the log, and for the end of the program.
const PATIENCE: Duration = Duration::from_secs(60);

/// The program in a directory, without the environment of the tests.
pub fn program(directory: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_accord-server"));
    command
        .current_dir(directory)
        .env_clear()
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// The output of a command.
pub fn output(directory: &Path, arguments: &[&str]) -> Output {
    program(directory).args(arguments).output().unwrap()
}

/// The error of a command that fails.
pub fn error_of(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(1));
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// An address at 127.0.0.1 that nobody listens on. Its port is below those that systems give to programs without a port
/// of their own, so that no other test takes it meanwhile.
pub fn free_address() -> SocketAddr {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    // Other processes begin elsewhere.
    let first = std::process::id() % 1000 * 20;
    loop {
        let next = first + NEXT.fetch_add(1, Ordering::Relaxed);
        let port = u16::try_from(10_000 + next % 20_000).unwrap();
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        if TcpListener::bind(address).is_ok() {
            return address;
        }
    }
}

/// An address for a program that a test starts later, or again. On Linux its IP address is used only here, so that no
/// other test takes the port meanwhile.
pub fn own_address() -> SocketAddr {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let [high, low] = NEXT.fetch_add(1, Ordering::Relaxed).to_be_bytes();
    let address = match cfg!(target_os = "linux") {
        true => Ipv4Addr::new(127, 1, high, low),
        false => Ipv4Addr::LOCALHOST,
    };
    let listener = TcpListener::bind((address, 0)).unwrap();
    listener.local_addr().unwrap()
}

/// A program that serves on a free port until it is dropped.
pub struct Serving {
    child: Child,
    /// Address that it listens on.
    pub address: String,
    /// What it prints at its start.
    pub banner: String,
    /// The lines of its log, once a test reads them.
    lines: Option<Receiver<String>>,
}

impl Serving {
    /// Starts the program on a free port.
    pub fn start(directory: &Path, arguments: &[&str]) -> Serving {
        Serving::start_on("127.0.0.1:0", directory, arguments)
    }

    /// Starts the program on this address.
    pub fn start_on(address: &str, directory: &Path, arguments: &[&str]) -> Serving {
        let mut command = program(directory);
        command.args(["--listen", address]).args(arguments);
        Serving::of(command)
    }

    /// Starts a command that becomes the program.
    pub fn of(mut command: Command) -> Serving {
        let mut child = command.spawn().unwrap();
        let mut banner = String::new();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let address = lines.by_ref().map_while(Result::ok).find_map(|line| {
            banner += &line;
            banner.push('\n');
            let after = |scheme| line.split_once(scheme);
            let (_, rest) = after("http://").or_else(|| after("https://"))?;
            let address = rest.split(['/', ' ']).next()?;
            Some(address.to_owned())
        });
        let Some(address) = address else {
            let mut said = String::new();
            child.stderr.take().unwrap().read_to_string(&mut said).ok();
            panic!("does not serve: {said}");
        };
        // The rest is read too, so that the program never waits for a reader.
        let rest = std::thread::spawn(move || lines.map_while(Result::ok).collect::<Vec<_>>());
        drop(rest);
        Serving {
            child,
            address,
            banner,
            lines: None,
        }
    }

    /// A connection to it.
    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// The response to a `GET` on a connection of its own.
    pub fn get(&self, path: &str) -> String {
        let request = format!("GET {path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n");
        let mut stream = self.connect();
        stream.write_all(request.as_bytes()).unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        text
    }

    /// A connection with a request without its body of 12 bytes, for which the program waits.
    pub fn begin_request(&self, headers: &str) -> TcpStream {
        const CONTINUE: &[u8] = b"HTTP/1.1 100 Continue\r\n\r\n";
        let head = format!(
            "POST /oauth2/v1/token HTTP/1.1\r\nhost: a\r\nexpect: 100-continue\r\n{headers}\
             content-type: application/x-www-form-urlencoded\r\ncontent-length: 12\r\n\r\n"
        );
        let mut stream = self.connect();
        stream.write_all(head.as_bytes()).unwrap();
        let mut response = [0; CONTINUE.len()];
        stream.read_exact(&mut response).unwrap();
        assert_eq!(response, CONTINUE);
        stream
    }

    /// Sends a signal.
    pub fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        let status = Command::new("kill").args(["-s", name, &id]).status();
        assert!(status.unwrap().success());
    }

    /// The number of its process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The log since the last call, up to a line with this text.
    pub fn log_until(&mut self, text: &str) -> String {
        let mut log = String::new();
        let lines = self.lines();
        loop {
            let line = lines.recv_timeout(PATIENCE);
            let line =
                line.unwrap_or_else(|error| panic!("no line with {text:?} ({error}): {log}"));
            let is_last = line.contains(text);
            log += &line;
            if is_last {
                return log;
            }
        }
    }

    /// Stops it; what it has logged since the last call of [`log_until`](Self::log_until).
    pub fn log(mut self) -> String {
        self.signal("TERM");
        assert_eq!(self.wait(), Some(0));
        self.lines().iter().collect()
    }

    /// The lines of the log, which a thread reads, so that a test can wait for one with a deadline.
    /// Until the first call nobody reads them.
    fn lines(&mut self) -> &Receiver<String> {
        self.lines.get_or_insert_with(|| {
            let mut errors = BufReader::new(self.child.stderr.take().unwrap());
            let (sender, lines) = std::sync::mpsc::channel();
            std::thread::spawn(move || {
                let mut line = String::new();
                while errors.read_line(&mut line).is_ok_and(|length| length > 0) {
                    if sender.send(std::mem::take(&mut line)).is_err() {
                        return;
                    }
                }
            });
            lines
        })
    }

    /// Waits for its end; the exit code.
    pub fn wait(&mut self) -> Option<i32> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            assert!(Instant::now() < deadline, "does not stop");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
