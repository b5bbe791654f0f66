//! Lowers a document to the IR, one pass a file.
//!
//! Passes read the document through a [`Cursor`], which has a node, its JSON Pointer and its
//! position. They report findings to the [`Lowering`] that they share. Only [`names`] allocates
//! names. No pass depends on the form of the generated code.

mod api;
pub(crate) mod base_path;
mod bodies;
mod cursor;
mod media_names;
pub mod names;
mod not_found;
mod operations;
mod parameters;
mod part_types;
mod path_parameters;
mod pattern;
mod responses;
mod routes;
mod schemas;
mod secrets;
mod security;
mod traits;
mod types;

use crate::document::{Diagnostic, Diagnostics, Document, References, Severity, Source, Span};
use crate::ir::{Api, Place, ResponseType, Scheme};
#[cfg(feature = "check")]
pub(crate) use bodies::codec;
use cursor::Cursor;
use names::Scope;
pub use operations::DEFAULT_BODY_BYTES;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// A lowered document, with its warnings.
#[derive(Debug, Clone)]
pub struct Lowered {
    /// The document as plain data.
    pub api: Api,
    /// Findings about keys that generated servers do not implement.
    pub warnings: Diagnostics,
}

/// Lowers a document.
///
/// `name` is the area's name in `snake_case`; the generated module and trait
/// are named after it.
///
/// # Errors
///
/// All errors in the document and all unsupported keys at once, each with its position.
pub fn lower(document: &Document, name: &str) -> Result<Lowered, Diagnostics> {
    let mut lowering = Lowering::new(document);
    let api = api::lower(&mut lowering, name);
    let mut diagnostics = lowering.diagnostics;
    diagnostics.sort();
    match api {
        Some(api) if !diagnostics.has_errors() => Ok(Lowered {
            api,
            warnings: diagnostics,
        }),
        _ => Err(diagnostics),
    }
}

/// The state that all passes share.
struct Lowering<'d> {
    document: &'d Document,
    references: References<'d>,
    diagnostics: Diagnostics,
    /// Positions where the check of the structure has found errors.
    refused: HashSet<Span>,
    lines: Lines,
    schemas: schemas::Schemas<'d>,
    types: types::Types,
    responses: Vec<ResponseType>,
    response_index: HashMap<String, usize>,
    response_names: Scope,
    body_names: Scope,
    schemes: Vec<Scheme>,
}

impl<'d> Lowering<'d> {
    fn new(document: &'d Document) -> Self {
        Lowering {
            document,
            references: References::new(document),
            diagnostics: Diagnostics::default(),
            refused: HashSet::new(),
            lines: Lines::of(&document.source),
            schemas: schemas::Schemas::default(),
            types: types::Types::default(),
            responses: Vec::new(),
            response_index: HashMap::new(),
            response_names: Scope::default(),
            body_names: Scope::default(),
            schemes: Vec::new(),
        }
    }

    /// Adds the findings about the structure. Findings of passes at the position of such an error
    /// are omitted, because they follow from it.
    fn take_structure(&mut self, found: Diagnostics) {
        let errors = found.iter().filter(|one| one.severity == Severity::Error);
        self.refused.extend(errors.map(|error| error.span));
        self.diagnostics.extend(found);
    }

    /// Reports an error, which rejects the document.
    fn refuse(&mut self, code: &'static str, span: Span, message: impl Into<String>, help: &str) {
        self.report(Diagnostic::error(code, span, message).help(help));
    }

    /// Reports an error whose correction is a similar text.
    fn refuse_similar(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
        near: &str,
    ) {
        self.report(Diagnostic::error(code, span, message).did_you_mean(near));
    }

    /// Reports a key that the generated code will not implement.
    fn warn(&mut self, code: &'static str, span: Span, message: impl Into<String>, help: &str) {
        self.report(Diagnostic::warning(code, span, message).help(help));
    }

    fn report(&mut self, mut finding: Diagnostic) {
        if self.refused.contains(&finding.span) {
            return;
        }
        finding.help = finding.help.filter(|help| !help.is_empty());
        self.diagnostics.push(finding);
    }

    /// Follows a `$ref`, and reports an unresolved one.
    fn resolve(&mut self, cursor: &Cursor<'d>) -> Option<Cursor<'d>> {
        match self.references.resolve(cursor.node, &cursor.pointer) {
            Ok((pointer, node)) => Some(Cursor { node, pointer }),
            Err(diagnostic) => {
                if !self.refused.contains(&diagnostic.span) {
                    self.diagnostics.push(diagnostic);
                }
                None
            }
        }
    }

    fn origin(&self, cursor: &Cursor<'d>) -> crate::ir::Origin {
        crate::ir::Origin {
            pointer: cursor.pointer.clone(),
            place: self.place(cursor),
        }
    }

    /// The position of the key of a node; the position of the node itself in a list.
    fn key_span(&self, cursor: &Cursor<'_>) -> Span {
        let span = self.document.key_span(&cursor.pointer);
        span.unwrap_or(cursor.node.span)
    }

    /// The file and line of a node: of its key, if it has one.
    fn place(&self, cursor: &Cursor<'d>) -> Place {
        self.lines.place(self.key_span(cursor).start)
    }
}

/// The offsets at which lines begin, for each file of a document. They give the line of an
/// offset without a scan of the text.
pub(crate) struct Lines(Vec<(Arc<str>, Vec<usize>)>);

impl Lines {
    pub(crate) fn of(source: &Source) -> Self {
        let files = source.files().map(|file| {
            let breaks = file.text.bytes().enumerate().filter(|(_, b)| *b == b'\n');
            let behind = breaks.map(|(i, _)| file.start + i + 1);
            let starts = std::iter::once(file.start).chain(behind);
            (Arc::from(file.name), starts.collect())
        });
        Lines(files.collect())
    }

    /// The place of an offset.
    pub(crate) fn place(&self, offset: usize) -> Place {
        let begins_before = |(_, starts): &&(Arc<str>, Vec<usize>)| starts[0] <= offset;
        let file = self.0.iter().take_while(begins_before).last();
        file.map_or_else(Place::default, |(name, starts)| Place {
            file: Arc::clone(name),
            line: starts.partition_point(|start| *start <= offset),
        })
    }
}
