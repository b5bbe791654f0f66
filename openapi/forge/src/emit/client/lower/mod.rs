//! Documents into documents that progenitor can take.
//!
//! A pass is a file. The first ones see the document as it is and walk all of its schemas; then what is shared is
//! copied to the operations, each operation is lowered, and what is left without a name gets one. A pass that changes a
//! meaning says so in the loss report; one that finds what cannot be lowered says so in a diagnostic.

mod aliases;
mod docs;
mod enums;
mod forms;
mod hoist;
mod keywords;
pub mod naming;
mod nullable;
pub mod operation;
mod operations;
mod parameters;
mod references;
mod requests;
mod responses;
mod security;
mod unions;
pub mod walk;

use super::report::{LossKind, LossReport};
use crate::document::{Diagnostic, Diagnostics, Document};
use crate::structure;
use operation::Operation;
use serde_json::Value;
use std::collections::BTreeMap;

pub use docs::text as doc_text;
pub use references::reachable;
pub use security::{Kind as SchemeKind, Scheme};
pub use unions::anything;

/// The format of a string that is not printed.
pub const SECRET: &str = "password";

/// A document that progenitor can take, and what it does not say any more.
#[derive(Debug)]
pub struct Lowered {
    /// The document.
    pub root: Value,
    /// Its operations, in the document's order, all forms of each.
    pub operations: Vec<Operation>,
    /// The security schemes.
    pub schemes: Vec<Scheme>,
    /// Enumerations that are given back: components with their values.
    pub enums: Vec<(String, Vec<String>)>,
    /// Unions that are read by a discriminator.
    pub unions: Vec<Union>,
    /// The path of the document's first server.
    pub base_path: String,
    /// A property is called `extra`, as typify calls what is left over.
    pub has_extra: bool,
    /// Where components stand in the document.
    pub origins: BTreeMap<String, String>,
    /// What changed.
    pub report: LossReport,
}

/// A union that is read by a discriminator.
#[derive(Debug, Clone)]
pub struct Union {
    /// The component that it is.
    pub name: String,
    /// The property that tells its members apart.
    pub property: String,
    /// The values of that property, each with the component that it stands for.
    pub tags: Vec<(String, String)>,
    /// The members that hold the union itself, which must be boxed.
    pub boxed: Vec<String>,
}

/// A document on its way.
struct Lowering<'d> {
    document: &'d Document,
    root: Value,
    operations: Vec<Operation>,
    origins: BTreeMap<String, String>,
    report: LossReport,
    diagnostics: Diagnostics,
}

/// Lowers a document.
///
/// # Errors
///
/// What makes it no document that a client can be made of, with positions.
pub fn lower(document: &Document) -> Result<Lowered, Diagnostics> {
    let mut lowering = Lowering {
        document,
        root: document.to_json(),
        operations: Vec::new(),
        origins: BTreeMap::new(),
        report: LossReport::default(),
        diagnostics: Diagnostics::default(),
    };
    version(&mut lowering);
    if !lowering.diagnostics.has_errors() {
        lowering.diagnostics.extend(structure::check(document));
    }
    references::schemas(&mut lowering);
    if lowering.diagnostics.has_errors() {
        return Err(lowering.diagnostics);
    }
    keywords::schemas(&mut lowering);
    keywords::directions(&mut lowering);
    enums::schemas(&mut lowering);
    // A union is null where one of its members is, and its members may be unions; one that holds itself would go on.
    let mut rounds = 0;
    while nullable::components_to_uses(&mut lowering) && rounds < 8 {
        unions::schemas(&mut lowering);
        rounds += 1;
    }
    unions::schemas(&mut lowering);
    aliases::schemas(&mut lowering);
    nullable::optional(&mut lowering);
    let schemes = security::schemes(&lowering.root);
    references::operations(&mut lowering);
    operations::all(&mut lowering);
    hoist::all(&mut lowering);
    if lowering.diagnostics.has_errors() {
        return Err(lowering.diagnostics);
    }
    Ok(lowering.finish(schemes))
}

/// Refuses what is not OpenAPI 3.0.
fn version(lowering: &mut Lowering<'_>) {
    let root = &lowering.document.root;
    let version = root
        .get("openapi")
        .and_then(|node| node.as_str())
        .unwrap_or_default();
    if !version.trim().starts_with("3.0.") {
        let message = match version {
            "" => "the document does not say that it is OpenAPI 3.0".to_owned(),
            version => format!("OpenAPI {version} is not supported, only 3.0"),
        };
        let span = root.get("openapi").map_or(root.span, |node| node.span);
        lowering.diagnostics.push(
            Diagnostic::error("unsupported-version", span, message).help("write `openapi: 3.0.3`"),
        );
    }
}

/// The path that every address of the document begins with: what the first server has behind its host, or behind the
/// variable that stands for scheme and host.
fn base_path(document: &Document) -> String {
    let url = document
        .at("/servers/0/url")
        .and_then(|node| node.as_str())
        .unwrap_or_default();
    let path = match url.split_once("://") {
        Some((_, rest)) => rest.find('/').map_or("", |at| &rest[at..]),
        None => match url.strip_prefix('{').and_then(|rest| rest.split_once('}')) {
            Some((_, rest)) => rest,
            None => url,
        },
    };
    path.trim_end_matches('/').to_owned()
}

impl Lowering<'_> {
    /// Calls `visit` for each schema, outer ones first.
    fn each_schema(&mut self, mut visit: impl FnMut(&mut Self, &str, &mut Value)) {
        let mut root = std::mem::take(&mut self.root);
        walk::schemas(&mut root, &mut |pointer, schema| {
            visit(self, pointer, schema)
        });
        self.root = root;
    }

    /// Adds an entry to the loss report.
    fn lose(&mut self, kind: LossKind, pointer: impl AsRef<str>, what: impl Into<String>) {
        self.report.add(
            kind,
            references::original(&self.origins, pointer.as_ref()),
            what,
        );
    }

    /// The components that are reached from places that `is_start` chooses.
    fn components_of(&mut self, is_start: impl Fn(&str) -> bool) -> Vec<String> {
        let schemas = walk::components(&mut self.root).clone();
        let mut found: Vec<String> = Vec::new();
        self.each_schema(|_, pointer, schema| {
            if is_start(pointer) && walk::component(schema).is_some() {
                for name in references::reachable(&schemas, schema) {
                    if !found.contains(&name) {
                        found.push(name);
                    }
                }
            }
        });
        found
    }

    /// The component that a schema refers to, or a new one of this name with the schema.
    fn component_for(&mut self, schema: &Value, name: &str) -> String {
        if let Some(name) = walk::component(schema) {
            return name.to_owned();
        }
        let components = walk::components(&mut self.root);
        let mut given = name.to_owned();
        let mut number = 2;
        while components.get(&given).is_some_and(|other| other != schema) {
            given = format!("{name}{number}");
            number += 1;
        }
        components.insert(given.clone(), schema.clone());
        given
    }

    fn finish(mut self, schemes: Vec<Scheme>) -> Lowered {
        let title = self
            .root
            .pointer("/info/title")
            .and_then(Value::as_str)
            .unwrap_or("API");
        self.report.title = title.to_owned();
        let schemas = walk::components(&mut self.root).clone();
        let enums = schemas
            .iter()
            .filter_map(|(name, schema)| Some((name.clone(), enums::values(schema)?)))
            .collect();
        let unions = schemas.iter().filter_map(|(name, schema)| {
            let (property, tags) = unions::tags(&self, schema)?;
            let holds = |member: &String| {
                member == name
                    || schemas.get(member).is_some_and(|schema| {
                        references::reachable(&schemas, schema).contains(name)
                    })
            };
            let boxed = tags
                .iter()
                .map(|(_, member)| member.clone())
                .filter(holds)
                .collect();
            Some(Union {
                name: name.clone(),
                property,
                tags,
                boxed,
            })
        });
        let unions = unions.collect();
        keywords::parameters(&mut self);
        let mut has_extra = false;
        self.each_schema(|_, _, schema| {
            let properties = schema.get("properties").and_then(Value::as_object);
            has_extra |= properties.is_some_and(|properties| {
                properties.keys().any(|name| naming::snake(name) == "extra")
            });
        });
        docs::all(&mut self.root);
        Lowered {
            root: self.root,
            operations: self.operations,
            schemes,
            enums,
            unions,
            has_extra,
            base_path: base_path(self.document),
            origins: self.origins,
            report: self.report,
        }
    }
}
