//! Rules about several keys of an object.

use super::walk::{Place, Walk};
use super::{
    addresses, component_names, example_reference, exclusive, header_names, operation_tags,
    published_versions, repeated, required_default, requirements, same_media_types, schema,
    serialization, server_variables, stray_characters, tables, value,
};
use crate::document::{Diagnostic, Node};

impl<'d> Walk<'d> {
    /// Checks the rules of one object.
    pub(super) fn rules(&mut self, place: &Place<'d>) {
        let Place { node, object, .. } = *place;
        self.diagnostics
            .extend(exclusive::check(node, object, self.version));
        self.diagnostics
            .extend(stray_characters::check(node, object));
        self.diagnostics.extend(header_names::check(node, object));
        self.diagnostics
            .extend(addresses::check(node, object, self.version));
        if object.is(&tables::OPERATION) {
            requirements::of_operation(
                self.document,
                node,
                place.span,
                &self.proposals,
                &mut self.diagnostics,
            );
            self.operation_id(node);
            let found = operation_tags::check(&self.declared_tags, node, &self.proposals);
            self.diagnostics.extend(found);
        }
        if object.is(&tables::DOCUMENT) {
            self.diagnostics.extend(published_versions::check(node));
            let tags = node.elements_of("tags").iter();
            let names = tags.filter_map(|tag| tag.get("name"));
            self.diagnostics.extend(repeated::check(names));
        }
        if object.is(&tables::COMPONENTS) {
            let found = component_names::check(self.document, node, self.version);
            self.diagnostics.extend(found);
        }
        if object.is(&tables::SERVER_VARIABLE) {
            self.diagnostics.extend(server_variables::check(node));
        }
        if object.is(&tables::LINK) {
            self.links.push(node);
        }
        if object.is(&tables::PARAMETER) || object.is(&tables::HEADER) {
            self.diagnostics.extend(serialization::check(node, object));
        }
        if object.is(&tables::PARAMETER) {
            self.diagnostics.extend(required_default::check(node));
        }
        if object.is(&tables::MEDIA_TYPE) {
            let found = schema::stream(self.document, node, &self.proposals);
            self.diagnostics.extend(found);
        }
        if object.key("content", self.version).is_some() {
            self.diagnostics.extend(same_media_types::check(node));
        }
        self.schema_and_examples(place);
    }

    /// Checks the rules of a schema, and of the examples beside it or in it.
    fn schema_and_examples(&mut self, place: &Place<'d>) {
        let Place { node, object, .. } = *place;
        let is_schema = object.is(&tables::SCHEMA);
        if is_schema {
            let found = schema::check(
                self.document,
                node,
                &place.pointer,
                self.version,
                &mut self.wholes,
                &self.proposals,
            );
            self.diagnostics.extend(found);
        }
        let reference = (!is_schema).then(|| example_reference::check(node));
        let reference = reference.flatten();
        let has_schema = is_schema || object.key("schema", self.version).is_some();
        if has_schema && reference.is_none() {
            let found = schema::examples(
                self.document,
                node,
                is_schema,
                &mut self.wholes,
                &self.proposals,
            );
            self.diagnostics.extend(found);
        }
        if let Some(example) = node.get("example")
            && object.key("examples", self.version).is_some()
        {
            let span = node.key_span("example");
            self.diagnostics.extend(value::examples(example, span));
            self.diagnostics.extend(reference);
        }
    }

    /// Rejects a duplicate operationId.
    fn operation_id(&mut self, operation: &'d Node) {
        let Some(id) = operation.get("operationId") else {
            return;
        };
        let Some(text) = id.as_str() else {
            return;
        };
        match self.operations.get(text) {
            Some(first) => self.diagnostics.push(
                Diagnostic::error(
                    "duplicate-operation-id",
                    id.span,
                    format!("another operation has the operationId `{text}`"),
                )
                .related(*first, "first here")
                .help("give each operation its own: generated code is named after it"),
            ),
            None => _ = self.operations.insert(text, id.span),
        }
    }
}
