//! The names of schemas in JSON Schema: `$id`, `$anchor` and `$defs` (JSON Schema 2020-12, Core,
//! section 8.2).
//!
//! References by such names become references by JSON Pointer, and the schemas under
//! `$defs` become components.

use std::collections::{BTreeMap, HashMap, HashSet};

use percent_encoding::percent_decode_str;

use super::walk;
use crate::document::{Entry, Kind, Node, Object, pointer};

/// Keywords of definitions; drafts before 2019-09 have the second.
const DEFINITIONS: [&str; 2] = ["$defs", "definitions"];

/// The names of the schemas of a document.
#[derive(Default)]
struct Names {
    /// Pointers of the schemas that have an `$id`.
    ids: HashMap<String, String>,
    /// Pointers of the schemas that have an `$anchor`, by the pointer of the schema with
    /// `$id` around them and the name.
    anchors: HashMap<(String, String), String>,
}

/// Rewrites references by `$id` and `$anchor` as references by JSON Pointer. Other references stay
/// unchanged.
pub(crate) fn resolve(root: &mut Node) {
    let mut names = Names::default();
    let mut found = 0;
    walk::schemas(root, "", &mut |pointer, schema| {
        found += collect(schema, pointer, "", &mut names);
    });
    if found == 0 {
        return;
    }
    let pointers = pointers(root);
    walk::schemas(root, "", &mut |_, schema| {
        replace(schema, "", &names, &pointers);
    });
}

/// Records the names in a schema and returns their number. `base` is the pointer of the schema with
/// `$id` around it.
fn collect(node: &mut Node, pointer: &str, base: &str, names: &mut Names) -> usize {
    let Some(schema) = node.as_object_mut() else {
        return 0;
    };
    let text = |key: &str| schema.get(key).and_then(Node::as_str).map(str::to_owned);
    let (id, anchor) = (text("$id"), text("$anchor"));
    let mut found = usize::from(id.is_some()) + usize::from(anchor.is_some());
    let base = match id {
        Some(id) => {
            names.ids.insert(id, pointer.to_owned());
            pointer
        }
        None => base,
    };
    if let Some(anchor) = anchor {
        let key = (base.to_owned(), anchor);
        names.anchors.insert(key, pointer.to_owned());
    }
    walk::parts(schema, |_, behind, part| {
        found += collect(part, &format!("{pointer}{behind}"), base, names);
    });
    found
}

/// The pointers of all schemas with `$id`, and of the schemas below them.
fn pointers(root: &mut Node) -> HashSet<String> {
    let mut all = HashSet::new();
    walk::schemas(root, "", &mut |pointer, schema| {
        walk::every(schema, pointer, &mut |pointer, _| {
            all.insert(pointer.to_owned());
        });
    });
    all
}

fn replace(node: &mut Node, base: &str, names: &Names, pointers: &HashSet<String>) {
    let Some(schema) = node.as_object_mut() else {
        return;
    };
    let id = schema.get("$id").and_then(Node::as_str);
    let own = id.and_then(|id| names.ids.get(id)).cloned();
    let base = own.as_deref().unwrap_or(base);
    if let Some(text) = schema.get_mut("$ref").and_then(Node::as_string_mut)
        && let Some(target) = target(text, base, names, pointers)
    {
        *text = format!("#{target}");
    }
    walk::parts(schema, |_, _, part| replace(part, base, names, pointers));
}

/// The pointer that a reference by name means.
fn target(text: &str, base: &str, names: &Names, pointers: &HashSet<String>) -> Option<String> {
    let (file, fragment) = text.split_once('#').unwrap_or((text, ""));
    let base = match file {
        "" => base,
        _ => names.ids.get(file).or_else(|| names.ids.get(text))?,
    };
    if fragment.is_empty() {
        return (!file.is_empty()).then(|| base.to_owned());
    }
    if !fragment.starts_with('/') {
        let key = (base.to_owned(), fragment.to_owned());
        return names.anchors.get(&key).cloned();
    }
    let within = format!("{base}{fragment}");
    (!base.is_empty() && pointers.contains(&within)).then_some(within)
}

/// Makes components of the schemas under `$defs`.
pub(super) fn hoist_definitions(root: &mut Node) {
    // The names of components by the pointers of their definitions.
    let mut moved: BTreeMap<String, String> = BTreeMap::new();
    let mut definitions: Vec<(String, Entry)> = Vec::new();
    let mut taken: HashSet<String> = HashSet::new();
    if let Some(schemas) = root.get("components").and_then(|all| all.get("schemas")) {
        taken.extend(schemas.members().map(|(name, _)| name.to_owned()));
    }
    walk::schemas(root, "", &mut |pointer, schema| {
        walk::every(schema, pointer, &mut |pointer, schema| {
            for key in DEFINITIONS {
                for (name, entry) in schema.get(key).into_iter().flat_map(Node::members) {
                    let given = free(&mut taken, pointer, name);
                    let at = pointer::join(&pointer::join(pointer, key), name);
                    moved.insert(at, given.clone());
                    definitions.push((given, entry.clone()));
                }
            }
        });
    });
    if definitions.is_empty() {
        return;
    }
    let span = definitions[0].1.key_span;
    if let Some(object) = root.as_object_mut() {
        let empty = || Entry::at(span, Kind::Object(Object::default()));
        let components = object.get_or_insert("components", empty()).as_object_mut();
        let schemas = components
            .map(|components| components.get_or_insert("schemas", empty()))
            .and_then(Node::as_object_mut);
        if let Some(schemas) = schemas {
            for (name, entry) in definitions {
                schemas.get_or_insert(&name, entry);
            }
        }
    }
    walk::schemas(root, "", &mut |pointer, schema| {
        walk::every(schema, pointer, &mut |_, schema| {
            for key in DEFINITIONS {
                schema.remove(key);
            }
            if let Some(text) = schema.get_mut("$ref").and_then(Node::as_string_mut)
                && let Some(renamed) = follow(text, &moved)
            {
                *text = renamed;
            }
        });
    });
}

/// A name for the component of a definition: its own, or that of its schema before it.
fn free(taken: &mut HashSet<String>, pointer: &str, name: &str) -> String {
    let owner = pointer::segments(pointer).next_back().unwrap_or_default();
    let mut given = name.to_owned();
    let mut number = 1;
    while !taken.insert(given.clone()) {
        given = match number {
            1 => format!("{owner}_{name}"),
            _ => format!("{owner}_{name}{number}"),
        };
        number += 1;
    }
    given
}

/// Rewrites a reference into `$defs` as a reference to the component of the innermost definition.
fn follow(text: &str, moved: &BTreeMap<String, String>) -> Option<String> {
    let fragment = text.strip_prefix('#')?;
    let pointer = percent_decode_str(fragment).decode_utf8().ok()?;
    let is_around = |at: &str| {
        let rest = pointer.strip_prefix(at);
        rest.filter(|rest| rest.is_empty() || rest.starts_with('/'))
            .map(str::to_owned)
    };
    let around = moved
        .iter()
        .filter_map(|(at, name)| Some((at.len(), name, is_around(at)?)));
    let (_, name, rest) = around.max_by_key(|(length, _, _)| *length)?;
    Some(format!(
        "#{}{rest}",
        pointer::join("/components/schemas", name)
    ))
}
