//! The snippets of the README that call models, run as they are printed. Only the address differs from the text.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use accord_server::area::Area;
use tokio::process::Command;

use super::client::Manager;
use crate::harness::{Database, Server, run, tools};

const README: &str = include_str!("../../../../README.md");
const SECTION: &str = "## Point any SDK at it\n";

/// The address at which `cargo run` listens.
const PRINTED_ADDRESS: &str = "http://127.0.0.1:8080";

/// Time limit of one snippet.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Language and text of each snippet in the section.
fn snippets() -> Vec<(&'static str, &'static str)> {
    let (_, section) = README.split_once(SECTION).expect("the section");
    let (section, _) = section.split_once("\n## ").expect("a next section");
    let fenced = section.split("```").skip(1).step_by(2);
    fenced
        .map(|snippet| snippet.split_once('\n').expect("a language"))
        .collect()
}

/// Runs a file, and returns what it printed.
async fn printed(program: &Path, file: &Path, secret: &str) -> String {
    let output = Command::new(program)
        .arg(file)
        .env("SECRET", secret)
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output();
    let output = tokio::time::timeout(TIMEOUT, output)
        .await
        .unwrap_or_else(|_| panic!("{} does not end", file.display()))
        .unwrap_or_else(|error| panic!("{}: {error}", program.display()));
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Runs each snippet at this address, with a secret of an API key. The answers must contain the message.
pub async fn run_snippets(address: &str, secret: &str) {
    let mut languages = Vec::new();
    for (language, text) in snippets() {
        assert!(text.contains(PRINTED_ADDRESS), "{text}");
        let (program, folder, suffix) = match language {
            "sh" => (PathBuf::from("/bin/sh"), std::env::temp_dir(), ".sh"),
            "python" => {
                let folder = tools::folder("python");
                (folder.join("bin/python"), folder, ".py")
            }
            // Packages are looked up beside the script.
            "js" => (PathBuf::from("node"), tools::folder("node"), ".mjs"),
            other => panic!("no program runs `{other}`"),
        };
        let mut file = tempfile::Builder::new();
        let file = file.suffix(suffix).tempfile_in(folder).unwrap();
        std::fs::write(file.path(), text.replace(PRINTED_ADDRESS, address)).unwrap();
        let output = printed(program.as_path(), file.path(), secret).await;
        assert!(output.contains("Hello"), "{language}: {output}");
        languages.push(language);
    }
    assert_eq!(languages, ["sh", "python", "js"]);
}

#[test]
fn the_snippets_of_the_readme_work_as_printed() {
    run(Database::Sqlite, async move |server: Server| {
        let key = Manager::of(&server).await.new_key().await;
        run_snippets(server.area(Area::Inference), &key.one).await;
    });
}
