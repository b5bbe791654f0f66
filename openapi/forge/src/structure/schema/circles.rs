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

/// A schema on the present path.
struct Step {
    /// The index of the schema.
    schema: usize,
    /// The index after that of the part that the path takes.
    next: usize,
    /// The depth of the parts so far.
    depth: usize,
}

impl Step {
    /// A step into a schema, before its first part.
    fn new(schema: usize) -> Step {
        Step {
            schema,
            next: 0,
            depth: 0,
        }
    }
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
            && let Some((pointer, _)) = document.target(reference)
        {
            parts.push(Part {
                pointer,
                span: reference.span,
                is_composition: false,
            });
        }
        let has_effect = version == Version::V31 || schema.get(REFERENCE).is_none();
        let mut part = |pointer, node: &Node| {
            parts.extend(has_effect.then_some(Part {
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

    /// The findings about all schemas, each circle and each composition that is too deep once.
    pub(in crate::structure) fn check(&self) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        // The depth of each schema; `None` while it is on the path.
        let mut depths: HashMap<usize, Option<usize>> = HashMap::new();
        for start in 0..self.schemas.len() {
            if depths.contains_key(&start) {
                continue;
            }
            depths.insert(start, None);
            let mut path = vec![Step::new(start)];
            while let Some(step) = path.last_mut() {
                let Some(part) = self.schemas[step.schema].parts.get(step.next) else {
                    let Step { schema, depth, .. } = *step;
                    path.pop();
                    depths.insert(schema, Some(depth));
                    if depth == MAX_DEPTH + 1 && self.is_composed(schema) {
                        found.push(self.too_deep(schema));
                    }
                    if let Some(outer) = path.last_mut() {
                        let taken = usize::from(self.taken(outer).is_composition);
                        outer.depth = outer.depth.max(depth + taken);
                    }
                    continue;
                };
                step.next += 1;
                let own = usize::from(part.is_composition);
                step.depth = step.depth.max(own);
                let Some(inner) = self.by_pointer.get(&part.pointer).copied() else {
                    continue;
                };
                match depths.get(&inner) {
                    Some(Some(known)) => step.depth = step.depth.max(known + own),
                    Some(None) => found.extend(self.circle(&path, inner)),
                    None => {
                        depths.insert(inner, None);
                        path.push(Step::new(inner));
                    }
                }
            }
        }
        found
    }

    /// Whether a schema has parts that are not references.
    fn is_composed(&self, schema: usize) -> bool {
        let mut parts = self.schemas[schema].parts.iter();
        parts.any(|part| part.is_composition)
    }

    /// The part that a path takes from one of its schemas.
    fn taken(&self, step: &Step) -> &Part {
        &self.schemas[step.schema].parts[step.next - 1]
    }

    /// The finding about the end of a path, which leads back to one of its schemas. Circles of
    /// references alone are reported where references are followed.
    fn circle(&self, path: &[Step], first: usize) -> Option<Diagnostic> {
        let from = path.iter().position(|step| step.schema == first)?;
        let circle = &path[from..];
        if !circle.iter().any(|step| self.taken(step).is_composition) {
            return None;
        }
        let pointers = circle.iter().map(|step| &self.schemas[step.schema].pointer);
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
        let mut taken = circle.iter().rev().map(|step| self.taken(step));
        let reference = taken.find(|part| !part.is_composition);
        let span = reference.map_or(self.schemas[first].span, |part| part.span);
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
