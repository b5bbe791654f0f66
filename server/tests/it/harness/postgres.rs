//! A PostgreSQL cluster for this test process alone.
//!
//! It is made of the installed server binaries in a temporary directory, listens
//! on a Unix socket there and, for TLS, on a port, and does not flush to disk, unless it is
//! asked to: it has to survive a test, not a power cut. PostgreSQL refuses to run as root, so then another user
//! runs it.
//!
//! A shell keeps it: when this process ends, however it ends, the pipe to the
//! shell closes, and the shell stops the cluster and removes the directory.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

// Benchmarks include this file by its path, so a path names its module too.
#[path = "installed.rs"]
mod installed;

const MISSING: &str = "PostgreSQL's server programs are needed for the tests, and none were found \
    (looked for initdb in /usr/lib/postgresql/*/bin and in PATH).\n\
    Debian and Ubuntu: apt-get install postgresql\n\
    Fedora: dnf install postgresql-server\n\
    macOS: brew install postgresql\n\
    `cargo xtask test` installs it on Debian when it runs as root.";

/// $1: directory of the programs, $2: a port, $3: whether it flushes to disk, $4: the size of its log of
/// changes, $5: the memory for its pages.
const KEEPER: &str = r#"
trap '' INT TERM HUP
# Each database is hundreds of files. A file system on a disk takes longer to create them than
# PostgreSQL to fill them, so they are in memory if 2 GiB are free there.
memory=$(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 { print $4 }')
place=/tmp
if [ "$3" = off ] && [ "${memory:-0}" -ge 2097152 ]; then place=/dev/shm; fi
directory=$(mktemp -d "$place/accord-postgres-XXXXXX") || exit 1
end() {
    "$1/pg_ctl" -D "$directory/data" -m immediate stop >/dev/null 2>&1
    rm -rf "$directory"
}
cd "$directory" &&
"$1/initdb" -D data -U accord -A trust -E UTF8 --locale=C -N >log 2>&1 &&
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost -addext basicConstraints=critical,CA:FALSE \
    -keyout data/server.key -out data/server.crt >>log 2>&1 &&
chmod 600 data/server.key && cp data/server.crt root.crt && chmod 755 "$directory" &&
"$1/pg_ctl" -D data -w -l log -o "-c listen_addresses=127.0.0.1 -c port=$2 -c ssl=on -c unix_socket_directories='$directory' -c fsync=$3 -c full_page_writes=$3 -c max_connections=300 -c shared_buffers=$5 -c max_wal_size=$4 -c autovacuum=$3" start >/dev/null 2>&1 || {
    sed 's/^/failed /' log
    end "$1"
    exit 1
}
echo "ready $directory"
read -r _
end "$1"
"#;

/// A database that is removed when this is dropped: hundreds of tests with their own fill a disk.
pub struct FreshDatabase {
    url: String,
    name: String,
}

impl FreshDatabase {
    pub fn url(&self) -> &str {
        &self.url
    }
}

impl Drop for FreshDatabase {
    fn drop(&mut self) {
        let _ = cluster().unused.send(std::mem::take(&mut self.name));
    }
}

struct Cluster {
    directory: PathBuf,
    port: u16,
    /// Takes the names of the databases that no test needs any more.
    unused: Sender<String>,
    /// Holds the pipe whose end is the cluster's.
    _keeper: Child,
}

/// The address of a new, empty database, by TCP and with TLS; and the file of
/// the certificate that it shows.
pub fn fresh_database_with_tls() -> (FreshDatabase, PathBuf) {
    let mut database = fresh_database();
    let cluster = cluster();
    database.url = format!(
        "postgres://accord@localhost:{}/{}",
        cluster.port, database.name
    );
    (database, cluster.directory.join("root.crt"))
}

fn cluster() -> &'static Cluster {
    static CLUSTER: OnceLock<Result<Cluster, String>> = OnceLock::new();
    match CLUSTER.get_or_init(start) {
        Ok(cluster) => cluster,
        Err(problem) => panic!("{problem}"),
    }
}

// Benchmarks do not use it.
#[allow(unused_imports)]
#[cfg(unix)]
pub use installed::as_another_user;

static DURABLE: AtomicBool = AtomicBool::new(false);

/// Makes the cluster one as it is installed for a service: it flushes to disk, and has memory for its
/// pages. Before the first database.
// For benchmarks.
#[allow(dead_code)]
pub fn flush_to_disk() {
    DURABLE.store(true, Ordering::Relaxed);
}

/// A new, empty database.
pub fn fresh_database() -> FreshDatabase {
    create("")
}

/// A copy of a database. Nobody may use `original` from then on: PostgreSQL copies only databases
/// without connections.
// Benchmarks do not use it.
#[allow(dead_code)]
pub fn copy_of(original: &FreshDatabase) -> FreshDatabase {
    create(&format!("TEMPLATE {}", original.name))
}

/// `options` are those of `CREATE DATABASE`.
fn create(options: &str) -> FreshDatabase {
    static NEXT: AtomicUsize = AtomicUsize::new(1);
    let cluster = cluster();
    let name = format!("test{}", NEXT.fetch_add(1, Ordering::Relaxed));
    postgres::Client::connect(&cluster.url("postgres"), postgres::NoTls)
        .and_then(|mut client| client.batch_execute(&format!("CREATE DATABASE {name} {options}")))
        .unwrap_or_else(|error| panic!("cannot make a database: {error:?}"));
    let url = cluster.url(&name);
    FreshDatabase { url, name }
}

/// Waits until a database has no connection.
// Benchmarks do not use it.
#[allow(dead_code)]
pub fn wait_until_unused(database: &FreshDatabase) {
    let mut client =
        postgres::Client::connect(&cluster().url("postgres"), postgres::NoTls).unwrap();
    let connections = "SELECT count(*) FROM pg_stat_activity WHERE datname = $1";
    let began = std::time::Instant::now();
    while client
        .query_one(connections, &[&database.name])
        .unwrap()
        .get::<_, i64>(0)
        > 0
    {
        assert!(
            began.elapsed() < std::time::Duration::from_secs(60),
            "still in use"
        );
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}

/// Removes databases until the process ends. On a thread of its own, since the last owner of a
/// database is often a runtime's worker, which must not block.
fn remove_unused(url: String, unused: Receiver<String>) {
    let mut client = postgres::Client::connect(&url, postgres::NoTls)
        .unwrap_or_else(|error| panic!("no database will be removed: {error:?}"));
    for name in unused {
        if let Err(error) = client.batch_execute(&format!("DROP DATABASE {name} WITH (FORCE)")) {
            eprintln!("{name} is not removed: {error:?}");
        }
    }
}

impl Cluster {
    fn url(&self, database: &str) -> String {
        let host = self.directory.display().to_string().replace('/', "%2F");
        format!("postgres://accord@{host}:{}/{database}", self.port)
    }
}

/// Another program can take the free port before PostgreSQL does: then another one is tried.
fn start() -> Result<Cluster, String> {
    let mut started = start_once();
    for _ in 0..4 {
        if !matches!(&started, Err(problem) if problem.contains("Address already in use")) {
            break;
        }
        started = start_once();
    }
    started
}

fn start_once() -> Result<Cluster, String> {
    let programs = installed::programs().ok_or(MISSING)?;
    let free = std::net::TcpListener::bind("127.0.0.1:0");
    let port = free.and_then(|listener| listener.local_addr());
    let port = port.map_err(|error| error.to_string())?.port();
    let mut command = Command::new("/bin/sh");
    command
        .args(["-c", KEEPER, "keeper"])
        .arg(&programs)
        .arg(port.to_string())
        .args(match DURABLE.load(Ordering::Relaxed) {
            // PostgreSQL's own default for the log, and memory as SIZING.md says.
            true => ["on", "1GB", "2GB"],
            false => ["off", "128MB", "32MB"],
        })
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    #[cfg(unix)]
    installed::as_another_user(&mut command)?;
    let mut keeper = command
        .spawn()
        .map_err(|error| format!("cannot start PostgreSQL: {error}"))?;
    let output = keeper.stdout.take().ok_or("no pipe to PostgreSQL")?;
    let mut said = String::new();
    for line in BufReader::new(output).lines().map_while(Result::ok) {
        if let Some(directory) = line.strip_prefix("ready ") {
            let (unused, removed) = channel();
            let cluster = Cluster {
                directory: directory.into(),
                port,
                unused,
                _keeper: keeper,
            };
            let url = cluster.url("postgres");
            std::thread::spawn(move || remove_unused(url, removed));
            return Ok(cluster);
        }
        said.push_str(&line);
        said.push('\n');
    }
    Err(format!(
        "PostgreSQL in {} does not start:\n{said}",
        programs.display()
    ))
}

/// An installed program such as `pg_dump`.
// Benchmarks do not use it.
#[allow(dead_code)]
pub fn program(name: &str) -> PathBuf {
    installed::programs().expect(MISSING).join(name)
}
