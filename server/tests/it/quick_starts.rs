//! Runs the quick starts of the published documents as a newcomer does: all `sh` blocks in order, in one shell, against
//! a service with the demo catalog. If the paragraph before a block says `sign in as`, the test replaces the reader's
//! browser: it signs in, and approves the devices whose user codes have been printed.
//!
//! Only the port differs from the text. A block that shows an error says so in the paragraph before it, by naming the
//! status.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use accord_server::area::Area;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use crate::harness::{Database, Server, run};
use crate::identity::browser::Browser;
use crate::identity::client::{ANA, PASSWORD};

/// Time limit of one block.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The address at which `cargo run` listens.
const PRINTED_ADDRESS: &str = "127.0.0.1:8080";

/// Runs the files that it reads, in one shell, and ends at the first command that fails.
const SHELL: &str = r#"exec 3<&0 </dev/null 2>&1
while IFS= read -r file <&3; do . "$file"; printf '\n%s\n' "$END"; done"#;

/// Separates the output of one block from that of the next.
const END: &str = "=== end of the block ===";

/// curl's configuration: every call prints its status.
const TRACE: &str = "write-out = \"%{stderr}\\ncall: %{http_code} %{method} %{url}\\n\"\n";

#[test]
fn the_quick_start_of_accounts_works_as_printed() {
    works_as_printed(Area::Accounts);
}

#[test]
fn the_quick_start_of_identity_works_as_printed() {
    works_as_printed(Area::Identity);
}

#[test]
fn the_quick_start_of_inference_works_as_printed() {
    works_as_printed(Area::Inference);
}

#[test]
fn the_quick_start_of_patterns_works_as_printed() {
    works_as_printed(Area::Patterns);
}

fn works_as_printed(area: Area) {
    run(Database::Sqlite, async move |server: Server| {
        let document = server
            .get(&format!("/openapi/{}.json", area.name()))
            .await
            .json::<serde_json::Value>()
            .await
            .unwrap();
        let blocks = blocks(document["info"]["description"].as_str().unwrap());
        assert!(!blocks.is_empty(), "info.description has no sh block");
        let mut shell = Shell::start(&server);
        for block in &blocks {
            let output = shell.run(block).await;
            println!("$ {}\n{output}", block.commands);
            check(block, &output);
        }
    });
}

/// A fenced block of commands.
#[derive(Debug, PartialEq)]
struct Block {
    /// The statuses that the paragraph before it names.
    announced: BTreeSet<String>,
    /// Whether that paragraph asks the reader to sign in.
    signs_in: bool,
    commands: String,
}

fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut paragraph = String::new();
    let mut fence: Option<(bool, String)> = None;
    for line in text.lines() {
        match (&mut fence, line.trim().strip_prefix("```")) {
            (None, Some(language)) => fence = Some((language == "sh", String::new())),
            (None, None) if line.trim().is_empty() => paragraph.push('\n'),
            (None, None) => {
                // The blank line that ended the previous paragraph.
                if paragraph.ends_with('\n') {
                    paragraph.clear();
                }
                paragraph.push_str(line);
                paragraph.push(' ');
            }
            (Some((_, commands)), None) => {
                commands.push_str(line);
                commands.push('\n');
            }
            (Some((is_shell, commands)), Some(_)) => {
                if *is_shell {
                    blocks.push(Block {
                        announced: statuses(&paragraph),
                        signs_in: paragraph.to_lowercase().contains("sign in as"),
                        commands: std::mem::take(commands),
                    });
                }
                paragraph.clear();
                fence = None;
            }
        }
    }
    blocks
}

/// The statuses of errors that a text names.
fn statuses(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let is_status = |word: &&str| {
        word.len() == 3 && word.starts_with(['4', '5']) && word.bytes().all(|b| b.is_ascii_digit())
    };
    words.filter(is_status).map(str::to_owned).collect()
}

/// The user codes that a line shows: eight consonants.
fn user_codes(line: &str) -> impl Iterator<Item = &str> {
    let words = line.split(|c: char| !c.is_ascii_alphanumeric());
    let is_consonant = |c: char| "BCDFGHJKLMNPQRSTVWXZ".contains(c);
    words.filter(move |word| word.len() == 8 && word.chars().all(is_consonant))
}

/// Compares the calls of a block with the text before it.
fn check(block: &Block, output: &str) {
    let context = || format!("{}\nprinted:\n{output}", block.commands);
    let printed = statuses(output);
    let missing: Vec<_> = block.announced.difference(&printed).collect();
    assert!(
        missing.is_empty(),
        "the text announces {missing:?}: {}",
        context()
    );
    let calls = output
        .lines()
        .filter_map(|line| line.strip_prefix("call: "));
    for (status, target) in calls.filter_map(|call| call.split_once(' ')) {
        let expected = status < "400"
            || block.announced.contains(status)
            // The user has not approved the device yet.
            || (status == "400" && target.ends_with("/oauth2/v1/token"));
        assert!(
            expected,
            "the text does not announce {status}: {}",
            context()
        );
    }
}

/// A shell that runs one block after the other.
struct Shell {
    server: Server,
    files: tempfile::TempDir,
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// The user codes that have been printed, and whether the test has approved them.
    user_codes: BTreeMap<String, bool>,
    blocks: usize,
}

impl Shell {
    fn start(server: &Server) -> Shell {
        let files = tempfile::tempdir().unwrap();
        std::fs::write(files.path().join(".curlrc"), TRACE).unwrap();
        // `cargo run` stores its data in ./data.
        let data = &server.app().config.server.data_dir;
        std::os::unix::fs::symlink(data, files.path().join("data")).unwrap();
        let mut child = Command::new("bash")
            .args(["-e", "-c", SHELL])
            .current_dir(files.path())
            .env("HOME", files.path())
            .env("CURL_HOME", files.path())
            .env("END", END)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        Shell {
            server: server.clone(),
            input: child.stdin.take().unwrap(),
            output: BufReader::new(child.stdout.take().unwrap()),
            child,
            files,
            user_codes: BTreeMap::new(),
            blocks: 0,
        }
    }

    /// Runs a block, and returns its output.
    async fn run(&mut self, block: &Block) -> String {
        self.blocks += 1;
        let file = self.files.path().join(format!("block-{}.sh", self.blocks));
        let address = self.server.address().to_string();
        let commands = block.commands.replace(PRINTED_ADDRESS, &address);
        std::fs::write(&file, commands).unwrap();
        let mut printed = String::new();
        let ended =
            tokio::time::timeout(TIMEOUT, self.follow(&file, block.signs_in, &mut printed)).await;
        let context = || format!("{}\nprinted:\n{printed}", block.commands);
        match ended {
            Err(_) => panic!("the block does not end:\n{}", context()),
            Ok(false) => panic!("a command of the block failed:\n{}", context()),
            Ok(true) => printed,
        }
    }

    /// Runs a file in the shell. Returns whether all of its commands succeeded.
    async fn follow(&mut self, file: &Path, signs_in: bool, printed: &mut String) -> bool {
        if signs_in {
            self.approve().await;
        }
        let line = format!("{}\n", file.display());
        self.input.write_all(line.as_bytes()).await.unwrap();
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line).await.unwrap() == 0 {
                self.child.wait().await.unwrap();
                return false;
            }
            if line.trim_end() == END {
                return true;
            }
            for code in user_codes(&line) {
                self.user_codes.entry(code.to_owned()).or_insert(false);
            }
            if signs_in {
                self.approve().await;
            }
            printed.push_str(&line);
        }
    }

    /// Approves the devices that the user sees.
    async fn approve(&mut self) {
        for (user_code, is_approved) in &mut self.user_codes {
            if !std::mem::replace(is_approved, true) {
                let mut browser = Browser::signed_in(&self.server, ANA, PASSWORD).await;
                browser.decide(user_code, "approve").await;
            }
        }
    }
}

#[test]
fn a_block_announces_the_statuses_of_the_paragraph_before_it() {
    let text = "About 500 of them.\n\nFirst.\n\n```sh\ntrue\n```\n\n```json\n{}\n```\n\nThe service\nreturns 404.\n\n```sh\na\nb\n```\n";
    let block = |announced: &[&str], commands: &str| Block {
        announced: announced.iter().map(|&status| status.to_owned()).collect(),
        signs_in: false,
        commands: commands.to_owned(),
    };
    assert_eq!(
        blocks(text),
        [block(&[], "true\n"), block(&["404"], "a\nb\n")]
    );
}
