//! Enums of the alternatives of `oneOf` and `anyOf`.

use super::null::without_null;
use crate::ir::{Additional, Alternative, Schema, SchemaId, Shape, Types as JsonType};
use crate::lower::lowering::Lowering;
use crate::lower::names::{Scope, type_name};

impl Lowering<'_> {
    /// Whether the alternatives of an object only name required properties, as in `oneOf:
    /// [{required: [a]}, {required: [b]}]`. They do not affect its type.
    pub(super) fn chooses_rules_only(&self, schema: &Schema) -> bool {
        let has_type = !schema.object.properties.is_empty() || !schema.all_of.is_empty();
        let mut alternatives = schema.one_of.iter().chain(&schema.any_of);
        has_type && alternatives.all(|id| self.is_rule(*id))
    }

    /// The type of a schema that is only a `oneOf` or `anyOf`.
    pub(super) fn union(&mut self, schema: &Schema, name: &str) -> Option<Shape> {
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
            let variant = variants.take(type_name(alternative.name_as_member()));
            // The use of the union records `null`.
            let ty = without_null(self.part_ty(*id, &format!("{name}{variant}")));
            shapes.push(Alternative {
                variant,
                ty,
                schema: *id,
            });
        }
        Some(Shape::Union(shapes))
    }

    /// Whether a schema has no part that determines a type.
    fn is_rule(&self, id: SchemaId) -> bool {
        let schema = self.schemas.get(id);
        may_be_object(schema)
            && schema.component.is_none()
            && schema.enumeration.is_none()
            && schema.object.properties.is_empty()
            && !matches!(schema.object.additional, Additional::Schema(_))
            && schema.array.items.is_none()
            && !schema.is_composed()
    }
}

/// Whether the type of a schema allows an object.
pub(super) fn may_be_object(schema: &Schema) -> bool {
    matches!(schema.types, JsonType::Object | JsonType::Any)
}
