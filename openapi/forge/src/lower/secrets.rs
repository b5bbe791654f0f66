//! Finds the schemas that hold secrets, so that `Debug` of generated types omits their values.

use super::lowering::Lowering;
use super::types::mentioned;
use crate::ir::{Schema, SchemaId, Shape};

impl Lowering<'_> {
    /// For each schema, whether its values are secret texts, or lists, maps or compositions with
    /// secrets in them. The type of an object hides the secrets of its own members. An object
    /// without such a type, such as a `serde_json::Value`, is secret if any of its members is.
    pub(super) fn secrets(&self) -> Vec<bool> {
        let schemas = &self.schemas.all;
        let secret: Vec<bool> = schemas.iter().map(|schema| schema.secret).collect();
        // All declarations of a property together define it.
        let redeclared = self.types.redeclared.iter();
        let redeclared: Vec<_> = redeclared.map(|(one, other)| (one.0, other.0)).collect();
        let mut contents = links(schemas, |schema| {
            let mut parts = parts(schema);
            if schema.object.properties.is_empty() {
                parts.extend(schema.object.additional.schema());
            }
            parts
        });
        contents.extend(&redeclared);
        let mut everything = links(schemas, |schema| {
            let mut parts = parts(schema);
            parts.extend(schema.object.additional.schema());
            parts.extend(schema.object.properties.iter().map(|one| one.schema));
            parts
        });
        everything.extend(&redeclared);
        let within = spread(secret.clone(), &everything);
        let is_untyped = self.untyped_schemas();
        let seeds = (0..schemas.len()).map(|id| secret[id] || (within[id] && is_untyped[id]));
        spread(seeds.collect(), &contents)
    }

    /// For each schema, whether its type is not a struct, enum or union, nor a list or map of such.
    fn untyped_schemas(&self) -> Vec<bool> {
        let definitions = &self.types.definitions;
        let mut plain = vec![false; definitions.len()];
        let mut aliases = Vec::new();
        for (index, definition) in definitions.iter().enumerate() {
            if let Shape::Alias(ty) | Shape::Newtype(ty) = &definition.shape {
                match mentioned(ty) {
                    Some(target) => aliases.push((index, target.0)),
                    None => plain[index] = true,
                }
            }
        }
        let plain = spread(plain, &aliases);
        let mut untyped = vec![false; self.schemas.all.len()];
        for (id, ty) in &self.types.of {
            untyped[id.0] = mentioned(ty).is_none_or(|definition| plain[definition.0]);
        }
        untyped
    }
}

/// The schemas of items, and those that a schema is composed of.
fn parts(schema: &Schema) -> Vec<SchemaId> {
    let composed = [&schema.all_of, &schema.any_of, &schema.one_of];
    let composed = composed.into_iter().flatten().copied();
    schema.array.items.into_iter().chain(composed).collect()
}

/// Pairs of a schema and one that it leads to.
fn links(schemas: &[Schema], of: impl Fn(&Schema) -> Vec<SchemaId>) -> Vec<(usize, usize)> {
    let links = schemas.iter().enumerate();
    let links = links.flat_map(|(from, schema)| of(schema).into_iter().map(move |to| (from, to.0)));
    links.collect()
}

/// Marks what leads to a marked place, directly or through others. Each link is followed once.
fn spread(mut marked: Vec<bool>, links: &[(usize, usize)]) -> Vec<bool> {
    let mut sources = vec![Vec::new(); marked.len()];
    for (from, to) in links {
        sources[*to].push(*from);
    }
    let mut open: Vec<usize> = (0..marked.len()).filter(|place| marked[*place]).collect();
    while let Some(place) = open.pop() {
        for from in &sources[place] {
            if !marked[*from] {
                marked[*from] = true;
                open.push(*from);
            }
        }
    }
    marked
}
