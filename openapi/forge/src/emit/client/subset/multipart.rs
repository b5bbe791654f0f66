//! Bodies of `multipart/form-data`: a struct of parts, because progenitor does not support bodies of several parts.

use super::{
    naming::{pascal, snake},
    operation::{Field, Operation, Part, Parts},
    writer::Writer,
};
use crate::emit::comment;
use crate::ir::{Api, Codec, MediaType, Schema, SchemaId, Types};
use crate::lower::names::Scope;
use std::collections::HashSet;

/// The properties of all multipart bodies.
pub fn properties(api: &Api) -> Vec<SchemaId> {
    let schemas = api
        .request_media()
        .filter(|media| media.codec == Codec::Multipart)
        .filter_map(|media| media.schema);
    schemas
        .flat_map(|id| parts_of(api, id))
        .map(|part| part.schema)
        .collect()
}

struct Property<'a> {
    name: &'a str,
    schema: SchemaId,
    required: bool,
}

/// The properties of an object and of its composed schemas.
fn parts_of(api: &Api, id: SchemaId) -> Vec<Property<'_>> {
    let mut found: Vec<Property<'_>> = Vec::new();
    let mut required: HashSet<&str> = HashSet::new();
    let (mut queue, mut seen) = (vec![id], HashSet::new());
    while let Some(id) = queue.pop() {
        if !seen.insert(id) {
            continue;
        }
        let schema = &api.schemas[id.0];
        required.extend(schema.object.required.iter().map(String::as_str));
        for property in &schema.object.properties {
            if !found.iter().any(|known| known.name == property.name) {
                found.push(Property {
                    name: &property.name,
                    schema: property.schema,
                    required: false,
                });
            }
        }
        queue.extend(schema.all_of.iter().rev());
    }
    for property in &mut found {
        property.required = required.contains(property.name);
    }
    found
}

fn is_file(schema: &Schema) -> bool {
    schema.types == Types::String && schema.format.as_deref() == Some("binary")
}

/// The first media type that the document lists for a part, without ranges.
fn media_type(media: &MediaType, name: &str) -> Option<String> {
    let (_, listed) = media.parts.iter().find(|(known, _)| known == name)?;
    listed.iter().find(|one| !one.contains('*')).cloned()
}

/// Adds the parts of a body, if it lists any.
pub fn add_parts(writer: &mut Writer<'_>, operation: &Operation, media: &MediaType) {
    let api = writer.api;
    let properties = media.schema.map(|id| parts_of(api, id));
    let properties = properties.unwrap_or_default();
    if properties.is_empty() {
        return;
    }
    let mut names = Scope::default();
    let mut fields = Vec::new();
    for property in properties {
        let schema = &api.schemas[property.schema.0];
        let field = names.take(snake(property.name));
        let items = schema.array.items.map(|items| &api.schemas[items.0]);
        let content = match items {
            _ if is_file(schema) => Field::File,
            Some(items) if is_file(items) => Field::Files,
            _ => {
                let used = writer.used(Some(property.schema));
                let wanted = format!("{}_{}", operation.base, property.name);
                Field::Value(writer.add_argument(&wanted, used))
            }
        };
        fields.push(Part {
            name: property.name.to_owned(),
            field,
            description: schema.description.as_deref().map(comment::description),
            required: property.required,
            content,
            media_type: media_type(media, property.name),
        });
    }
    let name = writer
        .component_names
        .take(format!("{}Form", pascal(&operation.base)));
    writer.multipart.push(Parts {
        name,
        operation: operation.base.clone(),
        fields,
    });
}
