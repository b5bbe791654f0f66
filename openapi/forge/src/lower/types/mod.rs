//! Rust types: the type of a validated value.
//!
//! A schema without a faithful type becomes `serde_json::Value`. It is still checked, since the
//! checks use the schema and not the type. This file names types and chooses the kind of each. Each
//! kind has a file.

mod null;
mod plain;
mod recursion;
mod structs;
mod unions;

use super::lowering::Lowering;
use super::names::{Scope, type_name};
use crate::ir::{
    Additional, Definition, DefinitionId, Origin, Schema, SchemaId, Shape, Type, Types as JsonType,
};
use null::without_null;
pub(super) use recursion::mentioned;
use unions::may_be_object;

/// The maximum depth of types without a name.
const MAX_UNNAMED: usize = 64;

impl Lowering<'_> {
    /// Gives every component its own name before anything else can take it.
    pub(super) fn reserve_component_types(&mut self, ids: &[SchemaId]) {
        for id in ids {
            if let Some(component) = &self.schemas.get(*id).component {
                let name = self.types.names.take(type_name(component));
                self.types.component_names.insert(*id, name);
            }
        }
        for id in ids {
            self.ty(*id, "");
        }
    }

    /// The type of a schema and of every schema that it leads to, `Nullable` if `null` is allowed.
    /// `suggestion` is its name if the document has none.
    pub(super) fn ty(&mut self, id: SchemaId, suggestion: &str) -> Type {
        let ty = self.part_ty(id, suggestion);
        while let Some(DefinitionId(index)) = self.types.waiting.pop_front() {
            let definition = &self.types.definitions[index];
            let (id, name) = (definition.schema, definition.name.clone());
            let schema = self.schemas.get(id).without_rules(&self.schemas.all);
            self.types.definitions[index].shape = self.shape(id, &schema, &name);
        }
        ty
    }

    /// The shape of a definition.
    pub(super) fn shape_of(&self, id: DefinitionId) -> &Shape {
        &self.types.definitions[id.0].shape
    }

    /// The type that an alias leads to. An alias of itself, which the check of the structure rejects, has none.
    pub(super) fn behind_aliases<'l>(&'l self, ty: &'l Type) -> Option<&'l Type> {
        let mut ty = ty;
        let mut seen = Vec::new();
        while let Type::Named(id) | Type::Boxed(id) = ty
            && let Shape::Alias(target) | Shape::Newtype(target) = self.shape_of(*id)
        {
            if seen.contains(id) {
                return None;
            }
            seen.push(*id);
            ty = target;
        }
        Some(ty)
    }

    /// The type of a schema; a definition that it names gets its shape later.
    fn part_ty(&mut self, id: SchemaId, suggestion: &str) -> Type {
        let ty = self.bare_ty(id, suggestion);
        if matches!(ty, Type::Any | Type::Nullable(_)) {
            return ty;
        }
        let mut known = std::mem::take(&mut self.types.nullable);
        let allows_null = self.allows_null(id, &mut known);
        self.types.nullable = known;
        match allows_null {
            true => Type::Nullable(Box::new(ty)),
            false => ty,
        }
    }

    fn bare_ty(&mut self, id: SchemaId, suggestion: &str) -> Type {
        if let Some(ty) = self.types.of.get(&id) {
            return ty.clone();
        }
        let schema = self.schemas.get(id).without_rules(&self.schemas.all);
        let is_named = schema.component.is_some() || self.wants_name(&schema);
        // A type that contains itself needs a name, even if the schema has none.
        let is_open = self.types.open.contains(&id) || self.types.open.len() == MAX_UNNAMED;
        if is_named || is_open {
            return self.define(id, &schema, suggestion);
        }
        self.types.open.push(id);
        let ty = self.plain(&schema, suggestion);
        self.types.open.pop();
        self.types.of.entry(id).or_insert(ty).clone()
    }

    /// Gives a schema a name; its shape follows.
    fn define(&mut self, id: SchemaId, schema: &Schema, suggestion: &str) -> Type {
        let name = match self.types.component_names.get(&id) {
            Some(name) => name.clone(),
            None => self.types.names.take(type_name(suggestion)),
        };
        let definition = DefinitionId(self.types.definitions.len());
        let ty = Type::Named(definition);
        self.types.of.insert(id, ty.clone());
        self.types.waiting.push_back(definition);
        self.types.definitions.push(Definition {
            name,
            description: schema.description.clone().or_else(|| schema.title.clone()),
            origin: Origin {
                pointer: schema.pointer.clone(),
                place: schema.place.clone(),
            },
            schema: id,
            shape: Shape::Alias(Type::Any),
        });
        ty
    }

    /// Whether an inline schema needs a type of its own.
    fn wants_name(&self, schema: &Schema) -> bool {
        string_enum(schema).is_some()
            || schema.all_of.len() > 1
            || (schema.all_of.len() == 1 && !schema.object.properties.is_empty())
            || self.adds_members(schema)
            || schema.one_of.len().max(schema.any_of.len()) > 1
            || (may_be_object(schema) && !schema.object.properties.is_empty())
            || (schema.types == JsonType::Object && schema.object.additional == Additional::Denied)
    }

    /// Whether a schema adds other members to the struct of the only part of its `allOf`.
    fn adds_members(&self, schema: &Schema) -> bool {
        let additional = schema.object.additional;
        let is_open = matches!(additional, Additional::Allowed | Additional::Schema(_));
        let [only] = schema.all_of.as_slice() else {
            return false;
        };
        let part = self.schemas.get(*only);
        let is_struct = may_be_object(part) && !part.object.properties.is_empty();
        is_open && is_struct && part.one_of.is_empty() && part.any_of.is_empty()
    }

    fn shape(&mut self, id: SchemaId, schema: &Schema, name: &str) -> Shape {
        if let Some(values) = string_enum(schema) {
            let mut variants = Scope::default();
            return Shape::Enum(
                values
                    .into_iter()
                    .map(|text| (variants.take(type_name(&text)), text))
                    .collect(),
            );
        }
        if !self.chooses_rules_only(schema)
            && let Some(shape) = self.union(schema, name)
        {
            return shape;
        }
        if let ([only], true) = (
            schema.all_of.as_slice(),
            schema.object.properties.is_empty() && !self.adds_members(schema),
        ) {
            return Shape::Alias(without_null(self.part_ty(*only, name)));
        }
        if !schema.all_of.is_empty() || !schema.object.properties.is_empty() {
            return self.object(id, schema, name);
        }
        if schema.types == JsonType::Object && schema.object.additional == Additional::Denied {
            return Shape::Struct {
                fields: Vec::new(),
                additional: None,
            };
        }
        Shape::Alias(self.plain(schema, name))
    }

    /// The type of a schema that no other type fits: any value, which is still checked.
    fn untyped(&mut self, schema: &Schema) -> Shape {
        if let Some(span) = self.document.key_span(&schema.pointer) {
            self.warn(
                "untyped-schema",
                span,
                "the server has no type for this composition: its values are `serde_json::Value`, checked and untyped",
                "write the properties into each alternative, or the alternatives into a property",
            );
        }
        Shape::Alias(Type::Any)
    }
}

/// The values of an enumeration that are all strings, `null` left out.
fn string_enum(schema: &Schema) -> Option<Vec<String>> {
    if !matches!(schema.types, JsonType::String | JsonType::Any) {
        return None;
    }
    let texts = schema.texts()?.into_iter();
    Some(texts.map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use crate::document::Document;
    use crate::ir::{Shape, Type};
    use crate::lower::lower;

    #[test]
    fn parts_that_only_restrict_or_describe_decide_no_type() {
        let text = "openapi: 3.0.3\ninfo: {title: T, version: '1'}\npaths: {}\ncomponents:\n  schemas:\n    \
                    Color: {type: string, enum: [red]}\n    \
                    Base: {type: object, properties: {a: {type: string}}}\n    \
                    Address: {type: string, allOf: [{pattern: a}, {pattern: b}]}\n    \
                    Bare: {allOf: [{type: string, pattern: a}, {type: string, pattern: b}]}\n    \
                    Day: {type: string, format: date, anyOf: [{pattern: a}, {pattern: b}]}\n    \
                    Count: {type: integer, oneOf: [{minimum: 5}, {maximum: 1}]}\n    \
                    List: {allOf: [{type: array, items: {type: integer}}, {minItems: 1}]}\n    \
                    Paint: {allOf: [{$ref: '#/components/schemas/Color'}, {description: D}]}\n    \
                    Same: {allOf: [{$ref: '#/components/schemas/Base'}, {description: D}]}\n    \
                    More: {allOf: [{$ref: '#/components/schemas/Base'}, {required: [a]}]}\n";
        let document = Document::load("t.yaml", text).expect("a document");
        let lowered = lower(&document, "t").expect("an IR");
        let definitions = &lowered.api.definitions;
        let shape = |name: &str| {
            let found = definitions.iter().find(|one| one.name == name);
            &found.expect(name).shape
        };
        for (name, ty) in [
            ("Address", Type::String),
            ("Bare", Type::String),
            ("Day", Type::Date),
            ("Count", Type::I64),
        ] {
            assert!(
                matches!(shape(name), Shape::Alias(alias) if *alias == ty),
                "{name}"
            );
        }
        assert!(matches!(shape("List"), Shape::Alias(Type::Array(_))));
        for (name, target) in [("Paint", "Color"), ("Same", "Base")] {
            let Shape::Alias(Type::Named(id)) = shape(name) else {
                panic!("{name}: {:?}", shape(name));
            };
            assert_eq!(definitions[id.0].name, target);
        }
        assert!(matches!(shape("More"), Shape::Struct { .. }));
    }

    #[test]
    fn members_that_a_schema_adds_to_its_only_part_have_a_place() {
        let text = "openapi: 3.0.3\ninfo: {title: T, version: '1'}\npaths: {}\ncomponents:\n  schemas:\n    \
                    Base: {type: object, properties: {a: {type: string}}}\n    \
                    Open: {allOf: [{$ref: '#/components/schemas/Base'}], additionalProperties: {type: integer}}\n    \
                    Same: {allOf: [{$ref: '#/components/schemas/Base'}], required: [a]}\n";
        let document = Document::load("t.yaml", text).expect("a document");
        let api = lower(&document, "t").expect("an IR").api;
        let shape = |name: &str| {
            let mut definitions = api.definitions.iter();
            let definition = definitions.find(|definition| definition.name == name);
            &definition.expect(name).shape
        };
        let Shape::Struct { fields, additional } = shape("Open") else {
            panic!("{:?}", shape("Open"));
        };
        assert_eq!(fields[0].name, "a");
        let additional = additional.as_ref().map(|members| &members.ty);
        assert_eq!(additional, Some(&Type::I64));
        assert!(matches!(shape("Same"), Shape::Alias(Type::Named(_))));
    }
}
