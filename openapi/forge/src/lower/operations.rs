//! Operations: one for each method of each path, with the results of the other passes.

use super::cursor::Cursor;
use super::lowering::Lowering;
use super::names::{Scope, snake_name, table_name, type_name};
use super::routes::{self, Path};
use super::{bodies, pages, parameters, path_literals, responses, security};
use crate::document::{METHODS, Span};
use crate::ir::{Operation, OperationNames, Origin};
use std::collections::HashSet;

/// The maximum size in bytes of a request body, unless the document has another.
pub const DEFAULT_BODY_BYTES: u64 = 1024 * 1024;

/// The names of the operations so far, which later operations cannot have.
#[derive(Default)]
struct Names {
    ids: Scope,
    stems: Scope,
    tables: Scope,
    methods: Scope,
}

impl Names {
    /// Reserves the names that generated code has for other purposes.
    fn new(lowering: &Lowering<'_>, paths: &Cursor<'_>) -> Names {
        let mut names = Names::default();
        for (_, item) in paths.members() {
            let operations = METHODS.iter().filter_map(|method| item.get(method));
            for id in operations.filter_map(|operation| operation.text("operationId")) {
                names.ids.take(id);
            }
        }
        names.tables.take("REQUEST_IDS".to_string());
        // The traits of the operations and of the schemes share a namespace.
        names.methods.take("reject".to_string());
        for scheme in &lowering.schemes {
            names.methods.take(scheme.method.clone());
        }
        names
    }

    fn of(&mut self, stem: String) -> OperationNames {
        OperationNames {
            method: self.methods.take(snake_name(&stem)),
            table: self.tables.take(table_name(&stem)),
            response: format!("{stem}Response"),
            error: format!("{stem}Error"),
            caller: format!("{stem}Caller"),
            stem,
        }
    }
}

/// Lowers all operations, in the order of the document. Their paths begin with `base_path`.
pub(super) fn lower<'d>(
    lowering: &mut Lowering<'d>,
    root: &Cursor<'d>,
    base_path: &str,
) -> Vec<Operation> {
    components_first(lowering, root);
    let Some(paths) = root.get("paths") else {
        return Vec::new();
    };
    let mut names = Names::new(lowering, &paths);
    let mut operations = Vec::new();
    for (template, item) in paths.members() {
        if template.starts_with("x-") {
            continue;
        }
        let span = lowering.key_span(&item);
        if !check_slashes(lowering, template, span) {
            continue;
        }
        path_literals::check(lowering, template, span);
        let full = format!("{base_path}{template}");
        let segments = routes::segments(lowering, &full, span);
        let Some(item) = lowering.resolve(&item) else {
            continue;
        };
        let path = Path {
            template,
            full: &full,
            segments: &segments,
            span,
        };
        for method in METHODS {
            operations.extend(operation(lowering, &mut names, root, &item, &path, method));
        }
    }
    operations
}

/// Reports a path that does not begin with a slash, and warns of one that ends with a slash. Returns
/// whether it begins with one.
fn check_slashes(lowering: &mut Lowering<'_>, path: &str, span: Span) -> bool {
    if !path.starts_with('/') {
        lowering.refuse(
            "path-template",
            span,
            format!("the path `{path}` does not begin with a slash"),
            "begin it with `/`",
        );
        return false;
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
    true
}

/// Lowers the operation of one method of a Path Item Object, if it has it.
fn operation<'d>(
    lowering: &mut Lowering<'d>,
    names: &mut Names,
    root: &Cursor<'d>,
    item: &Cursor<'d>,
    path: &Path<'_>,
    method: &str,
) -> Option<Operation> {
    let cursor = item.get(method)?;
    let id = cursor
        .text("operationId")
        .unwrap_or_else(|| names.ids.take(generated_id(method, path.template)));
    let stem = names.stems.take(type_name(&id));
    let parameters = parameters::lower(lowering, item, &cursor, path, &stem);
    let body = bodies::lower(lowering, &cursor, &stem);
    let responses = responses::lower(lowering, &cursor, &stem);
    let method_not_allowed = responses::method_not_allowed(lowering, root, item, &stem);
    let security = security::lower(lowering, &cursor);
    let pages = pages::lower(lowering, &cursor, &parameters, &responses);
    Some(Operation {
        names: names.of(stem),
        id,
        method: method.to_ascii_uppercase(),
        path: path.full.to_owned(),
        template: path.template.to_owned(),
        segments: path.segments.to_vec(),
        // The pass of the routes sets it.
        route: String::new(),
        origin: Origin {
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
    })
}

/// Lowers the components first, so that they keep their names before inline schemas get any.
fn components_first<'d>(lowering: &mut Lowering<'d>, root: &Cursor<'d>) {
    let components = root.get("components");
    let schemas = components.iter().flat_map(|all| all.members_of("schemas"));
    let (mut ids, mut known) = (Vec::new(), HashSet::new());
    for (_, schema) in schemas {
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

/// The maximum size of a request body that an operation or the document sets.
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
    let tags = operation.elements_of("tags");
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

#[cfg(test)]
mod tests {
    use crate::document::Document;
    use crate::lower::lower;

    #[test]
    fn operations_without_a_name_have_different_ones() {
        let text = "openapi: 3.0.3\ninfo: {title: T, version: '1'}\npaths:\n  \
                    /a/b: {get: {responses: {'200': {description: D.}}}}\n  \
                    /a-b: {get: {responses: {'200': {description: D.}}}}\n  \
                    /c: {get: {operationId: get_a_b, responses: {'200': {description: D.}}}}\n";
        let document = Document::load("t.yaml", text).expect("a document");
        let lowered = lower(&document, "t").expect("an IR");
        let operations = lowered.api.operations.into_iter();
        let ids: Vec<String> = operations.map(|operation| operation.id).collect();
        assert_eq!(ids, ["get_a_b2", "get_a_b3", "get_a_b"]);
    }
}
