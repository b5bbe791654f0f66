//! Finds parameters that no request can contain: a style writes one level of a list or of an object.

use super::cursor::Cursor;
use super::lowering::Lowering;
use crate::ir::{Additional, SchemaId, Style, Types};

const HELP: &str = "describe the parameter by `content` with `application/json`";

/// Warns of lists and objects within the value of a parameter that is written in a style.
pub(super) fn check(
    lowering: &mut Lowering<'_>,
    schema: SchemaId,
    style: Style,
    name: &str,
    at: &Cursor<'_>,
) {
    match style {
        Style::DeepObject => below_deep_object(lowering, schema, name, at),
        _ => below_first_level(lowering, schema, name, at),
    }
}

fn below_first_level(lowering: &mut Lowering<'_>, schema: SchemaId, name: &str, at: &Cursor<'_>) {
    let has_structured_items = |id| {
        let items = lowering.schemas.get(id).array.items;
        let types = items.map(|items| lowering.schemas.get(items).types);
        matches!(types, Some(Types::Array | Types::Object))
    };
    let outer = lowering.schemas.get(schema);
    let nested = match outer.types {
        Types::Array if has_structured_items(schema) => format!("the items of `{name}`"),
        Types::Object => {
            let mut members = members(lowering, schema).into_iter();
            let nested = members.find(|(_, member)| {
                let types = lowering.schemas.get(*member).types;
                types == Types::Object || has_structured_items(*member)
            });
            let Some((member, _)) = nested else { return };
            format!("{member} of `{name}`")
        }
        _ => return,
    };
    let Some(schema) = at.get("schema") else {
        return;
    };
    let message = format!("no style of a parameter can write the lists or objects in {nested}");
    lowering.warn(
        "parameter-nested",
        lowering.key_span(&schema),
        message,
        HELP,
    );
}

/// Warns of properties that `deepObject` cannot write.
fn below_deep_object(lowering: &mut Lowering<'_>, schema: SchemaId, name: &str, at: &Cursor<'_>) {
    let is_object = |lowering: &Lowering<'_>, id| lowering.schemas.get(id).types == Types::Object;
    for (member, id) in members(lowering, schema) {
        let items = lowering.schemas.get(id).array.items;
        if is_object(lowering, id) || items.is_some_and(|id| is_object(lowering, id)) {
            lowering.warn(
                "deep-object-nested",
                at.span_of("style"),
                format!(
                    "`deepObject` has one level, so no request of `{name}` can contain the objects of {member}"
                ),
                HELP,
            );
        }
    }
}

/// The members of an object, with names for people: its properties, and those that it does not name.
fn members(lowering: &Lowering<'_>, schema: SchemaId) -> Vec<(String, SchemaId)> {
    let object = &lowering.schemas.get(schema).object;
    let properties = object.properties.iter();
    let mut members: Vec<_> = properties
        .map(|property| (format!("`{}`", property.name), property.schema))
        .collect();
    if let Additional::Schema(id) = object.additional {
        members.push(("the additional properties".to_owned(), id));
    }
    members
}
