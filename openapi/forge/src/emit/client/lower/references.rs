//! References: every schema that is referred to becomes a component with a name of its own, and whatever else a
//! document shares is copied to where it is used.
//!
//! typify finds a schema by the last part of its reference, whatever comes before, so `#/components/schemas/A` and
//! `#/components/schemas/B/properties/A` would be one; and it takes names that differ in case only for one type.

use super::{
    Lowering,
    naming::{Names, pascal},
    walk::{self, METHODS, component, components, reference},
};
use crate::document::pointer::{join, segments};
use percent_encoding::percent_decode_str;
use serde_json::Value;
use std::collections::BTreeMap;

/// Gives every component a name that is a Rust type's, and makes every reference of a schema one to a component.
pub fn schemas(lowering: &mut Lowering<'_>) {
    let mut names = Names::default();
    // Pointers of the document, and the components they became.
    let mut targets: BTreeMap<String, String> = BTreeMap::new();
    let old = std::mem::take(components(&mut lowering.root));
    let mut renamed = walk::Object::new();
    for (name, schema) in old {
        let given = names.give(&pascal(&name));
        targets.insert(join("/components/schemas", &name), given.clone());
        renamed.insert(given, schema);
    }
    *components(&mut lowering.root) = renamed;

    // Targets outside the components, which are copied into them and may have references of their own.
    let mut outside: Vec<(String, String)> = Vec::new();
    let mut root = std::mem::take(&mut lowering.root);
    let origin: BTreeMap<String, String> = targets
        .iter()
        .map(|(pointer, name)| (name.clone(), pointer.clone()))
        .collect();
    walk::schemas(&mut root, &mut |pointer, schema| {
        let pointer = original(&origin, pointer);
        rewrite(
            lowering,
            &pointer,
            schema,
            &mut names,
            &mut targets,
            &mut outside,
        );
    });
    lowering.root = root;
    while let Some((pointer, name)) = outside.pop() {
        let mut copy = lowering
            .document
            .at(&pointer)
            .map(|node| node.to_json())
            .unwrap_or_default();
        walk::schema(&pointer, &mut copy, &mut |pointer, schema| {
            rewrite(
                lowering,
                pointer,
                schema,
                &mut names,
                &mut targets,
                &mut outside,
            );
        });
        components(&mut lowering.root).insert(name, copy);
    }
    lowering.origins = targets
        .into_iter()
        .map(|(pointer, name)| (name, pointer))
        .collect();
}

/// Makes one reference a reference to a component, without anything beside it: OpenAPI 3.0 ignores siblings.
fn rewrite(
    lowering: &mut Lowering<'_>,
    pointer: &str,
    schema: &mut Value,
    names: &mut Names,
    targets: &mut BTreeMap<String, String>,
    outside: &mut Vec<(String, String)>,
) {
    let Some(text) = schema.get("$ref") else {
        return;
    };
    let Some(node) = lowering.document.at(pointer) else {
        return;
    };
    if let Err(diagnostic) = lowering.document.resolve(node, pointer) {
        lowering.diagnostics.push(diagnostic);
        return;
    }
    // What has been resolved is a string, and UTF-8.
    let fragment = text
        .as_str()
        .and_then(|text| text.strip_prefix('#'))
        .unwrap_or_default();
    let target = percent_decode_str(fragment)
        .decode_utf8_lossy()
        .into_owned();
    let name = targets.entry(target.clone()).or_insert_with(|| {
        let last = segments(&target).next_back().unwrap_or_default();
        let name = names.give(&pascal(&last));
        outside.push((target, name.clone()));
        name
    });
    *schema = reference(name);
}

/// The pointer in the document of what is now at `pointer`.
pub fn original(origins: &BTreeMap<String, String>, pointer: &str) -> String {
    let Some(rest) = pointer.strip_prefix("/components/schemas/") else {
        return pointer.to_owned();
    };
    let (name, rest) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    match origins.get(name) {
        Some(origin) => format!("{origin}{rest}"),
        None => pointer.to_owned(),
    }
}

/// Copies shared path items, parameters, bodies and responses to where they are used, and a path's parameters to its
/// operations. What cannot be found is a diagnostic.
pub fn operations(lowering: &mut Lowering<'_>) {
    let mut root = std::mem::take(&mut lowering.root);
    let shared = root.clone();
    let paths = root.get_mut("paths").and_then(Value::as_object_mut);
    for (path, item) in paths.into_iter().flatten() {
        let pointer = join("/paths", path);
        copy(lowering, &shared, &pointer, item);
        let common = item
            .as_object_mut()
            .and_then(|item| item.remove("parameters"));
        let mut common = common.unwrap_or_default();
        copy_each(
            lowering,
            &shared,
            &join(&pointer, "parameters"),
            &mut common,
        );
        for method in METHODS {
            let Some(operation) = item.get_mut(method).and_then(Value::as_object_mut) else {
                continue;
            };
            let pointer = join(&pointer, method);
            let own = operation
                .entry("parameters")
                .or_insert_with(|| Value::Array(vec![]));
            copy_each(lowering, &shared, &join(&pointer, "parameters"), own);
            add_common(own, &common);
            if let Some(body) = operation.get_mut("requestBody") {
                copy(lowering, &shared, &join(&pointer, "requestBody"), body);
            }
            let responses = operation
                .get_mut("responses")
                .and_then(Value::as_object_mut);
            for (status, response) in responses.into_iter().flatten() {
                copy(
                    lowering,
                    &shared,
                    &join(&join(&pointer, "responses"), status),
                    response,
                );
            }
        }
    }
    if let Some(components) = root.get_mut("components").and_then(Value::as_object_mut) {
        components.retain(|section, _| matches!(section.as_str(), "schemas" | "securitySchemes"));
    }
    lowering.root = root;
}

/// A path's parameter counts unless the operation has one of its name and place.
fn add_common(own: &mut Value, common: &Value) {
    let (Some(own), Some(common)) = (own.as_array_mut(), common.as_array()) else {
        return;
    };
    let key = |parameter: &Value| (parameter.get("name").cloned(), parameter.get("in").cloned());
    for parameter in common {
        if !own.iter().any(|other| key(other) == key(parameter)) {
            own.push(parameter.clone());
        }
    }
}

fn copy_each(lowering: &mut Lowering<'_>, shared: &Value, pointer: &str, list: &mut Value) {
    for (index, value) in list.as_array_mut().into_iter().flatten().enumerate() {
        copy(lowering, shared, &join(pointer, &index.to_string()), value);
    }
}

/// Replaces a reference by what it leads to in the lowered document.
fn copy(lowering: &mut Lowering<'_>, shared: &Value, pointer: &str, value: &mut Value) {
    if value.get("$ref").is_none() {
        return;
    }
    let Some(node) = lowering.document.at(pointer) else {
        return;
    };
    match lowering.document.resolve(node, pointer) {
        Ok((target, _)) => *value = shared.pointer(&target).cloned().unwrap_or_default(),
        Err(diagnostic) => lowering.diagnostics.push(diagnostic),
    }
}

/// The components that a component reaches, itself included if it reaches itself.
pub fn reachable(schemas: &walk::Object, start: &Value) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut queue = vec![start.clone()];
    while let Some(mut schema) = queue.pop() {
        walk::schema("", &mut schema, &mut |_, schema| {
            if let Some(name) = component(schema)
                && !found.iter().any(|known| known == name)
            {
                found.push(name.to_owned());
                queue.extend(schemas.get(name).cloned());
            }
        });
    }
    found
}
