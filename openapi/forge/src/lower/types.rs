//! Rust types: the shape of a value that has been checked.
//!
//! A schema that has no faithful shape becomes `serde_json::Value`; it is still
//! checked, since checks are made of the schema and not of the type.

use super::Lowering;
use super::names::{Scope, snake_name, type_name};
use crate::ir::{
    Additional, Alternative, Definition, DefinitionId, Field, Origin, Property, Schema, SchemaId,
    Shape, Type, Types as JsonType, holds_secret,
};
use serde_json::Value;
use std::collections::{HashMap, HashSet};

/// Every named type, and which schema has which type.
#[derive(Default)]
pub(super) struct Types {
    pub(super) definitions: Vec<Definition>,
    of: HashMap<SchemaId, Type>,
    names: Scope,
    component_names: HashMap<SchemaId, String>,
}

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

    /// The type of a schema, `Nullable` where `null` is allowed. `suggestion`
    /// names it where the document does not.
    pub(super) fn ty(&mut self, id: SchemaId, suggestion: &str) -> Type {
        let ty = self.bare_ty(id, suggestion);
        match ty {
            Type::Any | Type::Nullable(_) => ty,
            ty if self.allows_null(id, &mut HashSet::new()) => Type::Nullable(Box::new(ty)),
            ty => ty,
        }
    }

    /// Whether `null` keeps a schema, by its own word or by that of the schemas
    /// it is composed of.
    fn allows_null(&self, id: SchemaId, seen: &mut HashSet<SchemaId>) -> bool {
        if !seen.insert(id) {
            return false;
        }
        let schema = self.schemas.get(id);
        if let Some(values) = &schema.enumeration {
            return values.contains(&Value::Null);
        }
        if schema.nullable {
            return true;
        }
        let allow = |ids: &[SchemaId]| {
            let allowing = |id: &&SchemaId| self.allows_null(**id, &mut seen.clone());
            ids.iter().filter(allowing).count()
        };
        let composed =
            !(schema.all_of.is_empty() && schema.any_of.is_empty() && schema.one_of.is_empty());
        schema.types == JsonType::Any
            && composed
            && schema.object.properties.is_empty()
            && allow(&schema.all_of) == schema.all_of.len()
            && (schema.any_of.is_empty() || allow(&schema.any_of) > 0)
            && (schema.one_of.is_empty() || allow(&schema.one_of) == 1)
    }

    fn bare_ty(&mut self, id: SchemaId, suggestion: &str) -> Type {
        if let Some(ty) = self.types.of.get(&id) {
            return ty.clone();
        }
        let schema = self.schemas.get(id).clone();
        if schema.component.is_none() && !self.wants_name(&schema) {
            let ty = self.plain(&schema, suggestion);
            self.types.of.insert(id, ty.clone());
            return ty;
        }
        // Entered before its parts, so that recursion ends here.
        let name = match self.types.component_names.get(&id) {
            Some(name) => name.clone(),
            None => self.types.names.take(type_name(suggestion)),
        };
        let definition = DefinitionId(self.types.definitions.len());
        let ty = Type::Named(definition);
        self.types.of.insert(id, ty.clone());
        self.types.definitions.push(Definition {
            name: name.clone(),
            description: schema.description.clone().or_else(|| schema.title.clone()),
            origin: Origin {
                pointer: schema.pointer.clone(),
                place: schema.place.clone(),
            },
            schema: id,
            shape: Shape::Alias(Type::Any),
        });
        let shape = self.shape(id, &schema, &name);
        self.types.definitions[definition.0].shape = shape;
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
        if let Some(shape) = self.union(schema, name) {
            return shape;
        }
        if let ([only], true) = (
            schema.all_of.as_slice(),
            schema.object.properties.is_empty(),
        ) {
            return Shape::Alias(without_null(self.ty(*only, name)));
        }
        if !schema.all_of.is_empty() || !schema.object.properties.is_empty() {
            let mut object = Merged::default();
            return match self.merge(id, &mut object, &mut HashSet::new()) {
                true => self.structure(object, name),
                false => Shape::Alias(Type::Any),
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

    /// `oneOf` or `anyOf` and nothing beside it.
    fn union(&mut self, schema: &Schema, name: &str) -> Option<Shape> {
        let alternatives = match (schema.one_of.is_empty(), schema.any_of.is_empty()) {
            (false, true) => &schema.one_of,
            (true, false) => &schema.any_of,
            (true, true) => return None,
            (false, false) => return Some(Shape::Alias(Type::Any)),
        };
        if !schema.all_of.is_empty() || !schema.object.properties.is_empty() {
            return Some(Shape::Alias(Type::Any));
        }
        if let [only] = alternatives.as_slice() {
            let ty = without_null(self.ty(*only, &format!("{name}Value")));
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
            let ty = without_null(self.ty(*id, &format!("{name}{variant}")));
            shapes.push(Alternative { variant, ty });
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
        if !schema.one_of.is_empty() || !schema.any_of.is_empty() {
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
        for property in schema.object.properties {
            match into
                .properties
                .iter_mut()
                .find(|known| known.name == property.name)
            {
                Some(known) => *known = property,
                None => into.properties.push(property),
            }
        }
        into.required.extend(schema.object.required);
        match schema.object.additional {
            Additional::Unsaid => {}
            Additional::Denied => into.additional = Additional::Unsaid,
            other => into.additional = other,
        }
        true
    }

    fn structure(&mut self, object: Merged, name: &str) -> Shape {
        let mut names = Scope::default();
        let additional = match object.additional {
            Additional::Unsaid | Additional::Denied => None,
            Additional::Allowed => Some(Type::Any),
            Additional::Schema(id) => Some(self.ty(id, &format!("{name}Additional"))),
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
            let ty = self.ty(id, &format!("{name}{}", type_name(&property)));
            let schema = self.schemas.get(id);
            fields.push(Field {
                field: names.take(snake_name(&property)),
                description: schema.description.clone().or_else(|| schema.title.clone()),
                place,
                ty,
                // One struct serves both directions, and each leaves some out.
                required: object.required.contains(&property)
                    && !schema.read_only
                    && !schema.write_only,
                default: schema.default.clone(),
                secret: holds_secret(&self.schemas.all, id),
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
            return self.ty(*only, suggestion);
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
                    Type::Map(Box::new(self.ty(id, &format!("{suggestion}Value"))))
                }
                _ => Type::FreeObject,
            },
            JsonType::Any => match (schema.array.items, schema.object.additional) {
                (Some(_), _) => self.array(schema, suggestion),
                (None, Additional::Schema(id)) => {
                    Type::Map(Box::new(self.ty(id, &format!("{suggestion}Value"))))
                }
                _ => Type::Any,
            },
        }
    }

    fn array(&mut self, schema: &Schema, suggestion: &str) -> Type {
        let items = match schema.array.items {
            Some(id) => self.ty(id, &format!("{suggestion}Item")),
            None => Type::Any,
        };
        Type::Array(Box::new(items))
    }

    /// Puts a `Box` wherever a type would contain itself.
    pub(super) fn finish_types(&mut self) {
        let definitions = &mut self.types.definitions;
        let inside: Vec<HashSet<usize>> = (0..definitions.len())
            .map(|start| contained(definitions, start))
            .collect();
        for (index, definition) in definitions.iter_mut().enumerate() {
            let boxed = |ty: &mut Type| {
                if let Some(DefinitionId(target)) = directly(ty)
                    && inside[target].contains(&index)
                {
                    replace(ty);
                }
            };
            match &mut definition.shape {
                Shape::Struct { fields, .. } => fields.iter_mut().for_each(|f| boxed(&mut f.ty)),
                Shape::Union(alternatives) => {
                    alternatives.iter_mut().for_each(|a| boxed(&mut a.ty));
                }
                Shape::Alias(ty) if mentions_cycle(ty, &inside, index) => {
                    boxed(ty);
                    definition.shape = Shape::Newtype(ty.clone());
                }
                Shape::Alias(_) | Shape::Newtype(_) | Shape::Enum(_) => {}
            }
        }
    }
}

/// Everything that a value of a definition mentions, through any container.
fn contained(definitions: &[Definition], start: usize) -> HashSet<usize> {
    let mut seen = HashSet::new();
    let mut open = vec![start];
    while let Some(index) = open.pop() {
        let mut visit = |ty: &Type| {
            if let Some(DefinitionId(target)) = mentioned(ty)
                && seen.insert(target)
            {
                open.push(target);
            }
        };
        match &definitions[index].shape {
            Shape::Struct { fields, additional } => {
                fields.iter().for_each(|field| visit(&field.ty));
                additional.iter().for_each(visit);
            }
            Shape::Union(alternatives) => alternatives.iter().for_each(|a| visit(&a.ty)),
            Shape::Alias(ty) | Shape::Newtype(ty) => visit(ty),
            Shape::Enum(_) => {}
        }
    }
    seen
}

fn mentions_cycle(ty: &Type, inside: &[HashSet<usize>], index: usize) -> bool {
    mentioned(ty).is_some_and(|DefinitionId(target)| inside[target].contains(&index))
}

fn mentioned(ty: &Type) -> Option<DefinitionId> {
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
    additional: Additional,
}
