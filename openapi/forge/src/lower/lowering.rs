//! The state that all passes share: what they have made, and what they refuse.

use super::cursor::Cursor;
use super::lines::Lines;
use super::names::Scope;
use super::patterns::Expressions;
use crate::document::{Diagnostic, Diagnostics, Document, References, Severity, Span};
use crate::ir::{
    Definition, DefinitionId, Origin, Place, ResponseType, Schema, SchemaId, Scheme, Type,
};
use crate::structure::is_token;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

/// The state that all passes share.
pub(super) struct Lowering<'d> {
    pub(super) document: &'d Document,
    pub(super) references: References<'d>,
    pub(super) diagnostics: Diagnostics,
    /// Positions where the check of the structure has found errors.
    refused: HashSet<Span>,
    /// The positions of all findings.
    reported: HashSet<Span>,
    pub(super) lines: Lines,
    pub(super) expressions: Expressions,
    /// Formats that servers do not check, each with its places. Those of strings are apart from those of other types.
    pub(super) unchecked_formats: BTreeMap<(String, bool), BTreeSet<Span>>,
    pub(super) schemas: Schemas<'d>,
    pub(super) types: Types,
    pub(super) responses: Vec<ResponseType>,
    pub(super) response_index: HashMap<String, usize>,
    pub(super) response_names: Scope,
    pub(super) body_names: Scope,
    pub(super) schemes: Vec<Scheme>,
    pub(super) scheme_index: HashMap<String, usize>,
}

/// Every schema that is reached, with its place.
#[derive(Default)]
pub(super) struct Schemas<'d> {
    pub(super) all: Vec<Schema>,
    pub(super) by_pointer: HashMap<String, SchemaId>,
    /// Schemas whose keywords have not been read yet.
    pub(super) waiting: VecDeque<(SchemaId, Cursor<'d>)>,
}

impl Schemas<'_> {
    pub(super) fn get(&self, id: SchemaId) -> &Schema {
        &self.all[id.0]
    }

    pub(super) fn add(&mut self, schema: Schema) -> SchemaId {
        self.all.push(schema);
        SchemaId(self.all.len() - 1)
    }
}

/// Every named type, and which schema has which type.
#[derive(Default)]
pub(super) struct Types {
    pub(super) definitions: Vec<Definition>,
    pub(super) of: HashMap<SchemaId, Type>,
    /// Whether schemas allow `null`, as far as known.
    pub(super) nullable: HashMap<SchemaId, bool>,
    pub(super) names: Scope,
    pub(super) component_names: HashMap<SchemaId, String>,
    /// Schemas without a name whose types are being made: each holds the next.
    pub(super) open: Vec<SchemaId>,
    /// Definitions whose shapes have not been made yet.
    pub(super) waiting: VecDeque<DefinitionId>,
    /// Schemas of properties, each with the schema of an earlier part of `allOf` that declares the same property.
    pub(super) redeclared: Vec<(SchemaId, SchemaId)>,
}

impl<'d> Lowering<'d> {
    pub(super) fn new(document: &'d Document) -> Self {
        Lowering {
            document,
            references: References::new(document),
            diagnostics: Diagnostics::default(),
            refused: HashSet::new(),
            reported: HashSet::new(),
            lines: Lines::of(&document.source),
            expressions: Expressions::default(),
            unchecked_formats: BTreeMap::new(),
            schemas: Schemas::default(),
            types: Types::default(),
            responses: Vec::new(),
            response_index: HashMap::new(),
            response_names: Scope::default(),
            body_names: Scope::default(),
            schemes: Vec::new(),
            scheme_index: HashMap::new(),
        }
    }

    /// Adds the findings about the structure. Findings of passes at the position of such an error
    /// are left out, because they follow from it.
    pub(super) fn take_structure(&mut self, found: Diagnostics) {
        let errors = found.iter().filter(|one| one.severity == Severity::Error);
        self.refused.extend(errors.map(|error| error.span));
        self.reported.extend(found.iter().map(|one| one.span));
        self.diagnostics.extend(found);
    }

    /// Reports an error, which rejects the document.
    pub(super) fn refuse(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
        help: &str,
    ) {
        self.report(Diagnostic::error(code, span, message).help(help));
    }

    /// Reports an error whose correction is the similar text, if there is one, or else this help.
    pub(super) fn refuse_near(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
        near: Option<&str>,
        help: &str,
    ) {
        self.report(Diagnostic::error(code, span, message).did_you_mean_or(near, help));
    }

    /// Reports a key that the generated code will not implement.
    pub(super) fn warn(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
        help: &str,
    ) {
        self.report(Diagnostic::warning(code, span, message).help(help));
    }

    /// Whether a header can have a name (RFC 9110, section 5.6.2). Refuses another name.
    pub(super) fn check_header_name(&mut self, name: &str, span: Span) -> bool {
        if !is_token(name) {
            self.refuse(
                "header-name",
                span,
                format!("`{name}` cannot be the name of a header"),
                "letters, digits and hyphens, for example `retry-after` (RFC 9110, section 5.6.2)",
            );
        }
        is_token(name)
    }

    /// Whether a cookie can have a name (RFC 6265, section 4.1.1). Refuses another name.
    pub(super) fn check_cookie_name(&mut self, name: &str, span: Span) -> bool {
        let separates =
            |char: char| !char.is_ascii_graphic() || matches!(char, ';' | ',' | '=' | '"');
        let can_be_sent = !name.is_empty() && !name.contains(separates);
        let message = format!("`{name}` cannot be the name of a cookie");
        let help = "letters, digits, hyphens and underscores, for example `session_id` (RFC 6265, section 4.1.1)";
        match (can_be_sent, is_token(name)) {
            (false, _) => self.refuse("cookie-name", span, message, help),
            // Browsers send such names, as `a[b]`.
            (true, false) => self.warn("cookie-name", span, message, help),
            (true, true) => {}
        }
        can_be_sent
    }

    /// Whether a finding about a position has been reported.
    pub(super) fn is_reported(&self, span: Span) -> bool {
        self.reported.contains(&span)
    }

    pub(super) fn report(&mut self, finding: Diagnostic) {
        if !self.refused.contains(&finding.span) {
            self.reported.insert(finding.span);
            self.diagnostics.push(finding);
        }
    }

    /// Follows a `$ref`, and reports an unresolved one.
    pub(super) fn resolve(&mut self, cursor: &Cursor<'d>) -> Option<Cursor<'d>> {
        match self.references.resolve(cursor.node, &cursor.pointer) {
            Ok((pointer, node)) => Some(Cursor { node, pointer }),
            Err(diagnostic) => {
                self.report(diagnostic);
                None
            }
        }
    }

    pub(super) fn origin(&self, cursor: &Cursor<'d>) -> Origin {
        Origin {
            pointer: cursor.pointer.clone(),
            place: self.place(cursor),
        }
    }

    /// The position of the key of a node; the position of the node itself in a list.
    pub(super) fn key_span(&self, cursor: &Cursor<'_>) -> Span {
        let span = self.document.key_span(&cursor.pointer);
        span.unwrap_or(cursor.node.span)
    }

    /// The file and line of a node: of its key, where it has one.
    pub(super) fn place(&self, cursor: &Cursor<'d>) -> Place {
        self.lines.place(self.key_span(cursor).start)
    }
}
