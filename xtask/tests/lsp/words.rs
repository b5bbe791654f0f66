//! Completion and hover.

use serde_json::Value;

use super::editor::{Editor, edited, file, position, replaced, root};

/// Completes the word before `|` in place of a piece of a document. Returns the items and the text.
fn complete(name: &str, piece: &str, by: &str) -> (Vec<Value>, String) {
    let mut editor = Editor::start();
    let (path, text) = file(name);
    editor.open(&path, &text);
    editor.findings(&path, |_| true);
    // The document is valid at first: completion needs its last valid state.
    editor.ask("hover", &path, (0, 0));
    let marked = replaced(&text, piece, by);
    let at = position(&marked, by, by.find('|').expect("a mark"));
    let text = replaced(&marked, by, &by.replace('|', ""));
    editor.change(&path, &text);
    // On a busy machine, the valid state may still be on its way.
    let has_items = |items: &Value| items.as_array().is_some_and(|items| !items.is_empty());
    let items = editor.ask_until("completion", &path, at, has_items);
    (items.as_array().cloned().expect("items"), text)
}

fn labels(items: &[Value]) -> Vec<&str> {
    items
        .iter()
        .filter_map(|item| item["label"].as_str())
        .collect()
}

#[test]
fn keys_are_completed_with_their_documentation_while_the_yaml_is_broken() {
    let by = "operationId: createUser\n      depr|\n";
    let (items, text) = complete("openapi/accounts.yaml", "operationId: createUser\n", by);
    let labels = labels(&items);
    assert!(
        labels.contains(&"externalDocs") && !labels.contains(&"summary"),
        "{labels:?}"
    );
    let item = items.iter().find(|item| item["label"] == "deprecated");
    let item = item.expect("the key");
    let documentation = item["documentation"]["value"].as_str().expect("a text");
    assert!(
        documentation.contains("Operation Object"),
        "{documentation}"
    );
    let completed = edited(&text, &item["textEdit"]);
    assert!(completed.contains("\n      deprecated: \n"));
}

#[test]
fn keys_are_completed_in_a_file_of_which_nothing_was_requested_before() {
    let mut editor = Editor::start();
    let path = root().join("target/lsp-typed.yaml");
    let text = "openapi: 3.0.3\ninfo: {title: T, version: '1'}\npaths:\n  /a:\n    get:\n      operationId: getA\n      \
                responses: {'204': {description: Done}}\n";
    editor.open(&path, text);
    // The document has been loaded then.
    editor.findings(&path, |_| true);
    let typed = replaced(text, "getA\n", "getA\n      depr\n");
    editor.change(&path, &typed);
    let items = editor.ask("completion", &path, position(&typed, "depr", 4));
    let items = items.as_array().expect("items");
    assert!(labels(items).contains(&"deprecated"), "{items:?}");
}

#[test]
fn references_are_completed_with_those_of_shared_files() {
    let piece = "operationId: createUser\n";
    let by = "operationId: createUser\n      parameters:\n        - {$ref: |}\n";
    let (items, text) = complete("openapi/accounts.yaml", piece, by);
    let shared = items
        .iter()
        .find(|item| item["label"] == "common.yaml#/components/parameters/RequestId");
    let completed = edited(&text, &shared.expect("a shared parameter")["textEdit"]);
    assert!(completed.contains("{$ref: \"common.yaml#/components/parameters/RequestId\"}"));
    assert!(
        labels(&items)
            .iter()
            .all(|label| label.contains("/components/parameters/"))
    );
}

#[test]
fn scopes_and_media_types_are_completed() {
    let (path, text) = file("openapi/accounts.yaml");
    let scopes = text
        .lines()
        .find(|line| line.contains("x-required-scopes: ["));
    let scopes = scopes.unwrap_or_else(|| panic!("no scopes in {}", path.display()));
    let (items, _) = complete(
        "openapi/accounts.yaml",
        scopes,
        "      x-required-scopes: [acc|]",
    );
    assert!(
        labels(&items).contains(&"accounts.write"),
        "{:?}",
        labels(&items)
    );
    let piece = "content:\n          application/json:\n";
    let by = "content:\n          app|\n          application/json:\n";
    let (items, _) = complete("openapi/accounts.yaml", piece, by);
    assert!(
        labels(&items).contains(&"application/json"),
        "{:?}",
        labels(&items)
    );
}

#[test]
fn hover_shows_the_signature_of_an_operation_and_the_type_of_a_schema() {
    let mut editor = Editor::start();
    let (path, text) = file("openapi/accounts.yaml");
    editor.open(&path, &text);
    let shows = |piece: &'static str| {
        move |hover: &Value| {
            let text = hover["contents"]["value"].as_str();
            text.is_some_and(|text| text.contains(piece))
        }
    };
    let at = position(&text, "operationId: createUser", 15);
    editor.ask_until("hover", &path, at, shows("fn create_user("));
    let at = position(&text, "$ref: \"#/components/schemas/", 10);
    let hover = editor.ask_until("hover", &path, at, shows("pub struct "));
    assert!(shows("```yaml\n")(&hover), "{hover:#}");
}
