//! The changelog of the documents, in the form of <https://keepachangelog.com>.
//!
//! One file for all documents: an entry is `## [accounts 2.1.0] - 2026-11-23`, the newest first,
//! with the sections of the form.

use std::fmt::Write as _;

use indexmap::IndexMap;
use semver::Version;

use super::compatibility::{Change, Class, Side};
use super::rule::Rule;
use crate::document::{Diagnostic, Diagnostics, Source, Span};

/// The rule of this check.
pub const RULE: Rule = Rule {
    id: "changelog",
    asks: "`openapi/CHANGELOG.md` has an entry for the revision of each document, the newest first.",
};

const SECTIONS: [&str; 6] = [
    "Added",
    "Changed",
    "Deprecated",
    "Removed",
    "Fixed",
    "Security",
];

/// The heading of an entry.
struct Heading {
    document: String,
    revision: Version,
    span: Span,
}

/// Checks the changelog against the documents, each with its revision.
pub fn check(changelog: &Source, documents: &[(String, Version)]) -> Diagnostics {
    let mut findings = Diagnostics::default();
    let headings = headings(&changelog.text, &mut findings);
    for (name, revision) in documents {
        let of_document: Vec<_> = headings.iter().filter(|h| h.document == *name).collect();
        for pair in of_document.windows(2) {
            if pair[0].revision <= pair[1].revision {
                findings.push(
                    error(pair[1].span, "the entry is not older than the one above it")
                        .related(pair[0].span, "the one above")
                        .help("put the newest revision of a document first, and each once"),
                );
            }
        }
        match of_document.first() {
            Some(newest) if newest.revision == *revision => {}
            newest => findings.push(
                error(
                    newest.map_or(Span::default(), |newest| newest.span),
                    format!("the newest entry of {name} is not for its revision {revision}"),
                )
                .help("`cargo xtask diff --write` writes one"),
            ),
        }
    }
    findings
}

fn error(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(RULE.id, span, message)
}

/// The headings of entries. A heading of another form is a finding.
fn headings(text: &str, findings: &mut Diagnostics) -> Vec<Heading> {
    let mut headings: Vec<Heading> = Vec::new();
    // An entry with a valid heading that has no text yet.
    let mut silent: Option<Span> = None;
    let report_empty = |entry: Option<Span>, findings: &mut Diagnostics| {
        if let Some(span) = entry {
            findings.push(error(span, "the entry is empty").help("say what callers notice"));
        }
    };
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let span = Span::new(start, start + line.trim_end().len());
        start += line.len();
        let line = line.trim_end();
        if line.starts_with("- ") {
            silent = None;
        } else if let Some(section) = line.strip_prefix("### ") {
            if !SECTIONS.contains(&section) {
                findings.push(
                    error(span, format!("there is no section `{section}`"))
                        .help(format!("a section is one of {}", SECTIONS.join(", "))),
                );
            }
        } else if line.starts_with("## ") {
            report_empty(silent.take(), findings);
            match heading(line, span) {
                Some(heading) => {
                    silent = Some(span);
                    headings.push(heading);
                }
                None => findings.push(
                    error(span, "the heading does not have the form of an entry")
                        .help("write `## [accounts 2.1.0] - 2026-11-23`"),
                ),
            }
        }
    }
    report_empty(silent, findings);
    headings
}

fn heading(line: &str, span: Span) -> Option<Heading> {
    let (title, date) = line.strip_prefix("## [")?.split_once("] - ")?;
    let (document, revision) = title.split_once(' ')?;
    let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    let parts: Vec<_> = date.split('-').collect();
    let is_date = matches!(parts.as_slice(), [year, month, day]
        if year.len() == 4 && month.len() == 2 && day.len() == 2)
        && parts.iter().all(|part| digits(part));
    is_date.then_some(Heading {
        document: document.to_owned(),
        revision: Version::parse(revision).ok()?,
        span,
    })
}

/// Whether there is an entry for this revision of a document.
pub fn has(changelog: &str, document: &str, revision: &Version) -> bool {
    let headings = headings(changelog, &mut Diagnostics::default());
    let mut of_document = headings.iter().filter(|h| h.document == document);
    of_document.any(|heading| heading.revision == *revision)
}

/// The changelog with one more entry, above all others.
pub fn insert(changelog: &str, entry: &str) -> String {
    let at = changelog.find("\n## ").map_or(changelog.len(), |at| at + 1);
    let (before, after) = changelog.split_at(at);
    let gap = if before.ends_with("\n\n") { "" } else { "\n" };
    let end = if after.is_empty() { "" } else { "\n" };
    format!("{before}{gap}{entry}{end}{after}")
}

/// An entry for these changes. Changes of words share one line.
pub fn entry(document: &str, revision: &Version, date: &str, changes: &[Change]) -> String {
    let mut text = format!("## [{document} {revision}] - {date}\n");
    let words = changes
        .iter()
        .filter(|change| change.class == Class::Documentation);
    let words = match words.count() {
        0 => None,
        1 => Some("- 1 description, title or example.\n".to_owned()),
        n => Some(format!("- {n} descriptions, titles and examples.\n")),
    };
    for section in ["Added", "Changed", "Removed"] {
        let mut lines = String::new();
        let of_section = changes.iter().filter(|c| of_section(c) == Some(section));
        for ((what, is_breaking), places) in by_message(of_section) {
            let breaking = match is_breaking {
                true => "**Breaking:** ",
                false => "",
            };
            // Writing to a string does not fail.
            _ = match places.as_slice() {
                [one] => writeln!(lines, "- {breaking}{} (`#{}`).", one.message, one.pointer),
                several => writeln!(lines, "- {breaking}{what}, in {} places.", several.len()),
            };
        }
        if section == "Changed" {
            lines.extend(words.clone());
        }
        if !lines.is_empty() {
            _ = write!(text, "\n### {section}\n\n{lines}");
        }
    }
    text
}

/// Changes that are the same in several places, in the order of the first, by their message and
/// whether they are breaking. A message is `POST /user: 500: the header …`, and begins with its place.
fn by_message<'c>(
    changes: impl Iterator<Item = &'c Change>,
) -> IndexMap<(&'c str, bool), Vec<&'c Change>> {
    let mut groups: IndexMap<(&str, bool), Vec<&Change>> = IndexMap::new();
    for change in changes {
        let what = change.message.rsplit(": ").next().unwrap_or_default();
        let key = (what, change.class.is_breaking());
        groups.entry(key).or_default().push(change);
    }
    groups
}

fn of_section(change: &Change) -> Option<&'static str> {
    match (change.class, change.side) {
        (Class::Documentation, _) => None,
        (Class::Additive, _) => Some("Added"),
        (_, Side::Old) => Some("Removed"),
        (_, Side::New) => Some("Changed"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHANGELOG: &str = "\
# Changelog

## [keys 2.1.0] - 2026-11-23

### Added

- An operation.

## [users 1.0.0] - 2026-11-22

### Changed

- All of it.

## [keys 2.0.0] - 2026-11-21

### Removed

- Another.
";

    /// Message and line of each finding after `old` became `new`.
    fn found(old: &str, new: &str) -> Vec<(String, String)> {
        let source = Source::new("CHANGELOG.md", CHANGELOG.replacen(old, new, 1));
        let documents = [
            ("keys", Version::new(2, 1, 0)),
            ("users", Version::new(1, 0, 0)),
        ];
        let documents = documents.map(|(name, revision)| (name.to_owned(), revision));
        let findings = check(&source, &documents).into_iter();
        let line = |span: Span| source.text[span.start..span.end].to_owned();
        findings.map(|f| (f.message, line(f.span))).collect()
    }

    #[test]
    fn a_changelog_with_an_entry_for_each_revision_is_fine() {
        assert_eq!(found("", ""), []);
    }

    #[test]
    fn what_is_missing_or_has_another_form_is_found_at_its_line() {
        for (old, new, line) in [
            ("keys 2.1.0", "keys 2.2.0", "## [keys 2.2.0] - 2026-11-23"),
            ("keys 2.0.0", "keys 2.1.0", "## [keys 2.1.0] - 2026-11-21"),
            ("2026-11-21", "today", "## [keys 2.0.0] - today"),
            ("### Removed", "### Gone", "### Gone"),
            ("- Another.\n", "", "## [keys 2.0.0] - 2026-11-21"),
        ] {
            let found = found(old, new);
            assert!(found.iter().any(|(_, at)| at == line), "{new}: {found:?}");
        }
        assert_eq!(found("[users 1.0.0]", "[use 1.0.0]").len(), 1);
    }

    #[test]
    fn an_entry_is_inserted_above_the_others() {
        let changes = [
            change(Class::BreaksClients, Side::Old, "the operation is removed"),
            change(Class::Additive, Side::New, "the operation is new"),
            change(Class::Additive, Side::New, "GET /a: the header is new"),
            change(Class::Additive, Side::New, "GET /b: the header is new"),
            change(Class::Documentation, Side::New, "`title` changed"),
        ];
        let entry = entry("keys", &Version::new(3, 0, 0), "2026-11-24", &changes);
        let expected = "\
## [keys 3.0.0] - 2026-11-24

### Added

- the operation is new (`#/paths`).
- the header is new, in 2 places.

### Changed

- 1 description, title or example.

### Removed

- **Breaking:** the operation is removed (`#/paths`).
";
        assert_eq!(entry, expected);
        let all = insert(CHANGELOG, &entry);
        assert!(all.starts_with("# Changelog\n\n## [keys 3.0.0]"), "{all}");
        assert!(
            all.contains("removed (`#/paths`).\n\n## [keys 2.1.0]"),
            "{all}"
        );
        assert!(has(&all, "keys", &Version::new(3, 0, 0)));
        assert!(!has(CHANGELOG, "keys", &Version::new(3, 0, 0)));
        assert!(insert("# Changelog\n", &entry).starts_with("# Changelog\n\n## [keys"));
    }

    fn change(class: Class, side: Side, message: &str) -> Change {
        Change {
            class,
            side,
            pointer: "/paths".to_owned(),
            message: message.to_owned(),
            reason: String::new(),
        }
    }
}
