//! Rust types: the shape of a value that has been checked.
//!
//! A schema that has no faithful shape becomes `serde_json::Value`; it is still
//! checked, since checks are made of the schema and not of the type.

use super::Lowering;
use super::names::{Scope, snake_name, type_name};
use crate::ir::{
    Additional, AdditionalMembers, Alternative, Definition, DefinitionId, Field, Origin, Property,
    Schema, SchemaId, Shape, Type, Types as JsonType,
};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use serde_json::Value;
use std::collections::{HashMap, HashSet, VecDeque};

/// Every named type, and which schema has which type.
#[derive(Default)]
pub(super) struct Types {
    pub(super) definitions: Vec<Definition>,
    pub(super) of: HashMap<SchemaId, Type>,
    names: Scope,
    component_names: HashMap<SchemaId, String>,
    /// Schemas without a name whose types are being made: each holds the next.
    open: Vec<SchemaId>,
    /// Definitions whose shapes have not been made yet.
    waiting: VecDeque<DefinitionId>,
    /// Schemas of properties, each with the schema of an earlier part of `allOf` that declares the same property.
    pub(super) redeclared: Vec<(SchemaId, SchemaId)>,
}

/// How many types without a name may hold each other.
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

    /// The type of a schema and of every schema that it leads to, `Nullable` where
    /// `null` is allowed. `suggestion` names it where the document does not.
    pub(super) fn ty(&mut self, id: SchemaId, suggestion: &str) -> Type {
        let ty = self.part_ty(id, suggestion);
        while let Some(definition) = self.types.waiting.pop_front() {
            let Definition {
                schema: id, name, ..
            } = &self.types.definitions[definition.0];
            let (id, name) = (*id, name.clone());
            let schema = self.schemas.get(id).clone();
            self.types.definitions[definition.0].shape = self.shape(id, &schema, &name);
        }
        ty
    }

    /// The shape of a definition.
    pub(super) fn shape_of(&self, id: DefinitionId) -> &Shape {
        &self.types.definitions[id.0].shape
    }

    /// The type of a schema; a definition that it names gets its shape later.
    fn part_ty(&mut self, id: SchemaId, suggestion: &str) -> Type {
        let ty = self.bare_ty(id, suggestion);
        match ty {
            Type::Any | Type::Nullable(_) => ty,
            ty if self.allows_null(id, &mut HashMap::new()) => Type::Nullable(Box::new(ty)),
            ty => ty,
        }
    }

    /// Whether `null` is valid, by a schema itself or by the schemas that it is composed
    /// of. An enumeration has to list `null` (OpenAPI 3.0.3, `nullable`). `known` holds
    /// what has been found out; a schema that is being asked counts as one that does not
    /// allow `null`.
    fn allows_null(&self, id: SchemaId, known: &mut HashMap<SchemaId, bool>) -> bool {
        if let Some(allows) = known.get(&id) {
            return *allows;
        }
        known.insert(id, false);
        let schema = self.schemas.get(id);
        let mut count = |ids: &[SchemaId]| {
            let allowing = |id: &&SchemaId| self.allows_null(**id, known);
            ids.iter().filter(allowing).count()
        };
        let composed =
            !(schema.all_of.is_empty() && schema.any_of.is_empty() && schema.one_of.is_empty());
        let allows = match &schema.enumeration {
            Some(values) => values.contains(&Value::Null),
            None if schema.nullable => true,
            None => {
                schema.types == JsonType::Any
                    && composed
                    && schema.object.properties.is_empty()
                    && count(&schema.all_of) == schema.all_of.len()
                    && (schema.any_of.is_empty() || count(&schema.any_of) > 0)
                    && (schema.one_of.is_empty() || count(&schema.one_of) == 1)
            }
        };
        known.insert(id, allows);
        allows
    }

    fn bare_ty(&mut self, id: SchemaId, suggestion: &str) -> Type {
        if let Some(ty) = self.types.of.get(&id) {
            return ty.clone();
        }
        let schema = self.schemas.get(id).clone();
        let is_named = schema.component.is_some() || self.wants_name(&schema);
        // A type that holds itself has a name, whether or not the schema has one.
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

    /// Whether a schema written in place needs a type of its own.
    fn wants_name(&self, schema: &Schema) -> bool {
        string_enum(schema).is_some()
            || schema.all_of.len() > 1
            || (schema.all_of.len() == 1 && !schema.object.properties.is_empty())
            || schema.one_of.len().max(schema.any_of.len()) > 1
            || (is_object(schema) && !schema.object.properties.is_empty())
            || (schema.types == JsonType::Object && schema.object.additional == Additional::Denied)
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
            schema.object.properties.is_empty(),
        ) {
            return Shape::Alias(without_null(self.part_ty(*only, name)));
        }
        if !schema.all_of.is_empty() || !schema.object.properties.is_empty() {
            let mut object = Merged::default();
            return match self.merge(id, &mut object, &mut HashSet::new()) {
                true => self.structure(object, name),
                false => self.untyped(schema),
            };
        }
        if schema.types == JsonType::Object && schema.object.additional == Additional::Denied {
            return Shape::Struct {
                fields: Vec::new(),
                additional: None,
            };
        }
        Shape::Alias(self.plain(schema, name))
    }

    /// The shape of a schema that no type holds: any value, which is still checked.
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

    /// Whether the alternatives of an object only say which of its properties there
    /// must be, as in `oneOf: [{required: [a]}, {required: [b]}]`. They say nothing about
    /// its type.
    fn chooses_rules_only(&self, schema: &Schema) -> bool {
        let has_type = !schema.object.properties.is_empty() || !schema.all_of.is_empty();
        let mut alternatives = schema.one_of.iter().chain(&schema.any_of);
        has_type && alternatives.all(|id| self.is_rule(*id))
    }

    /// Whether a schema has no part that a type could be made of.
    fn is_rule(&self, id: SchemaId) -> bool {
        let schema = self.schemas.get(id);
        let composed = [&schema.all_of, &schema.any_of, &schema.one_of];
        is_object(schema)
            && schema.component.is_none()
            && schema.enumeration.is_none()
            && schema.object.properties.is_empty()
            && !matches!(schema.object.additional, Additional::Schema(_))
            && schema.array.items.is_none()
            && composed.iter().all(|ids| ids.is_empty())
    }

    /// `oneOf` or `anyOf` and nothing beside it.
    fn union(&mut self, schema: &Schema, name: &str) -> Option<Shape> {
        let alternatives = match (schema.one_of.is_empty(), schema.any_of.is_empty()) {
            (false, true) => &schema.one_of,
            (true, false) => &schema.any_of,
            (true, true) => return None,
            (false, false) => return Some(self.untyped(schema)),
        };
        if !schema.all_of.is_empty() || !schema.object.properties.is_empty() {
            return Some(self.untyped(schema));
        }
        if let [only] = alternatives.as_slice() {
            let ty = without_null(self.part_ty(*only, &format!("{name}Value")));
            return Some(Shape::Alias(ty));
        }
        let mut variants = Scope::default();
        let mut shapes = Vec::new();
        for id in alternatives {
            let alternative = self.schemas.get(*id);
            let variant = match (&alternative.component, &alternative.title) {
                (Some(component), _) => type_name(component),
                (None, Some(title)) => type_name(title),
                (None, None) => match alternative.types {
                    JsonType::Any => "Value",
                    JsonType::Boolean => "Boolean",
                    JsonType::Integer => "Integer",
                    JsonType::Number => "Number",
                    JsonType::String => "String",
                    JsonType::Array => "Array",
                    JsonType::Object => "Object",
                }
                .to_string(),
            };
            let variant = variants.take(variant);
            // `null` is told where the union is used.
            let ty = without_null(self.part_ty(*id, &format!("{name}{variant}")));
            shapes.push(Alternative {
                variant,
                ty,
                schema: *id,
            });
        }
        Some(Shape::Union(shapes))
    }

    /// Collects the properties of a schema and of everything in its `allOf`.
    /// False where some part of it is no object.
    fn merge(&mut self, id: SchemaId, into: &mut Merged, seen: &mut HashSet<SchemaId>) -> bool {
        if !seen.insert(id) {
            return true;
        }
        let schema = self.schemas.get(id).clone();
        let is_union = !schema.one_of.is_empty() || !schema.any_of.is_empty();
        if is_union && !self.chooses_rules_only(&schema) {
            return false;
        }
        if !matches!(schema.types, JsonType::Any | JsonType::Object) {
            return false;
        }
        for part in &schema.all_of {
            if !self.merge(*part, into, seen) {
                return false;
            }
        }
        let one_way = self.one_way(&schema.object.properties);
        for property in schema.object.properties {
            match into
                .properties
                .iter_mut()
                .find(|known| known.name == property.name)
            {
                Some(known) => {
                    self.types.redeclared.push((property.schema, known.schema));
                    *known = property;
                }
                None => into.properties.push(property),
            }
        }
        into.one_way.extend(one_way);
        into.required.extend(schema.object.required);
        match schema.object.additional {
            Additional::Unsaid => {}
            Additional::Denied => into.additional = Additional::Unsaid,
            other => into.additional = other,
        }
        true
    }

    /// The names of the properties that only go one way.
    fn one_way(&self, properties: &[Property]) -> Vec<String> {
        let mut names = Vec::new();
        for property in properties {
            let schema = self.schemas.get(property.schema);
            if schema.read_only || schema.write_only {
                names.push(property.name.clone());
            }
        }
        names
    }

    fn structure(&mut self, object: Merged, name: &str) -> Shape {
        let mut names = Scope::default();
        let additional = match object.additional {
            Additional::Unsaid | Additional::Denied => None,
            Additional::Allowed => Some(AdditionalMembers {
                ty: Type::Any,
                schema: None,
            }),
            Additional::Schema(id) => Some(AdditionalMembers {
                ty: self.part_ty(id, &format!("{name}Additional")),
                schema: Some(id),
            }),
        };
        if additional.is_some() {
            names.take("additional".to_string());
        }
        let mut fields = Vec::new();
        for Property {
            name: property,
            schema: id,
            place,
        } in object.properties
        {
            let ty = self.part_ty(id, &format!("{name}{}", type_name(&property)));
            let schema = self.schemas.get(id);
            fields.push(Field {
                field: names.take(snake_name(&property)),
                description: schema.description.clone().or_else(|| schema.title.clone()),
                place,
                ty,
                // One struct serves both directions, and each leaves some out.
                required: object.required.contains(&property)
                    && !object.one_way.contains(&property),
                default: schema.default.clone(),
                schema: id,
                name: property,
            });
        }
        Shape::Struct { fields, additional }
    }

    /// The type of a schema that needs no name.
    fn plain(&mut self, schema: &Schema, suggestion: &str) -> Type {
        if let ([], [only], []) | ([only], [], []) | ([], [], [only]) = (
            schema.one_of.as_slice(),
            schema.all_of.as_slice(),
            schema.any_of.as_slice(),
        ) && schema.object.properties.is_empty()
        {
            return self.part_ty(*only, suggestion);
        }
        match schema.types {
            JsonType::Boolean => Type::Bool,
            JsonType::Integer => match schema.format.as_deref() {
                Some("int32") => Type::I32,
                Some("uint64") => Type::U64,
                _ => Type::I64,
            },
            JsonType::Number => Type::F64,
            JsonType::String => match schema.format.as_deref() {
                Some("date-time") => Type::DateTime,
                Some("date") => Type::Date,
                Some("uuid") => Type::Uuid,
                Some("binary") => Type::Binary,
                _ => Type::String,
            },
            JsonType::Array => self.array(schema, suggestion),
            JsonType::Object => match schema.object.additional {
                Additional::Schema(id) => {
                    Type::Map(Box::new(self.part_ty(id, &format!("{suggestion}Value"))))
                }
                _ => Type::FreeObject,
            },
            JsonType::Any => match (schema.array.items, schema.object.additional) {
                (Some(_), _) => self.array(schema, suggestion),
                (None, Additional::Schema(id)) => {
                    Type::Map(Box::new(self.part_ty(id, &format!("{suggestion}Value"))))
                }
                _ => Type::Any,
            },
        }
    }

    fn array(&mut self, schema: &Schema, suggestion: &str) -> Type {
        let items = match schema.array.items {
            Some(id) => self.part_ty(id, &format!("{suggestion}Item")),
            None => Type::Any,
        };
        Type::Array(Box::new(items))
    }

    /// Puts a `Box` wherever a type would contain itself.
    pub(super) fn finish_types(&mut self) {
        let definitions = &mut self.types.definitions;
        let circles = circles(definitions);
        for (index, definition) in definitions.iter_mut().enumerate() {
            let leads_back = |DefinitionId(target)| circles[target] == circles[index];
            let boxed = |ty: &mut Type| {
                if directly(ty).is_some_and(leads_back) {
                    replace(ty);
                }
            };
            match &mut definition.shape {
                Shape::Struct { fields, .. } => fields.iter_mut().for_each(|f| boxed(&mut f.ty)),
                Shape::Union(alternatives) => {
                    alternatives.iter_mut().for_each(|a| boxed(&mut a.ty));
                }
                Shape::Alias(ty) if mentioned(ty).is_some_and(leads_back) => {
                    boxed(ty);
                    definition.shape = Shape::Newtype(ty.clone());
                }
                Shape::Alias(_) | Shape::Newtype(_) | Shape::Enum(_) => {}
            }
        }
    }
}

/// Numbers the definitions so that two have one number if each mentions the other, directly or
/// through others, in any container. Each definition is looked at once.
fn circles(definitions: &[Definition]) -> Vec<usize> {
    let mut graph = DiGraph::<(), ()>::with_capacity(definitions.len(), definitions.len());
    for _ in definitions {
        graph.add_node(());
    }
    for (index, definition) in definitions.iter().enumerate() {
        let mut visit = |ty: &Type| {
            if let Some(DefinitionId(target)) = mentioned(ty) {
                graph.add_edge(NodeIndex::new(index), NodeIndex::new(target), ());
            }
        };
        match &definition.shape {
            Shape::Struct { fields, additional } => {
                fields.iter().for_each(|field| visit(&field.ty));
                additional.iter().for_each(|members| visit(&members.ty));
            }
            Shape::Union(alternatives) => alternatives.iter().for_each(|a| visit(&a.ty)),
            Shape::Alias(ty) | Shape::Newtype(ty) => visit(ty),
            Shape::Enum(_) => {}
        }
    }
    let mut numbers = vec![0; definitions.len()];
    for (number, circle) in kosaraju_scc(&graph).into_iter().enumerate() {
        for definition in circle {
            numbers[definition.index()] = number;
        }
    }
    numbers
}

/// The definition that a type is, or that its items or members are.
pub(super) fn mentioned(ty: &Type) -> Option<DefinitionId> {
    match ty {
        Type::Named(id) | Type::Boxed(id) => Some(*id),
        Type::Array(inner) | Type::Map(inner) | Type::Nullable(inner) => mentioned(inner),
        _ => None,
    }
}

/// The definition that a type holds by value, with no list or map between.
fn directly(ty: &Type) -> Option<DefinitionId> {
    match ty {
        Type::Named(id) => Some(*id),
        Type::Nullable(inner) => directly(inner),
        _ => None,
    }
}

fn replace(ty: &mut Type) {
    match ty {
        Type::Named(id) => *ty = Type::Boxed(*id),
        Type::Nullable(inner) => replace(inner),
        _ => {}
    }
}

fn without_null(ty: Type) -> Type {
    match ty {
        Type::Nullable(inner) => *inner,
        ty => ty,
    }
}

fn is_object(schema: &Schema) -> bool {
    matches!(schema.types, JsonType::Object | JsonType::Any)
}

/// The values of an enumeration that are all strings, `null` left out.
fn string_enum(schema: &Schema) -> Option<Vec<String>> {
    if !matches!(schema.types, JsonType::String | JsonType::Any) {
        return None;
    }
    let values = schema.enumeration.as_ref()?;
    let mut texts = Vec::new();
    for value in values.iter().filter(|value| !value.is_null()) {
        let text = value.as_str()?.to_string();
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    (!texts.is_empty()).then_some(texts)
}

/// Properties of an object and of everything it is composed of.
#[derive(Default)]
struct Merged {
    properties: Vec<Property>,
    required: HashSet<String>,
    /// Names of properties that are `readOnly` or `writeOnly` somewhere.
    one_way: HashSet<String>,
    additional: Additional,
}
