//! Types that contain themselves. Rust requires a `Box` if no list or map is between.

use crate::ir::{Definition, DefinitionId, Shape, Type};
use crate::lower::lowering::Lowering;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

impl Lowering<'_> {
    /// Puts a `Box` wherever a type would contain itself.
    pub(in crate::lower) fn finish_types(&mut self) {
        let definitions = &mut self.types.definitions;
        let circles = circles(definitions);
        for (index, definition) in definitions.iter_mut().enumerate() {
            let leads_back = |DefinitionId(target)| circles[target] == circles[index];
            let boxed = |ty: &mut Type| {
                if directly(ty).is_some_and(leads_back) {
                    replace(ty);
                }
            };
            match &mut definition.shape {
                Shape::Struct { fields, .. } => fields.iter_mut().for_each(|f| boxed(&mut f.ty)),
                Shape::Union(alternatives) => {
                    alternatives.iter_mut().for_each(|a| boxed(&mut a.ty));
                }
                Shape::Alias(ty) if mentioned(ty).is_some_and(leads_back) => {
                    boxed(ty);
                    definition.shape = Shape::Newtype(ty.clone());
                }
                Shape::Alias(_) | Shape::Newtype(_) | Shape::Enum(_) => {}
            }
        }
    }
}

/// Numbers the definitions so that two have one number if each mentions the other, directly or
/// through others, in any container. Visits each definition once.
fn circles(definitions: &[Definition]) -> Vec<usize> {
    let mut graph = DiGraph::<(), ()>::with_capacity(definitions.len(), definitions.len());
    for _ in definitions {
        graph.add_node(());
    }
    for (index, definition) in definitions.iter().enumerate() {
        let mut visit = |ty: &Type| {
            if let Some(DefinitionId(target)) = mentioned(ty) {
                graph.add_edge(NodeIndex::new(index), NodeIndex::new(target), ());
            }
        };
        match &definition.shape {
            Shape::Struct { fields, additional } => {
                fields.iter().for_each(|field| visit(&field.ty));
                additional.iter().for_each(|members| visit(&members.ty));
            }
            Shape::Union(alternatives) => alternatives.iter().for_each(|a| visit(&a.ty)),
            Shape::Alias(ty) | Shape::Newtype(ty) => visit(ty),
            Shape::Enum(_) => {}
        }
    }
    let mut numbers = vec![0; definitions.len()];
    for (number, circle) in kosaraju_scc(&graph).into_iter().enumerate() {
        for definition in circle {
            numbers[definition.index()] = number;
        }
    }
    numbers
}

/// The definition of a type, or of its items or members.
pub(in crate::lower) fn mentioned(ty: &Type) -> Option<DefinitionId> {
    match ty {
        Type::Named(id) | Type::Boxed(id) => Some(*id),
        Type::Array(inner) | Type::Map(inner) | Type::Nullable(inner) => mentioned(inner),
        _ => None,
    }
}

/// The definition that a type contains by value, with no list or map between.
fn directly(ty: &Type) -> Option<DefinitionId> {
    match ty {
        Type::Named(id) => Some(*id),
        Type::Nullable(inner) => directly(inner),
        _ => None,
    }
}

fn replace(ty: &mut Type) {
    match ty {
        Type::Named(id) => *ty = Type::Boxed(*id),
        Type::Nullable(inner) => replace(inner),
        _ => {}
    }
}
