//! The outline, definitions, references and lenses.

use serde_json::{Value, json};

use super::editor::{Editor, file, position, uri};

/// The file and the line of each place.
fn places(found: &Value) -> Vec<(String, usize)> {
    let found = found.as_array().expect("places").iter();
    found
        .map(|place| {
            let line = place["range"]["start"]["line"].as_u64().expect("a line");
            let uri = place["uri"].as_str().expect("an address");
            (uri.to_owned(), line as usize)
        })
        .collect()
}

fn opened(name: &str) -> (Editor, std::path::PathBuf, String) {
    let mut editor = Editor::start();
    let (path, text) = file(name);
    editor.open(&path, &text);
    (editor, path, text)
}

#[test]
fn the_outline_has_operations_and_components() {
    let (mut editor, path, _) = opened("openapi/accounts.yaml");
    let params = json!({"textDocument": {"uri": uri(&path)}});
    let outline = editor.request("textDocument/documentSymbol", params);
    let outline = outline.as_array().expect("symbols");
    let child = |of: &str, name: &str| {
        let mut outer = outline.iter().filter(|symbol| symbol["name"] == of);
        let outer = outer.next().unwrap_or_else(|| panic!("no {of}"));
        let children = outer["children"].as_array().expect("children");
        children.iter().any(|symbol| symbol["name"] == name)
    };
    assert!(child("/user", "createUser"));
    assert!(child("schemas", "CreateUserRequest"));
}

#[test]
fn a_reference_leads_to_its_component_and_back() {
    let (mut editor, path, text) = opened("openapi/accounts.yaml");
    let at = position(&text, "\"common.yaml#/components/headers/RequestId\"", 5);
    let found = places(&editor.ask("definition", &path, at));
    let (common, shared) = file("openapi/common.yaml");
    let (line, column) = position(&shared, "  headers:\n    RequestId:", 17);
    assert_eq!(found, [(uri(&common), line)]);
    editor.open(&common, &shared);
    let back = places(&editor.ask("references", &common, (line, column)));
    assert!(back.contains(&(uri(&path), at.0)), "{back:?}");
}

#[test]
fn an_operation_leads_to_its_handler_and_callers_and_they_lead_back() {
    let (mut editor, path, text) = opened("openapi/accounts.yaml");
    let at = position(&text, "operationId: createUser", 15);
    let is_there = |found: &Value| found.as_array().is_some_and(|all| !all.is_empty());
    let found = places(&editor.ask_until("definition", &path, at, is_there));
    let (handler, code) = file("server/src/api/accounts/mod.rs");
    let (line, column) = position(&code, "fn create_user(", 5);
    assert_eq!(found, [(uri(&handler), line)]);
    let back = places(&editor.ask("definition", &handler, (line, column)));
    assert_eq!(back, [(uri(&path), at.0)]);
    let used = places(&editor.ask("references", &path, at));
    let (caller, code) = file("client/src/bin/accord/commands/users.rs");
    let (line, column) = position(&code, ".create_user()", 3);
    assert!(used.contains(&(uri(&caller), line)), "{used:?}");
    let back = places(&editor.ask("definition", &caller, (line, column)));
    assert_eq!(back, [(uri(&path), at.0)]);
}

#[test]
fn each_operation_has_lenses_of_its_handler_callers_and_tests() {
    let (mut editor, path, text) = opened("openapi/patterns.yaml");
    let at = position(&text, "operationId: listPatterns", 15);
    let is_there = |found: &Value| found.as_array().is_some_and(|all| !all.is_empty());
    editor.ask_until("definition", &path, at, is_there);
    let params = json!({"textDocument": {"uri": uri(&path)}});
    let lenses = editor.request("textDocument/codeLens", params);
    let lenses = lenses.as_array().expect("lenses");
    let lens = |words: &str| {
        let mut lenses = lenses.iter();
        let lens = lenses.find(|lens| {
            let title = lens["command"]["title"].as_str();
            title.is_some_and(|title| title.starts_with(words))
        });
        lens.unwrap_or_else(|| panic!("no {words} in {lenses:#?}"))
    };
    let caller = lens("caller: client/src/bin/accord/commands/patterns.rs:");
    lens("handler: server/src/api/patterns/mod.rs:");
    let command = json!({
        "command": caller["command"]["command"],
        "arguments": caller["command"]["arguments"],
    });
    editor.request("workspace/executeCommand", command);
    let (caller, _) = file("client/src/bin/accord/commands/patterns.rs");
    let shown = editor
        .asked
        .iter()
        .find(|asked| asked.method == "window/showDocument");
    assert_eq!(shown.expect("a request").params["uri"], uri(&caller));
}
