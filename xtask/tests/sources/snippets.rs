//! The code in the READMEs: a test runs or compiles each block, or the list here has the reason why none does.

use dropforge::document::Document;

use crate::{members, read};

/// How a block is checked.
enum Check {
    /// By the test in this file that this text begins.
    Test(&'static str, &'static str),
    /// It is not run as printed, for this reason.
    Not(&'static str),
}
use Check::{Not, Test};

/// A block of code.
struct Snippet {
    page: &'static str,
    language: &'static str,
    begin: &'static str,
    check: Check,
}

const fn snippet(
    page: &'static str,
    language: &'static str,
    begin: &'static str,
    check: Check,
) -> Snippet {
    Snippet {
        page,
        language,
        begin,
        check,
    }
}

const README: &str = "README.md";
const CLIENT: &str = "client/README.md";
const TESTING: &str = "client/testing/README.md";
const OPENAPI: &str = "openapi/README.md";
const FORGE: &str = "openapi/forge/README.md";
const SERVER: &str = "server/README.md";

const SDKS: Check = Test(
    "server/tests/it/inference/readme.rs",
    "fn the_snippets_of_the_readme_work_as_printed",
);
const RUST: Check = Test(
    "client/tests/behaviour/readme.rs",
    "fn the_readme_has_the_code_that_compiles_here",
);
/// The commands of the developer's tool exist. Other tests, and the steps of CI, run them.
const XTASK: Check = Test("xtask/src/main.rs", "fn the_commands_of_the_pages_exist");
/// Builds programs with these dependencies, from the folder of a test.
const PACKAGE: Check = Test(
    "xtask/tests/package.rs",
    "fn a_consumer_tests_its_program_with_the_fake",
);
/// The commands of the client exist. Its tests run each of them.
const ACCORD: Check = Test(
    "client/src/bin/accord/main.rs",
    "fn the_commands_of_the_readme_exist",
);
const CONFIGURATION: &str = "fn the_configuration_of_the_readme_is_valid";
const LOGIN_FILE: Check = Test("client/src/bin/accord/config_file.rs", CONFIGURATION);
const SERVER_FILE: Check = Test("server/base/src/config/file.rs", CONFIGURATION);
const SHARED: Check = Test(
    "xtask/tests/sources/snippets.rs",
    "fn the_shared_component_of_the_page_is_loaded",
);

/// Includes a page as the documentation of an item, whose code rustdoc tests.
const INCLUDED: &str = "#[doc = include_str!(\"../README.md\")]";
const OF_CLIENT: Check = Test("client/src/lib.rs", INCLUDED);
const OF_TESTING: Check = Test("client/testing/src/lib.rs", INCLUDED);
const OF_FORGE: Check = Test("openapi/forge/src/lib.rs", INCLUDED);

const STARTS: Check = Not(
    "another test starts this program as a newcomer does; the other command is the test run itself",
);

const SNIPPETS: [Snippet; 18] = [
    snippet(README, "sh", "cargo run ", STARTS),
    snippet(README, "sh", "curl -sS http://127.0.0.1:8080/", SDKS),
    snippet(README, "python", "import os, openai", SDKS),
    snippet(README, "js", "import OpenAI", SDKS),
    snippet(README, "sh", "cargo xtask watch ", XTASK),
    snippet(README, "toml", "[dependencies]", PACKAGE),
    snippet(README, "rust", "use accord_client::", RUST),
    snippet(CLIENT, "toml", "[dependencies]", PACKAGE),
    snippet(CLIENT, "rust,no_run", "use accord_client::", OF_CLIENT),
    snippet(CLIENT, "sh", "cargo install --path client ", ACCORD),
    snippet(CLIENT, "toml", "# ~/.config/accord", LOGIN_FILE),
    snippet(TESTING, "toml", "[dependencies]", PACKAGE),
    snippet(TESTING, "rust", "use accord_testing::", OF_TESTING),
    snippet(OPENAPI, "yaml", "components:", SHARED),
    snippet(OPENAPI, "sh", "cargo xtask format ", XTASK),
    snippet(FORGE, "rust,no_run", "use dropforge::", OF_FORGE),
    snippet(FORGE, "sh", "cargo test -p dropforge ", XTASK),
    snippet(SERVER, "toml", "[server]", SERVER_FILE),
];

/// What the packages of this repository do not have of a command of cargo: the package, or a feature.
fn missing(command: &str) -> Option<String> {
    let command = command.split(" #").next().unwrap_or_default();
    let words: Vec<&str> = command.split_whitespace().collect();
    if words.first() != Some(&"cargo") {
        return None;
    }
    let value = |option: &str| {
        let at = words.iter().position(|word| *word == option)?;
        words.get(at + 1).copied()
    };
    let folders = match (value("-p"), value("--path")) {
        (Some(_), _) => members(),
        (None, folder) => vec![folder.unwrap_or(".").to_owned()],
    };
    let manifests = folders.iter();
    let mut manifests = manifests.filter_map(|folder| read(&format!("{folder}/Cargo.toml")));
    let name = value("-p").map(|package| format!("\nname = \"{package}\"\n"));
    let is_it = |manifest: &String| name.as_ref().is_none_or(|name| manifest.contains(name));
    let Some(manifest) = manifests.find(is_it) else {
        return Some("the package".to_owned());
    };
    let (_, features) = manifest.split_once("\n[features]\n").unwrap_or_default();
    let features = features.split("\n[").next().unwrap_or_default();
    let has = |feature: &str| {
        let begin = format!("{feature} = ");
        features.lines().any(|line| line.starts_with(&begin))
    };
    let named = value("--features")?;
    let mut named = named.split(',');
    named.find(|feature| !has(feature)).map(str::to_owned)
}

#[test]
fn a_missing_package_or_feature_is_found() {
    for (command, expected) in [
        ("cargo test -p dropforge --features check,client", None),
        ("cargo test -p dropforge --features check,cli", Some("cli")),
        ("cargo test -p forge", Some("the package")),
        ("cargo install --path client --features cli   # or", None),
        ("cargo install --path client --features clis", Some("clis")),
        ("cargo install --path nowhere", Some("the package")),
        ("cargo run            # start the service", None),
        ("accord login", None),
    ] {
        assert_eq!(missing(command).as_deref(), expected, "{command}");
    }
}

/// The language of each block of a page, and its text.
fn blocks(page: &str) -> Vec<(&str, String)> {
    let mut blocks = Vec::new();
    let mut open: Option<(&str, String)> = None;
    for line in page.lines() {
        match (open.take(), line.trim().strip_prefix("```")) {
            (None, Some(language)) => open = Some((language, String::new())),
            (None, None) => {}
            (Some((language, text)), None) => open = Some((language, text + line + "\n")),
            (Some(block), Some(_)) => blocks.push(block),
        }
    }
    blocks
}

#[test]
fn each_block_of_the_readmes_is_checked_or_has_a_reason() {
    let mut listed: Vec<&Snippet> = SNIPPETS.iter().collect();
    // The documents are a folder of the crate at the top.
    let folders = members().into_iter().chain(["openapi".to_owned()]);
    for member in folders {
        let page = match member.as_str() {
            "." => README.to_owned(),
            member => format!("{member}/README.md"),
        };
        for (language, text) in blocks(&read(&page).unwrap_or_default()) {
            assert_ne!(
                language, "",
                "{page} has a block without a language:\n{text}"
            );
            // Output, and drawings.
            if language == "text" {
                continue;
            }
            for line in text.lines().filter(|_| language == "sh") {
                let missing = missing(line);
                assert_eq!(missing, None, "{page} has `{line}`");
            }
            let is_it = |one: &&Snippet| {
                (one.page, one.language) == (page.as_str(), language) && text.starts_with(one.begin)
            };
            let at = listed.iter().position(is_it);
            let at =
                at.unwrap_or_else(|| panic!("{page} has a block that no test checks:\n{text}"));
            match listed.remove(at).check {
                Test(file, begin) => {
                    let has_it = read(file).is_some_and(|source| source.contains(begin));
                    assert!(has_it, "{file} has no `{begin}`, for {page}:\n{text}");
                }
                Not(reason) => assert!(!reason.is_empty()),
            }
        }
    }
    let left: Vec<_> = listed.iter().map(|one| (one.page, one.begin)).collect();
    assert!(left.is_empty(), "the pages do not have {left:?}");
}

#[test]
fn the_shared_component_of_the_page_is_loaded() {
    let page = read(OPENAPI).expect("a page");
    let blocks = blocks(&page);
    let (_, block) = blocks
        .iter()
        .find(|(language, _)| *language == "yaml")
        .expect("a block");
    let text = format!("openapi: 3.0.3\ninfo: {{title: T, version: '1'}}\npaths: {{}}\n{block}");
    let neighbor = |file: &str| {
        let text = read(&format!("openapi/{file}"));
        text.ok_or_else(|| format!("{file} does not exist"))
    };
    let document = Document::load_with("t.yaml", &text, neighbor).expect("a document");
    let header = document.at("/components/headers/RequestId");
    let header = header.expect("the header").to_json();
    assert!(header["schema"].is_object(), "{header}");
}
