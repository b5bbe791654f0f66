//! From text to formatted Rust that parses, for documents that a grammar makes up.
//!
//! Each document is either refused, with positions in its text, or becomes a server and a
//! client that `syn` parses. No name of the server is taken twice. Nothing panics, overflows
//! the stack of a thread, or takes long. The documents follow from a seed:
//!
//! ```text
//! FUZZ_SECONDS=600 FUZZ_SEED=7 cargo test -p dropforge --features client --test fuzz
//! ```
//!
//! A child process tries the documents, because a stack that overflows ends its process. The last
//! document of the child is in `target/tmp/fuzz.json`.

mod grammar;
mod names;

use std::collections::{BTreeMap, BTreeSet};
use std::panic::catch_unwind;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use dropforge::document::{Diagnostics, Document, Severity};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// How long the documents of one run may take together, unless `FUZZ_SECONDS` says so.
const SECONDS: u64 = 20;

/// The longest that one document may take. A machine under load is slow.
const MAX_TIME: Duration = Duration::from_secs(60);

/// The test that the child process runs.
const TEST: &str = "documents_of_a_grammar_are_refused_with_positions_or_become_code_that_parses";

/// The variable that marks the child process.
const CHILD: &str = "FUZZ_CHILD";

/// The file of the last document.
const LAST: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/fuzz.json");

/// The characters of the last document that are shown when the child fails.
const SHOWN: usize = 4000;

/// The stack of the thread that generates: the half of what a main thread has.
const STACK: usize = 4 << 20;

fn setting(name: &str, otherwise: u64) -> u64 {
    let text = std::env::var(name).ok();
    text.and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// What is generated.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    Server,
    Client,
}

/// What became of a document.
#[derive(Default)]
struct Outcome {
    server: bool,
    client: bool,
    /// The codes of the errors.
    refused: BTreeSet<&'static str>,
}

impl Outcome {
    fn refused(found: &Diagnostics) -> Self {
        let errors = found.iter().filter(|one| one.severity == Severity::Error);
        Outcome {
            refused: errors.map(|error| error.code).collect(),
            ..Outcome::default()
        }
    }
}

/// Generates one side, and says what is wrong with it.
fn judge(text: &str, side: Side) -> Result<Outcome, String> {
    let mut outcome = Outcome::default();
    let document = match Document::load("fuzz.json", text) {
        Ok(document) => document,
        Err(refused) => return positions(&refused, text).map(|()| Outcome::refused(&refused)),
    };
    if side == Side::Client {
        return client(&document, text);
    }
    match dropforge::generate_server(&document, "fuzz") {
        Ok(generated) => {
            names::check(&dropforge::pretty(generated.tokens))
                .map_err(|problem| format!("server: {problem}"))?;
            outcome.server = true;
        }
        Err(refused) => {
            positions(&refused, text)?;
            outcome = Outcome::refused(&refused);
        }
    }
    Ok(outcome)
}

/// The same of the client.
#[cfg(feature = "client")]
fn client(document: &Document, text: &str) -> Result<Outcome, String> {
    let mut outcome = Outcome::default();
    match dropforge::emit::client::generate(document) {
        Ok(generated) => {
            let code = dropforge::pretty(generated.tokens);
            syn::parse_str::<syn::File>(&code).map_err(|error| format!("client: {error}"))?;
            outcome.client = true;
        }
        Err(refused) => {
            positions(&refused, text)?;
            outcome = Outcome::refused(&refused);
        }
    }
    Ok(outcome)
}

#[cfg(not(feature = "client"))]
fn client(_: &Document, _: &str) -> Result<Outcome, String> {
    Ok(Outcome::default())
}

/// Every error has its place in the text.
fn positions(refused: &Diagnostics, text: &str) -> Result<(), String> {
    if !refused.has_errors() {
        return Err("it is refused without an error".to_owned());
    }
    let mut outside = refused
        .iter()
        .filter(|one| one.span.start > one.span.end || one.span.end > text.len());
    match outside.next() {
        Some(one) => Err(format!(
            "`{}` has no place in the text: {}",
            one.code, one.message
        )),
        None => Ok(()),
    }
}

/// The same in a thread, so that a deep recursion and a panic are told from a result.
fn judge_apart(text: &str, side: Side) -> Result<Outcome, String> {
    std::fs::write(LAST, text).expect("a writable folder");
    let owned = text.to_owned();
    let thread = std::thread::Builder::new().stack_size(STACK);
    let begin = Instant::now();
    let thread = thread.spawn(move || catch_unwind(|| judge(&owned, side)));
    let judged = thread.expect("a thread").join().expect("panics are caught");
    let took = begin.elapsed();
    if took > MAX_TIME {
        return Err(format!("it took {took:?}"));
    }
    judged.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        Err(format!("panic: {}", text.unwrap_or_default()))
    })
}

#[test]
fn documents_of_a_grammar_are_refused_with_positions_or_become_code_that_parses() {
    let seed = setting("FUZZ_SEED", 1);
    if std::env::var_os(CHILD).is_some() {
        return try_documents(seed);
    }
    let program = std::env::current_exe().expect("the path of this program");
    let child = Command::new(program)
        .args([TEST, "--exact", "--nocapture"])
        .env(CHILD, "1")
        .stdout(Stdio::null())
        .output()
        .expect("a child process");
    let output = String::from_utf8_lossy(&child.stderr);
    eprint!("{output}");
    if !child.status.success() {
        let last = std::fs::read_to_string(LAST).unwrap_or_default();
        let last: String = last.chars().take(SHOWN).collect();
        panic!(
            "seed {seed}: the child ended with {}. Its last document is in {LAST}:\n{last}",
            child.status
        );
    }
    assert!(output.contains("documents from seed"), "{TEST} did not run");
}

/// What the child does. It prints to standard error: the report of its test runner is on standard output.
fn try_documents(seed: u64) {
    let seconds = Duration::from_secs(setting("FUZZ_SECONDS", SECONDS));
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let strategy = grammar::document();
    let (mut tried, mut servers, mut clients) = (0, 0, 0);
    let mut refusals: BTreeMap<&str, u32> = BTreeMap::new();
    let begin = Instant::now();
    while begin.elapsed() < seconds {
        let mut tree = strategy.new_tree(&mut runner).expect("a document");
        for side in [Side::Server, Side::Client] {
            let text = tree.current().to_string();
            match judge_apart(&text, side) {
                Ok(outcome) => {
                    servers += u32::from(outcome.server);
                    clients += u32::from(outcome.client);
                    if side == Side::Server {
                        for code in outcome.refused {
                            *refusals.entry(code).or_default() += 1;
                        }
                    }
                }
                Err(problem) => {
                    let (text, problem) = smaller(&mut *tree, side, problem);
                    panic!("seed {seed}, document {tried}: {problem}\n{text}");
                }
            }
        }
        tried += 1;
    }
    eprintln!("{tried} documents from seed {seed}: {servers} servers, {clients} clients");
    eprintln!("servers refused, by the code of the error: {refusals:?}");
    // A grammar whose documents are all refused finds nothing.
    assert!(
        tried < 20 || servers * 10 > tried,
        "{servers} of {tried} documents became servers"
    );
}

type Tree = dyn ValueTree<Value = serde_json::Value>;

/// A smaller document with which something is wrong, and what that is.
fn smaller(tree: &mut Tree, side: Side, problem: String) -> (String, String) {
    let mut found = (tree.current().to_string(), problem);
    let begin = Instant::now();
    let mut is_smaller = tree.simplify();
    while is_smaller && begin.elapsed() < Duration::from_secs(60) {
        let text = tree.current().to_string();
        is_smaller = match judge_apart(&text, side) {
            Err(problem) => {
                found = (text, problem);
                tree.simplify()
            }
            Ok(_) => tree.complicate(),
        };
    }
    found
}
