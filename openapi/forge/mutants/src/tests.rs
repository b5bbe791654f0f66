//! That each operator does what it says, and that the rule of equivalence holds.

use std::collections::HashSet;

use dropforge::check::compatibility;

use super::*;

const BASE: &str = include_str!("../../src/check/compatibility/base.yaml");

fn base() -> Document {
    Document::load("base.yaml", BASE).expect("a document")
}

#[test]
fn each_mutant_differs_from_the_document_and_from_the_others() {
    let document = base();
    let json = document.to_json();
    let mut seen = HashSet::new();
    for mutant in mutants(&document) {
        let mutated = mutant.apply(&json).unwrap_or_else(|| panic!("{mutant:?}"));
        assert_ne!(mutated, json, "{mutant:?}");
        assert!(document.at(&mutant.pointer).is_some(), "{mutant:?}");
        let told = (mutant.operator, mutant.pointer.clone(), mutant.what.clone());
        assert!(seen.insert(told), "{mutant:?}");
    }
    assert!(seen.len() > 100, "{}", seen.len());
}

#[test]
fn the_operators_have_words_and_most_apply_to_one_document() {
    let document = base();
    let used: HashSet<Operator> = mutants(&document).iter().map(|m| m.operator).collect();
    for operator in Operator::all() {
        assert!(!operator.to_string().is_empty() && !operator.harm().is_empty());
    }
    assert!(used.len() >= Operator::all().count() - 3, "{used:?}");
}

#[test]
fn a_mutant_is_equivalent_when_only_words_change() {
    let old = base();
    let load = |text: &str| Document::load("base.yaml", text).expect("a document");
    let new = load(&BASE.replacen("description: Done.", "description: Ready.", 1));
    let changes = compatibility::compare(&old, &new);
    assert!(equivalence_reason(&changes, || true).is_some());
    assert!(equivalence_reason(&changes, || false).is_none());
    let new = load(&BASE.replacen("maxLength: 10,", "", 1));
    let changes = compatibility::compare(&old, &new);
    assert!(equivalence_reason(&changes, || true).is_none());
}

#[test]
fn an_extensible_enum_that_grows_is_no_mutant() {
    let pushed = |text: &str| {
        let document = Document::load("base.yaml", text).expect("a document");
        let mutants = mutants(&document).into_iter();
        let at = "/components/schemas/Output/properties/kind/enum";
        mutants
            .filter(|mutant| mutant.pointer == at && mutant.operator == Operator::EnumChanged)
            .count()
    };
    assert_eq!(pushed(BASE), 1);
    assert_eq!(
        pushed(&BASE.replace("enum: [c, d]", "x-extensible-enum: [c, d]")),
        0
    );
}

#[test]
fn a_pattern_that_rejects_the_empty_text_implies_a_minimum_length_of_one() {
    let implied = |text: &str| {
        let document = Document::load("base.yaml", text).expect("a document");
        let json = document.to_json();
        let mutants = mutants(&document).into_iter();
        let implied = mutants.filter(|mutant| {
            let mutated = mutant.apply(&json).expect("an edit");
            is_implied_by_pattern(&json, &mutated, mutant)
        });
        implied.map(|mutant| mutant.what).collect::<Vec<_>>()
    };
    assert_eq!(
        implied(BASE),
        ["minLength 1 is removed", "minLength 1 becomes 0"]
    );
    assert!(implied(&BASE.replace("pattern: '^a'", "pattern: '^a*'")).is_empty());
    assert!(implied(&BASE.replace("minLength: 1,", "minLength: 2,")).is_empty());
}
