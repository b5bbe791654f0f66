//! Proves that an additive change of a document is an additive change of its client. Each edit is made at every place of
//! a document at once.

mod edits;
mod operators;

use std::collections::BTreeSet;

use dropforge::document::Document;

use super::api::Api;
use super::areas::{self, AREAS};
use crate::repository;
use edits::{EDITS, everywhere};

/// Documents with constructs that the areas lack.
const OTHERS: [&str; 4] = [
    "openapi/forge/tests/golden/counter.yaml",
    "openapi/forge/tests/golden/kitchen.yaml",
    "openapi/forge/roundtrip/traps.yaml",
    "openapi/forge/roundtrip/styles.yaml",
];

fn api(document: &Document) -> Result<Api, String> {
    let client = dropforge::emit::client::generate(document)
        .map_err(|findings| findings.render(&document.source))?;
    let code = syn::parse2(client.tokens).map_err(|error| error.to_string())?;
    Ok(Api::of_code("client", &code))
}

/// Makes every edit in one document. Returns the changes that break callers, and adds the edits that change the client.
fn breaks_of(
    name: &str,
    document: &Document,
    effective: &mut BTreeSet<&'static str>,
) -> Vec<String> {
    let before = api(document).unwrap_or_else(|refused| panic!("{name}: {refused}"));
    let mut breaks = Vec::new();
    for (edit, make) in EDITS {
        let mut json = document.to_json();
        if everywhere("", &mut json, make) == 0 {
            continue;
        }
        let edited = Document::read(&format!("{name}.json"), &json.to_string());
        let edited = edited.unwrap_or_else(|findings| panic!("{name}, {edit}: {findings:?}"));
        match api(&edited) {
            Ok(after) => {
                if after != before {
                    effective.insert(edit);
                }
                let found = after.breaks(&before).into_iter();
                breaks.extend(found.map(|one| format!("{name}, {edit}: {one}")));
            }
            Err(refused) => breaks.push(format!("{name}, {edit}: {refused}")),
        }
    }
    breaks
}

#[test]
fn an_additive_change_of_a_document_is_one_of_its_client() {
    let root = repository::root();
    let (mut breaks, mut effective) = (Vec::new(), BTreeSet::new());
    for area in AREAS {
        let document = areas::document(&root, area).expect("a document");
        breaks.extend(breaks_of(area, &document, &mut effective));
    }
    for other in OTHERS {
        let document = Document::load_file(root.join(other)).expect("a document");
        breaks.extend(breaks_of(other, &document, &mut effective));
    }
    let idle: Vec<_> = EDITS
        .iter()
        .filter(|(edit, _)| !effective.contains(edit))
        .collect();
    assert!(idle.is_empty(), "without an effect: {idle:?}");
    assert!(
        breaks.is_empty(),
        "{} breaks:\n{}",
        breaks.len(),
        breaks.join("\n")
    );
}

#[test]
fn a_change_that_breaks_callers_is_found() {
    let before = "#[non_exhaustive] pub enum A { B } pub struct C { pub d: u8 } pub fn e(f: u8) {} impl C { pub fn g() {} } pub trait K {}";
    let api = |code: &str| Api::of_code("x", &syn::parse_str(code).expect("code"));
    let older = api(before);
    for (from, to, expected) in [
        ("", "", ""),
        ("A { B }", "A { B, H }", ""),
        ("pub fn g() {}", "pub fn g() {} pub fn h() {}", ""),
        ("A { B }", "A { I }", "x::A::B was removed"),
        ("#[non_exhaustive]", "", "x::A can no longer be extended"),
        ("pub d: u8", "pub d: u16", "x::C::d was `u8` and is `u16`"),
        ("pub d: u8", "pub d: u8, pub j: u8", "x::C::j was added"),
        ("f: u8", "f: u16", "x::e was"),
        ("K {}", "K { fn l() {} }", ""),
        (
            "K {}",
            "K { fn l(); }",
            "x::K::l was added, and implementations of its trait lack it",
        ),
        ("pub fn g() {}", "", "x::C::g() was removed"),
    ] {
        let breaks = api(&before.replacen(from, to, 1)).breaks(&older);
        let breaks: Vec<String> = breaks.iter().map(ToString::to_string).collect();
        let breaks = breaks.join(", ");
        match expected {
            "" => assert_eq!(breaks, ""),
            expected => assert!(breaks.starts_with(expected), "{breaks}"),
        }
    }
}
