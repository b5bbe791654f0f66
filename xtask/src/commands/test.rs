//! `test`: all checks and tests that must pass before a change is merged.
//!
//! Cheap steps come first. All steps run, so that one run finds every failure. Steps that use little
//! of the processors run beside others. The tests come last, and print last.

mod beside;
mod ended;
mod programs;
mod requirements;
mod tally;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::JoinHandle;
use std::time::Instant;

use anyhow::Context;
use clap::ValueEnum;

use crate::{Outcome, repository, tools};
use beside::Beside;
use ended::{Ended, Failed};

/// The documentation is for developers of this repository, so it may link to private items.
const RUSTDOC: &str = "--deny=warnings --allow=rustdoc::private_intra_doc_links";

/// The same mutants each time, and the share of them that must be found before anything is
/// compiled.
const MUTATE: [&str; 7] = ["mutate", "--sample", "240", "--seed", "6", "--target", "88"];

/// The same typos each time. The generator must find all of them.
const TYPOS: [&str; 6] = ["mutate", "--typos", "--sample", "1500", "--seed", "6"];

/// The main failures, with the service as the tests build it.
const CLUSTER: [&str; 4] = ["cluster", "--short", "--profile", "dev"];

/// Check and test everything
///
/// Tools that the tests need beyond Rust (PostgreSQL's programs, Node, Python, a
/// browser) are installed on Debian when this runs as root, and named elsewhere.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask test                everything
  cargo xtask test --fast         formatting, lints and fast tests, with the installed tools
  cargo xtask test --only clippy  one step

Exit code: 0 when all of it holds, 1 when something does not, 2 when something
that is needed is missing.")]
pub(crate) struct Arguments {
    /// Skip slow parts that seldom fail: tools, documentation, judge, mutants, typos, cluster, tour, and the tests that
    /// start the service or compile projects
    #[arg(long, conflicts_with = "only")]
    fast: bool,
    /// Run this step alone; may be given several times
    #[arg(long, value_name = "STEP")]
    only: Vec<Step>,
}

/// A part of the test run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
enum Step {
    /// Install or name the requirements of the tests
    Tools,
    /// cargo fmt --check
    Fmt,
    /// cargo clippy, where every warning is an error
    Clippy,
    /// cargo doc, where every warning is an error
    Doc,
    /// Compile everything that the next steps run
    Build,
    /// cargo xtask regenerate --check
    Regenerate,
    /// cargo xtask package --compare
    Compare,
    /// cargo xtask judge
    Judge,
    /// cargo xtask lint
    Lint,
    /// cargo xtask mutate, with a sample that takes a few minutes
    Mutate,
    /// cargo xtask mutate --typos, with a sample that takes a minute
    Typos,
    /// cargo xtask tour
    Tour,
    /// cargo xtask cluster --short, which takes about two minutes
    Cluster,
    /// cargo test
    Test,
}

impl Step {
    fn is_slow(self) -> bool {
        matches!(
            self,
            Step::Tools
                | Step::Doc
                | Step::Judge
                | Step::Mutate
                | Step::Typos
                | Step::Cluster
                | Step::Tour
        )
    }

    /// The steps beside which it runs, because it mostly waits or uses one processor. It begins with the first of them.
    fn runs_beside(self) -> &'static [Step] {
        static CHECKS: [Step; 6] = [
            Step::Regenerate,
            Step::Compare,
            Step::Judge,
            Step::Mutate,
            Step::Typos,
            Step::Tour,
        ];
        match self {
            Step::Lint => &CHECKS[..3],
            Step::Cluster => &CHECKS,
            _ => &[],
        }
    }

    /// Whether programs of others, which [`tools`] installs, are run.
    fn runs_tools(self) -> bool {
        matches!(self, Step::Judge | Step::Test)
    }

    /// Runs it. `program` is the path of this tool, and `failed` are the steps that failed before.
    fn run(self, program: &Path, is_fast: bool, failed: &[Failed]) -> anyhow::Result<Ended> {
        match self {
            Step::Tools => requirements::install_missing().map(|()| Ended::with(true)),
            Step::Test if is_fast => tally::run(programs::fast()?, failed).map(Ended::with),
            Step::Test => tally::run(programs::all(), failed).map(Ended::with),
            _ => ended::run(self.command(program)),
        }
    }

    /// The command that runs it alone.
    fn command(self, program: &Path) -> Command {
        let this = |arguments: &[&str]| command(program.as_os_str(), arguments);
        let modest = |arguments: &[&str]| modest(program, arguments);
        let cargo = |arguments: &[&str]| command(&repository::cargo(), arguments);
        match self {
            Step::Fmt => cargo(&["fmt", "--all", "--check"]),
            Step::Clippy => cargo(&[
                "clippy",
                "--workspace",
                "--all-targets",
                "--",
                "--deny=warnings",
            ]),
            Step::Doc => {
                let mut doc = cargo(&["doc", "--workspace", "--no-deps"]);
                doc.arg("--document-private-items");
                doc.env("RUSTDOCFLAGS", RUSTDOC);
                doc
            }
            Step::Build => cargo(&["test", "--workspace", "--no-run"]),
            Step::Regenerate => modest(&["regenerate", "--check"]),
            Step::Compare => modest(&["package", "--compare"]),
            Step::Judge => modest(&["judge"]),
            Step::Lint => modest(&["lint"]),
            Step::Mutate => modest(&MUTATE),
            Step::Typos => modest(&TYPOS),
            Step::Cluster => this(&CLUSTER),
            Step::Tour => this(&["tour"]),
            Step::Tools => this(&["test", "--only", "tools"]),
            Step::Test => this(&["test", "--only", "test"]),
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Outcome> {
    let chosen = |step: &&Step| match arguments.only.as_slice() {
        [] => !(arguments.fast && step.is_slow()),
        only => only.contains(step),
    };
    let steps = Step::value_variants().iter().filter(chosen).copied();
    let steps: Vec<Step> = steps.collect();
    // A step builds this program again, and replaces its file. So its path is read before.
    let program = std::env::current_exe().context("cannot find this program")?;
    let mut failed = Vec::new();
    let mut took = Vec::new();
    // The clients of others are installed beside the steps: most of that time goes to the network.
    let mut clients = None;
    let mut beside: BTreeMap<Step, Beside> = BTreeMap::new();
    for step in steps.iter().copied() {
        if step.runs_tools()
            && let Some(clients) = clients.take()
        {
            wait_for(clients)?;
        }
        let joins = |other: &&Step| other.runs_beside().contains(&step);
        for other in steps.iter().filter(joins).copied() {
            if let Entry::Vacant(free) = beside.entry(other) {
                eprintln!("== {}: begins, and prints later", name(other));
                free.insert(Beside::start(other.command(&program))?);
            }
        }
        if step == Step::Test {
            print_so_far(&took, &failed);
        }
        eprintln!("== {}", name(step));
        let began = Instant::now();
        // The time of a step that has run beside others is what the others have waited for it.
        let (ended, waited) = match beside.remove(&step) {
            Some(running) => (running.end()?, "waited "),
            None => (step.run(&program, arguments.fast, &failed)?, ""),
        };
        let verdict = if ended.succeeded { "ok" } else { "FAILED" };
        if !ended.succeeded {
            failed.push(Failed {
                name: name(step),
                last_lines: ended.last_lines,
            });
        }
        if step == Step::Tools {
            clients = Some(std::thread::spawn(tools::clients));
        }
        // The summary of the tests ends the output.
        if step != Step::Test {
            let seconds = began.elapsed().as_secs_f64();
            took.push(format!("{} {waited}{seconds:.0} s", name(step)));
            eprintln!("== {}: {verdict}, {waited}{seconds:.1} s", name(step));
        }
    }
    if let Some(clients) = clients {
        wait_for(clients)?;
    }
    Ok(match failed.is_empty() {
        true => Outcome::Success,
        false => Outcome::Failure,
    })
}

/// Prints what the steps before the tests took, and which of them failed.
fn print_so_far(took: &[String], failed: &[Failed]) {
    if !took.is_empty() {
        eprintln!("== so far: {}", took.join(", "));
    }
    if !failed.is_empty() {
        let names: Vec<&str> = failed.iter().map(|step| step.name.as_str()).collect();
        eprintln!("== failed so far: {}", names.join(", "));
    }
}

/// Waits until the clients, servers and linters of others are installed.
fn wait_for(clients: JoinHandle<anyhow::Result<()>>) -> anyhow::Result<()> {
    let began = Instant::now();
    let installed = clients.join();
    installed.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
    eprintln!(
        "== the tools are installed, waited {:.1} s",
        began.elapsed().as_secs_f64()
    );
    Ok(())
}

fn name(step: Step) -> String {
    step.to_possible_value()
        .map(|value| value.get_name().to_owned())
        .unwrap_or_default()
}

fn command(program: &std::ffi::OsStr, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .current_dir(repository::root())
        .stdin(Stdio::null());
    command
}

/// This tool with the lowest priority: the trial of a cluster runs beside it, and its calls have time limits.
fn modest(program: &Path, arguments: &[&str]) -> Command {
    let mut modest = command("nice".as_ref(), &["-n", "19"]);
    modest.arg(program).args(arguments);
    modest
}
