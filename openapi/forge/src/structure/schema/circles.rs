//! Finds schemas that are composed of themselves, too deeply, or from too many parts.
//!
//! A schema may have itself as a property or an item, because values are finite. A schema that is
//! composed of itself (`allOf`, `anyOf`, `oneOf`, `not`) describes no value. Readers of schemas
//! recurse into compositions, so their depth is limited. They read a part of `allOf` as often as it is
//! reached, so the number of the parts is limited, too. This check itself does not recurse.

use std::collections::HashMap;

use crate::document::{Diagnostic, Document, Node, Span, pointer};
use crate::structure::key::Version;
use crate::structure::tables::REFERENCE;

/// The maximum depth of a composition.
const MAX_DEPTH: usize = 64;

/// The maximum number of parts that a schema has by `allOf`, directly or not. A part that is reached in
/// two ways counts twice.
const MAX_PARTS: u64 = 1000;

/// The code of the finding about a deeper or larger composition.
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
    /// Whether it is one of several alternatives, or negated.
    is_alternative: bool,
}

/// How much a schema is composed of.
#[derive(Clone, Copy, Default)]
struct Extent {
    /// The depth of its parts.
    depth: usize,
    /// The number of its parts by `allOf`.
    parts: u64,
}

impl Extent {
    /// Adds a part.
    fn add(&mut self, part: &Part, inner: Extent) {
        let own = usize::from(part.is_composition);
        self.depth = self.depth.max(inner.depth + own);
        if !part.is_alternative {
            self.parts = self.parts.saturating_add(inner.parts.max(1));
        }
    }
}

/// A schema on the present path.
struct Step {
    /// The index of the schema.
    schema: usize,
    /// The index after that of the part that the path takes.
    next: usize,
    /// The extent of the parts so far.
    extent: Extent,
}

impl Step {
    /// A step into a schema, before its first part.
    fn new(schema: usize) -> Step {
        Step {
            schema,
            next: 0,
            extent: Extent::default(),
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
                is_alternative: false,
            });
        }
        let has_effect = version == Version::V31 || schema.get(REFERENCE).is_none();
        let mut part = |key: &str, pointer, node: &Node| {
            parts.extend(has_effect.then_some(Part {
                pointer,
                span: node.span,
                is_composition: true,
                is_alternative: key != "allOf",
            }));
        };
        for key in ["allOf", "anyOf", "oneOf"] {
            let list = pointer::join(at, key);
            let elements = schema.get(key).and_then(Node::as_array);
            for (index, element) in elements.into_iter().flatten().enumerate() {
                part(key, pointer::join(&list, &index.to_string()), element);
            }
        }
        if let Some(negated) = schema.get("not") {
            part("not", pointer::join(at, "not"), negated);
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

    /// The findings about all schemas, each circle and each composition that is too deep or too large
    /// once.
    pub(in crate::structure) fn check(&self) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        // The extent of each schema; `None` while it is on the path.
        let mut extents: HashMap<usize, Option<Extent>> = HashMap::new();
        for start in 0..self.schemas.len() {
            if extents.contains_key(&start) {
                continue;
            }
            extents.insert(start, None);
            let mut path = vec![Step::new(start)];
            while let Some(step) = path.last_mut() {
                let Some(part) = self.schemas[step.schema].parts.get(step.next) else {
                    let Step {
                        schema, mut extent, ..
                    } = *step;
                    path.pop();
                    if extent.depth == MAX_DEPTH + 1 && self.is_composed(schema) {
                        found.push(self.too_deep(schema));
                    }
                    if extent.parts > MAX_PARTS {
                        found.push(self.too_large(schema));
                        // Those that are composed of it need no finding for the same parts.
                        extent.parts = 1;
                    }
                    extents.insert(schema, Some(extent));
                    if let Some(outer) = path.last_mut() {
                        let taken = self.taken(outer);
                        outer.extent.add(taken, extent);
                    }
                    continue;
                };
                step.next += 1;
                let inner = self.by_pointer.get(&part.pointer).copied();
                let known = inner.map(|inner| (inner, extents.get(&inner)));
                match known {
                    None => step.extent.add(part, Extent::default()),
                    Some((_, Some(Some(extent)))) => step.extent.add(part, *extent),
                    Some((inner, Some(None))) => found.extend(self.circle(&path, inner)),
                    Some((inner, None)) => {
                        extents.insert(inner, None);
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

    /// The position of the first part of a schema.
    fn first_part(&self, schema: usize) -> Span {
        let part = self.schemas[schema].parts.first();
        part.map_or(self.schemas[schema].span, |part| part.span)
    }

    fn too_large(&self, schema: usize) -> Diagnostic {
        let message = format!(
            "a schema is composed of more than {MAX_PARTS} parts by `allOf`, each as often as it is reached"
        );
        Diagnostic::error(TOO_DEEP, self.first_part(schema), message)
            .help("refer to each schema once, or list the properties in fewer schemas")
    }

    fn too_deep(&self, schema: usize) -> Diagnostic {
        let span = self.first_part(schema);
        let message = format!(
            "more than {MAX_DEPTH} schemas are composed of each other, one inside the other"
        );
        Diagnostic::error(TOO_DEEP, span, message).help("list the properties in fewer schemas")
    }
}
