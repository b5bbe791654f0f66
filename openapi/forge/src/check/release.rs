//! A released document, and the next one.
//!
//! Whoever has the released form relies on it. A change that breaks them is
//! possible, and it has to say so: by another version.

use super::compatibility::{self, Class, Side};
use super::lint::Rule;
use crate::document::{Diagnostic, Diagnostics, Document};

/// What is asked for.
pub const RULE: Rule = Rule {
    id: "breaking-change",
    asks: "What breaks the clients or servers of the released form has another `info.version`.",
};

/// What breaks those who rely on `released`, while `document` has its version.
pub fn check(released: &Document, document: &Document) -> Diagnostics {
    let mut findings = Diagnostics::default();
    let version = |document: &Document| document.at("/info/version").map(|node| node.to_json());
    // Most of the time nothing has changed, and comparing takes a while.
    if version(released) != version(document) || released.to_json() == document.to_json() {
        return findings;
    }
    let of_version = document.key_span("/info/version");
    let changes = compatibility::compare(released, document);
    for change in changes.iter().filter(|change| change.class.is_breaking()) {
        let mut at = change.pointer.as_str();
        let span = loop {
            // What is gone has no place; what it was in has one.
            match document.key_span(at) {
                Some(span) => break span,
                None => at = at.rsplit_once('/').map_or("", |(parent, _)| parent),
            }
        };
        let who = match change.class {
            Class::BreaksServers => "servers",
            _ => "clients",
        };
        let mut finding = Diagnostic::error(
            RULE.id,
            span,
            format!("this breaks {who} of the released version: {}", change.message),
        )
        .label(match change.side {
            Side::Old => "it was here",
            Side::New => "here",
        })
        .help(format!(
            "{}; take the change back, make it an addition, or give the document a new `info.version`",
            change.reason
        ));
        if let Some(span) = of_version {
            finding = finding.related(span, "the version that has been released");
        }
        findings.push(finding);
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: &str = include_str!("compatibility/base.yaml");

    fn found(old: &str, new: &str) -> Vec<String> {
        let load = |text: &str| Document::load("base.yaml", text).expect("a document");
        let findings = check(&load(BASE), &load(&BASE.replacen(old, new, 1)));
        findings
            .into_iter()
            .map(|finding| finding.message)
            .collect()
    }

    #[test]
    fn a_breaking_change_needs_a_new_version() {
        let found = found("minLength: 1,", "minLength: 2,");
        assert_eq!(found.len(), 1);
        assert!(
            found[0].starts_with("this breaks clients of the released version"),
            "{found:?}"
        );
    }

    #[test]
    fn what_is_gone_is_told_where_it_was() {
        let load = |text: &str| Document::load("base.yaml", text).expect("a document");
        let text = BASE.replacen("        note: {type: string}\n", "", 1);
        let new = load(&text);
        let findings = check(&load(BASE), &new);
        let spans: Vec<&str> = findings
            .iter()
            .map(|finding| &text[finding.span.start..finding.span.end])
            .collect();
        assert_eq!(spans, ["properties"]);
    }

    #[test]
    fn another_version_may_break_and_an_addition_needs_none() {
        assert!(found("maxLength: 10,", "").is_empty());
        let text = BASE.replacen("minLength: 1,", "minLength: 2,", 1);
        let text = text.replacen("version: '1'", "version: '2'", 1);
        let load = |text: &str| Document::load("base.yaml", text).expect("a document");
        assert!(check(&load(BASE), &load(&text)).is_empty());
    }
}
