//! The protocol itself: its phases, its errors, and texts that nobody would write.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::editor::{Editor, file, root, uri};

#[test]
fn unknown_methods_and_invalid_params_have_the_errors_of_the_protocol() {
    let mut editor = Editor::start();
    let code = |result: Result<Value, lsp_server::ResponseError>| result.map_err(|e| e.code);
    let unknown = editor.try_request("textDocument/rename", json!({}));
    assert_eq!(code(unknown), Err(-32601));
    let invalid = editor.try_request("textDocument/hover", json!({"position": 1}));
    assert_eq!(code(invalid), Err(-32602));
    let command = json!({"command": "accord.nothing"});
    assert_eq!(
        code(editor.try_request("workspace/executeCommand", command)),
        Err(-32602)
    );
    editor.notify("$/unknown", json!({}));
    editor.notify("textDocument/didOpen", json!({"nothing": true}));
    let elsewhere =
        json!({"textDocument": {"uri": "untitled:1"}, "position": {"line": 9, "character": 9}});
    assert_eq!(editor.request("textDocument/hover", elsewhere), Value::Null);
    editor.request("shutdown", Value::Null);
    assert_eq!(
        code(editor.try_request("textDocument/hover", json!({}))),
        Err(-32600)
    );
    editor.notify("exit", Value::Null);
    assert_eq!(editor.exit_code(), Some(0));
}

#[test]
fn requests_before_the_first_one_are_refused_and_a_lost_editor_ends_the_server() {
    let mut editor = Editor::spawn(&[]);
    let early = editor.try_request("textDocument/hover", json!({}));
    assert_eq!(early.map_err(|error| error.code), Err(-32002));
    editor.notify("exit", Value::Null);
    assert_eq!(editor.exit_code(), Some(1));
    let mut editor = Editor::start();
    editor.send_bytes(b"Content-Length: 2\r\n\r\n{]");
    assert_ne!(editor.exit_code(), Some(0));
}

#[test]
fn nothing_is_shown_of_a_closed_file_that_does_not_exist() {
    let mut editor = Editor::start();
    let path = root().join("target/lsp-deleted.yaml");
    editor.open(&path, "openapi: 3.0.3\ninfo: 1\n");
    editor.finding(&path, "wrong-type");
    editor.notes.clear();
    editor.close(&path);
    editor.findings(&path, |found| found.is_empty());
}

#[test]
fn a_hover_in_a_document_of_many_operations_reads_one_of_them() {
    let mut editor = Editor::start();
    let path = root().join("target/lsp-large.yaml");
    let mut text = "openapi: 3.0.3\ninfo: {title: T, version: '1'}\npaths:\n".to_owned();
    for number in 0..1500 {
        text += &format!("  /a{number}:\n    get:\n      operationId: getA{number}\n");
        text += "      responses: {'204': {description: Done}}\n";
    }
    editor.open(&path, &text);
    // The server has read the document then.
    let params = json!({"textDocument": {"uri": uri(&path)}});
    editor.request("textDocument/documentSymbol", params);
    let mut fastest = Duration::MAX;
    // A busy machine may be slow now and then.
    for _ in 0..10 {
        let began = Instant::now();
        let hover = editor.ask("hover", &path, (5, 12));
        let shown = hover["contents"]["value"].as_str().unwrap_or_default();
        assert!(shown.contains("**getA0** GET /a0"), "{shown}");
        fastest = fastest.min(began.elapsed());
        if fastest < Duration::from_secs(10) {
            return;
        }
    }
    panic!("the fastest hover took {fastest:?}");
}

#[test]
fn no_text_ends_the_server() {
    let mut editor = Editor::start();
    let path = root().join("target/lsp-strange.yaml");
    let (_, whole) = file("openapi/patterns.yaml");
    let half = &whole[..whole.len() / 2];
    let deep = format!("openapi: 3.0.3\na: {}", "[".repeat(5000));
    let texts = [
        "",
        "\u{feff}openapi: 3.0.3",
        "openapi: 3.0.3\r\ninfo: &a {x: *a}\r\n",
        "openapi:\n  - \u{0}\u{1f600}\n\t- {[",
        "openapi: 3.0.3\npaths: {/a: {get: {responses: 1, operationId: [], parameters: {}}}}\n",
        "openapi: 3.0.3\ninfo: {title: é, version: '1'}\ncomponents: {schemas: {A: {$ref: '#/components/schemas/A'}}}\npaths: {}",
        "{\"openapi\": \"3.1.0\"}",
        half,
        &deep,
    ];
    editor.open(&path, "openapi: 3.0.3\n");
    let uri = uri(&path);
    for text in texts {
        editor.change(&path, text);
        for at in [(0, 0), (1, 3), (1, 9), (99, 0)] {
            for method in ["hover", "completion", "definition", "references"] {
                editor.ask(method, &path, at);
            }
        }
        for method in ["documentSymbol", "codeLens"] {
            let params = json!({"textDocument": {"uri": uri}});
            editor.request(&format!("textDocument/{method}"), params);
        }
    }
    editor.change(&path, "openapi: 3.0.3\ninfo: 1\n");
    let finding = editor.finding(&path, "wrong-type");
    assert_eq!(finding["range"]["start"]["line"], 1);
    assert_eq!(editor.shut_down(), Some(0));
}
