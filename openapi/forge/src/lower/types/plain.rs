//! Types without a name: scalars, lists and maps.

use crate::ir::{Schema, Type, Types as JsonType};
use crate::lower::lowering::Lowering;

impl Lowering<'_> {
    /// The type of a schema that needs no name.
    pub(super) fn plain(&mut self, schema: &Schema, suggestion: &str) -> Type {
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
            JsonType::Object => self.map(schema, suggestion).unwrap_or(Type::FreeObject),
            JsonType::Any if schema.array.items.is_some() => self.array(schema, suggestion),
            JsonType::Any => self.map(schema, suggestion).unwrap_or(Type::Any),
        }
    }

    /// The type of an object whose members have a schema.
    fn map(&mut self, schema: &Schema, suggestion: &str) -> Option<Type> {
        let members = schema.object.additional.schema()?;
        let ty = self.part_ty(members, &format!("{suggestion}Value"));
        Some(Type::Map(Box::new(ty)))
    }

    fn array(&mut self, schema: &Schema, suggestion: &str) -> Type {
        let items = match schema.array.items {
            Some(id) => self.part_ty(id, &format!("{suggestion}Item")),
            None => Type::Any,
        };
        Type::Array(Box::new(items))
    }
}
