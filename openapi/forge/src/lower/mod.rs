//! Lowers a document to the IR, one pass a file.
//!
//! Passes read the document through a [`Cursor`], which has a node, its JSON
//! Pointer and its position. They report findings to the [`Lowering`] that they share. Only
//! [`names`] allocates names. No pass depends on the form of the generated code.

pub(crate) mod base_path;
mod bodies;
mod cursor;
mod defaults;
mod formats;
mod lines;
mod lowering;
mod media_names;
pub mod names;
mod nested_parameters;
mod not_found;
mod operations;
mod pages;
mod parameters;
mod part_types;
mod path_literals;
mod path_parameters;
mod patterns;
mod response_headers;
mod responses;
mod routes;
mod schemas;
mod secrets;
mod security;
mod shared_names;
mod traits;
mod types;

#[cfg(feature = "check")]
pub use base_path::of as base_path;

use crate::document::{Diagnostics, Document};
use crate::ir::{Api, HeaderSource};
use crate::structure;
use cursor::Cursor;
#[cfg(feature = "client")]
pub(crate) use lines::Lines;
use lowering::Lowering;
#[cfg(feature = "check")]
pub(crate) use media_names::codec;
pub use operations::DEFAULT_BODY_BYTES;
#[cfg(feature = "check")]
pub(crate) use patterns::counted;

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
    let api = api(&mut lowering, name);
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

/// The document's root: version, name, base path, and what the other passes make of the
/// rest.
fn api(lowering: &mut Lowering<'_>, name: &str) -> Option<Api> {
    let root = Cursor {
        node: &lowering.document.root,
        pointer: String::new(),
    };
    version(lowering, &root)?;
    lowering.take_structure(structure::check(lowering.document));
    if structure::is_too_deep(&lowering.diagnostics) {
        return None;
    }
    let info = root.get("info");
    let base_path = base_path::lower(lowering, &root);
    security::lower_schemes(lowering, &root);
    let mut operations = operations::lower(lowering, &root, &base_path);
    let routes = routes::lower(lowering, &mut operations);
    let not_found = not_found::lower(lowering, &root, &base_path, &operations);
    let mut taken = traits::taken(&operations);
    let trait_name = taken.take(names::type_name(name));
    let traits = traits::lower(lowering, &root, taken, &operations);
    lowering.finish_types();
    defaults::lower(lowering, &mut operations);
    pages::check(lowering, &operations);
    formats::report(lowering);
    let secrets = lowering.secrets();
    let text = |key: &str| info.as_ref().and_then(|info| info.text(key));
    Some(Api {
        file: lowering.document.source.name.clone(),
        name: names::snake_name(name),
        trait_name,
        title: text("title").unwrap_or_default(),
        version: text("version").unwrap_or_default(),
        description: text("description"),
        base_path,
        document: lowering.document.to_json().to_string(),
        operations,
        routes,
        not_found,
        request_ids: request_ids(lowering),
        schemas: std::mem::take(&mut lowering.schemas.all),
        secrets,
        definitions: std::mem::take(&mut lowering.types.definitions),
        responses: std::mem::take(&mut lowering.responses),
        schemes: std::mem::take(&mut lowering.schemes),
        traits,
        is_prototype: false,
    })
}

/// The response headers that carry the request's id (`x-dropforge-source: request-id`).
fn request_ids(lowering: &Lowering<'_>) -> Vec<String> {
    let mut names = Vec::new();
    for header in lowering
        .responses
        .iter()
        .flat_map(|response| &response.headers)
    {
        let name = header.name.to_ascii_lowercase();
        if header.source == HeaderSource::RequestId && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

fn version(lowering: &mut Lowering<'_>, root: &Cursor<'_>) -> Option<()> {
    let (message, help) = match root.node.get("openapi") {
        Some(node) => match node.as_str() {
            Some(text) if text.starts_with("3.0.") => return Some(()),
            Some(text) if text.trim() == "3.0" => (
                "`openapi` is the whole version, with three numbers".to_owned(),
                "write `openapi: 3.0.3`",
            ),
            Some(text) => (
                format!("OpenAPI {text} is not supported"),
                "write it in OpenAPI 3.0 or 3.1, for example `openapi: 3.0.3`",
            ),
            None => (
                format!("`openapi` must be a string, and is {}", node.type_name()),
                match node.as_f64() {
                    // YAML reads two numbers with a period as one.
                    Some(3.1) => "write all three numbers of the version: `openapi: 3.1.0`",
                    Some(3.0) => "write all three numbers of the version: `openapi: 3.0.3`",
                    _ => "write `openapi: 3.0.3` or `openapi: 3.1.0`",
                },
            ),
        },
        None if root.node.get("swagger").is_some() => (
            "this is a Swagger 2.0 document, and an OpenAPI 3 document is needed".to_owned(),
            "convert it to OpenAPI 3.0.3",
        ),
        None if root.node.get("asyncapi").is_some() => (
            "this is an AsyncAPI document, and an OpenAPI 3 document is needed".to_owned(),
            "describe its operations over HTTP in a document that starts with `openapi: 3.0.3`",
        ),
        None => (
            "the document has no `openapi`".to_owned(),
            "start with `openapi: 3.0.3`",
        ),
    };
    let keys = ["openapi", "swagger", "asyncapi"];
    let key = keys.into_iter().find(|key| root.node.get(key).is_some());
    let span = root.span_of(key.unwrap_or("openapi"));
    lowering.refuse("openapi-version", span, message, help);
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_trait_of_a_document_has_a_name_of_its_own() {
        let text = "openapi: 3.0.3\ninfo: {title: T, version: '1'}\npaths:\n  \
                    /a: {get: {operationId: get, responses: {'200': {description: D.}}}}\n";
        let document = Document::load("t.yaml", text).expect("a document");
        for (name, expected) in [
            ("pets", "Pets"),
            ("security", "Security2"),
            ("a", "A2"),
            ("get_response", "GetResponse2"),
        ] {
            let lowered = lower(&document, name).expect("an IR");
            assert_eq!(lowered.api.trait_name, expected);
        }
    }
}
