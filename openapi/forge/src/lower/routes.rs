//! Paths, and the routes that dropshot's router can hold.
//!
//! A node of that router has literal edges or one variable edge, never both, and a variable has one
//! name. If a document requires more, the edges of a node are folded into one variable, and the
//! runtime matches the path again. Literals win over variables.

use super::lowering::Lowering;
use crate::document::{Diagnostic, Span};
use crate::ir::{Operation, Part, Route, Segment};
use indexmap::IndexMap;
use percent_encoding::percent_decode_str;
use std::collections::BTreeMap;

/// A path, as its operations see it.
pub(super) struct Path<'p> {
    /// As the document has it.
    pub(super) template: &'p str,
    /// With the base path in front.
    pub(super) full: &'p str,
    /// The segments of `full`.
    pub(super) segments: &'p [Segment],
    /// The place of its key.
    pub(super) span: Span,
}

/// Splits a path into segments. Empty ones do not count: dropshot ignores
/// repeated and trailing slashes.
pub(super) fn segments(lowering: &mut Lowering<'_>, path: &str, at: Span) -> Vec<Segment> {
    let mut segments = Vec::new();
    for text in path.split('/').filter(|segment| !segment.is_empty()) {
        match parse(text) {
            Some(segment) => segments.push(segment),
            None => lowering.refuse(
                "path-template",
                at,
                format!("`{text}` is not a valid path segment"),
                "a parameter is written `{name}`",
            ),
        }
    }
    let mut seen = Vec::new();
    for name in variables(&segments) {
        if seen.contains(&name) {
            lowering.refuse(
                "path-template",
                at,
                format!("the path has `{{{name}}}` twice"),
                "give the two different names",
            );
        }
        seen.push(name);
    }
    segments
}

/// Whether each segment of a path is valid.
pub(super) fn is_valid(path: &str) -> bool {
    path.split('/').all(|segment| parse(segment).is_some())
}

fn parse(text: &str) -> Option<Segment> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('{') {
        let end = start + rest[start..].find('}')?;
        if start > 0 {
            parts.push(Part::Literal(decode(&rest[..start])?));
        }
        let name = &rest[start + 1..end];
        if name.is_empty() || name.contains('{') {
            return None;
        }
        parts.push(Part::Variable(name.to_string()));
        rest = &rest[end + 1..];
    }
    if rest.contains('}') {
        return None;
    }
    if !rest.is_empty() {
        parts.push(Part::Literal(decode(rest)?));
    }
    Some(match parts.as_slice() {
        [Part::Literal(text)] => Segment::Literal(text.clone()),
        [Part::Variable(name)] => Segment::Variable(name.clone()),
        _ => Segment::Mixed(parts),
    })
}

fn decode(text: &str) -> Option<String> {
    percent_decode_str(text)
        .decode_utf8()
        .ok()
        .map(|text| text.into_owned())
}

/// The names of a path's variables.
pub(super) fn variables(segments: &[Segment]) -> Vec<&str> {
    let mut names = Vec::new();
    for segment in segments {
        match segment {
            Segment::Literal(_) => {}
            Segment::Variable(name) => names.push(name.as_str()),
            Segment::Mixed(parts) => names.extend(parts.iter().filter_map(|part| match part {
                Part::Variable(name) => Some(name.as_str()),
                Part::Literal(_) => None,
            })),
        }
    }
    names
}

/// Decides each operation's route, and the operations that share one.
pub(super) fn lower(lowering: &mut Lowering<'_>, operations: &mut [Operation]) -> Vec<Route> {
    check_shapes(lowering, operations);
    let all: Vec<usize> = (0..operations.len()).collect();
    let mut folded = vec![false; operations.len()];
    let mut routes = vec![String::new(); operations.len()];
    fold(operations, &all, 0, &mut routes, &mut folded);
    for (operation, route) in operations.iter_mut().zip(routes) {
        operation.route = if route.is_empty() {
            "/".to_string()
        } else {
            route
        };
    }
    let mut groups: IndexMap<(&str, &str), Vec<usize>> = IndexMap::new();
    for (index, operation) in operations.iter().enumerate() {
        let key = (operation.route.as_str(), operation.method.as_str());
        groups.entry(key).or_default().push(index);
    }
    groups
        .into_values()
        .map(|group| match group.as_slice() {
            [only] if !folded[*only] => Route::Direct(*only),
            _ => Route::Folded(group),
        })
        .collect()
}

/// Walks the operations below one node of the router.
fn fold(
    operations: &[Operation],
    below: &[usize],
    depth: usize,
    routes: &mut [String],
    folded: &mut [bool],
) {
    let going: Vec<usize> = below
        .iter()
        .copied()
        .filter(|i| operations[*i].segments.len() > depth)
        .collect();
    if going.is_empty() {
        return;
    }
    let literals_only = going.iter().all(|i| match &operations[*i].segments[depth] {
        Segment::Literal(text) => is_registrable(text),
        Segment::Variable(_) | Segment::Mixed(_) => false,
    });
    if literals_only {
        let mut edges: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for index in &going {
            if let Segment::Literal(text) = &operations[*index].segments[depth] {
                edges.entry(text).or_default().push(*index);
            }
        }
        for (text, group) in edges {
            for index in &group {
                routes[*index].push('/');
                routes[*index].push_str(text);
            }
            fold(operations, &group, depth + 1, routes, folded);
        }
        return;
    }
    // A literal is beside the variable, or the variable has two names: all edges become one
    // variable.
    let name = variable_name(operations, &going, depth);
    for index in &going {
        if !matches!(operations[*index].segments[depth], Segment::Variable(_)) {
            folded[*index] = true;
        }
        routes[*index].push_str(&format!("/{{{name}}}"));
    }
    fold(operations, &going, depth + 1, routes, folded);
}

/// The name of the variable that the edges of a node become. It is the name that the document gives
/// it, unless a path has that name at another place. Then it has a number.
fn variable_name(operations: &[Operation], going: &[usize], depth: usize) -> String {
    let mut names = going
        .iter()
        .filter_map(|i| match &operations[*i].segments[depth] {
            Segment::Variable(name) => Some(name.as_str()),
            Segment::Literal(_) | Segment::Mixed(_) => None,
        });
    let is_elsewhere = |name: &str| {
        going.iter().any(|i| {
            let segments = operations[*i].segments.iter().enumerate();
            let mut others = segments.filter(|(place, _)| *place != depth);
            others.any(|(_, segment)| matches!(segment, Segment::Variable(other) if other == name))
        })
    };
    match names.next() {
        Some(name) if is_plain(name) && names.all(|other| other == name) && !is_elsewhere(name) => {
            name.to_string()
        }
        _ => format!("segment{depth}"),
    }
}

/// Whether dropshot's router accepts a literal as it is. It splits a route at slashes, takes braces
/// for variables, and rejects dot segments.
fn is_registrable(text: &str) -> bool {
    !text.contains(['/', '{', '}']) && !matches!(text, "." | "..")
}

fn is_plain(name: &str) -> bool {
    !name.starts_with("segment")
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// Reports paths that differ in the names of parameters alone, and operations that match the same
/// requests. The requests of a path with an invalid segment are not known.
fn check_shapes(lowering: &mut Lowering<'_>, operations: &[Operation]) {
    let document = lowering.document;
    let mut seen: BTreeMap<(&str, Vec<String>), &Operation> = BTreeMap::new();
    let mut templates: BTreeMap<Vec<String>, &str> = BTreeMap::new();
    for operation in operations.iter().filter(|one| is_valid(&one.template)) {
        let shape = shape(&operation.segments);
        let known = *templates
            .entry(shape.clone())
            .or_insert(&operation.template);
        let is_renamed = known.trim_end_matches('/') != operation.template.trim_end_matches('/');
        if let Some(first) = seen.insert((operation.method.as_str(), shape), operation) {
            let key = |operation: &Operation| document.key_span(&operation.origin.pointer);
            if let (Some(related), Some(span)) = (key(first), key(operation)) {
                let message = format!(
                    "`{}` matches the same requests as another path",
                    operation.path
                );
                lowering.report(
                    Diagnostic::error("ambiguous-path", span, message)
                        .help("remove one of the two: neither the names of parameters nor slashes at the end distinguish paths")
                        .related(related, "the other one"),
                );
            }
        } else if is_renamed {
            let path = operation.origin.pointer.rsplit_once('/');
            let span = path.and_then(|(path, _)| document.key_span(path));
            lowering.warn(
                "paths-of-one-shape",
                span.unwrap_or_default(),
                format!("this path differs from `{known}` in the names of parameters alone"),
                "put the operations of both under one path, as OpenAPI requires",
            );
        }
    }
}

/// The segments of a path without the names of its variables.
fn shape(segments: &[Segment]) -> Vec<String> {
    let of_part = |part: &Part| match part {
        Part::Literal(text) => text.clone(),
        Part::Variable(_) => "{}".to_string(),
    };
    let of_segment = |segment: &Segment| match segment {
        Segment::Literal(text) => format!("/{text}"),
        Segment::Variable(_) => "{}".to_string(),
        Segment::Mixed(parts) => parts.iter().map(of_part).collect(),
    };
    segments.iter().map(of_segment).collect()
}
