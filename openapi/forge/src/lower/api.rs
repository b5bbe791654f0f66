//! The document's root: version, name, base path, and what the other passes
//! make of the rest.

use super::cursor::Cursor;
use super::{Lowering, names, not_found, operations, routes, security, traits};
use crate::ir::Api;
use crate::structure;
use percent_encoding::percent_decode_str;

pub(super) fn lower(lowering: &mut Lowering<'_>, name: &str) -> Option<Api> {
    let root = Cursor {
        node: &lowering.document.root,
        pointer: String::new(),
    };
    if root.node.as_object().is_none() {
        lowering.refuse(
            "not-a-document",
            root.span(),
            format!(
                "an OpenAPI document is an object, this is {}",
                root.node.type_name()
            ),
            "start with `openapi: 3.0.3`",
        );
        return None;
    }
    version(lowering, &root)?;
    lowering.take_structure(structure::check(lowering.document));
    let info = root.get("info");
    let base_path = base_path(&root);
    security::lower_schemes(lowering, &root);
    let mut operations = operations::lower(lowering, &root, &base_path);
    let routes = routes::lower(lowering, &mut operations);
    let not_found = not_found::lower(lowering, &root, &base_path);
    let trait_name = names::type_name(name);
    let traits = traits::lower(lowering, &root, &trait_name, &operations);
    lowering.finish_types();
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
        schemas: std::mem::take(&mut lowering.schemas.all),
        definitions: std::mem::take(&mut lowering.types.definitions),
        responses: std::mem::take(&mut lowering.responses),
        schemes: std::mem::take(&mut lowering.schemes),
        traits,
        is_prototype: false,
    })
}

fn version(lowering: &mut Lowering<'_>, root: &Cursor<'_>) -> Option<()> {
    match root.get("openapi") {
        Some(cursor) => match cursor.node.as_str() {
            Some(text) if text.starts_with("3.0.") => Some(()),
            Some(text) => {
                lowering.refuse(
                    "openapi-version",
                    cursor.span(),
                    format!("OpenAPI {text} is not supported"),
                    "write the document in OpenAPI 3.0.3",
                );
                None
            }
            None => {
                lowering.refuse(
                    "openapi-version",
                    cursor.span(),
                    "`openapi` is not a string",
                    "write `openapi: 3.0.3`",
                );
                None
            }
        },
        None => {
            let (message, help) = match root.get("swagger") {
                Some(_) => (
                    "this is a Swagger 2.0 document",
                    "convert it to OpenAPI 3.0.3",
                ),
                None => (
                    "the document has no `openapi`",
                    "start with `openapi: 3.0.3`",
                ),
            };
            lowering.refuse("openapi-version", root.span(), message, help);
            None
        }
    }
}

/// Path part of the first server's URL. A variable in front stands for scheme,
/// host and port; one further behind is replaced by its default.
fn base_path(root: &Cursor<'_>) -> String {
    let Some(server) = root
        .get("servers")
        .and_then(|servers| servers.elements().into_iter().next())
    else {
        return String::new();
    };
    let Some(mut url) = server.text("url") else {
        return String::new();
    };
    if let Some(variables) = server.get("variables") {
        for (name, variable) in variables.members() {
            if let Some(default) = variable.text("default") {
                url = url.replace(&format!("{{{name}}}"), &default);
            }
        }
    }
    let path = match url.split_once("://") {
        Some((_, rest)) => rest.find('/').map_or("", |start| &rest[start..]),
        None if url.starts_with('/') => url.as_str(),
        None => "",
    };
    let path = path
        .split(['?', '#'])
        .next()
        .unwrap_or_default()
        .trim_end_matches('/');
    percent_decode_str(path).decode_utf8_lossy().into_owned()
}
