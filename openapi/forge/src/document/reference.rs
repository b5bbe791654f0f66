//! Follows `$ref` to its end.
//!
//! Loaded documents are self-contained: a reference is a fragment (`#/…`) whose rest
//! is a percent-encoded JSON Pointer (RFC 6901 section 6).

use std::cell::RefCell;
use std::collections::HashMap;

use percent_encoding::percent_decode_str;

use super::{Diagnostic, Document, Node, Span, pointer, similar};

/// The targets of references. Each reference is followed once, so that a chain costs its length
/// only once, however many references lead into it.
#[derive(Debug)]
pub(crate) struct References<'d> {
    document: &'d Document,
    known: RefCell<HashMap<&'d str, (String, &'d Node)>>,
}

impl<'d> References<'d> {
    pub(crate) fn new(document: &'d Document) -> Self {
        References {
            document,
            known: RefCell::default(),
        }
    }

    /// [`Document::resolve`].
    pub(crate) fn resolve(
        &self,
        node: &'d Node,
        pointer: &str,
    ) -> Result<(String, &'d Node), Diagnostic> {
        let mut node = node;
        let mut pointer = pointer.to_owned();
        let mut passed: HashMap<&'d str, Span> = HashMap::new();
        while let Some(reference) = node.get("$ref") {
            let (target_pointer, target) = self.document.target(reference)?;
            let text = reference.as_str().unwrap_or_default();
            if let Some((known_pointer, known)) = self.known.borrow().get(text) {
                (pointer, node) = (known_pointer.clone(), known);
                break;
            }
            if let Some(first) = passed.insert(text, reference.span) {
                let mut diagnostic = Diagnostic::error(
                    "reference-cycle",
                    reference.span,
                    format!("`{text}` only leads back to itself"),
                )
                .label("ends where it began")
                .help("replace one reference of the circle by a definition");
                if first != reference.span {
                    diagnostic = diagnostic.related(first, "first followed here");
                }
                return Err(diagnostic);
            }
            pointer = target_pointer;
            node = target;
        }
        let mut known = self.known.borrow_mut();
        known.extend(
            passed
                .into_keys()
                .map(|text| (text, (pointer.clone(), node))),
        );
        Ok((pointer, node))
    }
}

impl Document {
    /// Follows the `$ref` of a node, and the one of its target, until there is none. Returns the
    /// pointer of the node at the end, and that node; for a node without `$ref`, these are
    /// `pointer` and the node itself.
    ///
    /// # Errors
    ///
    /// A reference that is not a string, leads nowhere, into another file, or in a circle; the
    /// diagnostic has the position of the reference.
    pub fn resolve<'a>(
        &'a self,
        node: &'a Node,
        pointer: &str,
    ) -> Result<(String, &'a Node), Diagnostic> {
        References::new(self).resolve(node, pointer)
    }

    /// The direct target of one reference.
    pub(crate) fn target(&self, reference: &Node) -> Result<(String, &Node), Diagnostic> {
        let span = reference.span;
        let Some(text) = reference.as_str() else {
            return Err(Diagnostic::error(
                "reference-not-a-string",
                span,
                format!("`$ref` is {}, not a string", reference.type_name()),
            )
            .help("write `$ref: '#/components/schemas/Name'`"));
        };
        let Some(fragment) = text.strip_prefix('#') else {
            return Err(Diagnostic::error(
                "reference-to-another-file",
                span,
                format!("`{text}` is in another document"),
            )
            .help("copy it into `components`: other files are read only for a document that is a file"));
        };
        let unresolved = |message: String| {
            Diagnostic::error("unresolved-reference", span, message).label("nothing there")
        };
        let target_pointer = percent_decode_str(fragment)
            .decode_utf8()
            .map_err(|_| unresolved(format!("`{text}` is not UTF-8 once it is decoded")))?
            .into_owned();
        if !target_pointer.is_empty() && !target_pointer.starts_with('/') {
            return Err(unresolved(format!("`{text}` is not a JSON Pointer"))
                .help("write `#/components/schemas/Name`"));
        }
        let mut node = &self.root;
        let mut so_far = String::from("#");
        let mut segments = pointer::segments(&target_pointer);
        while let Some(segment) = segments.next() {
            let Some(child) = pointer::child(node, &segment) else {
                let mut diagnostic = unresolved(format!(
                    "`{text}` does not exist: `{so_far}` has no `{segment}`"
                ));
                let keys = node.members().map(|(key, _)| key);
                let tolerance = 1 + segment.chars().count() / 4;
                if let Some(near) = similar::nearest(keys, &segment, tolerance) {
                    let meant = pointer::join(&so_far, near);
                    let whole = segments.fold(meant.clone(), |at, next| pointer::join(&at, &next));
                    diagnostic = diagnostic.did_you_mean(&meant).replacement(whole);
                }
                return Err(diagnostic);
            };
            node = child;
            so_far = pointer::join(&so_far, &segment);
        }
        Ok((target_pointer, node))
    }
}
