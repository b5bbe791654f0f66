//! Operations: one for each method of each path, with the results of the other passes.

use super::cursor::Cursor;
use super::lowering::Lowering;
use super::names::{Scope, snake_name, table_name, type_name};
use super::routes::{self, Path};
use super::{bodies, pages, parameters, responses, security};
use crate::document::METHODS;
use crate::ir::{Operation, OperationNames};
use std::collections::HashSet;

/// Largest request body where the document says nothing.
pub const DEFAULT_BODY_BYTES: u64 = 1024 * 1024;

pub(super) fn lower<'d>(
    lowering: &mut Lowering<'d>,
    root: &Cursor<'d>,
    base_path: &str,
) -> Vec<Operation> {
    components_first(lowering, root);
    let Some(paths) = root.get("paths") else {
        return Vec::new();
    };
    let mut stems = Scope::default();
    let mut tables = Scope::default();
    tables.take("REQUEST_IDS".to_string());
    // The traits of the operations and of the schemes share a namespace.
    let mut methods = Scope::default();
    methods.take("reject".to_string());
    for scheme in &lowering.schemes {
        methods.take(scheme.method.clone());
    }
    let mut operations = Vec::new();
    for (path, item) in paths.members() {
        if path.starts_with("x-") {
            continue;
        }
        let span = lowering.key_span(&item);
        if !path.starts_with('/') {
            lowering.refuse(
                "path-template",
                span,
                format!("the path `{path}` does not begin with a slash"),
                "begin it with `/`",
            );
            continue;
        }
        if path.len() > 1 && path.ends_with('/') {
            lowering.warn(
                "trailing-slash",
                span,
                format!(
                    "the server does not distinguish `{path}` from the path without the last slash"
                ),
                "remove the last slash",
            );
        }
        let full = format!("{base_path}{path}");
        let segments = routes::segments(lowering, &full, span);
        let Some(item) = lowering.resolve(&item) else {
            continue;
        };
        let place = Path {
            template: path,
            segments: &segments,
            span,
        };
        for method in METHODS {
            let Some(cursor) = item.get(method) else {
                continue;
            };
            let id = cursor
                .text("operationId")
                .unwrap_or_else(|| generated_id(method, path));
            let stem = stems.take(type_name(&id));
            let parameters = parameters::lower(lowering, &item, &cursor, &place, &stem);
            let body = bodies::lower(lowering, &cursor, &stem);
            let responses = responses::lower(lowering, &cursor, &stem);
            let method_not_allowed = responses::method_not_allowed(lowering, root, &item, &stem);
            let security = security::lower(lowering, &cursor);
            let pages = pages::lower(lowering, &cursor, &parameters, &responses);
            operations.push(Operation {
                names: OperationNames {
                    method: methods.take(snake_name(&stem)),
                    table: tables.take(table_name(&stem)),
                    stem,
                },
                id,
                method: method.to_ascii_uppercase(),
                path: full.clone(),
                template: path.to_owned(),
                segments: segments.clone(),
                route: String::new(),
                origin: crate::ir::Origin {
                    // The place of its name, after which the code is named.
                    place: lowering.place(&cursor.get("operationId").unwrap_or(cursor.clone())),
                    ..lowering.origin(&cursor)
                },
                tag: first_tag(&cursor),
                summary: cursor.text("summary"),
                description: cursor.text("description"),
                parameters,
                body,
                responses,
                method_not_allowed,
                security,
                pages,
                max_body_bytes: max_body_bytes(lowering, &cursor)
                    .or_else(|| max_body_bytes(lowering, root))
                    .unwrap_or(DEFAULT_BODY_BYTES),
            });
        }
    }
    operations
}

/// Components keep their own names, even if an inline schema would have the same.
fn components_first<'d>(lowering: &mut Lowering<'d>, root: &Cursor<'d>) {
    let schemas = root
        .get("components")
        .and_then(|components| components.get("schemas"));
    let (mut ids, mut known) = (Vec::new(), HashSet::new());
    for (_, schema) in schemas.map_or_else(Vec::new, |schemas| schemas.members()) {
        // A component that only refers to another one is equal to it.
        if let Some(id) = lowering.schema(&schema)
            && lowering.schemas.get(id).component.is_some()
            && known.insert(id)
        {
            ids.push(id);
        }
    }
    lowering.reserve_component_types(&ids);
}

/// The maximum size of a request body, of an operation or of all operations of a document without
/// their own.
fn max_body_bytes(lowering: &mut Lowering<'_>, holder: &Cursor<'_>) -> Option<u64> {
    let limit = holder.get("x-dropforge-max-body-bytes")?;
    let bytes = limit.node.as_u64()?;
    if bytes == 0 {
        lowering.refuse(
            "max-body-bytes",
            limit.span(),
            "a limit of 0 bytes rejects every body",
            "write the largest number of bytes, or remove the key",
        );
    }
    Some(bytes)
}

fn first_tag(operation: &Cursor<'_>) -> Option<String> {
    let tags = operation.get("tags")?.elements();
    tags.first()?.node.as_str().map(str::to_string)
}

/// A name for an operation without an `operationId`: `get_users_id`.
fn generated_id(method: &str, path: &str) -> String {
    let words: Vec<&str> = path
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    snake_name(&format!("{method} {}", words.join(" ")))
}
