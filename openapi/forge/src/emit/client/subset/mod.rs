//! Writes the IR as the subset of OpenAPI that progenitor supports.
//!
//! First every schema is written ([`schemas`]). Then schemas are converted into forms from which typify generates good
//! types, one idea per file. Then each operation is written, and every remaining schema gets a name. The features that
//! the subset lacks are kept beside it, for the code that restores them. The loss report lists the others.

mod aliases;
mod arguments;
mod combinations;
mod directions;
mod headers;
mod hoist;
mod members;
mod merges;
mod multipart;
pub mod naming;
mod nullable;
pub mod operation;
mod operations;
mod parameters;
mod requests;
mod responses;
mod schemas;
mod unions;
mod variants;
pub mod walk;
mod writer;

use super::report::LossReport;
use crate::emit::comment;
use crate::ir::{Api, SchemaId};
use crate::lower::names::Scope;
use operation::Operation;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use writer::Writer;

pub use arguments::rust_type;
pub use members::{Member, Union};
pub use operation::{Field, Part, Parts};
pub use unions::anything;
pub use writer::SECRET;

/// A document that progenitor supports, and the features that it lacks.
#[derive(Debug)]
pub struct Subset {
    /// The document.
    pub root: Value,
    /// The operations in the document's order, with all variants of each.
    pub operations: Vec<Operation>,
    /// Enumerations to restore: components with their values.
    pub enums: Vec<(String, Vec<String>)>,
    /// Unions, which become enums of the generator.
    pub unions: Vec<Union>,
    /// Types of parameters that progenitor cannot write: components with the schema of the value.
    pub arguments: Vec<(String, Value)>,
    /// Multipart bodies.
    pub multipart: Vec<Parts>,
    /// The pointers of components in the document.
    pub origins: BTreeMap<String, String>,
    /// The losses.
    pub report: LossReport,
}

/// Writes the subset for an IR.
pub fn write(api: &Api) -> Subset {
    let mut info = json!({ "title": api.title, "version": api.version });
    if let Some(description) = &api.description {
        info["description"] = comment::description(description).into();
    }
    let excessive = combinations::excessive(api);
    let mut writer = Writer {
        api,
        root: json!({ "openapi": "3.0.3", "info": info, "paths": {}, "components": { "schemas": {} }, "uses": {} }),
        operations: Vec::new(),
        schema_names: HashMap::new(),
        component_names: Scope::default(),
        unfinished: Vec::new(),
        sent: directions::sent(api),
        received: directions::received(api),
        endless: merges::endless(api, &excessive),
        excessive,
        origins: BTreeMap::new(),
        arguments: Vec::new(),
        multipart: Vec::new(),
        report: LossReport::new(&api.title),
    };
    schemas::name_all(&mut writer);
    schemas::write_components(&mut writer);
    writer.write_uses();
    // A union is nullable if one of its members is, and its members may be unions.
    let mut moved = BTreeSet::new();
    loop {
        unions::convert(&mut writer);
        if !nullable::move_to_uses(&mut writer, &mut moved) {
            break;
        }
    }
    aliases::inline(&mut writer);
    nullable::wrap_optional(&mut writer);
    operations::write(&mut writer);
    if let Some(root) = writer.root.as_object_mut() {
        root.remove(walk::USES);
    }
    hoist::hoist(&mut writer);
    writer.finish()
}

impl Writer<'_> {
    /// Writes the schemas that operations use.
    fn write_uses(&mut self) {
        let api = self.api;
        let mut ids: Vec<SchemaId> = Vec::new();
        for operation in &api.operations {
            ids.extend(
                operation
                    .parameters
                    .iter()
                    .map(|parameter| parameter.schema),
            );
            let media = operation.body.iter().flat_map(|body| &body.media);
            ids.extend(media.filter_map(|media| media.schema));
        }
        ids.extend(api.response_media().filter_map(|media| media.schema));
        // Each property of a multipart body is a separate part.
        ids.extend(multipart::properties(api));
        for id in ids {
            let value = self.schema(id);
            self.root[walk::USES][id.0.to_string()] = value;
        }
    }

    fn finish(mut self) -> Subset {
        let arguments = arguments::take(&mut self);
        let schemas = walk::components(&mut self.root).clone();
        let enums = schemas
            .iter()
            .filter_map(|(name, schema)| Some((name.clone(), walk::values(schema)?)))
            .collect();
        let unions = members::take(&mut self.root);
        Subset {
            root: self.root,
            operations: self.operations,
            enums,
            unions,
            arguments,
            multipart: self.multipart,
            origins: self.origins,
            report: self.report,
        }
    }
}
