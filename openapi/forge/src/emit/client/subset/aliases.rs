//! Aliases: components without a type of their own.
//!
//! A component that is a string, a number, a list or a map is a newtype to typify, which callers would have to wrap and
//! unwrap. It is written out where it is used instead.

use super::{
    Writer, unions,
    walk::{self, Object, component, components},
};
use petgraph::{
    algo::kosaraju_scc,
    graph::{DiGraph, NodeIndex},
};
use serde_json::Value;
use std::collections::{HashMap, HashSet};

/// The most aliases that one is written out with. A chain of lists of lists would be one schema of its length
/// otherwise, and the chain in all its positions together the square of it.
const MAX_SIZE: usize = 16;

/// Writes aliases out where they are used.
pub fn schemas(writer: &mut Writer<'_>) {
    let mut aliases: Object = components(&mut writer.root)
        .iter()
        .filter(|(_, schema)| is_alias(schema))
        .map(|(name, schema)| (name.clone(), schema.clone()))
        .collect();
    let kept = kept(&aliases);
    aliases.retain(|name, _| !kept.contains(name));
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

/// The aliases that stay components: those that lead back to themselves, and those that would be too large.
fn kept(aliases: &Object) -> HashSet<String> {
    let numbers: HashMap<&str, usize> = aliases.keys().map(String::as_str).zip(0..).collect();
    let mut graph = DiGraph::<&str, ()>::new();
    for name in aliases.keys() {
        graph.add_node(name);
    }
    for (number, schema) in aliases.values().enumerate() {
        walk::schema("", &mut schema.clone(), &mut |_, schema| {
            if let Some(other) = component(schema).and_then(|name| numbers.get(name)) {
                graph.add_edge(NodeIndex::new(number), NodeIndex::new(*other), ());
            }
        });
    }
    let mut sizes = vec![1; aliases.len()];
    let mut kept = HashSet::new();
    // Those that an alias refers to come before it.
    for circle in kosaraju_scc(&graph) {
        for alias in &circle {
            let is_circle = circle.len() > 1 || graph.contains_edge(*alias, *alias);
            let parts = graph.neighbors(*alias).map(|part| sizes[part.index()]);
            let size = 1 + parts.sum::<usize>();
            match is_circle || size > MAX_SIZE {
                true => _ = kept.insert(graph[*alias].to_owned()),
                false => sizes[alias.index()] = size,
            }
        }
    }
    kept
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
