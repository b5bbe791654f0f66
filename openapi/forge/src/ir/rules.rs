//! The parts of a composition that decide nothing about its type.

use super::{Additional, Schema, SchemaId, Types};

impl Schema {
    /// The schema as its type sees it: without the parts that only restrict or describe its values. Examples are the
    /// patterns in `{type: string, allOf: [{pattern: a}, {pattern: b}]}` and the text in `allOf: [{$ref: …},
    /// {description: …}]`. A schema without a `type` has that of such a part. `all` are the schemas of the document.
    pub fn without_rules(&self, all: &[Schema]) -> Schema {
        let mut schema = self.clone();
        if schema.types == Types::Any {
            let mut parts = self.all_of.iter().map(|id| &all[id.0]);
            let typed = parts.find(|part| part.types != Types::Any && part.restricts(part.types));
            schema.types = typed.map_or(Types::Any, |part| part.types);
        }
        let types = schema.types;
        let is_rule = |id: &SchemaId| all[id.0].restricts(types);
        schema.all_of.retain(|id| !is_rule(id));
        let has_members = matches!(types, Types::Any | Types::Object);
        if !has_members && self.one_of.iter().chain(&self.any_of).all(is_rule) {
            schema.one_of.clear();
            schema.any_of.clear();
        }
        schema
    }

    /// Whether this only restricts or describes values of a type, and has no part that determines their Rust type.
    fn restricts(&self, types: Types) -> bool {
        let is_of_type = self.types == Types::Any || self.types == types;
        let has_members = self.object.additional != Additional::Unspecified
            || !self.object.properties.is_empty()
            || !self.object.required.is_empty();
        let is_chosen =
            self.component.is_some() || self.enumeration.is_some() || self.format.is_some();
        is_of_type
            && !has_members
            && !is_chosen
            && self.array.items.is_none()
            && !self.is_composed()
            && !self.secret
    }
}
