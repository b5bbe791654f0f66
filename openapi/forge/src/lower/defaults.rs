//! Defaults of optional members: the values that handlers receive for absent ones.
//!
//! A default becomes a value of its member's type, so that the running service parses none. This
//! pass runs when every type is known.

use super::lowering::Lowering;
use crate::document::pointer;
use crate::ir::{DefaultValue, Definition, Operation, SchemaId, Shape, Type};
use serde_json::Value;

/// Sets the defaults of all parameters and of the fields of all structs. Warns of those that their
/// types cannot hold as a constant.
pub(super) fn lower(lowering: &mut Lowering<'_>, operations: &mut [Operation]) {
    let mut not_applied = Vec::new();
    let schemas = &lowering.schemas;
    let definitions = &lowering.types.definitions;
    let mut value_of = |required: bool, ty: &Type, schema: SchemaId| -> Option<DefaultValue> {
        let written = schemas.get(schema).default.as_ref()?;
        if required {
            return None;
        }
        let value = value(definitions, ty, written);
        if value.is_none() {
            not_applied.push(schema);
        }
        value
    };
    for operation in operations {
        for parameter in &mut operation.parameters {
            parameter.default = value_of(parameter.required, &parameter.ty, parameter.schema);
        }
    }
    let mut of_structs = Vec::new();
    for (index, definition) in definitions.iter().enumerate() {
        if let Shape::Struct { fields, .. } = &definition.shape {
            for (place, field) in fields.iter().enumerate() {
                let value = value_of(field.required, &field.ty, field.schema);
                of_structs.push((index, place, value));
            }
        }
    }
    for (index, place, value) in of_structs {
        if let Shape::Struct { fields, .. } = &mut lowering.types.definitions[index].shape {
            fields[place].default = value;
        }
    }
    for schema in not_applied {
        warn(lowering, schema);
    }
}

fn warn(lowering: &mut Lowering<'_>, schema: SchemaId) {
    let pointer = pointer::join(&lowering.schemas.get(schema).pointer, "default");
    let Some(span) = lowering.document.at(&pointer).map(|node| node.span) else {
        return;
    };
    // The check of the structure has reported a default of another type.
    if lowering.is_reported(span) {
        return;
    }
    lowering.warn(
        "default-not-applied",
        span,
        "the server does not apply this default: in a request without the value, the field is `None`",
        "apply the value in the handler, and describe it in place of `default`",
    );
}

/// A default as a value of its type. `None` if the type has no such constant, as instants, structs
/// and unions have none.
fn value(definitions: &[Definition], ty: &Type, written: &Value) -> Option<DefaultValue> {
    Some(match (ty, written) {
        (Type::Nullable(_), Value::Null) => DefaultValue::Null,
        (Type::Nullable(inner), written) => {
            DefaultValue::NotNull(Box::new(value(definitions, inner, written)?))
        }
        (Type::Any, written) => DefaultValue::Any(written.clone()),
        (Type::Bool, Value::Bool(flag)) => DefaultValue::Bool(*flag),
        (Type::I32, written) => DefaultValue::I32(written.as_i64()?.try_into().ok()?),
        (Type::I64, written) => DefaultValue::I64(written.as_i64()?),
        (Type::U64, written) => DefaultValue::U64(written.as_u64()?),
        (Type::F64, written) => DefaultValue::F64(written.as_f64()?),
        (Type::String, Value::String(text)) => DefaultValue::String(text.clone()),
        (Type::Array(inner), Value::Array(items)) => {
            let items = items.iter().map(|item| value(definitions, inner, item));
            DefaultValue::Array(items.collect::<Option<Vec<_>>>()?)
        }
        (Type::FreeObject, Value::Object(members)) => {
            let members = members.iter();
            let members = members.map(|(name, member)| (name.clone(), member.clone()));
            DefaultValue::FreeObject(members.collect())
        }
        (Type::Map(inner), Value::Object(members)) => {
            let members = members.iter();
            let members = members
                .map(|(name, member)| Some((name.clone(), value(definitions, inner, member)?)));
            DefaultValue::Map(members.collect::<Option<Vec<_>>>()?)
        }
        (Type::Named(id), written) => match &definitions[id.0].shape {
            Shape::Alias(inner) => value(definitions, inner, written)?,
            Shape::Enum(variants) => {
                let text = written.as_str()?;
                let (variant, _) = variants.iter().find(|(_, known)| known == text)?;
                DefaultValue::Variant(*id, variant.clone())
            }
            Shape::Struct { .. } | Shape::Union(_) | Shape::Newtype(_) => return None,
        },
        _ => return None,
    })
}
