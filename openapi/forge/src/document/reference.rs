//! Follows `$ref` to its end.
//!
//! Loaded documents are self-contained: a reference is a fragment (`#/…`) whose rest
//! is a percent-encoded JSON Pointer (RFC 6901 section 6).

use std::cell::RefCell;
use std::collections::HashMap;

use percent_encoding::percent_decode_str;

use super::{Diagnostic, Document, Node, Source, Span, characters, pointer, similar};

/// How many unresolved references have a proposal. A proposal is compared with every name beside
/// it, so that the time would grow with the square of the document.
pub(crate) const MAX_PROPOSALS: usize = 100;

/// The targets of references. Each reference is followed once, so that a chain costs its length
/// only once, however many references lead into it.
#[derive(Debug)]
pub(crate) struct References<'d> {
    document: &'d Document,
    known: RefCell<HashMap<&'d str, (String, &'d Node)>>,
    /// The findings that have or could have a proposal, by their message.
    proposed: RefCell<HashMap<String, Diagnostic>>,
}

/// Why a reference has no target.
#[derive(Debug)]
pub(crate) struct Unresolved<'d> {
    /// The finding, without a proposal.
    pub(crate) finding: Diagnostic,
    missing: Option<Missing<'d>>,
}

/// The first part of a pointer that does not exist.
#[derive(Debug)]
pub(super) struct Missing<'d> {
    /// The node that should have it.
    owner: &'d Node,
    /// The pointer of this node.
    so_far: String,
    segment: String,
    /// The parts after it.
    rest: Vec<String>,
}

impl<'d> References<'d> {
    pub(crate) fn new(document: &'d Document) -> Self {
        References {
            document,
            known: RefCell::default(),
            proposed: RefCell::default(),
        }
    }

    /// [`Document::resolve`].
    pub(crate) fn resolve(
        &self,
        node: &'d Node,
        pointer: &str,
    ) -> Result<(String, &'d Node), Diagnostic> {
        self.follow(node, pointer)
            .map_err(|unresolved| self.with_proposal(unresolved))
    }

    /// [`Document::resolve`], without proposals.
    pub(crate) fn follow(
        &self,
        node: &'d Node,
        pointer: &str,
    ) -> Result<(String, &'d Node), Unresolved<'d>> {
        let mut node = node;
        let mut pointer = pointer.to_owned();
        let mut passed: HashMap<&'d str, Span> = HashMap::new();
        while let Some(reference) = node.get("$ref") {
            let text = reference.as_str().unwrap_or_default();
            if let Some((known_pointer, known)) = self.known.borrow().get(text) {
                (pointer, node) = (known_pointer.clone(), known);
                break;
            }
            let (target_pointer, target) = self.document.find_target(reference)?;
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
                return Err(diagnostic.into());
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

    /// The finding about an unresolved reference, with a proposal as long as there are few.
    fn with_proposal(&self, unresolved: Unresolved<'d>) -> Diagnostic {
        let mut proposed = self.proposed.borrow_mut();
        if let Some(known) = proposed.get(&unresolved.finding.message) {
            return Diagnostic {
                span: unresolved.finding.span,
                ..known.clone()
            };
        }
        if unresolved.missing.is_none() || proposed.len() == MAX_PROPOSALS {
            return unresolved.finding;
        }
        let finding = unresolved.with_proposal();
        proposed.insert(finding.message.clone(), finding.clone());
        finding
    }
}

impl From<Diagnostic> for Unresolved<'_> {
    fn from(finding: Diagnostic) -> Self {
        Unresolved {
            finding,
            missing: None,
        }
    }
}

impl Unresolved<'_> {
    /// Adds the similar name that the author probably meant.
    fn with_proposal(self) -> Diagnostic {
        match self.missing {
            Some(missing) => missing.with_proposal(self.finding, ""),
            None => self.finding,
        }
    }
}

impl<'d> Missing<'d> {
    /// The node that a pointer names, seen from `root`, or the first part that does not exist.
    pub(super) fn find(root: &'d Node, pointer: &str) -> Result<&'d Node, Missing<'d>> {
        let mut node = root;
        let mut so_far = String::from("#");
        let mut segments = pointer::segments(pointer);
        while let Some(segment) = segments.next() {
            let Some(child) = pointer::child(node, &segment) else {
                return Err(Missing {
                    owner: node,
                    so_far,
                    segment,
                    rest: segments.collect(),
                });
            };
            node = child;
            so_far = pointer::join(&so_far, &segment);
        }
        Ok(node)
    }

    /// The finding about an unusual character of a reference, if the part exists without it.
    pub(super) fn unusual(&self, source: &Source, text: &str, span: Span) -> Option<Diagnostic> {
        pointer::child(self.owner, &characters::name(&self.segment))?;
        source.unusual_reference(text, span)
    }

    /// The finding about the reference, without a proposal.
    pub(super) fn finding(&self, text: &str, span: Span) -> Diagnostic {
        let Missing {
            so_far, segment, ..
        } = self;
        let message = format!("`{text}` does not exist: `{so_far}` has no `{segment}`");
        Diagnostic::error("unresolved-reference", span, message)
    }

    /// Adds the similar name that the author probably meant. `file` is the path in front of the pointer.
    pub(super) fn with_proposal(self, finding: Diagnostic, file: &str) -> Diagnostic {
        let keys = self.owner.members().map(|(key, _)| key);
        let Some(near) = similar::nearest_name(keys, &self.segment) else {
            return finding;
        };
        let meant = pointer::join(&self.so_far, near);
        let rest = self.rest.iter();
        let whole = rest.fold(format!("{file}{meant}"), |at, next| {
            pointer::join(&at, next)
        });
        finding.did_you_mean(&meant).replacement(whole)
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

    /// As [`Document::resolve`], for callers that do not report the reference.
    pub(crate) fn follow<'a>(
        &'a self,
        node: &'a Node,
        pointer: &str,
    ) -> Option<(String, &'a Node)> {
        References::new(self).follow(node, pointer).ok()
    }

    /// The direct target of one reference; `None` if it has none.
    pub(crate) fn target<'d>(&'d self, reference: &Node) -> Option<(String, &'d Node)> {
        self.find_target(reference).ok()
    }

    /// The direct target of one reference, or why it has none.
    fn find_target<'d>(&'d self, reference: &Node) -> Result<(String, &'d Node), Unresolved<'d>> {
        let span = reference.span;
        let Some(text) = reference.as_str() else {
            return Err(Diagnostic::error(
                "reference-not-a-string",
                span,
                format!("`$ref` is {}, not a string", reference.type_name()),
            )
            .help("write `$ref: '#/components/schemas/Name'`")
            .into());
        };
        let Some(fragment) = text.strip_prefix('#') else {
            return Err(self.outside(text, span).into());
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
                .help("write `#/components/schemas/Name`")
                .into());
        }
        match Missing::find(&self.root, &target_pointer) {
            Ok(node) => Ok((target_pointer, node)),
            Err(missing) => Err(match missing.unusual(&self.source, text, span) {
                Some(finding) => finding.into(),
                None => Unresolved {
                    finding: missing.finding(text, span).label("nothing there"),
                    missing: Some(missing),
                },
            }),
        }
    }

    /// The finding about a reference that does not begin with `#`.
    fn outside(&self, text: &str, span: Span) -> Diagnostic {
        if characters::name(text).starts_with('#')
            && let Some(finding) = self.source.unusual_reference(text, span)
        {
            return finding;
        }
        let message = format!("`{text}` is in another document");
        let finding = Diagnostic::error("reference-to-another-file", span, message);
        let schema = pointer::join("/components/schemas", text);
        finding.help(match self.at(&schema) {
            Some(_) => format!("did you mean `#{schema}`?"),
            None => {
                "copy it into `components`: other files are read only for a document that is a file"
                    .to_owned()
            }
        })
    }
}
