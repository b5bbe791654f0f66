//! The table of clauses: the requirements of the OAuth RFCs, and their tests.
//!
//! It is generated from the tests. The documentation of each test begins with
//! the RFC, the section and the strength of the requirement. A text file beside
//! the tests lists the requirements without a test in the same form, with the
//! reason.

use std::fmt::Write;

use anyhow::Context;

use super::untested::untested;
use crate::repository;

const FOLDER: &str = "server/tests/it/identity/clauses";
const OTHERS: &str = "others.txt";

/// A requirement of an RFC.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Clause {
    rfc: u32,
    /// Such as `3.5` or `3 (5)`.
    section: String,
    strength: String,
    demand: String,
}

/// The table, as a page.
pub(super) fn page() -> anyhow::Result<String> {
    let folder = repository::root().join(FOLDER);
    let mut tested = Vec::new();
    let mut others = Vec::new();
    for path in repository::entries(&folder)? {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let text = std::fs::read_to_string(&path)?;
        if path.ends_with(OTHERS) {
            others = untested(&text, clause)?;
        } else if name != "mod" {
            let tests = tests(&text).with_context(|| path.display().to_string())?;
            let named = |(clause, test)| (clause, format!("clauses::{name}::{test}"));
            tested.extend(tests.into_iter().map(named));
        }
    }
    tested.sort_by_key(|(clause, _)| order(clause));
    others.sort_by_key(|(clause, _)| order(clause));
    Ok(render(&tested, &others))
}

/// The order by RFC and by section: numbers as numbers, appendices last.
fn order(clause: &Clause) -> (u32, Vec<u32>) {
    let numbers = clause.section.split(|c: char| !c.is_ascii_digit());
    let mut numbers: Vec<_> = numbers.filter_map(|number| number.parse().ok()).collect();
    if numbers.is_empty() {
        numbers.push(u32::MAX);
    }
    (clause.rfc, numbers)
}

fn render(tested: &[(Clause, String)], others: &[(Clause, String)]) -> String {
    let mut rfcs: Vec<_> = tested.iter().map(|(clause, _)| clause.rfc).collect();
    rfcs.dedup();
    // Writing to a String cannot fail.
    let mut text = format!(
        "# Clause by clause\n\n\
         The requirements of the OAuth RFCs for an authorization server with these grants, and their\n\
         tests: {} tests, each on both databases. Written by `cargo xtask regenerate` from the tests in\n\
         `{}`.\n\n\
         ```console\n$ cargo test -p accord-server --test it identity::clauses\n```\n",
        tested.len(),
        FOLDER.trim_start_matches("server/"),
    );
    for rfc in rfcs {
        let _ = write!(
            text,
            "\n## RFC {rfc}\n\n| section | strength | requirement | test |\n|---|---|---|---|\n"
        );
        for (clause, test) in tested.iter().filter(|(clause, _)| clause.rfc == rfc) {
            let Clause {
                rfc: _,
                section,
                strength,
                demand,
            } = clause;
            let _ = writeln!(text, "| {section} | {strength} | {demand} | `{test}` |");
        }
    }
    text += "\n## Without a test\n\n| RFC | section | strength | requirement | why |\n|---|---|---|---|---|\n";
    for (clause, reason) in others {
        let Clause {
            rfc,
            section,
            strength,
            demand,
        } = clause;
        let _ = writeln!(
            text,
            "| {rfc} | {section} | {strength} | {demand} | {reason} |"
        );
    }
    text
}

/// The tests of a file, each with its clause.
fn tests(text: &str) -> anyhow::Result<Vec<(Clause, String)>> {
    let mut tests = Vec::new();
    let mut documentation = String::new();
    let mut attributed = false;
    for line in text.lines().map(str::trim) {
        if let Some(sentence) = line.strip_prefix("///") {
            documentation.push_str(sentence);
        } else if line.starts_with("#[") {
            attributed |= line.contains("test");
        } else {
            let test = line.strip_prefix("async fn ").and_then(|rest| {
                let (name, arguments) = rest.split_once('(')?;
                (attributed || arguments.starts_with("server: Server)")).then_some(name)
            });
            if let Some(name) = test {
                let clause = clause(&documentation).with_context(|| {
                    format!("{name}: the documentation must name the requirement and its section")
                })?;
                tests.push((clause, name.to_owned()));
            }
            documentation.clear();
            attributed = false;
        }
    }
    Ok(tests)
}

/// Parses `RFC 8628, section 3.1, MUST: the requirement.`
fn clause(text: &str) -> anyhow::Result<Clause> {
    const FORM: &str = "expected `RFC 8628, section 3.1, MUST: the requirement`";
    let (place, demand) = text.split_once(": ").context(FORM)?;
    let (place, strength) = place.rsplit_once(", ").context(FORM)?;
    let (rfc, section) = place.rsplit_once(", ").context(FORM)?;
    let rfc = rfc.trim().strip_prefix("RFC ").context(FORM)?;
    let section = section.strip_prefix("section ").unwrap_or(section);
    Ok(Clause {
        rfc: rfc.parse().context(FORM)?,
        section: section.to_owned(),
        strength: strength.to_owned(),
        demand: demand.trim_end_matches('.').replace('|', "\\|"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_is_found_with_its_clause() {
        let text = "clauses! {\n    /// RFC 8628, section 3.1, MUST: a demand\n    /// of two \
                    lines.\n    async fn it_is_met(server: Server) {\n    }\n}\n\
                    async fn helper(server: &Server) {}\n";
        let found = tests(text).unwrap();
        let [(clause, name)] = found.as_slice() else {
            panic!("{found:?}")
        };
        assert_eq!((clause.rfc, clause.section.as_str()), (8628, "3.1"));
        assert_eq!(clause.demand, "a demand of two lines");
        assert_eq!(name, "it_is_met");
    }

    #[test]
    fn a_test_without_a_clause_is_refused() {
        for text in [
            "",
            "/// About something.\n",
            "/// RFC x, section 1, MUST: y.\n",
        ] {
            assert!(tests(&format!("{text}async fn it(server: Server) {{")).is_err());
        }
    }

    #[test]
    fn a_demand_without_a_test_has_a_reason() {
        assert!(untested("RFC 1, section 1, MUST: x.\n", clause).is_err());
        assert!(untested("  because\n", clause).is_err());
        let others = untested("# x\n\nRFC 1, section 1, MUST: x.\n  Because.\n", clause).unwrap();
        assert_eq!(others[0].1, "Because.");
    }
}
