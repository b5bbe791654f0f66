//! Unions: `anyOf`, `oneOf`, and their members.
//!
//! typify generates an enum for `oneOf`, whose members it tries in order, and a struct of optional parts for `anyOf`,
//! which no caller would expect. This module converts unions into the form that becomes an enum with good names.

use super::{
    nullable::or_null,
    walk::{Object, component},
    writer::Writer,
};
use crate::emit::client::report::LossKind;
use serde_json::{Value, json};
use std::collections::HashSet;

/// The key of a union for the names of its members, in their order. It is removed from the finished subset.
pub const MEMBERS: &str = "x-members";

/// Converts every union into one form: `oneOf` with at least two different members, and null stated once.
pub fn convert(writer: &mut Writer<'_>) {
    writer.each_schema(|writer, pointer, schema| {
        let Some(object) = schema.as_object_mut() else {
            return;
        };
        conditions(object);
        any_of(writer, pointer, object);
        if let Some(single) = reduce(object) {
            *schema = single;
        }
        if let Some(object) = schema.as_object_mut() {
            discriminator(writer, pointer, object);
            all_of(object);
        }
    });
}

/// Members that only list required properties are a constraint on the object beside them.
fn conditions(schema: &mut Object) {
    let has_shape = schema.contains_key("properties") || schema.contains_key("allOf");
    for keyword in ["oneOf", "anyOf"] {
        let members = schema.get(keyword).and_then(Value::as_array);
        if has_shape && members.is_some_and(|members| members.iter().all(is_condition)) {
            schema.remove(keyword);
        }
    }
    if let Some(members) = schema.get_mut("allOf").and_then(Value::as_array_mut) {
        members.retain(|member| {
            shape(member)
                .as_object()
                .is_none_or(|member| !member.is_empty())
        });
    }
}

fn is_condition(member: &Value) -> bool {
    member.as_object().is_some_and(|member| {
        member
            .keys()
            .all(|keyword| matches!(keyword.as_str(), "required" | "type" | "description"))
            && member.get("type").is_none_or(|kind| kind == "object")
    })
}

fn any_of(writer: &mut Writer<'_>, pointer: &str, schema: &mut Object) {
    let Some(Value::Array(members)) = schema.remove("anyOf") else {
        return;
    };
    let is_left_out = schema.contains_key("oneOf");
    if members.len() > 1 {
        let meaning = match is_left_out {
            true => "anyOf beside oneOf, left out",
            false => "anyOf, as an enum of its members",
        };
        writer.lose(LossKind::Union, pointer, meaning);
    }
    if !is_left_out {
        schema.insert("oneOf".to_owned(), Value::Array(members));
    }
}

/// Removes null and duplicates from the members. Returns the remaining schema if it is no longer a union.
fn reduce(schema: &mut Object) -> Option<Value> {
    let beside = schema.contains_key("properties") || schema.contains_key("allOf");
    let names = schema.get(MEMBERS).cloned().unwrap_or_default();
    let members = schema.get_mut("oneOf").and_then(Value::as_array_mut)?;
    let mut nullable = false;
    for member in members.iter_mut() {
        if let Some(member) = member.as_object_mut() {
            nullable |= member.remove("nullable") == Some(Value::Bool(true));
            // `{nullable, allOf: [reference]}` means a nullable reference.
            if let (1, Some(Value::Array(inner))) = (member.len(), member.get("allOf"))
                && inner.len() == 1
            {
                *member = inner[0].as_object().cloned().unwrap_or_default();
            }
        }
    }
    let mut different: Vec<Value> = Vec::new();
    let mut names_left: Vec<Value> = Vec::new();
    let mut shapes: HashSet<Value> = HashSet::new();
    for (index, member) in members.drain(..).enumerate() {
        let is_null = member
            .get("enum")
            .and_then(Value::as_array)
            .is_some_and(|values| values.iter().all(Value::is_null));
        nullable |= is_null;
        if !is_null && shapes.insert(shape(&member)) {
            different.push(member);
            names_left.push(names[index].clone());
        }
    }
    // A member that allows any value makes the others superfluous.
    let anything = different
        .iter()
        .any(|member| shape(member).as_object().is_some_and(Object::is_empty));
    if different.is_empty() || anything {
        schema.retain(|key, _| !matches!(key.as_str(), "oneOf" | "discriminator" | MEMBERS));
        return None;
    }
    if different.len() > 1 || beside {
        *members = different;
        schema.insert(MEMBERS.to_owned(), Value::Array(names_left));
        if nullable {
            schema.insert("nullable".to_owned(), Value::Bool(true));
        }
        return None;
    }
    nullable |= schema.get("nullable") == Some(&Value::Bool(true));
    let mut single = different.remove(0);
    if nullable {
        single = or_null(single);
    }
    if let (Some(object), Some(text)) = (single.as_object_mut(), schema.remove("description"))
        && !object.contains_key("$ref")
    {
        object.insert("description".to_owned(), text);
    }
    Some(single)
}

/// A schema without its description.
fn shape(schema: &Value) -> Value {
    let mut schema = schema.clone();
    if let Some(object) = schema.as_object_mut() {
        object.remove("description");
    }
    schema
}

/// A discriminator is useful if it distinguishes the members of a union. Restored code does this if all of them are
/// components.
fn discriminator(writer: &mut Writer<'_>, pointer: &str, schema: &mut Object) {
    let Some(discriminator) = schema.get("discriminator") else {
        return;
    };
    let named = discriminator
        .get("propertyName")
        .is_some_and(Value::is_string);
    let members = schema.get("oneOf").and_then(Value::as_array);
    let components =
        members.is_some_and(|members| members.iter().all(|member| component(member).is_some()));
    if named && components && !schema.contains_key("properties") && !schema.contains_key("allOf") {
        return;
    }
    let what = if members.is_some() {
        "discriminator of a union with unnamed members"
    } else {
        "discriminator without oneOf: only the properties listed here are read"
    };
    schema.remove("discriminator");
    writer.lose(LossKind::Discriminator, pointer, what);
}

/// Replaces `allOf` with one member and no keys beside it by that member.
pub fn all_of(schema: &mut Object) {
    let Some(members) = schema.get("allOf").and_then(Value::as_array) else {
        return;
    };
    let lone = schema
        .keys()
        .all(|keyword| matches!(keyword.as_str(), "allOf" | "description" | "nullable"));
    if members.is_empty() {
        schema.remove("allOf");
    } else if let (1, true, Some(member)) = (members.len(), lone, members[0].as_object())
        && !member.contains_key("$ref")
    {
        let mut member = member.clone();
        for keyword in ["description", "nullable"] {
            if let Some(value) = schema.get(keyword) {
                member.insert(keyword.to_owned(), value.clone());
            }
        }
        *schema = member;
    }
}

/// A schema that allows any value, with the description of another.
pub fn anything(schema: &Value) -> Value {
    match schema.get("description") {
        Some(text) => json!({ "description": text }),
        None => json!({}),
    }
}
