//! Whether a schema allows `null`.

use crate::ir::{SchemaId, Type, Types as JsonType};
use crate::lower::lowering::Lowering;
use serde_json::Value;
use std::collections::HashMap;

impl Lowering<'_> {
    /// Whether `null` is valid, by a schema itself or by the schemas that it is composed of. An
    /// enumeration must list `null` (OpenAPI 3.0.3, `nullable`). `known` holds the results so far.
    /// A schema whose result is pending counts as one that does not allow `null`.
    pub(super) fn allows_null(&self, id: SchemaId, known: &mut HashMap<SchemaId, bool>) -> bool {
        if let Some(allows) = known.get(&id) {
            return *allows;
        }
        known.insert(id, false);
        let schema = self.schemas.get(id);
        let mut count = |ids: &[SchemaId]| {
            let allowing = |id: &&SchemaId| self.allows_null(**id, known);
            ids.iter().filter(allowing).count()
        };
        let allows = match &schema.enumeration {
            Some(values) => values.contains(&Value::Null),
            None if schema.nullable => true,
            None => {
                schema.types == JsonType::Any
                    && schema.is_composed()
                    && schema.object.properties.is_empty()
                    && count(&schema.all_of) == schema.all_of.len()
                    && (schema.any_of.is_empty() || count(&schema.any_of) > 0)
                    && (schema.one_of.is_empty() || count(&schema.one_of) == 1)
            }
        };
        known.insert(id, allows);
        allows
    }
}

pub(super) fn without_null(ty: Type) -> Type {
    match ty {
        Type::Nullable(inner) => *inner,
        ty => ty,
    }
}
