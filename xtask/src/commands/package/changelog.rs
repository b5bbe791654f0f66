//! The first section of `client/CHANGELOG.md`: the revision that it begins with, and its breaking changes.

use std::fs;
use std::path::Path;

use anyhow::Context;

const FILE: &str = "client/CHANGELOG.md";
/// The words before the revision, which is in backticks.
const REVISION: &str = "Its breaking changes are those since revision `";
const BREAKING: &str = "**Breaking:**";

/// The section of the next version.
#[derive(Debug)]
pub(super) struct Changelog {
    /// The revision of git that callers are compared with.
    pub(super) revision: String,
    /// The entries of breaking changes.
    entries: Vec<String>,
}

impl Changelog {
    /// Reads the changelog of a repository.
    pub(super) fn read(root: &Path) -> anyhow::Result<Self> {
        let text = fs::read_to_string(root.join(FILE)).context(FILE)?;
        let section = text.split("\n## ").nth(1);
        let section = section.with_context(|| format!("{FILE} has no section"))?;
        let revision = section.split_once(REVISION);
        let revision = revision.and_then(|(_, rest)| rest.split('`').next());
        let revision = revision
            .with_context(|| format!("the first section of {FILE} lacks \"{REVISION}…`\""))?;
        Ok(Changelog {
            revision: revision.to_owned(),
            entries: breaking(section),
        })
    }

    /// Removes the entries that the revision in `root` has already: they name earlier changes.
    pub(super) fn without_those_of(mut self, root: &Path) -> Self {
        let earlier = fs::read_to_string(root.join(FILE)).unwrap_or_default();
        let earlier = breaking(&earlier);
        self.entries.retain(|entry| !earlier.contains(entry));
        self
    }

    /// Whether an entry names an item, as `Builder::http`, or a type in its path, as `Builder`.
    pub(super) fn names(&self, path: &str) -> bool {
        // Code has the name of a crate with underscores.
        let path = path.replace('-', "_");
        let path: Vec<&str> = identifiers(&path).collect();
        let codes = self.entries.iter().flat_map(|entry| code(entry));
        codes.map(identifiers).any(|code| {
            let code: Vec<&str> = code.collect();
            match code.last() {
                Some(last) if is_type(last) => path.windows(code.len()).any(|part| part == code),
                // A function needs the name before it, because there may be others of its name.
                Some(_) => code.len() > 1 && path.ends_with(&code),
                None => false,
            }
        })
    }
}

/// The entries of breaking changes, each in one line.
fn breaking(text: &str) -> Vec<String> {
    let entries = text.split("\n- ").skip(1);
    let entries = entries.filter(|entry| entry.starts_with(BREAKING));
    // The last entry of a section ends before the next one.
    let entries = entries.map(|entry| entry.split("\n\n").next().unwrap_or(entry));
    entries
        .map(|entry| entry.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect()
}

/// The code of an entry: the texts in backticks that are paths of Rust.
fn code(entry: &str) -> impl Iterator<Item = &str> {
    let is_path = |code: &&str| {
        let mut letters = code.chars();
        letters.all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | ':' | '(' | ')'))
    };
    entry.split('`').skip(1).step_by(2).filter(is_path)
}

fn is_type(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_uppercase())
}

fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    parts.filter(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# Changelog\n\n## 0.2.0, unreleased\n\nIts breaking changes are those since revision `abc1`.\n\n\
        - `Extra` is new.\n- **Breaking:** `Builder::http` takes\n  a `ClientBuilder`.\n- **Breaking:** `accord get` and \
        `new` differ.\n\n## 0.1.0\n\n- **Breaking:** `Old`.\n";

    fn repository(changelog: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join("client")).expect("a folder");
        fs::write(folder.path().join(FILE), changelog).expect("a file");
        folder
    }

    #[test]
    fn an_entry_names_a_type_or_an_item() {
        let changelog = Changelog::read(repository(TEXT).path()).expect("a changelog");
        assert_eq!(changelog.revision, "abc1");
        for (path, expected) in [
            ("accord-client::Builder::http()", true),
            ("accord-client::Builder::proxy()", false),
            ("accord-client::ClientBuilder::get()", true),
            ("accord-client: impl Debug for ClientBuilder", true),
            ("accord-client::Other::http()", false),
            ("accord-client::Other::new()", false),
            ("accord-client::Extra::name", false),
            ("accord-client::Old", false),
        ] {
            assert_eq!(changelog.names(path), expected, "{path}");
        }
    }

    #[test]
    fn an_entry_of_the_revision_itself_names_no_later_change() {
        let changelog = Changelog::read(repository(TEXT).path()).expect("a changelog");
        let earlier = repository(&TEXT.replace("takes\n  a", "has a"));
        let changelog = changelog.without_those_of(earlier.path());
        assert!(changelog.names("accord-client::Builder::http()"));
        let changelog = changelog.without_those_of(repository(TEXT).path());
        assert!(!changelog.names("accord-client::Builder::http()"));
    }

    #[test]
    fn a_section_without_a_revision_is_an_error() {
        let folder = repository(&TEXT.replace("since revision", "since"));
        let refused = Changelog::read(folder.path()).expect_err("it has no revision");
        assert!(refused.to_string().contains("since revision"), "{refused}");
    }
}
