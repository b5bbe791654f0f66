//! The decisions about points that an interface leaves open.
//!
//! They have a file of their own, because a caller can do nothing with them. Each entry lists the
//! places of the documents that it governs. A document changes more often than its decisions, so
//! this check resolves every pointer.

use super::document_index::LocatedNode;
use super::rule::Rule;
use crate::document::{Diagnostic, Diagnostics, Document, pointer, similar};

/// The rules of this check.
pub const RULES: [Rule; 2] = [
    Rule {
        id: MALFORMED,
        asks: "A decision has a number, a ground, a choice, and pointers to what it governs.",
    },
    Rule {
        id: UNRESOLVED,
        asks: "Every pointer of a decision leads to a place of a document.",
    },
];

const MALFORMED: &str = "decision-malformed";
const UNRESOLVED: &str = "decision-unresolved";

/// The members of a decision.
const MEMBERS: [&str; 4] = ["number", "ground", "choice", "governs"];

/// The reasons for a decision, beside an RFC.
const GROUNDS: [&str; 5] = ["ours", "documented", "convention", "inferred", "seed"];

/// Checks the file of decisions against the documents that it points into. Each document comes with
/// its name in pointers.
pub fn check(decisions: &Document, documents: &[(&str, &Document)]) -> Diagnostics {
    let mut findings = Diagnostics::default();
    let root = LocatedNode::root(decisions);
    let all = root.get("decisions").map(|all| all.elements());
    for decision in all.iter().flatten() {
        entry(decision, documents, &mut findings);
    }
    if all.is_none_or(|all| all.is_empty()) {
        malformed(&root, "the file has no list `decisions`", &mut findings);
    }
    findings
}

fn entry(decision: &LocatedNode<'_>, documents: &[(&str, &Document)], findings: &mut Diagnostics) {
    for name in MEMBERS {
        if decision.get(name).is_none() {
            malformed(decision, &format!("the decision has no `{name}`"), findings);
        }
    }
    for (name, member) in decision.entries() {
        let text = decision.text(name);
        match (name, text) {
            ("governs", _) => governs(&member, documents, findings),
            ("number", Some(number)) if is_number(number) => {}
            ("ground", Some(ground)) if GROUNDS.contains(&ground) || is_rfc(ground) => {}
            ("choice", Some(_)) => {}
            ("number" | "ground", Some(text)) => {
                malformed(&member, &format!("`{text}` is not a {name}"), findings);
            }
            ("number" | "ground" | "choice", None) => {
                malformed(&member, &format!("the {name} is not text"), findings);
            }
            _ => malformed(&member, &format!("a decision has no `{name}`"), findings),
        }
    }
}

/// A letter for the area, and a number: `A2`.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix(|c: char| c.is_ascii_uppercase());
    digits.is_some_and(|d| !d.is_empty() && d.bytes().all(|b| b.is_ascii_digit()))
}

fn is_rfc(ground: &str) -> bool {
    let number = ground.strip_prefix("RFC ");
    number.is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}

fn malformed(place: &LocatedNode<'_>, message: &str, findings: &mut Diagnostics) {
    findings.push(Diagnostic::error(MALFORMED, place.span, message).help(
        "write `number: A2`, `ground: ours`, `choice: …` and `governs: [\"accounts.yaml#/…\"]`; \
         a ground is `ours`, `documented`, `convention`, `inferred`, `seed` or an RFC",
    ));
}

fn governs(place: &LocatedNode<'_>, documents: &[(&str, &Document)], findings: &mut Diagnostics) {
    let pointers = place.elements();
    if pointers.is_empty() {
        malformed(place, "the decision governs nothing", findings);
    }
    for element in pointers {
        let Some(text) = element.node.as_str() else {
            malformed(&element, "the pointer is not text", findings);
            continue;
        };
        if let Err((message, near)) = resolve(text, documents) {
            let mut finding = Diagnostic::error(UNRESOLVED, element.span, message);
            finding = finding.help(match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => "write the file and a JSON Pointer, as in \
                         `accounts.yaml#/paths/~1user/post`, or remove it"
                    .to_owned(),
            });
            findings.push(finding);
        }
    }
}

/// Follows a pointer, and each reference on its way. The error is a message and the probably
/// intended pointer.
fn resolve(text: &str, documents: &[(&str, &Document)]) -> Result<(), (String, Option<String>)> {
    let (file, path) = text.split_once('#').unwrap_or((text, ""));
    let Some((_, document)) = documents.iter().find(|(name, _)| *name == file) else {
        let names = documents.iter().map(|(name, _)| *name);
        let near = similar::nearest_name(names, file);
        let near = near.map(|near| format!("{near}#{path}"));
        return Err((format!("there is no document `{file}`"), near));
    };
    if !path.starts_with('/') {
        return Err((format!("`{text}` is not a JSON Pointer"), None));
    }
    let mut node = &document.root;
    let mut so_far = String::new();
    for segment in pointer::segments(path) {
        let (_, target) = document
            .resolve(node, &so_far)
            .map_err(|broken| (broken.message, None))?;
        let Some(child) = pointer::child(target, &segment) else {
            let keys = target.members().map(|(key, _)| key);
            let near = similar::nearest_name(keys, &segment);
            let near = near.map(|near| format!("{file}#{}", pointer::join(&so_far, near)));
            let message = format!("`{file}#{so_far}` has no `{segment}`");
            return Err((message, near));
        };
        node = child;
        so_far = pointer::join(&so_far, &segment);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = "\
paths:
  /user:
    get: {responses: {'400': {$ref: '#/components/responses/Wrong'}}}
components:
  responses:
    Wrong: {headers: {Allow: {}}}
";

    const DECISIONS: &str = "\
decisions:
  - number: A1
    ground: RFC 9110
    choice: Reading is allowed.
    governs:
      - a.yaml#/paths/~1user/get
      - a.yaml#/paths/~1user/get/responses/400/headers/Allow
";

    /// Rule, text that the finding points at, and help, after `old` became `new`.
    fn found(old: &str, new: &str) -> Vec<(&'static str, String, String)> {
        let text = DECISIONS.replacen(old, new, 1);
        let decisions = Document::load("decisions.yaml", &text).expect("decisions");
        let document = Document::load("a.yaml", DOCUMENT).expect("a document");
        check(&decisions, &[("a.yaml", &document)])
            .into_iter()
            .map(|finding| {
                let place = &text[finding.span.start..finding.span.end];
                let line = place.lines().next().unwrap_or_default();
                (
                    finding.code,
                    line.to_owned(),
                    finding.help.unwrap_or_default(),
                )
            })
            .collect()
    }

    #[test]
    fn a_decision_whose_pointers_resolve_is_fine_also_through_a_reference() {
        assert_eq!(found("", ""), []);
    }

    #[test]
    fn a_pointer_that_leads_nowhere_is_found_with_what_was_probably_meant() {
        for (old, new, at, near) in [
            (
                "~1user/get\n",
                "~1user/gets\n",
                "a.yaml#/paths/~1user/gets",
                "a.yaml#/paths/~1user/get",
            ),
            (
                "~1user/get\n",
                "~1users/get\n",
                "a.yaml#/paths/~1users/get",
                "a.yaml#/paths/~1user",
            ),
            (
                "400/headers/Allow",
                "400/headers/Alow",
                "a.yaml#/paths/~1user/get/responses/400/headers/Alow",
                "responses/400/headers/Allow",
            ),
            (
                "a.yaml#/paths/~1user/get\n",
                "b.yaml#/paths/~1user/get\n",
                "b.yaml#/paths/~1user/get",
                "`a.yaml#/paths/~1user/get`",
            ),
            (
                "a.yaml#/paths/~1user/get\n",
                "a.yaml\n",
                "a.yaml",
                "JSON Pointer",
            ),
        ] {
            let found = found(old, new);
            assert_eq!(found.len(), 1, "{found:?}");
            assert_eq!((found[0].0, found[0].1.as_str()), (UNRESOLVED, at));
            assert!(found[0].2.contains(near), "{found:?}");
        }
    }

    #[test]
    fn a_decision_that_lacks_something_or_has_something_else_is_found() {
        for (old, new, at) in [
            ("number: A1", "number: 1A", "number"),
            ("number: A1", "number: 1", "number"),
            ("ground: RFC 9110", "ground: RFC", "ground"),
            (
                "ground: RFC 9110\n",
                "grounds: ours\n    ground: ours\n",
                "grounds",
            ),
            ("    choice: Reading is allowed.\n", "", "number: A1"),
            ("Reading is allowed.", "''", "choice"),
        ] {
            let found = found(old, new);
            assert_eq!(found.len(), 1, "{old}: {found:?}");
            assert_eq!((found[0].0, found[0].1.as_str()), (MALFORMED, at));
        }
    }

    #[test]
    fn a_file_without_decisions_and_a_decision_without_pointers_are_found() {
        assert_eq!(found("decisions:", "decision:").len(), 1);
        let governs = &DECISIONS[DECISIONS.find("    governs").expect("governs")..];
        assert_eq!(found(governs, "    governs: []\n").len(), 1);
    }
}
