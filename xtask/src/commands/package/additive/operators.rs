//! The mutation operators as a source of edits: an edit that `diff` calls additive must be additive in the client, too.

use std::collections::{BTreeMap, BTreeSet};

use dropforge::check::compatibility::{Class, compare};
use dropforge::document::Document;
use dropforge_mutants::{Mutant, Operator, mutants};
use serde_json::Value;

use super::super::areas::{self, AREAS};
use super::api;
use crate::repository;

/// How many mutants of an operator are tried in each document, until one is additive in each direction.
const TRIES: usize = 3;

/// The kind of a place that an edit changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    /// Whether a request has a body.
    Body,
    /// Whether an object has a member.
    Member,
    /// The type or the format of a number.
    Number,
    /// Any other, such as a parameter, a header or a text.
    Other,
}

impl Place {
    fn of(mutant: &Mutant, document: &Value) -> Self {
        let (owner, _) = mutant.pointer.rsplit_once('/').unwrap_or_default();
        let is_number = || {
            let kind = document.pointer(&format!("{owner}/type"));
            kind.is_some_and(|kind| kind == "integer" || kind == "number")
        };
        match mutant.operator {
            Operator::BodyFlipped => Self::Body,
            Operator::FormatChanged | Operator::TypeChanged if is_number() => Self::Number,
            // A parameter or a header has no list of required members.
            Operator::RequiredAdded if owner.ends_with("/properties") => Self::Member,
            Operator::RequiredDropped if owner.ends_with("/required") => Self::Member,
            _ => Self::Other,
        }
    }
}

/// The edits that loosen a request and change the types of the client: a body or a member becomes optional, or a number
/// has more values. Servers still accept what callers send.
const LOOSEN: [(Operator, Place); 5] = [
    (Operator::BodyFlipped, Place::Body),
    (Operator::FormatChanged, Place::Number),
    (Operator::RequiredAdded, Place::Member),
    (Operator::RequiredDropped, Place::Member),
    (Operator::TypeChanged, Place::Number),
];

/// The operators that were compared in one document, and the breaks that were found.
#[derive(Default)]
struct Compared {
    operators: BTreeSet<Operator>,
    breaks: Vec<((Operator, Place), String)>,
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
            let edit = (operator, Place::of(&mutant, &json));
            let place = format!("{area}{}, {}", mutant.pointer, mutant.what);
            let breaks = breaks.iter().map(|one| (edit, format!("{place}: {one}")));
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
        for (edit, one) in compared.breaks {
            match LOOSEN.contains(&edit) {
                true => drop(loosened.insert(edit)),
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

const TEXT: &str = "openapi: 3.0.3
info: {title: T, version: '1'}
paths:
  /a:
    post:
      operationId: write
      parameters:
        - {name: page, in: query, required: true, schema: {type: integer, format: int32}}
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}
      responses: {'204': {description: Written.}}
components:
  schemas:
    Note:
      type: object
      required: [id]
      properties: {id: {type: string, format: uuid}, text: {type: string}}
";

#[test]
fn an_exception_is_for_one_kind_of_place() {
    let document = Document::load("notes.yaml", TEXT).expect("a document");
    let json = document.to_json();
    let mut excepted = BTreeSet::new();
    let mut others = BTreeSet::new();
    for mutant in mutants(&document) {
        let operator = mutant.operator;
        if !LOOSEN.iter().any(|(loosens, _)| *loosens == operator) {
            continue;
        }
        match LOOSEN.contains(&(operator, Place::of(&mutant, &json))) {
            true => excepted.insert(mutant.pointer),
            false => others.insert(mutant.pointer),
        };
    }
    let note = "/components/schemas/Note";
    let page = "/paths/~1a/post/parameters/0";
    let expected = [
        format!("{note}/properties/text"),
        format!("{note}/required/0"),
        format!("{page}/schema/format"),
        format!("{page}/schema/type"),
        "/paths/~1a/post/requestBody".to_owned(),
    ];
    assert_eq!(excepted, BTreeSet::from(expected));
    let expected = [
        format!("{note}/properties/id/format"),
        format!("{note}/properties/id/type"),
        format!("{note}/properties/text/type"),
        format!("{note}/type"),
        page.to_owned(),
    ];
    assert_eq!(others, BTreeSet::from(expected));
}
