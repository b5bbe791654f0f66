//! The unions of the finished subset, which generated code reads and writes in place of typify's.
//!
//! typify chooses the form of an enum and the names of its variants by all members together: it drops the words that their
//! names share, or numbers them. A further member would change the others. Here each variant depends on its own member.

use super::{
    unions::MEMBERS,
    walk::{self, Object, component},
    writer::SECRET,
};
use crate::lower::names::Scope;
use serde_json::Value;
use std::collections::HashMap;

/// A union that is an enum of the generator.
#[derive(Debug, Clone)]
pub struct Union {
    /// The component of the union.
    pub name: String,
    /// The property that names the member, if the document has a discriminator.
    pub discriminator: Option<String>,
    /// The members, in the order in which they are tried.
    pub members: Vec<Member>,
    /// Whether every value can be written as one word.
    pub is_text: bool,
}

/// A member of a union.
#[derive(Debug, Clone)]
pub struct Member {
    /// The name of its variant.
    pub variant: String,
    /// A reference to a component, or a schema without a type of its own.
    pub schema: Value,
    /// Whether its values contain the union itself, and must be boxed.
    pub boxed: bool,
    /// The values of the discriminator that select it.
    pub tags: Vec<String>,
    /// Its properties with listed values, which distinguish it from other members.
    pub marks: Vec<(String, Vec<String>)>,
}

/// Takes the unions out of the components of a subset.
pub fn take(root: &mut Value) -> Vec<Union> {
    let schemas = walk::components(root).clone();
    let mut texts = HashMap::new();
    let unions = schemas
        .iter()
        .filter_map(|(name, schema)| union(root, &schemas, name, schema, &mut texts));
    let unions = unions.collect();
    walk::schemas(root, &mut |_, schema| {
        if let Some(object) = schema.as_object_mut() {
            object.remove(MEMBERS);
        }
    });
    unions
}

fn union(
    root: &Value,
    schemas: &Object,
    name: &str,
    schema: &Value,
    texts: &mut HashMap<String, bool>,
) -> Option<Union> {
    // typify merges the members of other schemas.
    if schema.get("properties").or(schema.get("allOf")).is_some() {
        return None;
    }
    let members = schema.get("oneOf")?.as_array()?;
    let discriminator = schema.get("discriminator");
    let discriminator =
        discriminator.filter(|_| members.iter().all(|one| component(one).is_some()));
    let mut names = Scope::reserved(&["Unknown"]);
    let members = members.iter().enumerate().map(|(index, member)| {
        let variant = schema[MEMBERS][index].as_str().unwrap_or("Value");
        let holds = |target: &str| target == name || walk::holds(schemas, target, name);
        Member {
            variant: names.take(variant.to_owned()),
            boxed: component(member).is_some_and(holds),
            tags: tags(discriminator, member),
            marks: marks(root, member),
            schema: member.clone(),
        }
    });
    Some(Union {
        name: name.to_owned(),
        members: members.collect(),
        discriminator: discriminator
            .and_then(|one| one["propertyName"].as_str())
            .map(str::to_owned),
        is_text: is_text(schemas, schema, texts),
    })
}

/// The values of a discriminator that select a member.
fn tags(discriminator: Option<&Value>, member: &Value) -> Vec<String> {
    let mapping = discriminator.and_then(|one| one.get("mapping")?.as_object());
    let mapping = mapping.into_iter().flatten();
    let of_member = mapping.filter(|(_, name)| name.as_str() == component(member));
    of_member.map(|(value, _)| value.clone()).collect()
}

/// The properties of a member with listed values.
fn marks(root: &Value, member: &Value) -> Vec<(String, Vec<String>)> {
    let member = walk::resolve(root, member);
    let properties = member.get("properties").and_then(Value::as_object);
    let marks = properties
        .into_iter()
        .flatten()
        .filter_map(|(name, one)| Some((name.clone(), walk::values(&walk::resolve(root, one))?)));
    marks.collect()
}

/// Whether a value of a schema can be written as one word. `known` holds the results of components so far. A component
/// whose result is pending contains itself, and has no last word.
fn is_text(schemas: &Object, schema: &Value, known: &mut HashMap<String, bool>) -> bool {
    if let Some(name) = component(schema) {
        if let Some(is_text) = known.get(name) {
            return *is_text;
        }
        known.insert(name.to_owned(), false);
        let is_text = schemas
            .get(name)
            .is_some_and(|schema| is_text(schemas, schema, known));
        known.insert(name.to_owned(), is_text);
        return is_text;
    }
    if let Some(members) = schema.get("oneOf").and_then(Value::as_array) {
        return members.iter().all(|member| is_text(schemas, member, known));
    }
    let word = |key: &str| schema.get(key).and_then(Value::as_str);
    matches!(
        word("type"),
        Some("string" | "integer" | "number" | "boolean")
    ) && word("format") != Some(SECRET)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn each_component_of_doubled_unions_is_read_once() {
        const LEVELS: usize = 30;
        let reference = |level: usize| walk::reference(&format!("Level{level}"));
        let mut schemas = Object::new();
        for level in 0..LEVELS {
            let next = reference(level + 1);
            schemas.insert(format!("Level{level}"), json!({ "oneOf": [next, next] }));
        }
        schemas.insert(format!("Level{LEVELS}"), json!({ "type": "string" }));
        // 2^30 paths lead to the string.
        assert!(is_text(&schemas, &reference(0), &mut HashMap::new()));
    }

    #[test]
    fn a_union_that_contains_itself_is_no_text() {
        let word = json!({ "type": "string" });
        let union = json!({ "oneOf": [word, walk::reference("Union")] });
        let schemas = Object::from_iter([("Union".to_owned(), union.clone())]);
        assert!(!is_text(&schemas, &union, &mut HashMap::new()));
    }
}
