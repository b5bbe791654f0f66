//! The handlers, callers and tests of operations in the Rust sources.
//!
//! The sources are searched as text: a handler is a function in an `impl` of the area's trait, and
//! a caller is a call without arguments, such as `.create_user()`. A test also names operations in
//! string literals. The search ignores types, so another method of the same name is found as well.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::files::Files;
use crate::repository;

/// The folders with handlers, callers and tests.
const FOLDERS: [&str; 7] = [
    "client/consumer/src",
    "client/examples",
    "client/src",
    "client/tests",
    "openapi/tests",
    "server/src",
    "server/tests",
];

/// The kind of a place in the sources.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// A function in an `impl` of this trait.
    Handler(String),
    /// A call outside of tests and examples.
    Caller,
    /// A call, or the name of an operation, in a test or an example.
    Test,
}

/// A place in the sources that names an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Use {
    pub(super) kind: Kind,
    pub(super) path: PathBuf,
    /// The line, counted from 1.
    pub(super) line: usize,
}

/// The places by the names of methods, and by those of operations.
#[derive(Default)]
pub(super) struct Sources(BTreeMap<String, Vec<Use>>);

impl Sources {
    /// Reads all sources.
    pub(super) fn read(files: &Files) -> Sources {
        let mut paths = Vec::new();
        for folder in FOLDERS {
            collect(&repository::root().join(folder), &mut paths);
        }
        paths.sort();
        let mut sources = Sources::default();
        for path in paths {
            if let Ok(text) = files.read(&path) {
                sources.add(&path, &text);
            }
        }
        sources
    }

    /// The handler of a method, which is in an `impl` of one of these traits.
    pub(super) fn handlers(&self, method: &str, traits: &[String]) -> Vec<&Use> {
        let uses = self.named(method);
        uses.filter(|one| matches!(&one.kind, Kind::Handler(of) if traits.contains(of)))
            .collect()
    }

    /// The callers of a method.
    pub(super) fn callers(&self, method: &str) -> Vec<&Use> {
        let uses = self.named(method);
        uses.filter(|one| one.kind == Kind::Caller).collect()
    }

    /// The tests that call a method, or name its operation.
    pub(super) fn tests(&self, method: &str, operation: &str) -> Vec<&Use> {
        let mut uses: Vec<&Use> = self.named(method).chain(self.named(operation)).collect();
        uses.retain(|one| one.kind == Kind::Test);
        uses.sort_by(|a, b| (&a.path, a.line).cmp(&(&b.path, b.line)));
        uses.dedup();
        uses
    }

    fn named(&self, name: &str) -> impl Iterator<Item = &Use> {
        self.0.get(name).into_iter().flatten()
    }

    fn add(&mut self, path: &Path, text: &str) {
        let is_test = path.components().any(|part| {
            let part = part.as_os_str().to_str();
            matches!(part, Some("tests" | "examples" | "consumer"))
        });
        let called = match is_test {
            true => Kind::Test,
            false => Kind::Caller,
        };
        let mut implemented: Option<String> = None;
        for (index, line) in text.lines().enumerate() {
            let code = line.trim_start();
            if code.starts_with("//") {
                continue;
            }
            if line.starts_with('}') {
                implemented = None;
            }
            implemented = implementation(line).or(implemented);
            let mut add = |name: &str, kind: &Kind| {
                self.0.entry(name.to_owned()).or_default().push(Use {
                    kind: kind.clone(),
                    path: path.to_owned(),
                    line: index + 1,
                });
            };
            if let (Some(name), Some(of)) = (function(code), &implemented) {
                add(name, &Kind::Handler(of.clone()));
            }
            for name in calls(code) {
                add(name, &called);
            }
            if is_test {
                for name in quoted(code) {
                    add(name, &Kind::Test);
                }
            }
        }
    }
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in folder.read_dir().into_iter().flatten().flatten() {
        let path = entry.path();
        let is_source = path.extension().is_some_and(|extension| extension == "rs");
        // A link could lead in a circle.
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => collect(&path, paths),
            Ok(kind) if kind.is_file() && is_source => paths.push(path),
            _ => {}
        }
    }
}

/// The trait of a line such as `impl document::Inference for Service {`.
fn implementation(line: &str) -> Option<String> {
    let (of, _) = line.strip_prefix("impl ")?.split_once(" for ")?;
    let name = of.rsplit("::").next()?;
    Some(name.split('<').next()?.to_owned())
}

/// The name of the function that begins on a line.
fn function(code: &str) -> Option<&str> {
    let code = code.strip_prefix("pub ").unwrap_or(code);
    let code = code.strip_prefix("async ").unwrap_or(code);
    let name = code.strip_prefix("fn ")?;
    Some(&name[..word(name)])
}

/// The names of the methods that a line calls without arguments.
fn calls(code: &str) -> impl Iterator<Item = &str> {
    let behind = code.match_indices('.').map(|(at, _)| &code[at + 1..]);
    behind.filter_map(|text| {
        let end = word(text);
        (end > 0 && text[end..].starts_with("()")).then(|| &text[..end])
    })
}

/// The words at the beginning of string literals.
fn quoted(code: &str) -> impl Iterator<Item = &str> {
    let literals = code.split('"').skip(1).step_by(2);
    literals
        .map(|text| &text[..word(text)])
        .filter(|name| !name.is_empty())
        .map(|name| name.trim_end_matches(|c: char| c.is_ascii_digit()))
}

/// The length of the word at the beginning of a text.
fn word(text: &str) -> usize {
    text.find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handlers_callers_and_tests_are_told_apart() {
        let mut sources = Sources::default();
        let handler = "impl document::Users for Service {\n    async fn get_user(\n    ) {}\n}\n\
                       fn get_user() {}\n// .get_user()\n";
        sources.add(Path::new("/r/server/src/api.rs"), handler);
        let caller = "let a = accord.users().get_user().call();\nlet b = store.get_user(1);\n";
        sources.add(Path::new("/r/client/src/a.rs"), caller);
        let test = "a.get_user()\nsaid(\"getUser404/gone\")\n";
        sources.add(Path::new("/r/client/tests/a.rs"), test);
        let lines = |uses: Vec<&Use>| uses.iter().map(|one| one.line).collect::<Vec<_>>();
        let traits = ["Users".to_owned()];
        assert_eq!(lines(sources.handlers("get_user", &traits)), [2]);
        assert_eq!(lines(sources.handlers("get_user", &[])), [0usize; 0]);
        assert_eq!(lines(sources.callers("get_user")), [1]);
        assert_eq!(lines(sources.tests("get_user", "getUser")), [1, 2]);
    }
}
