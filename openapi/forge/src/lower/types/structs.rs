//! Structs of the properties of an object and of its `allOf`.

use super::unions::may_be_object;
use crate::ir::{Additional, AdditionalMembers, Field, Property, Schema, SchemaId, Shape, Type};
use crate::lower::lowering::Lowering;
use crate::lower::names::{Scope, snake_name, type_name};
use indexmap::IndexMap;
use std::collections::HashSet;

/// Properties of an object and of all its parts.
#[derive(Default)]
struct Merged {
    properties: IndexMap<String, Property>,
    required: HashSet<String>,
    /// Names of properties that are `readOnly` or `writeOnly` somewhere.
    one_way: HashSet<String>,
    additional: Additional,
}

impl Lowering<'_> {
    /// The struct of the properties of a schema and of all parts of its `allOf`. There is no struct
    /// if a part is not an object.
    pub(super) fn object(&mut self, id: SchemaId, schema: &Schema, name: &str) -> Shape {
        let mut object = Merged::default();
        match self.merge(id, &mut object, &mut HashSet::new()) {
            true => self.structure(object, name),
            false => self.untyped(schema),
        }
    }

    /// Collects the properties of a schema and of all parts of its `allOf`. Returns false if a part
    /// is not an object.
    fn merge(&mut self, id: SchemaId, into: &mut Merged, seen: &mut HashSet<SchemaId>) -> bool {
        if !seen.insert(id) {
            return true;
        }
        let schema = self.schemas.get(id).clone();
        let is_union = !schema.one_of.is_empty() || !schema.any_of.is_empty();
        if is_union && !self.chooses_rules_only(&schema) {
            return false;
        }
        if !may_be_object(&schema) {
            return false;
        }
        for part in &schema.all_of {
            if !self.merge(*part, into, seen) {
                return false;
            }
        }
        let one_way = schema.object.properties.iter().filter(|property| {
            let schema = self.schemas.get(property.schema);
            schema.read_only || schema.write_only
        });
        into.one_way
            .extend(one_way.map(|property| property.name.clone()));
        for property in schema.object.properties {
            let new = property.schema;
            let known = into.properties.insert(property.name.clone(), property);
            let redeclared = known.map(|known| (new, known.schema));
            self.types.redeclared.extend(redeclared);
        }
        into.required.extend(schema.object.required);
        match schema.object.additional {
            Additional::Unspecified => {}
            Additional::Denied => into.additional = Additional::Unspecified,
            other => into.additional = other,
        }
        true
    }

    /// The struct of these properties. `name` begins the names of the types of its fields.
    fn structure(&mut self, object: Merged, name: &str) -> Shape {
        let mut names = Scope::default();
        let additional = match object.additional {
            Additional::Unspecified | Additional::Denied => None,
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
        } in object.properties.into_values()
        {
            let ty = self.part_ty(id, &format!("{name}{}", type_name(&property)));
            let schema = self.schemas.get(id);
            fields.push(Field {
                field: names.take(snake_name(&property)),
                description: schema.description.clone().or_else(|| schema.title.clone()),
                place,
                ty,
                // One struct serves both directions, and each direction omits some fields.
                required: object.required.contains(&property)
                    && !object.one_way.contains(&property),
                default: None, // The pass of the defaults sets it.
                schema: id,
                name: property,
            });
        }
        Shape::Struct { fields, additional }
    }
}
