//! Aliases: components without a type of their own.
//!
//! typify makes a newtype of a component that is a string, a number, a list or a map, and callers would have to wrap
//! and unwrap it. So such a component is inlined into its uses.

use super::{
    unions,
    walk::{self, Object, component, components},
    writer::Writer,
};
use petgraph::{
    algo::kosaraju_scc,
    graph::{DiGraph, NodeIndex},
};
use serde_json::Value;
use std::collections::{HashMap, HashSet};

/// The maximum number of aliases that are inlined into one. A long chain of lists would otherwise become schemas of
/// quadratic size in total.
const MAX_SIZE: usize = 16;

/// Inlines aliases into their uses.
pub fn inline(writer: &mut Writer<'_>) {
    let mut aliases: Object = components(&mut writer.root)
        .iter()
        .filter(|(_, schema)| is_alias(schema))
        .map(|(name, schema)| (name.clone(), schema.clone()))
        .collect();
    let kept = retained(&aliases);
    aliases.retain(|name, _| !kept.contains(name));
    // Each round inlines one level of aliases.
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
        // The schema is no longer a reference with keys beside it.
        if let Some(object) = schema.as_object_mut() {
            unions::all_of(object);
        }
    });
    components(&mut writer.root).retain(|name, _| !aliases.contains_key(name));
}

/// The aliases that stay components: recursive ones, and those that would be too large.
fn retained(aliases: &Object) -> HashSet<String> {
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
    // The targets of an alias come before it.
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

/// A union, a struct and an enumeration are types. Everything else is an alias, and so is a reference to another
/// component.
fn is_alias(schema: &Value) -> bool {
    !["oneOf", "anyOf", "allOf", "properties", "enum"]
        .iter()
        .any(|keyword| schema.get(keyword).is_some())
}
