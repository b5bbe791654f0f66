//! How fast generated servers are: two operations of the accounts document as the
//! generator makes them, beside the same two written by hand on dropshot and on
//! axum.
//!
//! One program in several roles: each server is a process of its own, the load
//! starts them in turn, many times over for a short while each, and what is printed are
//! medians: of the figures themselves, and of what each round's are of that round's
//! hand-written dropshot, so that a machine whose speed changes spoils no comparison.
//! Everybody looks for a bearer token, reads the same requests and writes the same
//! answers, with the request's id as the document asks; the generated server also
//! checks every constraint of the document.
//!
//! What those checks cost is counted in instructions, beside parsing the same body
//! and beside what the crate `jsonschema` needs for it, and so is each whole request:
//! `--count`. `--rehearse` asks each server for each operation, for programs that are
//! built to count what runs in them.

#![allow(missing_docs)]

mod by_axum;
mod by_dropshot;
#[path = "../../../server/benches/load/chart.rs"]
#[allow(dead_code)]
mod chart;
#[path = "../../../server/benches/load/closed_loop.rs"]
#[allow(dead_code)]
mod closed_loop;
mod count;
mod data;
mod generated;
mod whole;

use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use closed_loop::{Figures, Request, closed_loop, median};

const CONNECTIONS: usize = 16;
const WARM_UP: Duration = Duration::from_millis(300);

/// The allocator of the service, for every server.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Who is measured; the first is ours.
const SERVERS: [&str; 3] = ["generated", "dropshot", "axum"];

/// What the generated server must reach of the one that is written by hand on
/// dropshot: in requests a second at least, in p99 at most.
const RATE: f64 = 0.85;
const P99: f64 = 1.1;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments
        .iter()
        .map(String::as_str)
        .filter(|argument| *argument != "--bench")
        .collect();
    let number = |name: &str, otherwise: u64| {
        let at = arguments.iter().position(|argument| *argument == name);
        let value = at.and_then(|at| arguments.get(at + 1)?.parse().ok());
        value.unwrap_or(otherwise)
    };
    match arguments.as_slice() {
        ["serve", server, address] => {
            runtime().block_on(serve(server, address));
            ExitCode::SUCCESS
        }
        ["repeat", what, times] => {
            count::repeat(what, times.parse().unwrap_or(0));
            ExitCode::SUCCESS
        }
        ["--count"] => count::run(),
        ["--rehearse"] => {
            count::rehearse();
            ExitCode::SUCCESS
        }
        _ => measure(
            usize::try_from(number("--rounds", 15)).unwrap_or(15),
            Duration::from_secs(number("--seconds", 1)),
        ),
    }
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .expect("a runtime")
}

async fn serve(server: &str, address: &str) {
    let address = address.parse().expect("an address");
    match server {
        "generated" => generated::serve(address).await,
        "dropshot" => by_dropshot::serve(address).await,
        "axum" => by_axum::serve(address).await,
        other => panic!("there is no server `{other}`"),
    }
}

/// A server as a process of its own, which ends with this value.
struct Running {
    child: Child,
    address: String,
}

impl Running {
    fn start(server: &str) -> Running {
        let free = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = free.local_addr().expect("an address").to_string();
        drop(free);
        let child = Command::new(std::env::current_exe().expect("this program"))
            .args(["serve", server, &address])
            .stdin(Stdio::null())
            .spawn()
            .expect("a server");
        let began = Instant::now();
        while std::net::TcpStream::connect(&address).is_err() {
            assert!(began.elapsed().as_secs() < 30, "{server} does not listen");
            std::thread::sleep(Duration::from_millis(20));
        }
        Running { child, address }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Either may be gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn measure(rounds: usize, length: Duration) -> ExitCode {
    let cases = [
        ("createUser, 354 bytes of JSON", data::create()),
        ("listOrganizations, 20 of them", data::list()),
    ];
    let mut runs: [[Vec<Figures>; 3]; 2] = Default::default();
    let load = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    for round in 1..=rounds {
        for (case, (_, (request, answer))) in cases.iter().enumerate() {
            // Nobody is always first.
            for turn in 0..SERVERS.len() {
                let server = (turn + round) % SERVERS.len();
                let running = Running::start(SERVERS[server]);
                let run = |length| {
                    let (request, answer) = (request.clone(), answer.clone());
                    load.block_on(closed_loop(
                        &running.address,
                        CONNECTIONS,
                        length,
                        move || Some(Request::clone(&request)),
                        move |given| {
                            assert_eq!(given.status, 200);
                            assert!(given.headers.contains_key(data::REQUEST_ID));
                            assert_eq!(given.body, answer);
                        },
                    ))
                };
                run(WARM_UP);
                runs[case][server].push(run(length));
            }
        }
        eprintln!("round {round} of {rounds}");
    }
    let mut lines = vec![heading()];
    let mut kept = true;
    for ((name, _), of) in cases.iter().zip(&runs) {
        let medians = of.each_ref().map(|runs| median(runs));
        let shares = of.each_ref().map(|runs| median(&shares(runs, &of[1])));
        for ((server, figures), share) in SERVERS.iter().zip(medians).zip(shares) {
            lines.push(vec![
                (*name).to_owned(),
                (*server).to_owned(),
                format!("{:.0}", figures.rate),
                format!("{:.2}", share.rate),
                format!("{:.2}", figures.p50),
                format!("{:.2}", figures.p99),
                format!("{:.2}", share.p99),
            ]);
        }
        kept &= shares[0].rate >= RATE && shares[0].p99 <= P99;
    }
    print!("{}", chart::table(&lines));
    println!(
        "\nMedians of {rounds} rounds of {} s, {CONNECTIONS} connections on loopback.",
        length.as_secs()
    );
    println!(
        "Asked of the generated server: {RATE} of dropshot's requests a second, {P99} of its p99: {}.",
        if kept { "reached" } else { "missed" }
    );
    match kept {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

/// What the figures of each round are of the other's in the same round.
fn shares(runs: &[Figures], others: &[Figures]) -> Vec<Figures> {
    let share = |(run, other): (&Figures, &Figures)| Figures {
        rate: run.rate / other.rate,
        p50: run.p50 / other.p50,
        p99: run.p99 / other.p99,
    };
    runs.iter().zip(others).map(share).collect()
}

fn heading() -> Vec<String> {
    let names = [
        "operation",
        "server",
        "requests/s",
        "of dropshot",
        "p50 ms",
        "p99 ms",
        "of dropshot",
    ];
    names.map(str::to_owned).to_vec()
}
