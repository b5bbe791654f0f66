//! The first section of `client/CHANGELOG.md`: the revision that it begins with, and the names of what it breaks.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::Context;

const FILE: &str = "client/CHANGELOG.md";
/// The words before the revision, which is in backticks.
const REVISION: &str = "Its breaking changes are those since revision `";
const BREAKING: &str = "- **Breaking:**";

/// The section of the next version.
#[derive(Debug)]
pub(super) struct Changelog {
    /// The revision of git that callers are compared with.
    pub(super) revision: String,
    /// The names in backticks of the entries of breaking changes.
    broken: BTreeSet<String>,
}

impl Changelog {
    pub(super) fn read(root: &Path) -> anyhow::Result<Self> {
        let text = fs::read_to_string(root.join(FILE)).context(FILE)?;
        Self::parse(&text)
    }

    fn parse(text: &str) -> anyhow::Result<Self> {
        let section = text.split("\n## ").nth(1);
        let section = section.with_context(|| format!("{FILE} has no section"))?;
        let revision = section.split_once(REVISION);
        let revision = revision.and_then(|(_, rest)| rest.split('`').next());
        let revision = revision
            .with_context(|| format!("the first section of {FILE} lacks \"{REVISION}…`\""))?;
        let entries = section.split("\n- ").map(|entry| format!("- {entry}"));
        let breaking = entries.filter(|entry| entry.starts_with(BREAKING));
        let broken = breaking.flat_map(|entry| {
            let quoted = entry.split('`').skip(1).step_by(2).map(str::to_owned);
            quoted.collect::<Vec<_>>()
        });
        Ok(Changelog {
            revision: revision.to_owned(),
            broken: broken
                .flat_map(|quoted| identifiers(&quoted).map(str::to_owned).collect::<Vec<_>>())
                .collect(),
        })
    }

    /// Whether an entry has the name of an item, or of a type in its path.
    pub(super) fn names(&self, path: &str) -> bool {
        let is_type = |name: &&str| name.starts_with(|first: char| first.is_ascii_uppercase());
        let own = identifiers(path).last();
        let mut names = identifiers(path).filter(is_type).chain(own);
        names.any(|name| self.broken.contains(name))
    }
}

fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    parts.filter(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# Changelog\n\n## 0.2.0, unreleased\n\nIts breaking changes are those since revision `abc1`.\n\n\
        - `Extra` is new.\n- **Breaking:** `Builder::http` takes\n  a `ClientBuilder`.\n\n## 0.1.0\n\n- **Breaking:** `Old`.\n";

    #[test]
    fn an_entry_names_a_type_or_an_item() {
        let changelog = Changelog::parse(TEXT).expect("a changelog");
        assert_eq!(changelog.revision, "abc1");
        for (path, expected) in [
            ("accord-client::Builder::http()", true),
            ("accord-client::Builder", true),
            ("accord-client: impl Debug for ClientBuilder", true),
            ("accord-client::http::Other", false),
            ("accord-client::Extra::name", false),
            ("accord-client::Old", false),
        ] {
            assert_eq!(changelog.names(path), expected, "{path}");
        }
    }

    #[test]
    fn a_section_without_a_revision_is_an_error() {
        let text = TEXT.replace("abc1", "").replace("revision", "version");
        let refused = Changelog::parse(&text).expect_err("it has no revision");
        assert!(refused.to_string().contains("since revision"), "{refused}");
    }
}
