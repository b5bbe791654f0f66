//! Aliases: components that are no type of their own.
//!
//! A component that is a string, a number, a list or a map is a newtype to typify, which callers would have to wrap and
//! unwrap. It is written out where it is used instead.

use super::{
    Writer, unions,
    walk::{self, Object, component, components, reachable},
};
use serde_json::Value;

/// Writes aliases out where they are used.
pub fn schemas(writer: &mut Writer<'_>) {
    let mut aliases: Object = components(&mut writer.root)
        .iter()
        .filter(|(_, schema)| is_alias(schema))
        .map(|(name, schema)| (name.clone(), schema.clone()))
        .collect();
    // One that leads back to itself cannot be written out.
    let circular: Vec<String> = aliases
        .iter()
        .filter(|(name, schema)| reachable(&aliases, schema).contains(name))
        .map(|(name, _)| name.clone())
        .collect();
    aliases.retain(|name, _| !circular.contains(name));
    // Each round writes out one level of what was written out before.
    loop {
        let before = aliases.clone();
        for (_, schema) in &mut aliases {
            walk::schema("", schema, &mut |_, schema| write_out(&before, schema));
        }
        if aliases == before {
            break;
        }
    }
    writer.each_schema(|_, _, schema| write_out(&aliases, schema));
    writer.each_schema(|_, _, schema| {
        // What was a reference with something beside it is so no more.
        if let Some(object) = schema.as_object_mut() {
            unions::all_of(object);
        }
    });
    components(&mut writer.root).retain(|name, _| !aliases.contains_key(name));
}

fn write_out(aliases: &Object, schema: &mut Value) {
    if let Some(alias) = component(schema).and_then(|name| aliases.get(name)) {
        *schema = alias.clone();
    }
}

/// A union, a struct and an enumeration are types, everything else is an alias; so is a component that is only another
/// one.
fn is_alias(schema: &Value) -> bool {
    !["oneOf", "anyOf", "allOf", "properties", "enum"]
        .iter()
        .any(|keyword| schema.get(keyword).is_some())
}
