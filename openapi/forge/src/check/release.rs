//! Compares the next form of a document with the released one.
//!
//! Clients and servers rely on the released form. `info.version` is the label of the interface and
//! does not change with edits; `info.x-revision` does. It is a semantic version: a change that
//! breaks clients or servers raises its first number, an addition the second, any other change the
//! third.

use semver::Version;

use super::compatibility::{self, Change, Class, Side};
use super::rule::Rule;
use crate::document::{Diagnostic, Diagnostics, Document, Span};
use crate::publish::publish;

/// The rules of this check.
pub const RULES: [Rule; 2] = [
    Rule {
        id: REVISION,
        asks: "`info.x-revision` is a semantic version, raised by what changed since the released form.",
    },
    Rule {
        id: BREAKING,
        asks: "What breaks clients or servers of the released form raises the first number of `info.x-revision`.",
    },
];

const REVISION: &str = "revision";
const BREAKING: &str = "breaking-change";

/// The revision of a document, if it has a valid one.
pub fn revision(document: &Document) -> Option<Version> {
    Version::parse(document.at(POINTER)?.as_str()?).ok()
}

/// The pointer to a document's revision.
pub const POINTER: &str = "/info/x-revision";

/// The smallest revision that a document needs after these changes to its released form. `None` if
/// the released form has no revision, so that any is valid.
pub fn needed(released: &Document, document: &Document, changes: &[Change]) -> Option<Version> {
    let Version {
        major,
        minor,
        patch,
        ..
    } = revision(released)?;
    let label = |document: &Document| document.at("/info/version").map(|node| node.to_json());
    let gravest = changes.iter().map(|change| change.class).min();
    Some(match gravest {
        // A new interface: users of this one have to migrate.
        _ if label(released) != label(document) => Version::new(major + 1, 0, 0),
        Some(class) if class.is_breaking() => Version::new(major + 1, 0, 0),
        Some(Class::Additive) => Version::new(major, minor + 1, 0),
        _ => Version::new(major, minor, patch + 1),
    })
}

/// Whether the revision of `document` fits the changes since `released`.
pub fn check(released: Option<&Document>, document: &Document) -> Diagnostics {
    let mut findings = Diagnostics::default();
    let Some(current) = revision(document) else {
        let span = document.key_span(POINTER).or(document.key_span("/info"));
        findings.push(
            Diagnostic::error(
                REVISION,
                span.unwrap_or_default(),
                "the document has no semantic version as `info.x-revision`",
            )
            .help("write `x-revision: 1.0.0` below `version`"),
        );
        return findings;
    };
    let Some(released) = released.map(publish) else {
        return findings;
    };
    let document = &publish(document);
    // Most of the time nothing has changed, and the comparison takes a while.
    if released.to_written_json() == document.to_written_json() {
        return findings;
    }
    let changes = compatibility::compare(&released, document);
    let Some(needed) = needed(&released, document, &changes).filter(|needed| current < *needed)
    else {
        return findings;
    };
    let at = document.key_span(POINTER).unwrap_or_default();
    let write = format!(
        "run `cargo xtask diff --write`: it sets revision {needed} and adds an entry to \
         CHANGELOG.md (while nobody relies on the released form: \
         `cargo xtask regenerate --unreleased`)"
    );
    let breaking = changes.iter().filter(|change| change.class.is_breaking());
    findings.extend(breaking.map(|change| broken(change, document, at, &write)));
    if findings.is_empty() {
        findings.push(
            Diagnostic::error(
                REVISION,
                at,
                format!("the document has changed since its release, and needs revision {needed}"),
            )
            .help(write),
        );
    }
    findings
}

/// A change that requires another first number.
fn broken(change: &Change, document: &Document, revision: Span, write: &str) -> Diagnostic {
    // A removed node has no place; its parent has one.
    let span = document.nearest_key_span(&change.pointer);
    let who = match change.class {
        Class::BreaksServers => "servers",
        _ => "clients",
    };
    let message = format!(
        "this breaks {who} of the released document: {}",
        change.message
    );
    Diagnostic::error(BREAKING, span, message)
        .label(match change.side {
            Side::Old => "it was here",
            Side::New => "here",
        })
        .help(format!(
            "{}; undo the change or make it an addition; if callers know of it, {write}",
            change.reason
        ))
        .related(revision, "the released revision")
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: &str = include_str!("compatibility/base.yaml");

    fn load(text: &str) -> Document {
        Document::load("base.yaml", text).expect("a document")
    }

    /// The base, with a revision.
    fn base(revision: &str) -> String {
        let with = format!("version: '1', x-revision: {revision},");
        BASE.replacen("version: '1',", &with, 1)
    }

    /// Rule and message of each finding after `old` became `new` and the revision 1.2.3
    /// this one.
    fn found(old: &str, new: &str, revision: &str) -> Vec<(&'static str, String)> {
        let next = base(revision).replacen(old, new, 1);
        let findings = check(Some(&load(&base("1.2.3"))), &load(&next));
        let all = findings.into_iter();
        all.map(|finding| (finding.code, finding.message)).collect()
    }

    const BREAKS: (&str, &str) = ("minLength: 1,", "minLength: 2,");
    const ADDS: (&str, &str) = ("maxLength: 10,", "");
    const WORDS: (&str, &str) = ("title: ", "title: Another ");

    #[test]
    fn a_revision_is_raised_by_what_changed() {
        for ((old, new), small, enough, rule) in [
            (BREAKS, "1.3.0", "2.0.0", BREAKING),
            (ADDS, "1.2.4", "1.3.0", REVISION),
            (WORDS, "1.2.3", "1.2.4", REVISION),
        ] {
            let found_small = found(old, new, small);
            assert_eq!(found_small.len(), 1, "{found_small:?}");
            assert_eq!(found_small[0].0, rule);
            assert_eq!(found(old, new, enough), []);
        }
        assert_eq!(found("", "", "1.2.3"), []);
    }

    #[test]
    fn another_label_of_the_interface_raises_the_first_number() {
        assert_eq!(found("version: '1'", "version: '2'", "1.3.0").len(), 1);
        assert_eq!(found("version: '1'", "version: '2'", "2.0.0"), []);
    }

    #[test]
    fn what_is_gone_is_found_at_its_parent() {
        let text = base("1.2.3").replacen("        note: {type: string}\n", "", 1);
        let findings = check(Some(&load(&base("1.2.3"))), &load(&text));
        let spans: Vec<&str> = findings
            .iter()
            .map(|finding| &text[finding.span.start..finding.span.end])
            .collect();
        assert_eq!(spans, ["properties"]);
    }

    #[test]
    fn a_change_of_a_webhook_is_found_at_its_place() {
        let text = |kind: &str| {
            format!(
                "\
openapi: 3.1.0
info: {{title: T, version: '1', x-revision: 1.2.3}}
webhooks:
  lost:
    post:
      requestBody: {{content: {{application/json: {{schema: {{type: {kind}}}}}}}}}
      responses: {{'204': {{description: Done.}}}}
"
            )
        };
        let changed = text("number");
        let findings = check(Some(&load(&text("integer"))), &load(&changed));
        let spans: Vec<&str> = findings
            .iter()
            .map(|finding| &changed[finding.span.start..finding.span.end])
            .collect();
        assert_eq!(spans, ["schema"]);
    }

    #[test]
    fn a_document_has_a_semantic_version_and_the_first_one_needs_no_release() {
        for revision in ["2", "two", "1.0"] {
            assert_eq!(check(None, &load(&base(revision))).len(), 1, "{revision}");
        }
        assert_eq!(check(None, &load(BASE)).len(), 1);
        assert!(check(None, &load(&base("1.0.0"))).is_empty());
        assert!(check(Some(&load(BASE)), &load(&base("1.0.0"))).is_empty());
    }
}
