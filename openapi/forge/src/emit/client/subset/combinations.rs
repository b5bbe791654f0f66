//! Finds the schemas whose alternatives typify cannot combine: it merges the parts of an `allOf` into an enum with a
//! variant for each combination of their alternatives.

use crate::ir::{Api, Schema, SchemaId};
use std::collections::{HashMap, HashSet};

/// The maximum number of combinations in one type: three lists of 10 alternatives have 1000.
pub const MAX_COMBINATIONS: u64 = 1000;

/// The schemas with more combinations. Each becomes any value, so one that has it as a part counts it once.
pub fn excessive(api: &Api) -> HashSet<SchemaId> {
    let mut counts = Counts {
        api,
        known: HashMap::new(),
        excessive: HashSet::new(),
    };
    for index in 0..api.schemas.len() {
        counts.of(SchemaId(index));
    }
    counts.excessive
}

/// The number of combinations of each schema so far.
struct Counts<'a> {
    api: &'a Api,
    known: HashMap<SchemaId, u64>,
    excessive: HashSet<SchemaId>,
}

impl Counts<'_> {
    /// The combinations of a schema; 1 without alternatives. The structure check has refused circles and deep
    /// compositions.
    fn of(&mut self, id: SchemaId) -> u64 {
        if let Some(known) = self.known.get(&id) {
            return *known;
        }
        let api = self.api;
        let schema = &api.schemas[id.0];
        let mut factors: Vec<u64> = schema.all_of.iter().map(|part| self.of(*part)).collect();
        factors.push(self.alternatives(schema));
        let mut combinations = factors.iter().copied().fold(1, u64::saturating_mul);
        let is_multiplied = factors.iter().filter(|factor| **factor > 1).count() > 1;
        if is_multiplied && combinations > MAX_COMBINATIONS {
            self.excessive.insert(id);
            combinations = 1;
        }
        self.known.insert(id, combinations);
        combinations
    }

    /// The alternatives of a schema itself, with those within them. The subset has `anyOf` only without `oneOf`.
    fn alternatives(&mut self, schema: &Schema) -> u64 {
        let members = match schema.one_of.is_empty() {
            true => &schema.any_of,
            false => &schema.one_of,
        };
        let counts = members.iter().map(|member| self.of(*member));
        counts.fold(0, u64::saturating_add).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Document;

    /// A document with a schema `S`, and with four lists of ten alternatives: A, B, C and D.
    fn document(schema: &str) -> Document {
        let alternatives: Vec<String> = ('a'..='j')
            .map(|title| format!("{{title: {title}}}"))
            .collect();
        let list = format!("{{oneOf: [{}]}}", alternatives.join(", "));
        let text = format!(
            "openapi: 3.0.3\ninfo: {{title: T, version: '1'}}\npaths: {{}}\ncomponents:\n  schemas:\n    \
             A: {list}\n    B: {list}\n    C: {list}\n    D: {list}\n    S: {schema}\n"
        )
        .replace('@', "$ref: '#/components/schemas/");
        Document::load("test.yaml", &text).expect("YAML")
    }

    /// The pointers of the excessive schemas.
    fn found(schema: &str) -> Vec<String> {
        let api = crate::lower::lower(&document(schema), "test")
            .expect("an IR")
            .api;
        let mut found: Vec<String> = excessive(&api)
            .into_iter()
            .map(|id| api.schemas[id.0].pointer.clone())
            .collect();
        found.sort();
        found
    }

    #[test]
    fn only_alternatives_that_are_multiplied_are_excessive() {
        let s = ["/components/schemas/S"];
        assert_eq!(found("{allOf: [{@A'}, {@B'}, {@C'}]}"), [""; 0]);
        assert_eq!(found("{allOf: [{@A'}, {@B'}, {@C'}, {@D'}]}"), s);
        assert_eq!(found("{oneOf: [{@A'}, {@B'}, {@C'}, {@D'}]}"), [""; 0]);
        let beside = "{allOf: [{@A'}, {@B'}, {@C'}], anyOf: [{title: a}, {title: b}]}";
        assert_eq!(found(beside), s);
        // The inner one is any value, and the outer one has ten alternatives.
        let inner = "{allOf: [{@A'}, {allOf: [{@A'}, {@B'}, {@C'}, {@D'}]}]}";
        assert_eq!(found(inner), ["/components/schemas/S/allOf/1"]);
    }

    #[test]
    fn an_excessive_schema_is_any_value_in_a_client() {
        let document = document("{allOf: [{@A'}, {@B'}, {@C'}, {@D'}]}");
        let client = crate::emit::client::generate(&document).expect("a client");
        let losses: Vec<_> = client
            .report
            .losses
            .iter()
            .map(|loss| (&*loss.pointer, &*loss.what))
            .collect();
        let what = "more than 1000 combinations of alternatives";
        assert!(
            losses.contains(&("/components/schemas/S", what)),
            "{losses:?}"
        );
    }
}
