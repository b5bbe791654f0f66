//! Documents without their broken operations.
//!
//! The generator rejects a document for one defect. Users who cannot correct the document can leave
//! the broken operations out: one by one with `x-dropforge-skip: true`, or all of them with
//! [`keep_going`], which lists each with its errors. Nothing else changes. The generator still
//! rejects a document with a defect outside its operations and components. It leaves out an
//! operation whose security is broken, rather than serve it without authentication. It also leaves
//! out broken alternatives of the document's security, and with the last of them the operations
//! without security of their own.

use std::collections::{BTreeMap, HashMap};

use crate::document::{
    Diagnostic, Diagnostics, Document, Entry, Kind, METHODS, Node, Object, Severity, Span, pointer,
};

/// At an operation: leaves it out.
pub(crate) const SKIP: &str = "x-dropforge-skip";

/// An operation or component that was left out of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// The name for people: `GET /users/{id}`, or the pointer of a component.
    pub name: String,
    /// Its JSON Pointer in the document.
    pub pointer: String,
    /// The errors in it.
    pub diagnostics: Diagnostics,
}

/// The output of a document without its broken operations.
#[derive(Debug)]
pub struct Quarantined<T> {
    /// The output.
    pub generated: T,
    /// The document without the broken operations.
    pub document: Document,
    /// The operations and components that were left out, in the order of the document.
    pub left_out: Vec<LeftOut>,
}

/// Generates from a document, and leaves out the operations and components that `generate`
/// reports errors in, with everything that refers to them.
///
/// # Errors
///
/// The findings of `generate` if an error is neither in an operation nor in a component.
pub fn keep_going<T>(
    document: &Document,
    generate: impl Fn(&Document) -> Result<T, Diagnostics>,
) -> Result<Quarantined<T>, Diagnostics> {
    let mut document = document.clone();
    let mut left_out: BTreeMap<usize, LeftOut> = BTreeMap::new();
    loop {
        let diagnostics = match generate(&document) {
            Ok(generated) => {
                return Ok(Quarantined {
                    generated,
                    document,
                    left_out: left_out.into_values().collect(),
                });
            }
            Err(diagnostics) => diagnostics,
        };
        let units = units(&document.root);
        let Some(mut broken) = by_unit(&units, &diagnostics) else {
            return Err(diagnostics);
        };
        add_dependents(&units, &document.root, &mut broken);
        if lost_security(&units, &document.root, &broken)
            && add_unsecured(&units, &document.root, &mut broken).is_none()
        {
            return Err(diagnostics);
        }
        // From the last one on, so that the indexes of the others stay valid.
        for (index, mut diagnostics) in broken.into_iter().rev() {
            let Unit {
                name,
                pointer,
                span,
            } = units[index].clone();
            diagnostics.sort();
            remove(&mut document.root, &pointer);
            if let Some(written) = &mut document.written {
                remove(written, &pointer);
            }
            document.findings.0.retain(|finding| {
                finding.severity != Severity::Error || !units[index].holds(finding.span)
            });
            let one = LeftOut {
                name,
                pointer,
                diagnostics,
            };
            left_out.insert(span.start, one);
        }
    }
}

/// The errors in each unit, by its index. `None` if there are none, or one of them is in no unit.
fn by_unit(units: &[Unit], diagnostics: &Diagnostics) -> Option<BTreeMap<usize, Diagnostics>> {
    let mut broken: BTreeMap<usize, Diagnostics> = BTreeMap::new();
    let is_error = |one: &&Diagnostic| one.severity == Severity::Error;
    for error in diagnostics.iter().filter(is_error) {
        let around = culprits(units, error);
        if around.is_empty() {
            return None;
        }
        for index in around {
            broken.entry(index).or_default().push(error.clone());
        }
    }
    (!broken.is_empty()).then_some(broken)
}

/// Leaves out the operations with `x-dropforge-skip`.
pub(crate) fn skip(document: &mut Document, diagnostics: &mut Diagnostics) {
    let paths = document.root.get_mut("paths").and_then(Node::as_object_mut);
    for (path, item) in paths.into_iter().flat_map(Object::iter_mut) {
        let Some(item) = item.value.as_object_mut() else {
            continue;
        };
        for method in METHODS {
            let operation = item.get_mut(method).and_then(Node::as_object_mut);
            let Some(flag) = operation.and_then(|operation| operation.remove(SKIP)) else {
                continue;
            };
            match flag.value.as_bool() {
                Some(false) => {}
                Some(true) => {
                    item.remove(method);
                    let name = name(method, path);
                    let message = format!("`{name}` is left out, as `{SKIP}` says");
                    let warning = Diagnostic::warning("operation-left-out", flag.key_span, message);
                    diagnostics.push(warning);
                }
                None => {
                    let what = flag.value.type_name();
                    let message = format!("`{SKIP}` must be true or false, and is {what}");
                    let error = Diagnostic::error("wrong-type", flag.value.span, message);
                    diagnostics.push(error.help(format!("write `{SKIP}: true`")));
                }
            }
        }
    }
}

fn name(method: &str, path: &str) -> String {
    format!("{} {path}", method.to_ascii_uppercase())
}

/// A part of the document that can be left out alone.
#[derive(Clone)]
struct Unit {
    name: String,
    pointer: String,
    /// The position from the key to the end of the value.
    span: Span,
}

impl Unit {
    /// Whether it is a path with all of its operations.
    fn is_path(&self) -> bool {
        self.pointer
            .strip_prefix("/paths/")
            .is_some_and(|rest| !rest.contains('/'))
    }

    fn holds(&self, span: Span) -> bool {
        self.span.start <= span.start && span.start < self.span.end
    }
}

/// The units that contain a place. A path contains the keys that its operations share, and not the
/// operations.
fn around(units: &[Unit], span: Span) -> Vec<usize> {
    let holders = units
        .iter()
        .enumerate()
        .filter(|(_, unit)| unit.holds(span));
    let holders: Vec<(usize, &str)> = holders
        .map(|(index, unit)| (index, unit.pointer.as_str()))
        .collect();
    let is_inner = |pointer: &str| {
        let mut others = holders.iter();
        !others.any(|(_, other)| other.len() > pointer.len() && other.starts_with(pointer))
    };
    holders
        .iter()
        .filter(|(_, pointer)| is_inner(pointer))
        .map(|(index, _)| *index)
        .collect()
}

/// The units that contain an error. An error at the key of a path that names operations of it is in
/// these operations.
fn culprits(units: &[Unit], error: &Diagnostic) -> Vec<usize> {
    let around_it = around(units, error.span);
    let [path] = around_it[..] else {
        return around_it;
    };
    if !units[path].is_path() || units[path].span.start != error.span.start {
        return around_it;
    }
    let named = error.related.iter();
    let named = named.flat_map(|(span, _)| around(units, *span));
    let below = format!("{}/", units[path].pointer);
    let operations: Vec<usize> = named
        .filter(|index| units[*index].pointer.starts_with(&below))
        .collect();
    match operations.is_empty() {
        true => around_it,
        false => operations,
    }
}

/// The operations with their paths, the alternatives of the document's security, and the
/// components.
fn units(root: &Node) -> Vec<Unit> {
    let mut units = Vec::new();
    let mut add = |name: String, pointer: String, key: Span, node: &Node| {
        // The node of an alias has the position of its anchor.
        let end = node.span.end.max(key.end);
        let span = Span::new(key.start, end);
        units.push(Unit {
            name,
            pointer,
            span,
        });
    };
    for (path, item) in members(root.get("paths")) {
        let at = pointer::join("/paths", path);
        add(path.to_owned(), at.clone(), item.key_span, &item.value);
        for method in METHODS {
            let operation = item.value.as_object().and_then(|item| item.entry(method));
            if let Some(operation) = operation {
                let pointer = pointer::join(&at, method);
                add(
                    name(method, path),
                    pointer,
                    operation.key_span,
                    &operation.value,
                );
            }
        }
    }
    let alternatives = root.get("security").into_iter().flat_map(Node::elements);
    for (index, alternative) in alternatives.enumerate() {
        let pointer = format!("/security/{index}");
        add(
            format!("#{pointer}"),
            pointer,
            alternative.span,
            alternative,
        );
    }
    for (kind, of_kind) in members(root.get("components")) {
        for (name, component) in of_kind.value.members() {
            let pointer = pointer::join(&pointer::join("/components", kind), name);
            add(
                format!("#{pointer}"),
                pointer,
                component.key_span,
                &component.value,
            );
        }
    }
    units
}

/// Whether no alternative of the document's security would remain.
fn lost_security(units: &[Unit], root: &Node, broken: &BTreeMap<usize, Diagnostics>) -> bool {
    let is_alternative = |index: &&usize| units[**index].pointer.starts_with("/security/");
    let lost = broken.keys().filter(is_alternative).count();
    let all = root.get("security").and_then(Node::as_array);
    lost > 0 && all.is_none_or(|all| all.len() == lost)
}

/// Adds the operations without security of their own: without the document's security they would
/// need no credentials. `None` if a reference may hide an operation.
fn add_unsecured(
    units: &[Unit],
    root: &Node,
    broken: &mut BTreeMap<usize, Diagnostics>,
) -> Option<()> {
    for (index, unit) in units.iter().enumerate() {
        let Some(node) = pointer::find(root, &unit.pointer) else {
            continue;
        };
        let is_path = unit.is_path() || unit.pointer.starts_with("/components/pathItems/");
        if is_path && (node.get("$ref").is_some() || !unit.is_path()) {
            return None;
        }
        let is_operation = unit.pointer.starts_with("/paths/") && !unit.is_path();
        if is_operation && node.get("security").is_none() {
            let message =
                "the operation has no security of its own, and that of the document is left out";
            let error = Diagnostic::error("security-left-out", unit.span, message);
            broken.entry(index).or_default().push(error);
        }
    }
    Some(())
}

fn members(node: Option<&Node>) -> impl Iterator<Item = (&str, &Entry)> {
    node.into_iter().flat_map(Node::members)
}

/// Adds the units that refer to a broken one, directly or through others. Each gets the first of
/// its references that is lost in the round in which it loses one.
fn add_dependents(units: &[Unit], root: &Node, broken: &mut BTreeMap<usize, Diagnostics>) {
    let references: Vec<_> = units.iter().map(|unit| references(root, unit)).collect();
    let dependents = dependents(units, &references);
    let mut round: Vec<usize> = broken.keys().copied().collect();
    while !round.is_empty() {
        let mut lost: BTreeMap<usize, usize> = BTreeMap::new();
        for &(index, number) in round.iter().flat_map(|target| &dependents[*target]) {
            if !broken.contains_key(&index) {
                let first = lost.entry(index).or_insert(number);
                *first = number.min(*first);
            }
        }
        for (&index, &number) in &lost {
            let (text, span) = references[index][number];
            let message = format!("`{text}` is left out");
            let error = Diagnostic::error("reference-left-out", span, message);
            broken.entry(index).or_default().push(error);
        }
        round = lost.into_keys().collect();
    }
}

/// The references of a unit, in its order.
fn references<'n>(root: &'n Node, unit: &Unit) -> Vec<(&'n str, Span)> {
    let mut found = Vec::new();
    for (key, entry) in members(pointer::find(root, &unit.pointer)) {
        // The operations of a path are units of their own.
        if !(unit.is_path() && METHODS.contains(&key)) {
            collect(&entry.value, &mut found);
        }
    }
    found
}

/// For each unit, the units that refer to it, each with the number of its reference.
fn dependents(units: &[Unit], references: &[Vec<(&str, Span)>]) -> Vec<Vec<(usize, usize)>> {
    let pointers = units.iter().enumerate();
    let pointers: HashMap<&str, usize> = pointers
        .map(|(index, unit)| (unit.pointer.as_str(), index))
        .collect();
    let mut dependents = vec![Vec::new(); units.len()];
    for (index, references) in references.iter().enumerate() {
        for (number, (text, _)) in references.iter().enumerate() {
            if let Some(target) = pointers.get(component(text)) {
                dependents[*target].push((index, number));
            }
        }
    }
    dependents
}

/// The pointer of the component that a reference is to or into: `/components/<kind>/<name>`.
fn component(reference: &str) -> &str {
    let target = reference.strip_prefix('#').unwrap_or_default();
    let end = target.match_indices('/').nth(3).map(|(at, _)| at);
    &target[..end.unwrap_or(target.len())]
}

/// Every text that may be a reference to a component.
fn collect<'n>(node: &'n Node, into: &mut Vec<(&'n str, Span)>) {
    match &node.kind {
        Kind::String(text) if text.starts_with("#/components/") => into.push((text, node.span)),
        Kind::Array(elements) => {
            elements.iter().for_each(|element| collect(element, into));
        }
        Kind::Object(object) => {
            for (_, entry) in object.iter() {
                collect(&entry.value, into);
            }
        }
        _ => {}
    }
}

fn remove(root: &mut Node, pointer: &str) {
    let mut node = root;
    let mut segments: Vec<String> = pointer::segments(pointer).collect();
    let Some(last) = segments.pop() else {
        return;
    };
    for segment in segments {
        match node.get_mut(&segment) {
            Some(child) => node = child,
            None => return,
        }
    }
    match &mut node.kind {
        Kind::Object(parent) => _ = parent.remove(&last),
        Kind::Array(elements) => {
            if let Some(index) = last.parse().ok().filter(|index| *index < elements.len()) {
                elements.remove(index);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = "\
openapi: 3.0.3
info: {title: T, version: '1'}
paths:
  /fine:
    get: {operationId: fine, responses: {'204': {description: d}}}
  /broken:
    get:
      operationId: broken
      parameters: [{name: p, in: nowhere, schema: {type: string}}]
      responses: {'204': {description: d}}
    post: {operationId: other, responses: {'204': {description: d}}}
  /through-a-component:
    get:
      operationId: through
      responses:
        '200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Outer'}}}}
components:
  schemas:
    Outer: {type: object, properties: {inner: {$ref: '#/components/schemas/Inner'}}}
    Inner: {type: strange}
";

    fn names(document: &str) -> (Vec<String>, Vec<String>) {
        let document = Document::load("t.yaml", document).expect("a document");
        let kept = keep_going(&document, |document| crate::lower::lower(document, "t"));
        let kept = kept.expect("something is left");
        let operations = kept.generated.api.operations.iter();
        (
            operations.map(|operation| operation.id.clone()).collect(),
            kept.left_out.into_iter().map(|one| one.name).collect(),
        )
    }

    #[test]
    fn broken_operations_are_left_out_with_what_refers_to_broken_components() {
        let (kept, left_out) = names(DOCUMENT);
        assert_eq!(kept, ["fine", "other"]);
        assert_eq!(
            left_out,
            [
                "GET /broken",
                "GET /through-a-component",
                "#/components/schemas/Outer",
                "#/components/schemas/Inner"
            ]
        );
    }

    #[test]
    fn a_long_chain_of_broken_components_is_left_out_in_linear_time() {
        use std::fmt::Write as _;

        const LENGTH: usize = 5000;
        let mut text = "openapi: 3.0.3\ninfo: {title: T, version: '1'}\npaths: {}\n".to_owned();
        text.push_str("components:\n  schemas:\n    S0: {type: strange}\n");
        for number in 1..LENGTH {
            let target = number - 1;
            let _ = writeln!(
                text,
                "    S{number}: {{type: object, properties: {{p: {{$ref: '#/components/schemas/S{target}'}}}}}}"
            );
        }
        text.push_str(
            "    Fork: {type: object, properties: {late: {$ref: '#/components/schemas/S2'}, \
             soon: {$ref: '#/components/schemas/S0'}}}\n",
        );
        let document = Document::load("t.yaml", &text).expect("a document");
        let units = units(&document.root);
        let mut broken = BTreeMap::from([(0, Diagnostics::default())]);
        add_dependents(&units, &document.root, &mut broken);
        assert_eq!(broken.len(), LENGTH + 1);
        let message = |index: usize| broken[&index].iter().map(|one| one.message.as_str());
        let last: Vec<&str> = message(LENGTH - 1).collect();
        let name = LENGTH - 2;
        assert_eq!(
            last,
            [format!("`#/components/schemas/S{name}` is left out")]
        );
        // `S0` is lost before `S2`.
        let fork: Vec<&str> = message(LENGTH).collect();
        assert_eq!(fork, ["`#/components/schemas/S0` is left out"]);
    }

    #[test]
    fn one_of_two_paths_of_one_shape_is_left_out() {
        let operation = |id: &str, variable: &str| {
            format!(
                "  /t/{{{variable}}}:\n    get:\n      operationId: {id}\n      parameters:\n        - \
                 {{name: {variable}, in: path, required: true, schema: {{type: string}}}}\n      \
                 responses: {{'204': {{description: D}}}}\n"
            )
        };
        let (one, other) = (operation("one", "a"), operation("two", "b"));
        let text = DOCUMENT.replace("paths:\n", &format!("paths:\n{one}{other}"));
        let (kept, left_out) = names(&text);
        assert!(kept.contains(&"one".to_owned()), "{kept:?}");
        assert!(left_out.contains(&"GET /t/{b}".to_owned()), "{left_out:?}");
    }

    #[test]
    fn a_defect_outside_of_operations_refuses_the_document() {
        let text = DOCUMENT.replace("info: {title: T, version: '1'}\n", "");
        let document = Document::load("t.yaml", &text).expect("a document");
        let refused = keep_going(&document, |document| crate::lower::lower(document, "t"));
        assert!(refused.is_err());
    }

    #[test]
    fn an_operation_with_an_undeclared_scheme_is_left_out_and_not_opened() {
        let text = DOCUMENT.replace(
            "operationId: fine,",
            "operationId: fine, security: [{k: []}],",
        );
        let (kept, left_out) = names(&text);
        assert_eq!(kept, ["other"]);
        assert_eq!(left_out[0], "GET /fine");
    }

    #[test]
    fn an_undeclared_alternative_is_left_out_and_opens_no_operation() {
        const SCHEME: &str = "components:\n  securitySchemes: {k: {type: http, scheme: bearer}}\n";
        let text = |security: &str| {
            DOCUMENT
                .replace("components:\n", SCHEME)
                .replace("paths:\n", &format!("security: {security}\npaths:\n"))
        };
        let (kept, left_out) = names(&text("[{gone: []}, {k: []}]"));
        assert_eq!(kept, ["fine", "other"]);
        assert_eq!(left_out[0], "#/security/0");
        let last = text("[{gone: []}]").replace(
            "operationId: fine,",
            "operationId: fine, security: [{k: []}],",
        );
        let (kept, left_out) = names(&last);
        assert_eq!(kept, ["fine"]);
        assert!(left_out.contains(&"POST /broken".to_owned()));
    }

    #[test]
    fn an_operation_with_the_skip_key_is_left_out_with_a_warning() {
        let text = DOCUMENT.replace(
            "operationId: fine,",
            "operationId: fine, x-dropforge-skip: true,",
        );
        let document = Document::load("t.yaml", &text).expect("a document");
        assert!(document.at("/paths/~1fine/get").is_none());
        assert_eq!(document.findings.0[0].code, "operation-left-out");
        let text = text.replace("skip: true", "skip: 'yes'");
        let refused = Document::load("t.yaml", &text).expect_err("not a boolean");
        assert_eq!(refused.0[0].code, "wrong-type");
    }
}
