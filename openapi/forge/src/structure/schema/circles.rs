//! Finds schemas that are composed of themselves, and schemas that are composed too deeply.
//!
//! A schema may have itself as a property or an item, because values are finite. A schema that is
//! composed of itself (`allOf`, `anyOf`, `oneOf`, `not`) describes no value. Readers of schemas
//! recurse into compositions, so their depth is limited. This check itself does not recurse.

use std::collections::HashMap;

use crate::document::{Diagnostic, Document, Node, Span, pointer};
use crate::structure::key::Version;
use crate::structure::tables::REFERENCE;

/// The maximum depth of a composition.
const MAX_DEPTH: usize = 64;

/// The code of the finding about a deeper composition.
pub(in crate::structure) const TOO_DEEP: &str = "composition-too-deep";

/// The compositions of all schemas of a document, in the order of the walk.
#[derive(Default)]
pub(in crate::structure) struct Compositions {
    schemas: Vec<Composed>,
    by_pointer: HashMap<String, usize>,
}

struct Composed {
    pointer: String,
    span: Span,
    parts: Vec<Part>,
}

struct Part {
    pointer: String,
    span: Span,
    /// Whether the part is a schema itself, and not only a reference to one.
    is_composition: bool,
}

impl Compositions {
    /// Records the parts of a schema. OpenAPI 3.0 ignores keys beside a reference.
    pub(in crate::structure) fn add(
        &mut self,
        document: &Document,
        schema: &Node,
        at: &str,
        version: Version,
    ) {
        let mut parts = Vec::new();
        if let Some(reference) = schema.get(REFERENCE)
            && let Ok((pointer, _)) = document.target(reference)
        {
            parts.push(Part {
                pointer,
                span: reference.span,
                is_composition: false,
            });
        }
        let counts = version == Version::V31 || schema.get(REFERENCE).is_none();
        let mut part = |pointer, node: &Node| {
            parts.extend(counts.then_some(Part {
                pointer,
                span: node.span,
                is_composition: true,
            }));
        };
        for key in ["allOf", "anyOf", "oneOf"] {
            let list = pointer::join(at, key);
            let elements = schema.get(key).and_then(Node::as_array);
            for (index, element) in elements.into_iter().flatten().enumerate() {
                part(pointer::join(&list, &index.to_string()), element);
            }
        }
        if let Some(negated) = schema.get("not") {
            part(pointer::join(at, "not"), negated);
        }
        if parts.is_empty() || self.by_pointer.contains_key(at) {
            return;
        }
        self.by_pointer.insert(at.to_owned(), self.schemas.len());
        self.schemas.push(Composed {
            pointer: at.to_owned(),
            span: schema.span,
            parts,
        });
    }

    pub(in crate::structure) fn check(&self) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        // The depth of each schema; `None` while it is on the path.
        let mut depths: HashMap<usize, Option<usize>> = HashMap::new();
        for start in 0..self.schemas.len() {
            if depths.contains_key(&start) {
                continue;
            }
            depths.insert(start, None);
            // Schemas, each with the number of its next part and its depth so far.
            let mut path: Vec<(usize, usize, usize)> = vec![(start, 0, 0)];
            while let Some((schema, next, depth)) = path.last_mut() {
                let Some(part) = self.schemas[*schema].parts.get(*next) else {
                    let (schema, depth) = (*schema, *depth);
                    path.pop();
                    depths.insert(schema, Some(depth));
                    let is_composed = self.schemas[schema]
                        .parts
                        .iter()
                        .any(|part| part.is_composition);
                    if is_composed && depth == MAX_DEPTH + 1 {
                        found.push(self.too_deep(schema));
                    }
                    if let Some((outer, next, outer_depth)) = path.last_mut() {
                        let part = &self.schemas[*outer].parts[*next - 1];
                        *outer_depth = (*outer_depth).max(depth + usize::from(part.is_composition));
                    }
                    continue;
                };
                *next += 1;
                let step = usize::from(part.is_composition);
                *depth = (*depth).max(step);
                let Some(inner) = self.by_pointer.get(&part.pointer).copied() else {
                    continue;
                };
                match depths.get(&inner) {
                    Some(Some(known)) => *depth = (*depth).max(known + step),
                    Some(None) => found.extend(self.circle(&path, inner)),
                    None => {
                        depths.insert(inner, None);
                        path.push((inner, 0, 0));
                    }
                }
            }
        }
        found
    }

    /// The finding about the end of a path, which leads back to one of its schemas. Circles of
    /// references alone are reported where references are followed.
    fn circle(&self, path: &[(usize, usize, usize)], first: usize) -> Option<Diagnostic> {
        let from = path.iter().position(|(schema, ..)| *schema == first)?;
        let circle = &path[from..];
        let taken =
            |(schema, next, _): &(usize, usize, usize)| &self.schemas[*schema].parts[next - 1];
        if !circle.iter().any(|step| taken(step).is_composition) {
            return None;
        }
        let pointers = circle
            .iter()
            .map(|(schema, ..)| &self.schemas[*schema].pointer);
        let mut names: Vec<&str> = pointers
            .filter_map(|pointer| {
                let name = pointer.strip_prefix("/components/schemas/")?;
                (!name.contains('/')).then_some(name)
            })
            .collect();
        if names.is_empty() {
            names.push(&self.schemas[first].pointer);
        }
        names.push(names[0]);
        let step = circle
            .iter()
            .rev()
            .map(taken)
            .find(|part| !part.is_composition);
        let span = step.map_or(self.schemas[first].span, |part| part.span);
        let chain = names.join("` → `");
        let message = format!("a schema is composed of itself: `{chain}`");
        Some(
            Diagnostic::error("composition-circle", span, message)
                .help("remove one of them, or put it under `properties` or `items`"),
        )
    }

    fn too_deep(&self, schema: usize) -> Diagnostic {
        let part = self.schemas[schema].parts.first();
        let span = part.map_or(self.schemas[schema].span, |part| part.span);
        let message = format!(
            "more than {MAX_DEPTH} schemas are composed of each other, one inside the other"
        );
        Diagnostic::error(TOO_DEEP, span, message).help("list the properties in fewer schemas")
    }
}
