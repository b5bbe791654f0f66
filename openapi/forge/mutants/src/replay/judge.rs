//! The decisions of a document about requests.

use std::collections::{BTreeMap, HashSet};

use dropforge::check::document_index::{Direction, DocumentIndex, LocatedNode};
use dropforge::check::json_schema;
use dropforge::document::Document;
use dropforge::structure;
use serde_json::Value;

use crate::recording::Part;

/// The subject of a verdict: the id of the operation, and a part of its requests.
pub(super) type Key = (String, Part);

/// Schemes that must hold together, by name, each with its kind and scopes.
pub(super) type Alternative = BTreeMap<String, (String, Vec<String>)>;

/// The decisions of a document about requests.
pub(super) struct Judge {
    /// Paths by operation.
    pub paths: BTreeMap<String, String>,
    /// The schemas of the parts, as JSON Schema.
    pub schemas: BTreeMap<Key, Value>,
    pub required: HashSet<Key>,
    /// The alternatives by operation.
    pub security: BTreeMap<String, Vec<Alternative>>,
}

impl Judge {
    pub fn new(document: &Document) -> Judge {
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
                for (media, place) in body.entries_of("content") {
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

    /// Adds a parameter or a media type of a body.
    fn part(&mut self, index: &DocumentIndex<'_>, key: Key, place: &LocatedNode<'_>) {
        if is_true(place, "required") {
            self.required.insert(key.clone());
        }
        if let Some(schema) = place.get("schema") {
            let (document, at) = (index.document, &schema.pointer);
            let converted = json_schema::of(document, schema.node, at, Direction::Request);
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
