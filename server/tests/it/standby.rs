//! A read-only standby in place of the primary.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use accord_server::store::Store;

use crate::harness::postgres::{as_another_user, program};
use crate::serving::free_address;

/// $1: `initdb`, $2: `pg_ctl`, $3: a port. A cluster with this file replays the log of a primary, as
/// soon as it has one, and answers queries meanwhile. The shell stops it and removes its directory when its
/// input closes, also after an interrupt of the test, which the shell ignores.
const KEEPER: &str = r#"
trap '' INT TERM HUP
directory=$(mktemp -d /tmp/accord-standby-XXXXXX) && cd "$directory" &&
"$1" -D data -U accord -A trust -E UTF8 --locale=C -N >log 2>&1 && touch data/standby.signal &&
"$2" -D data -w -l log -o "-c listen_addresses=127.0.0.1 -c port=$3 -c unix_socket_directories='$directory'" start >/dev/null 2>&1
echo "$?"
read -r command
if [ "$command" = promote ]; then "$2" -D data -w promote >/dev/null 2>&1; echo "$?"; read -r command; fi
"$2" -D data -m immediate stop >/dev/null 2>&1
rm -rf "$directory"
"#;

struct Standby {
    keeper: Child,
    output: BufReader<std::process::ChildStdout>,
    port: u16,
}

impl Standby {
    fn start() -> Standby {
        let port = free_address().port();
        let mut command = Command::new("/bin/sh");
        command
            .args(["-c", KEEPER, "keeper"])
            .args([program("initdb"), program("pg_ctl")])
            .arg(port.to_string())
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        as_another_user(&mut command).unwrap();
        let mut keeper = command.spawn().unwrap();
        let output = BufReader::new(keeper.stdout.take().unwrap());
        let mut standby = Standby {
            keeper,
            output,
            port,
        };
        standby.succeeds();
        standby
    }

    fn succeeds(&mut self) {
        let mut status = String::new();
        self.output.read_line(&mut status).unwrap();
        assert_eq!(status, "0\n");
    }

    fn promote(&mut self) {
        use std::io::Write as _;
        let input = self.keeper.stdin.as_mut().unwrap();
        input.write_all(b"promote\n").unwrap();
        self.succeeds();
    }

    fn url(&self) -> String {
        format!("postgres://accord@127.0.0.1:{}/postgres", self.port)
    }
}

impl Drop for Standby {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        let _ = self.keeper.wait();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_standby_is_refused_until_it_is_promoted() {
    let started = tokio::task::spawn_blocking(Standby::start);
    let mut standby = started.await.unwrap();
    let refused = Store::open(&standby.url()).await.err().expect("a refusal");
    assert!(refused.is_temporary(), "{refused}");
    let reason = "the server is a read-only standby: set database.url to the primary, or to all \
                  hosts with target_session_attrs=read-write";
    assert!(refused.to_string().contains(reason), "{refused}");
    // The driver looks for another host, and there is none.
    let url = format!("{}?target_session_attrs=read-write", standby.url());
    let refused = Store::open(&url).await.err().expect("a refusal");
    assert!(refused.is_temporary(), "{refused}");
    assert!(
        refused.to_string().contains("does not allow writes"),
        "{refused}"
    );
    standby.promote();
    Store::open(&url).await.unwrap().ping().await.unwrap();
}
