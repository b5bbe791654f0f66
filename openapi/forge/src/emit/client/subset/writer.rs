//! The state of a subset that is being written.

use super::{
    operation::{Operation, Parts},
    walk,
};
use crate::{
    emit::client::report::{LossKind, LossReport},
    ir::{Api, SchemaId},
    lower::names::Scope,
};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap, HashSet};

/// The format of a string that is not printed.
pub const SECRET: &str = "password";

/// A subset that is being written.
pub(super) struct Writer<'a> {
    pub(super) api: &'a Api,
    pub(super) root: Value,
    pub(super) operations: Vec<Operation>,
    /// The components of schemas.
    pub(super) schema_names: HashMap<SchemaId, String>,
    pub(super) component_names: Scope,
    /// The schemas without a name that are being written.
    pub(super) unfinished: Vec<SchemaId>,
    pub(super) sent: HashSet<SchemaId>,
    pub(super) received: HashSet<SchemaId>,
    /// The schemas with too many combinations of alternatives.
    pub(super) excessive: HashSet<SchemaId>,
    /// The schemas whose parts typify would merge without end.
    pub(super) endless: HashSet<SchemaId>,
    pub(super) origins: BTreeMap<String, String>,
    /// Components with the schema of an argument, until inner schemas have names.
    pub(super) arguments: Vec<String>,
    pub(super) multipart: Vec<Parts>,
    pub(super) report: LossReport,
}

impl Writer<'_> {
    /// A schema that an operation uses; without one, a schema of any value.
    pub(super) fn used(&self, id: Option<SchemaId>) -> Value {
        let schema = id.and_then(|id| self.root[walk::USES].get(id.0.to_string()));
        schema.cloned().unwrap_or_else(|| json!({}))
    }

    pub(super) fn resolve(&self, schema: &Value) -> Value {
        walk::resolve(&self.root, schema)
    }

    /// Calls `visit` for each schema, outer ones first.
    pub(super) fn each_schema(&mut self, mut visit: impl FnMut(&mut Self, &str, &mut Value)) {
        let mut root = std::mem::take(&mut self.root);
        walk::schemas(&mut root, &mut |pointer, schema| {
            visit(self, pointer, schema)
        });
        self.root = root;
    }

    /// Adds an entry to the loss report, for a place of the subset.
    pub(super) fn lose(
        &mut self,
        kind: LossKind,
        pointer: impl AsRef<str>,
        what: impl Into<String>,
    ) {
        let pointer = pointer.as_ref();
        let original = |rest: &str, of: &dyn Fn(&str) -> Option<String>| {
            let (name, rest) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
            Some(format!("{}{rest}", of(name)?))
        };
        let component = pointer.strip_prefix("/components/schemas/");
        let used = pointer.strip_prefix("/uses/");
        let found = match (component, used) {
            (Some(rest), _) => original(rest, &|name| self.origins.get(name).cloned()),
            (_, Some(rest)) => original(rest, &|number| {
                let schema = self.api.schemas.get(number.parse::<usize>().ok()?)?;
                Some(schema.pointer.clone())
            }),
            _ => None,
        };
        self.lose_at(kind, &found.unwrap_or_else(|| pointer.to_owned()), what);
    }

    /// Adds an entry to the loss report, for a place of the document.
    pub(super) fn lose_at(&mut self, kind: LossKind, pointer: &str, what: impl Into<String>) {
        self.report.add(kind, pointer, what);
    }

    /// The component that a schema refers to, or a new one of this name with the schema.
    pub(super) fn component_for(&mut self, schema: &Value, name: &str) -> String {
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
}
