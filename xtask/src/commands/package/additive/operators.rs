//! The mutation operators as a source of edits: an edit that `diff` calls additive must be additive in the client, too.

use std::collections::{BTreeMap, BTreeSet};

use dropforge::check::compatibility::{Class, compare};
use dropforge::document::Document;
use dropforge_mutants::{Mutant, Operator, mutants};

use super::super::areas::{self, AREAS};
use super::api;
use crate::repository;

/// How many mutants of an operator are tried in each document, until one is additive in each direction.
const TRIES: usize = 3;

/// The operators that loosen a request: a member or a body that becomes optional, and a type with more numbers. Servers
/// still accept what callers send, but the types of the client change.
const LOOSEN: [Operator; 5] = [
    Operator::BodyFlipped,
    Operator::FormatChanged,
    Operator::RequiredAdded,
    Operator::RequiredDropped,
    Operator::TypeChanged,
];

/// The operators that were compared in one document, and the breaks that were found.
#[derive(Default)]
struct Compared {
    operators: BTreeSet<Operator>,
    breaks: Vec<(Operator, String)>,
}

/// Whether `diff` finds an addition, and nothing that breaks clients or servers.
fn is_additive(old: &Document, new: &Document) -> bool {
    let changes = compare(old, new);
    changes.iter().any(|change| change.class == Class::Additive)
        && !changes.iter().any(|change| change.class.is_breaking())
}

/// Some mutants of each operator, from all over the document.
fn sample(document: &Document) -> BTreeMap<Operator, Vec<Mutant>> {
    let mut all: BTreeMap<Operator, Vec<Mutant>> = BTreeMap::new();
    for mutant in mutants(document) {
        all.entry(mutant.operator).or_default().push(mutant);
    }
    for found in all.values_mut() {
        let distance = found.len().div_ceil(TRIES);
        *found = found.drain(..).step_by(distance).collect();
    }
    all
}

fn compare_area(area: &str) -> Compared {
    let document = areas::document(&repository::root(), area).expect("a document");
    let (json, original) = (document.to_json(), api(&document).expect("a client"));
    let mut compared = Compared::default();
    for (operator, mutants) in sample(&document) {
        // A dropped member is an added one in the other direction.
        let (mut forward, mut back) = (false, false);
        for mutant in mutants {
            if forward && back {
                break;
            }
            let edited = mutant.apply(&json).expect("an edit").to_string();
            // A mutant may be no valid document, or have no client.
            let Ok(edited) = Document::read(&format!("{area}.json"), &edited) else {
                continue;
            };
            let is_next = !forward && is_additive(&document, &edited);
            let is_previous = !back && is_additive(&edited, &document);
            if !is_next && !is_previous {
                continue;
            }
            let Ok(other) = api(&edited) else { continue };
            let breaks = match is_next {
                true => other.breaks(&original),
                false => original.breaks(&other),
            };
            forward |= is_next;
            back |= is_previous;
            compared.operators.insert(operator);
            let place = format!("{area}{}, {}", mutant.pointer, mutant.what);
            let breaks = breaks
                .iter()
                .map(|one| (operator, format!("{place}: {one}")));
            compared.breaks.extend(breaks);
        }
    }
    compared
}

#[test]
fn an_additive_edit_of_an_operator_breaks_no_caller_unless_it_loosens_a_request() {
    let areas = AREAS.map(|area| std::thread::spawn(move || compare_area(area)));
    let (mut operators, mut loosened, mut breaks) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
    for area in areas {
        let compared = area.join().expect("an area");
        operators.extend(compared.operators);
        for (operator, one) in compared.breaks {
            match LOOSEN.contains(&operator) {
                true => drop(loosened.insert(operator)),
                false => breaks.push(one),
            }
        }
    }
    assert!(
        breaks.is_empty(),
        "{} breaks:\n{}",
        breaks.len(),
        breaks.join("\n")
    );
    assert_eq!(
        loosened,
        BTreeSet::from(LOOSEN),
        "an exception is no longer needed"
    );
    assert!(
        operators.len() > 12,
        "few operators were compared: {operators:?}"
    );
}
