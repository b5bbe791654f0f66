//! Types that stand for parts of an operation, since dropshot asks types for
//! what they look like. None of them ever has a value.

use std::marker::PhantomData;

use schemars::JsonSchema;
use schemars::r#gen::SchemaGenerator;
use schemars::schema::{InstanceType, ObjectValidation, Schema, SchemaObject};
use serde::de::{Deserializer, Error};
use serde::{Deserialize, Serialize, Serializer};

use super::document::Document;
use super::parts::{self, described_body, json_media, success};
use super::schema::{Projection, is_scalar, plain_text, reference};
use crate::marker::OperationMarker;
use crate::table::ParameterIn;

macro_rules! described {
    ($($(#[$doc:meta])* $name:ident => $suffix:literal, $schema:path;)*) => {$(
        $(#[$doc])*
        pub(super) struct $name<M>(PhantomData<fn() -> M>);

        impl<M: OperationMarker> JsonSchema for $name<M> {
            fn is_referenceable() -> bool {
                false
            }

            fn schema_name() -> String {
                format!("{}{}", M::OPERATION.id, $suffix)
            }

            fn json_schema(generator: &mut SchemaGenerator) -> Schema {
                $schema(generator)
            }
        }

        impl<'de, M> Deserialize<'de> for $name<M> {
            fn deserialize<D: Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
                Err(Error::custom("a description has no values"))
            }
        }

        impl<M> Serialize for $name<M> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_unit()
            }
        }
    )*};
}

described! {
    /// The parameters of the path.
    PathParameters => "Path", path::<M>;
    /// The parameters of the query.
    QueryParameters => "Query", query::<M>;
    /// The headers that are parameters.
    HeaderParameters => "Header", header::<M>;
    /// The body of the request.
    RequestBody => "Body", request_body::<M>;
    /// The body of the first success.
    ResponseBody => "Response", response_body::<M>;
    /// The headers of the first success.
    ResponseHeaders => "ResponseHeaders", response_headers::<M>;
}

fn path<M: OperationMarker>(_: &mut SchemaGenerator) -> Schema {
    parameters::<M>(ParameterIn::Path)
}

fn query<M: OperationMarker>(_: &mut SchemaGenerator) -> Schema {
    parameters::<M>(ParameterIn::Query)
}

fn header<M: OperationMarker>(_: &mut SchemaGenerator) -> Schema {
    parameters::<M>(ParameterIn::Header)
}

/// An object with a property for each parameter of a place. Components are
/// inlined: a parameter has a scalar or is written as text.
fn parameters<M: OperationMarker>(location: ParameterIn) -> Schema {
    let document = Document::of(M::API);
    let mut projection = Projection::new(&document);
    let parameters = M::OPERATION.parameters.iter();
    let here = parameters.filter(|parameter| parameter.location == location);
    object(here.map(|parameter| {
        let schema = projection.inlined(document.at(parameter.schema.pointer));
        let schema = if is_scalar(&schema) {
            schema
        } else {
            Schema::Object(plain_text())
        };
        let description = parts::parameter(&document, M::OPERATION, parameter)
            .and_then(|parameter| parameter.get("description")?.as_str());
        (
            parameter.name,
            with_description(schema, description),
            parameter.required,
        )
    }))
}

fn request_body<M: OperationMarker>(generator: &mut SchemaGenerator) -> Schema {
    let schema = described_body(M::OPERATION).and_then(|media| media.schema);
    document_schema::<M>(generator, schema.map(|schema| schema.pointer))
}

fn response_body<M: OperationMarker>(generator: &mut SchemaGenerator) -> Schema {
    let media = success(M::OPERATION).and_then(|(_, response)| json_media(response.media));
    let schema = media.and_then(|media| media.schema);
    document_schema::<M>(generator, schema.map(|schema| schema.pointer))
}

fn response_headers<M: OperationMarker>(_: &mut SchemaGenerator) -> Schema {
    let document = Document::of(M::API);
    let mut projection = Projection::new(&document);
    let response = success(M::OPERATION).map(|(_, response)| response);
    let headers = response.into_iter().flat_map(|response| response.headers);
    object(headers.map(|header| {
        let schema = projection.inlined(document.at(header.schema.pointer));
        (header.name, schema, header.required)
    }))
}

fn object<'p>(properties: impl Iterator<Item = (&'p str, Schema, bool)>) -> Schema {
    let mut object = ObjectValidation::default();
    for (name, schema, required) in properties {
        object.properties.insert(name.to_owned(), schema);
        if required {
            object.required.insert(name.to_owned());
        }
    }
    Schema::Object(SchemaObject {
        instance_type: Some(InstanceType::Object.into()),
        object: Some(Box::new(object)),
        ..SchemaObject::default()
    })
}

fn with_description(schema: Schema, description: Option<&str>) -> Schema {
    let mut schema = schema.into_object();
    if let Some(description) = description {
        schema.metadata().description = Some(description.to_owned());
    }
    Schema::Object(schema)
}

/// A schema of the document, with the components that it refers to, under
/// their own names.
///
/// Where the server has a component of such a name from another document that
/// is a different one, all of these carry the document's name in front.
fn document_schema<M: OperationMarker>(
    generator: &mut SchemaGenerator,
    pointer: Option<&str>,
) -> Schema {
    let Some(pointer) = pointer else {
        return Schema::Bool(true);
    };
    let document = Document::of(M::API);
    let mut projection = Projection::new(&document);
    // A table has the pointer of the resolved schema, so it shows whether that is a component.
    let name = pointer
        .strip_prefix("/components/schemas/")
        .filter(|name| !name.contains('/'))
        .map(|name| name.replace("~1", "/").replace("~0", "~"));
    let schema = match name {
        Some(name) => {
            let schema = reference(&name);
            projection.components.push(name);
            schema
        }
        None => projection.schema(document.at(pointer)),
    };
    let mut definitions = Vec::new();
    while let Some(name) = projection.components.get(definitions.len()).cloned() {
        let token = name.replace('~', "~0").replace('/', "~1");
        let component = document.at(&format!("/components/schemas/{token}"));
        let schema = projection.schema(component);
        definitions.push((name, schema));
    }
    let known = generator.definitions();
    let clash = definitions
        .iter()
        .any(|(name, schema)| known.get(name).is_some_and(|known| known != schema));
    if !clash {
        generator.definitions_mut().extend(definitions);
        return schema;
    }
    let renamed = |schema: Schema| rename(schema, M::API.name);
    let definitions = definitions
        .into_iter()
        .map(|(name, schema)| (format!("{}_{name}", M::API.name), renamed(schema)));
    generator.definitions_mut().extend(definitions);
    renamed(schema)
}

/// Puts a name in front of every reference.
fn rename(schema: Schema, prefix: &str) -> Schema {
    struct Renamer<'p>(&'p str);
    impl schemars::visit::Visitor for Renamer<'_> {
        fn visit_schema_object(&mut self, schema: &mut SchemaObject) {
            if let Some(reference) = &mut schema.reference
                && let Some((path, name)) = reference.rsplit_once('/')
            {
                *reference = format!("{path}/{}_{name}", self.0);
            }
            schemars::visit::visit_schema_object(self, schema);
        }
    }
    let mut schema = schema;
    schemars::visit::Visitor::visit_schema(&mut Renamer(prefix), &mut schema);
    schema
}
