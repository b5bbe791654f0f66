//! Proposals for the word that somebody types in a document.

use std::collections::BTreeSet;

use super::key::{Key, Object, ValueType, Version, describe};
use super::scopes::{REQUIRED_SCOPES, SCOPES};
use super::slot::Slot;
use super::tables;
use crate::document::{Cursor, Document, Node, pointer};

/// A word that fits a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// The key, or the value.
    pub text: String,
    /// The kind of the word.
    pub kind: ProposalKind,
    /// A short text beside the word.
    pub detail: String,
    /// The documentation of the word in Markdown.
    pub documentation: String,
}

/// The kind of a proposed word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProposalKind {
    /// A key whose value is an object.
    KeyOfObject,
    /// A key whose value is a list.
    KeyOfList,
    /// Another key.
    Key,
    /// A reference to a component.
    Reference,
    /// Another value.
    Value,
}

/// The documents that the words are taken from.
#[derive(Debug, Clone, Copy)]
pub struct Vocabulary<'d> {
    /// The document in which somebody types, as it is written: references to other files are not
    /// resolved. It may be an earlier state of the text.
    pub written: &'d Document,
    /// The same document, loaded with the files that it refers to.
    pub loaded: Option<&'d Document>,
    /// The files of the same folder that it can refer to, by name.
    pub shared: &'d [(String, Document)],
}

impl<'d> Vocabulary<'d> {
    /// The words that fit the place of the cursor. `typed` is the word that begins there.
    pub fn proposals(&self, cursor: &Cursor, typed: &str) -> Vec<Proposal> {
        let version = Version::of(self.written);
        let Some(slot) = Slot::at(&cursor.pointer, version) else {
            return Vec::new();
        };
        match (slot, cursor.is_value) {
            (Slot::Value(ValueType::Map(object), _), false) if object.is(&tables::MEDIA_TYPE) => {
                self.names_of_maps("content", "a media type of the documents")
            }
            (Slot::Value(ValueType::Boolean | ValueType::BooleanOr(_), _), true) => {
                let values = ["true", "false"].into_iter();
                values.map(|text| value(text, "a boolean", "")).collect()
            }
            (Slot::Value(ValueType::Url, None), true) => {
                let outer = cursor
                    .pointer
                    .rsplit_once('/')
                    .map_or("", |(outer, _)| outer);
                let object = Slot::at(outer, version).and_then(Slot::object);
                object.map_or_else(Vec::new, |object| self.references(object, version))
            }
            (Slot::Element(key), _) => self.elements(key),
            (Slot::RequiredScopes, _) => self.scopes(),
            (Slot::Requirement, false) => self.schemes(),
            (slot, false) => match slot.object() {
                Some(object) if object.is(&tables::RESPONSES) => {
                    self.names_of_maps("responses", "a status of the documents")
                }
                Some(object) => self.keys(object, &cursor.pointer, typed, version),
                None => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    /// The keys of an object that it does not have yet.
    fn keys(
        &self,
        object: &'static Object,
        place: &str,
        typed: &str,
        version: Version,
    ) -> Vec<Proposal> {
        let node = self.written.at(place).and_then(Node::as_object);
        let is_free = |key: &str| {
            let exists = node.is_some_and(|node| node.contains_key(key));
            !exists || key == typed
        };
        let keys = object.keys_of(version).filter(|key| is_free(key.name));
        let mut proposals: Vec<Proposal> = keys.map(|key| of_key(object, key)).collect();
        if object.is_referable && is_free(tables::REFERENCE) {
            proposals.push(Proposal {
                text: tables::REFERENCE.to_owned(),
                kind: ProposalKind::Key,
                detail: "a reference".to_owned(),
                documentation: format!("Refers to {} instead.", object.name),
            });
        }
        proposals
    }

    /// The components that may replace an object.
    fn references(&self, object: &'static Object, version: Version) -> Vec<Proposal> {
        let kinds: Vec<&str> = tables::COMPONENTS
            .keys_of(version)
            .filter(|key| {
                let of_kind = key.value_type.object();
                of_kind.is_some_and(|of_kind| of_kind.is(object))
            })
            .map(|key| key.name)
            .collect();
        let own = std::iter::once(("", self.written));
        let shared = self.shared.iter().map(|(name, of)| (name.as_str(), of));
        let mut proposals = Vec::new();
        for (file, document) in own.chain(shared) {
            for kind in &kinds {
                let place = pointer::join("/components", kind);
                for (name, entry) in document.at(&place).into_iter().flat_map(Node::members) {
                    proposals.push(Proposal {
                        text: format!("{file}#{}", pointer::join(&place, name)),
                        kind: ProposalKind::Reference,
                        detail: object.name.to_owned(),
                        documentation: text(&entry.value, "description"),
                    });
                }
            }
        }
        proposals
    }

    /// The elements of a list whose words the document declares.
    fn elements(&self, key: &Key) -> Vec<Proposal> {
        match key.name {
            REQUIRED_SCOPES => self.scopes(),
            "tags" => {
                let tags = self.document().at("/tags").into_iter();
                let tags = tags.flat_map(Node::elements).filter_map(|tag| {
                    let name = tag.get("name")?.as_str()?;
                    Some(value(name, "a tag", &text(tag, "description")))
                });
                tags.collect()
            }
            _ => Vec::new(),
        }
    }

    /// The scopes that the security schemes declare.
    fn scopes(&self) -> Vec<Proposal> {
        let mut proposals: Vec<Proposal> = Vec::new();
        for (_, scheme) in self.security_schemes() {
            let flows = scheme.members_of("flows");
            let of_flows = flows.filter_map(|(_, flow)| flow.value.get("scopes"));
            for scopes in scheme.get(SCOPES).into_iter().chain(of_flows) {
                for (scope, entry) in scopes.members() {
                    if !proposals.iter().any(|known| known.text == scope) {
                        let meaning = entry.value.as_str().unwrap_or_default();
                        proposals.push(value(scope, "a scope", meaning));
                    }
                }
            }
        }
        proposals
    }

    fn schemes(&self) -> Vec<Proposal> {
        let schemes = self
            .security_schemes()
            .into_iter()
            .map(|(name, scheme)| Proposal {
                text: name.to_owned(),
                kind: ProposalKind::KeyOfList,
                detail: "a security scheme".to_owned(),
                documentation: text(scheme, "description"),
            });
        schemes.collect()
    }

    fn security_schemes(&self) -> Vec<(&'d str, &'d Node)> {
        let schemes = self.document().at("/components/securitySchemes");
        let schemes = schemes.into_iter().flat_map(Node::members);
        schemes.map(|(name, entry)| (name, &entry.value)).collect()
    }

    /// The document with what it refers to, if it could be loaded.
    fn document(&self) -> &'d Document {
        self.loaded.unwrap_or(self.written)
    }

    /// All keys of the maps under a key, anywhere in the documents.
    fn names_of_maps(&self, key: &str, detail: &str) -> Vec<Proposal> {
        let mut names = BTreeSet::new();
        collect(&self.document().root, key, &mut names);
        for (_, document) in self.shared {
            collect(&document.root, key, &mut names);
        }
        let names = names.into_iter().map(|name| Proposal {
            text: name.to_owned(),
            kind: ProposalKind::KeyOfObject,
            detail: detail.to_owned(),
            documentation: String::new(),
        });
        names.collect()
    }
}

fn of_key(object: &'static Object, key: &'static Key) -> Proposal {
    Proposal {
        text: key.name.to_owned(),
        kind: match key.value_type {
            ValueType::One(_)
            | ValueType::Map(_)
            | ValueType::TextMap
            | ValueType::TextsMap
            | ValueType::ValueMap => ProposalKind::KeyOfObject,
            ValueType::List(_) | ValueType::Security => ProposalKind::KeyOfList,
            _ => ProposalKind::Key,
        },
        detail: key.value_type.describe(),
        documentation: describe(object, key),
    }
}

fn value(text: &str, detail: &str, documentation: &str) -> Proposal {
    Proposal {
        text: text.to_owned(),
        kind: ProposalKind::Value,
        detail: detail.to_owned(),
        documentation: documentation.to_owned(),
    }
}

fn text(node: &Node, key: &str) -> String {
    node.text(key).unwrap_or_default().trim_end().to_owned()
}

/// Adds the keys of each object under `key`, `content` or `responses`, whose values are objects.
fn collect<'d>(node: &'d Node, key: &str, names: &mut BTreeSet<&'d str>) {
    for (name, entry) in node.members() {
        if name == key {
            let members = entry.value.members();
            let maps = members.filter(|(_, member)| member.value.as_object().is_some());
            let names_of_maps = maps.map(|(name, _)| name);
            names.extend(names_of_maps.filter(|name| match key {
                // Components have responses under names, and not under statuses.
                "responses" => name.len() == 3 || *name == "default",
                _ => name.contains('/'),
            }));
        }
        collect(&entry.value, key, names);
    }
    for element in node.elements() {
        collect(element, key, names);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
openapi: 3.0.3
info: {title: T, version: '1'}
tags: [{name: users}]
paths:
  /a:
    get:
      summary: A
      parameters: [{$ref: '#/components/parameters/Page'}]
      responses:
        '200': {description: Done, content: {application/json: {schema: {type: string}}}}
        default: {description: Failed}
components:
  responses:
    NotFound: {description: Not found}
  parameters:
    Page: {name: page, in: query, description: The page.}
  schemas:
    User: {type: object}
  securitySchemes:
    token: {type: http, scheme: bearer, x-scopes: {a.read: Read., a.write: Write.}}
";

    /// The proposals at `|` of a text that replaces the line of the summary.
    fn at(line: &str) -> Vec<String> {
        let document = Document::read("a.yaml", TEXT).expect("a document");
        let shared = Document::read("b.yaml", "components: {schemas: {Time: {type: string}}}");
        let shared = [("b.yaml".to_owned(), shared.expect("a document"))];
        let text = TEXT.replacen("      summary: A\n", line, 1);
        let offset = text.find('|').expect("a place");
        let cursor = Cursor::new(&text.replacen('|', "", 1), offset);
        let vocabulary = Vocabulary {
            written: &document,
            loaded: None,
            shared: &shared,
        };
        let typed = &text[cursor.start..offset];
        let proposals = vocabulary.proposals(&cursor, typed);
        proposals.into_iter().map(|one| one.text).collect()
    }

    #[test]
    fn keys_are_those_of_the_object_that_it_does_not_have() {
        let keys = at("      oper|\n");
        assert!(keys.contains(&"operationId".to_owned()));
        assert!(!keys.contains(&"responses".to_owned()) && !keys.contains(&"$ref".to_owned()));
        let keys = at("      requestBody: {req|\n");
        assert_eq!(
            keys,
            [
                "description",
                "content",
                "required",
                "x-dropforge-lenient",
                "$ref"
            ]
        );
    }

    #[test]
    fn references_are_of_the_kind_that_the_place_needs() {
        let schema = at("      requestBody: {content: {a/b: {schema: {$ref: '|\n");
        assert_eq!(
            schema,
            [
                "#/components/schemas/User",
                "b.yaml#/components/schemas/Time"
            ]
        );
        let parameter = at("      parameters:\n        - $ref: \"#/|\n");
        assert_eq!(parameter, ["#/components/parameters/Page"]);
    }

    #[test]
    fn scopes_schemes_tags_media_types_and_statuses_are_those_of_the_document() {
        assert_eq!(at("      x-required-scopes: [|\n"), ["a.read", "a.write"]);
        assert_eq!(at("      security: [{token: [a|\n"), ["a.read", "a.write"]);
        assert_eq!(at("      security:\n        - to|\n"), ["token"]);
        assert_eq!(at("      tags: [|\n"), ["users"]);
        let media_types = at("      requestBody:\n        content:\n          app|\n");
        assert_eq!(media_types, ["application/json"]);
        assert_eq!(at("      responses:\n        de|\n"), ["200", "default"]);
        assert_eq!(at("      deprecated: t|\n"), ["true", "false"]);
    }
}
