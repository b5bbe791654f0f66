//! Keywords of JSON Schema that the model does not have.
//!
//! Most of them only narrow the valid values: without them the server accepts more, and the author
//! gets a warning. If a keyword changes the meaning of others, as `prefixItems` changes `items`,
//! the others are rewritten, so that no valid value is rejected.

use super::nodes::{node, set};
use crate::document::{Diagnostic, Diagnostics, Entry, Kind, Node, Object, Span};

/// Keywords that only narrow the valid values.
const NARROWING: [&str; 8] = [
    "contains",
    "dependentRequired",
    "dependentSchemas",
    "else",
    "if",
    "maxContains",
    "minContains",
    "then",
];

pub(super) fn rewrite(schema: &mut Object, is_negated: bool, findings: &mut Diagnostics) {
    let mut pass = Pass {
        is_negated,
        findings,
    };
    pass.tuple(schema);
    // Before the patterns, which exempt their properties from `additionalProperties`.
    pass.unevaluated(schema);
    pass.patterns(schema);
    pass.property_names(schema);
    for key in NARROWING {
        if let Some(entry) = schema.remove(key) {
            pass.left_out(key, &entry);
        }
    }
}

struct Pass<'f> {
    is_negated: bool,
    findings: &'f mut Diagnostics,
}

impl Pass<'_> {
    /// Warns that a keyword is left out, or rejects it if leaving it out would reject valid values.
    fn left_out(&mut self, key: &str, entry: &Entry) {
        self.findings.push(match self.is_negated {
            true => Diagnostic::error(
                "unsupported-keyword",
                entry.key_span,
                format!("`{key}` is not supported: inside `not`, it cannot be left out"),
            )
            .help("list the valid values instead of the invalid ones"),
            false => Diagnostic::warning(
                "keyword-not-checked",
                entry.key_span,
                format!("`{key}` is not checked: the server accepts more than the document says"),
            )
            .help("check it in the method of the operation"),
        });
    }

    /// `prefixItems`: each element must be valid for one of the schemas, at any position.
    fn tuple(&mut self, schema: &mut Object) {
        let rest = schema.remove("items");
        let mut end = schema.remove("unevaluatedItems");
        let Some(prefix) = schema.remove("prefixItems") else {
            if let Some(end) = end.filter(|end| end.value.as_bool() != Some(true)) {
                self.left_out("unevaluatedItems", &end);
            }
            let Some(mut rest) = rest else {
                return;
            };
            if rest.value.as_bool() == Some(false) {
                at_most(schema, 0, rest.key_span);
                rest.value.kind = Kind::Object(Object::default());
            }
            schema.get_or_insert("items", rest);
            return;
        };
        self.left_out("prefixItems", &prefix);
        // The schemas beside it may describe further items.
        const BESIDE: [&str; 6] = ["$ref", "allOf", "anyOf", "contains", "if", "oneOf"];
        if rest.is_none()
            && BESIDE.iter().any(|key| schema.contains_key(key))
            && let Some(end) = end.take_if(|end| end.value.as_bool() != Some(true))
        {
            self.left_out("unevaluatedItems", &end);
        }
        let mut elements = prefix.value.as_array().unwrap_or_default().to_vec();
        let last = rest.or(end);
        match last.map(|last| last.value) {
            Some(last) if last.as_bool() == Some(false) => {
                at_most(schema, elements.len() as u64, last.span);
            }
            Some(last) if last.as_object().is_some() => elements.push(last),
            _ => elements.clear(),
        }
        let items = any_of(prefix.value.span, elements);
        set(schema, "items", Entry::at(prefix.key_span, items.kind));
    }

    /// `patternProperties`: properties that match no pattern are also valid, and an additional
    /// property may be valid for any of the patterns' schemas.
    fn patterns(&mut self, schema: &mut Object) {
        let Some(patterns) = schema.remove("patternProperties") else {
            return;
        };
        self.left_out("patternProperties", &patterns);
        let own = patterns.value.members();
        let mut schemas: Vec<Node> = own.map(|(_, own)| own.value.clone()).collect();
        let additional = schema.get("additionalProperties");
        match additional {
            Some(additional) if additional.as_bool() == Some(false) => {}
            Some(additional) if additional.as_object().is_some() => {
                schemas.push(additional.clone());
            }
            _ => return,
        }
        let values = any_of(patterns.value.span, schemas);
        let values = Entry::at(patterns.key_span, values.kind);
        set(schema, "additionalProperties", values);
    }

    /// `unevaluatedProperties` without other schemas beside it means `additionalProperties`.
    fn unevaluated(&mut self, schema: &mut Object) {
        let Some(unevaluated) = schema.remove("unevaluatedProperties") else {
            return;
        };
        const BESIDE: [&str; 8] = [
            "$ref",
            "additionalProperties",
            "allOf",
            "anyOf",
            "dependentSchemas",
            "if",
            "not",
            "oneOf",
        ];
        if !BESIDE.iter().any(|key| schema.contains_key(key)) {
            schema.get_or_insert("additionalProperties", unevaluated);
        } else if unevaluated.value.as_bool() != Some(true)
            && !schema.contains_key("additionalProperties")
        {
            self.left_out("unevaluatedProperties", &unevaluated);
        }
    }

    /// Every name is a string, so a schema with only this type has no effect.
    fn property_names(&mut self, schema: &mut Object) {
        let Some(names) = schema.remove("propertyNames") else {
            return;
        };
        let says_more = names.value.as_object().is_some_and(|object| {
            let annotations = ["description", "title", "example", "examples"];
            object.iter().any(|(key, entry)| match key {
                "type" => entry.value.as_str() != Some("string"),
                key => !annotations.contains(&key),
            })
        });
        if says_more {
            self.left_out("propertyNames", &names);
        }
    }
}

/// Limits the number of items.
fn at_most(schema: &mut Object, items: u64, span: Span) {
    let known = schema.get("maxItems").and_then(Node::as_u64);
    if known.is_none_or(|known| known > items) {
        set(
            schema,
            "maxItems",
            Entry::at(span, Kind::Number(items.into())),
        );
    }
}

/// A schema for which a value is valid if it is valid for one of these.
fn any_of(span: Span, mut schemas: Vec<Node>) -> Node {
    let kind = match schemas.len() {
        0 => Kind::Object(Object::default()),
        1 => return schemas.remove(0),
        _ => {
            let mut union = Object::default();
            union.get_or_insert("anyOf", Entry::at(span, Kind::Array(schemas)));
            Kind::Object(union)
        }
    };
    node(span, kind)
}
