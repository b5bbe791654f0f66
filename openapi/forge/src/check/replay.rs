//! Requests that were recorded while tests ran, judged by a changed document.
//!
//! Each test that sends a request knows what becomes of it: that a body is taken,
//! or refused, that nobody comes in without credentials. What decides that stands
//! in the document, so a document that decides otherwise of a request that was sent
//! makes that test fail, and it need not be run to know it.
//!
//! Requests are judged by the `jsonschema` crate and not by what recorded them; a
//! value of which the two think differently before any change is left out.

use std::collections::{BTreeMap, HashSet};

use jsonschema::Validator;
use serde_json::Value;

use super::document_index::{Direction, DocumentIndex, LocatedNode};
use super::examples;
use super::json_schema;
use crate::document::Document;
use crate::structure;

/// What is judged: the id of the operation, and a parameter's name or a body's
/// media type.
type Key = (String, Part);

#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Part {
    Parameter(String),
    Body(String),
}

/// The requests of one document's operations.
pub struct Traffic {
    values: BTreeMap<Key, Vec<(Value, bool)>>,
    /// Verdicts of requests that left something out.
    absent: BTreeMap<Key, bool>,
    passages: HashSet<Passage>,
    before: Judge,
}

/// How a request stood to the credentials that its operation asks for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Passage {
    operation: String,
    /// `basic`, `bearer`; none where nothing was presented.
    presented: Option<String>,
    /// Why it was turned away; none where it came in.
    refused: Option<String>,
}

impl Traffic {
    /// Reads what was recorded, a line of JSON each, and keeps what is about the
    /// operations of this document.
    pub fn read(lines: &str, document: &Document) -> Traffic {
        let before = Judge::new(document);
        let mut seen = HashSet::new();
        let mut traffic = Traffic {
            values: BTreeMap::new(),
            absent: BTreeMap::new(),
            passages: HashSet::new(),
            before,
        };
        for line in lines.lines().filter(|line| seen.insert(*line)) {
            if let Ok(entry) = serde_json::from_str::<Value>(line) {
                traffic.keep(&entry);
            }
        }
        // What its own document judges otherwise says nothing about a change.
        for (key, values) in &mut traffic.values {
            let validator = traffic.before.schemas.get(key).and_then(build);
            values.retain(|(value, valid)| {
                let same = |validator: &Validator| validator.is_valid(value) == *valid;
                validator.as_ref().is_some_and(same)
            });
        }
        traffic
    }

    /// How many different values there are to judge.
    pub fn len(&self) -> usize {
        self.values.values().map(Vec::len).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn keep(&mut self, entry: &Value) {
        let text = |key: &str| entry[key].as_str().map(str::to_owned);
        let (Some(operation), Some(path)) = (text("operation"), text("path")) else {
            return;
        };
        let known = self.before.paths.get(&operation);
        if !known.is_some_and(|known| path.ends_with(known.as_str())) {
            return;
        }
        let valid = entry["valid"] == true;
        let part = match entry["what"].as_str() {
            Some("parameter") => text("name").map(Part::Parameter),
            Some("body") => match text("media") {
                Some(media) => Some(Part::Body(media)),
                None => Some(Part::Body(String::new())),
            },
            Some("admitted" | "refused") => {
                self.passages.insert(Passage {
                    operation,
                    presented: text("authorization"),
                    refused: text("why"),
                });
                return;
            }
            _ => None,
        };
        let Some(part) = part else { return };
        if entry["absent"] == true {
            self.absent.insert((operation, part), valid);
        } else {
            let values = self.values.entry((operation, part)).or_default();
            values.push((entry["value"].clone(), valid));
        }
    }

    /// What a changed document decides otherwise, if anything.
    pub fn notices(&self, changed: &Document) -> Option<String> {
        let after = Judge::new(changed);
        for (key, values) in &self.values {
            let (before, schema) = (self.before.schemas.get(key), after.schemas.get(key));
            if before == schema {
                continue;
            }
            let Some(validator) = schema.and_then(build) else {
                continue;
            };
            let other = values
                .iter()
                .find(|(value, valid)| validator.is_valid(value) != *valid);
            if let Some((_, valid)) = other {
                return Some(format!(
                    "{}: a {} that was {} is not",
                    key.0,
                    part(&key.1),
                    if *valid { "taken" } else { "refused" },
                ));
            }
        }
        for (key, valid) in &self.absent {
            let now = !after.required.contains(key);
            let before = !self.before.required.contains(key);
            if before == *valid && now != *valid {
                let part = part(&key.1);
                return Some(format!("{}: {part} may be absent: {now}", key.0));
            }
        }
        let mut passages = self.passages.iter();
        passages.find_map(|passage| self.passes_otherwise(passage, &after))
    }

    fn passes_otherwise(&self, passage: &Passage, after: &Judge) -> Option<String> {
        let operation = &passage.operation;
        let before = self.before.security.get(operation)?;
        let now = after.security.get(operation)?;
        let anybody = |all: &[Alternative]| all.is_empty() || all.iter().any(BTreeMap::is_empty);
        let with = |all: &[Alternative], kind: &str| -> Vec<Alternative> {
            let uses = |one: &&Alternative| one.values().any(|(known, _)| known == kind);
            all.iter().filter(uses).cloned().collect()
        };
        let scopes = |all: &[Alternative]| -> HashSet<String> {
            let uses = all.iter().flat_map(BTreeMap::values);
            uses.flat_map(|(_, scopes)| scopes.clone()).collect()
        };
        let said = match (&passage.refused, &passage.presented) {
            (Some(_), None) => {
                (!anybody(before) && anybody(now)).then_some("nobody has to say who they are")
            }
            (Some(why), Some(kind)) if why == "forbidden" => {
                let (before, now) = (scopes(&with(before, kind)), scopes(&with(now, kind)));
                (!before.is_empty() && !before.is_subset(&now))
                    .then_some("a token without the scope is good enough")
            }
            (None, Some(kind)) => {
                let (before, now) = (with(before, kind), with(now, kind));
                let gone = !before.is_empty() && now.is_empty();
                let more = !scopes(&now).is_subset(&scopes(&before));
                (gone || more).then_some("credentials that were good enough are not")
            }
            _ => None,
        };
        said.map(|said| format!("{operation}: {said}"))
    }
}

/// What has to hold at once: schemes by name, each with its kind and scopes.
type Alternative = BTreeMap<String, (String, Vec<String>)>;

/// What a document decides about requests.
struct Judge {
    /// Paths by operation.
    paths: BTreeMap<String, String>,
    schemas: BTreeMap<Key, Value>,
    required: HashSet<Key>,
    security: BTreeMap<String, Vec<Alternative>>,
}

impl Judge {
    fn new(document: &Document) -> Judge {
        let index = DocumentIndex::new(document);
        let mut judge = Judge {
            paths: BTreeMap::new(),
            schemas: BTreeMap::new(),
            required: HashSet::new(),
            security: BTreeMap::new(),
        };
        for operation in &index.operations {
            let Some(id) = operation.place.text("operationId") else {
                continue;
            };
            judge.paths.insert(id.to_owned(), operation.path.to_owned());
            for parameter in &operation.parameters {
                let Some(parameter) = index.resolve(parameter) else {
                    continue;
                };
                if let Some(name) = parameter.text("name") {
                    let key = (id.to_owned(), Part::Parameter(name.to_owned()));
                    judge.part(&index, key, &parameter);
                }
            }
            let body = operation.place.get("requestBody");
            if let Some(body) = body.and_then(|body| index.resolve(&body)) {
                if is_true(&body, "required") {
                    let key = (id.to_owned(), Part::Body(String::new()));
                    judge.required.insert(key);
                }
                let content = body.get("content");
                for (media, place) in content.iter().flat_map(LocatedNode::entries) {
                    let key = (id.to_owned(), Part::Body(media.to_owned()));
                    judge.part(&index, key, &place);
                }
            }
            let alternatives = structure::alternatives(index.document, operation.place.node);
            let alternatives = alternatives.iter().map(|one| alternative(&index, one));
            judge.security.insert(id.to_owned(), alternatives.collect());
        }
        judge
    }

    /// A parameter or a media type.
    fn part(&mut self, index: &DocumentIndex<'_>, key: Key, place: &LocatedNode<'_>) {
        if is_true(place, "required") {
            self.required.insert(key.clone());
        }
        if let Some(schema) = place.get("schema") {
            let converted = json_schema::of(
                index.document,
                schema.node,
                &schema.pointer,
                Direction::Request,
            );
            if let Ok(converted) = converted {
                self.schemas.insert(key, converted);
            }
        }
    }
}

fn alternative(index: &DocumentIndex<'_>, alternative: &structure::Alternative<'_>) -> Alternative {
    let schemes = index.components_of("securitySchemes");
    let uses = alternative.uses.iter().map(|used| {
        let scheme = schemes.iter().find(|(known, _)| *known == used.scheme);
        let text = |key| scheme.and_then(|(_, scheme)| scheme.text(key));
        let kind = match (text("type"), text("scheme")) {
            (Some("http"), Some(scheme)) => scheme.to_ascii_lowercase(),
            (Some("oauth2" | "openIdConnect"), _) => "bearer".to_owned(),
            _ => String::new(),
        };
        let scopes = used.scopes.iter().map(|scope| scope.to_string());
        (used.scheme.to_owned(), (kind, scopes.collect()))
    });
    uses.collect()
}

fn is_true(place: &LocatedNode<'_>, key: &str) -> bool {
    place.get(key).and_then(|flag| flag.node.as_bool()) == Some(true)
}

fn build(schema: &Value) -> Option<Validator> {
    examples::build(schema).ok()
}

fn part(part: &Part) -> String {
    match part {
        Part::Parameter(name) => format!("parameter `{name}`"),
        Part::Body(_) => "body".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::Traffic;
    use crate::document::Document;

    const DOCUMENT: &str = "\
openapi: 3.0.3
info: {title: T, version: '1'}
paths:
  /pets:
    post:
      operationId: addPet
      security: [{token: [pets.write]}]
      parameters:
        - {name: limit, in: query, schema: {type: integer, maximum: 10}}
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: '#/components/schemas/Pet'}
      responses: {}
components:
  securitySchemes: {token: {type: http, scheme: bearer}}
  schemas:
    Pet:
      type: object
      required: [name]
      properties:
        name: {type: string, maxLength: 3}
";

    const RECORDED: &str = r#"
{"what":"parameter","name":"limit","value":11,"valid":false,"operation":"addPet","path":"/api/pets"}
{"what":"body","media":"application/json","value":{"name":"Mira"},"valid":false,"operation":"addPet","path":"/api/pets"}
{"what":"body","media":"application/json","value":{"name":"Ida"},"valid":true,"operation":"addPet","path":"/api/pets"}
{"what":"body","media":null,"absent":true,"valid":false,"operation":"addPet","path":"/api/pets"}
{"what":"admitted","authorization":"bearer","operation":"addPet","path":"/api/pets"}
{"what":"refused","why":"missing","authorization":null,"operation":"addPet","path":"/api/pets"}
{"what":"refused","why":"forbidden","authorization":"bearer","operation":"addPet","path":"/api/pets"}
"#;

    fn noticed(from: &str, to: &str) -> Option<String> {
        let load = |text: &str| Document::load("pets.yaml", text).expect("a document");
        assert!(DOCUMENT.contains(from), "{from}");
        let traffic = Traffic::read(RECORDED, &load(DOCUMENT));
        assert_eq!(traffic.len(), 3);
        traffic.notices(&load(&DOCUMENT.replace(from, to)))
    }

    #[test]
    fn a_request_that_a_changed_document_judges_otherwise_is_found() {
        for (from, to) in [
            ("maxLength: 3", "maxLength: 4"),
            ("maxLength: 3", "maxLength: 2"),
            ("maximum: 10", "maximum: 11"),
            ("required: true", "required: false"),
            ("security: [{token: [pets.write]}]", "security: []"),
            (
                "security: [{token: [pets.write]}]",
                "security: [{token: [pets.write]}, {}]",
            ),
            ("token: [pets.write]", "token: []"),
            ("token: [pets.write]", "token: [pets.write, more]"),
        ] {
            assert!(noticed(from, to).is_some(), "{from} to {to}");
        }
    }

    #[test]
    fn what_no_recorded_request_depends_on_is_not() {
        for (from, to) in [
            ("title: T", "title: U"),
            ("maximum: 10", "maximum: 9"),
            (
                "type: string, maxLength: 3",
                "type: string, minLength: 3, maxLength: 3",
            ),
        ] {
            assert_eq!(noticed(from, to), None, "{from} to {to}");
        }
    }
}
