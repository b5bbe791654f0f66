//! Finds the schemas whose parts typify would merge without end: it merges parts of an `allOf` member by member, and does
//! not notice that the members lead back to the same merge.
//!
//! `Derived: {allOf: [Base, {properties: {parent: Derived}}]}`, where `Base` has a `parent` of its own, merges `Base` with
//! `Derived`, and for the `parent` of both the same again.

use crate::ir::{Additional, Api, Schema, SchemaId, Types};
use std::collections::{BTreeSet, HashMap, HashSet};

/// The maximum number of merges for one schema.
const MAX_MERGES: u64 = 10_000;

/// Two schemas that are merged, the lesser one first; twice the same for one that is merged with any value.
type Pair = (SchemaId, SchemaId);

/// The schemas that become any value, so that every merge ends. Those of `untyped` are any value already.
pub fn endless(api: &Api, untyped: &HashSet<SchemaId>) -> HashSet<SchemaId> {
    let mut merges = Merges {
        api,
        untyped: untyped.clone(),
        counts: HashMap::new(),
        path: Vec::new(),
    };
    for index in 0..api.schemas.len() {
        merges.end(SchemaId(index));
    }
    merges.untyped.difference(untyped).copied().collect()
}

struct Merges<'a> {
    api: &'a Api,
    untyped: HashSet<SchemaId>,
    /// The number of merges that a merge leads to, itself included.
    counts: HashMap<Pair, u64>,
    /// The merges that led to the present one.
    path: Vec<Pair>,
}

/// Why a merge is too large.
enum Excess {
    /// The merges of this circle lead back to each other.
    Circle(Vec<Pair>),
    /// There are more than [`MAX_MERGES`].
    Many,
}

impl Merges<'_> {
    /// Makes schemas untyped until the merge of this one ends.
    fn end(&mut self, id: SchemaId) {
        let pieces = self.pieces(id);
        while pieces.len() > 1 && !self.untyped.contains(&id) {
            let Err(excess) = self.merge_all(&pieces) else {
                return;
            };
            let culprit = match excess {
                Excess::Circle(circle)
                    if circle.iter().any(|pair| pair.0 == id || pair.1 == id) =>
                {
                    None
                }
                Excess::Circle(circle) => self.outermost(&circle),
                Excess::Many => None,
            };
            self.untyped.insert(culprit.unwrap_or(id));
            self.path.clear();
        }
    }

    /// The composed schema of a circle of which no other one is composed.
    fn outermost(&self, circle: &[Pair]) -> Option<SchemaId> {
        let members: BTreeSet<SchemaId> = circle.iter().flat_map(|pair| [pair.0, pair.1]).collect();
        let mut composed = members.iter().filter(|id| self.pieces(**id).len() > 1);
        let found = composed.find(|id| {
            let mut others = members.iter().filter(|other| other != id);
            !others.any(|other| self.closure(&[*other]).contains(id))
        });
        found.copied()
    }

    /// The groups of schemas of which a schema is merged: its own members, each part of `allOf`, and its alternatives.
    fn pieces(&self, id: SchemaId) -> Vec<Vec<SchemaId>> {
        let schema = &self.api.schemas[id.0];
        let mut pieces: Vec<Vec<SchemaId>> = Vec::new();
        for part in &schema.all_of {
            pieces.push(self.closure(&[*part]).into_iter().collect());
        }
        let alternatives = [&schema.one_of[..], &schema.any_of].concat();
        if !alternatives.is_empty() {
            pieces.push(self.closure(&alternatives).into_iter().collect());
        }
        if !pieces.is_empty() && has_members(schema) {
            pieces.push(vec![id]);
        }
        pieces
    }

    /// These schemas, and all that they are composed of.
    fn closure(&self, ids: &[SchemaId]) -> BTreeSet<SchemaId> {
        let mut found = BTreeSet::new();
        let mut queue = ids.to_vec();
        while let Some(id) = queue.pop() {
            if !self.untyped.contains(&id) && found.insert(id) {
                let schema = &self.api.schemas[id.0];
                for parts in [&schema.all_of, &schema.one_of, &schema.any_of] {
                    queue.extend(parts);
                }
            }
        }
        found
    }

    fn merge_all(&mut self, pieces: &[Vec<SchemaId>]) -> Result<u64, Excess> {
        let mut pairs = BTreeSet::new();
        self.among(pieces, &mut pairs);
        self.count(pairs)
    }

    /// The members of pieces that are merged with members of other ones.
    fn among(&self, pieces: &[Vec<SchemaId>], into: &mut BTreeSet<Pair>) {
        for (index, one) in pieces.iter().enumerate() {
            for other in &pieces[index + 1..] {
                self.members(one, other, into);
            }
        }
    }

    fn count(&mut self, pairs: BTreeSet<Pair>) -> Result<u64, Excess> {
        let mut count = 1_u64;
        for pair in pairs {
            count = count.saturating_add(self.merge(pair)?);
            if count > MAX_MERGES {
                return Err(Excess::Many);
            }
        }
        Ok(count)
    }

    fn merge(&mut self, pair: Pair) -> Result<u64, Excess> {
        if let Some(known) = self.counts.get(&pair) {
            return Ok(*known);
        }
        if let Some(from) = self.path.iter().position(|other| *other == pair) {
            return Err(Excess::Circle(self.path[from..].to_vec()));
        }
        let [one, other] = [pair.0, pair.1].map(|id| self.closure(&[id]));
        let [one, other] = [one, other].map(|ids| ids.into_iter().collect::<Vec<_>>());
        let mut pairs = BTreeSet::new();
        if pair.0 != pair.1 {
            self.members(&one, &other, &mut pairs);
        }
        // Composed schemas are merged again, each time that they are merged with another one.
        for id in one.iter().chain(&other) {
            self.among(&self.pieces(*id), &mut pairs);
        }
        self.path.push(pair);
        let count = self.count(pairs)?;
        self.path.pop();
        self.counts.insert(pair, count);
        Ok(count)
    }

    /// The members of one group that are merged with members of the other.
    fn members(&self, one: &[SchemaId], other: &[SchemaId], into: &mut BTreeSet<Pair>) {
        let api = self.api;
        for (a, b) in one.iter().flat_map(|a| other.iter().map(move |b| (*a, *b))) {
            let [left, right] = [a, b].map(|id| &api.schemas[id.0]);
            if a == b || !agree(left.types, right.types) {
                continue;
            }
            for [this, that] in [[left, right], [right, left]] {
                for property in &this.object.properties {
                    match member(that, &property.name) {
                        Some(member) => self.add(property.schema, member, into),
                        None if allows_any(that) => self.add_alone(property.schema, into),
                        None => {}
                    }
                }
            }
            let additional = [left, right].map(|schema| schema.object.additional.schema());
            for pair in [additional, [left.array.items, right.array.items]] {
                if let [Some(a), Some(b)] = pair {
                    self.add(a, b, into);
                }
            }
        }
    }

    fn add(&self, a: SchemaId, b: SchemaId, into: &mut BTreeSet<Pair>) {
        match [a, b].map(|id| self.untyped.contains(&id)) {
            _ if a == b => {}
            [false, false] => _ = into.insert((a.min(b), a.max(b))),
            [true, _] => self.add_alone(b, into),
            [false, true] => self.add_alone(a, into),
        }
    }

    /// A schema that is merged with any value: its parts are merged again.
    fn add_alone(&self, id: SchemaId, into: &mut BTreeSet<Pair>) {
        if !self.untyped.contains(&id) {
            into.insert((id, id));
        }
    }
}

/// The schema of a property of this name.
fn member(schema: &Schema, name: &str) -> Option<SchemaId> {
    let mut properties = schema.object.properties.iter();
    let found = properties.find(|property| property.name == name);
    found
        .map(|property| property.schema)
        .or_else(|| schema.object.additional.schema())
}

/// Whether the subset has a schema of any value for properties that the schema does not list.
fn allows_any(schema: &Schema) -> bool {
    schema.object.additional == Additional::Allowed && !schema.object.properties.is_empty()
}

fn has_members(schema: &Schema) -> bool {
    !schema.object.properties.is_empty()
        || schema.object.additional.schema().is_some()
        || schema.array.items.is_some()
}

/// Whether a value can have both types.
fn agree(a: Types, b: Types) -> bool {
    let is_number = |types| matches!(types, Types::Integer | Types::Number);
    a == b || a == Types::Any || b == Types::Any || is_number(a) && is_number(b)
}

#[cfg(test)]
mod tests {
    use crate::document::Document;

    /// The names of the schemas that are any value in the client of a document. `@` begins a reference.
    fn lost(schemas: &str) -> Vec<String> {
        let text = format!(
            "openapi: 3.0.3\ninfo: {{title: T, version: '1'}}\npaths: {{}}\ncomponents: {{schemas: {{{schemas}}}}}\n"
        );
        let text = text.replace('@', "$ref: '#/components/schemas/");
        let document = Document::load("test.yaml", &text).expect("YAML");
        let client = crate::emit::client::generate(&document).expect("a client");
        let losses = client.report.losses.iter();
        let losses = losses.filter(|loss| loss.what.contains("without end"));
        losses
            .map(|loss| loss.pointer.replace("/components/schemas/", ""))
            .collect()
    }

    #[test]
    fn a_schema_that_is_merged_with_a_part_of_itself_is_any_value() {
        for (schemas, expected) in [
            (
                "Base: {properties: {up: {@Base'}}}, \
                 Derived: {allOf: [{@Base'}, {properties: {up: {@Derived'}}}]}",
                "Derived",
            ),
            (
                "Base: {properties: {all: {type: array, items: {@Base'}}}}, \
                 Derived: {allOf: [{@Base'}, {properties: {all: {type: array, items: {@Derived'}}}}]}",
                "Derived",
            ),
            (
                "A: {allOf: [{additionalProperties: {@B'}}, {properties: {next: {@A'}}}]}, \
                 B: {properties: {c: {type: string}}}",
                "A",
            ),
            (
                "A: {allOf: [{additionalProperties: {@A'}}, {properties: {c: {properties: {d: {@A'}}}}}]}",
                "A",
            ),
            (
                "E: {oneOf: [{@F'}, {@G'}], properties: {x: {@E'}}}, F: {properties: {x: {@F'}}}, \
                 G: {properties: {x: {@G'}}}",
                "E",
            ),
            (
                "A: {allOf: [{properties: {b: {}}, additionalProperties: true}, {properties: {next: {@A'}}}]}",
                "A",
            ),
            (
                "A: {allOf: [{properties: {b: {}}, additionalProperties: {@B'}}, {properties: {next: {@A'}}}]}, \
                 B: {allOf: [{@A'}, {properties: {c: {type: string}}}]}",
                "A",
            ),
            // Neither part is composed.
            (
                "X: {allOf: [{properties: {p: {@P'}}}, {properties: {p: {@Q'}}}]}, \
                 P: {properties: {x: {@P'}}}, Q: {properties: {x: {@Q'}}}",
                "X",
            ),
        ] {
            assert_eq!(lost(schemas), [expected], "{schemas}");
        }
    }

    #[test]
    fn a_recursive_schema_whose_merges_end_has_a_type() {
        for schemas in [
            "A: {allOf: [{properties: {next: {@A'}}}, {properties: {next: {@A'}}}]}",
            "Base: {properties: {up: {@Base'}}}, Derived: {allOf: [{@Base'}, {properties: {down: {@Derived'}}}]}",
            "Base: {properties: {up: {type: string}}}, \
             Derived: {allOf: [{@Base'}, {type: object, properties: {up: {type: string}, on: {@Derived'}}}]}",
            "E: {oneOf: [{@F'}, {@G'}]}, F: {properties: {x: {@E'}}}, G: {properties: {x: {@G'}}}",
        ] {
            assert_eq!(lost(schemas), [""; 0], "{schemas}");
        }
    }
}
