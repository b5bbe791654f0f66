//! What the editor shows while somebody types.

use serde_json::{Value, json};

use super::editor::{Editor, edited, file, position, replaced, root, uri};

/// The text after the only quick fix at a finding.
fn mended(editor: &mut Editor, path: &std::path::Path, text: &str, finding: &Value) -> String {
    let actions = editor.request(
        "textDocument/codeAction",
        json!({
            "textDocument": {"uri": uri(path)},
            "range": finding["range"],
            "context": {"diagnostics": [finding]},
        }),
    );
    let actions = actions.as_array().expect("actions");
    assert_eq!(actions.len(), 1, "{actions:?}");
    assert_eq!(actions[0]["kind"], "quickfix");
    let edits = &actions[0]["edit"]["changes"][uri(path)];
    edited(text, &edits[0])
}

#[test]
fn a_misspelled_key_is_reported_as_one_types_and_its_quick_fix_mends_it() {
    let mut editor = Editor::start();
    let (path, text) = file("openapi/accounts.yaml");
    editor.open(&path, &text);
    editor.findings(&path, |found| found.is_empty());
    let wrong = replaced(&text, "operationId: createUser", "operatonId: createUser");
    editor.change(&path, &wrong);
    let finding = editor.finding(&path, "unknown-key");
    let (line, column) = position(&wrong, "operatonId", 0);
    assert_eq!(
        finding["range"]["start"],
        json!({"line": line, "character": column})
    );
    assert_eq!(
        finding["range"]["end"],
        json!({"line": line, "character": column + 10})
    );
    assert_eq!(finding["severity"], 1);
    let message = finding["message"].as_str().expect("a message");
    assert!(
        message.ends_with("did you mean `operationId`?"),
        "{message}"
    );
    let right = mended(&mut editor, &path, &wrong, &finding);
    assert_eq!(right, text);
    editor.change(&path, &right);
    editor.findings(&path, |found| found.is_empty());
    assert_eq!(editor.shut_down(), Some(0));
}

#[test]
fn a_quick_fix_keeps_the_quotes_of_a_reference() {
    let mut editor = Editor::start();
    let (path, text) = file("openapi/accounts.yaml");
    let right = "\"common.yaml#/components/headers/RequestId\"";
    let wrong = replaced(
        &text,
        right,
        "\"common.yaml#/components/headers/RequestIt\"",
    );
    editor.open(&path, &wrong);
    let finding = editor.finding(&path, "unresolved-reference");
    assert_eq!(mended(&mut editor, &path, &wrong, &finding), text);
}

#[test]
fn media_types_scopes_schemes_and_server_variables_have_quick_fixes() {
    let mut editor = Editor::start();
    let (path, text) = file("openapi/accounts.yaml");
    editor.open(&path, &text);
    for (code, right, wrong) in [
        (
            "media-type",
            "\n          application/json:",
            "\n          aplication/json:",
        ),
        ("undeclared-scope", "[accounts.write]", "[accounts.wrte]"),
        (
            "unknown-security-scheme",
            "[{accessToken: []}]",
            "[{accesToken: []}]",
        ),
        ("server-variable", "      base_url:", "      base_ur:"),
    ] {
        let wrong = replaced(&text, right, wrong);
        editor.change(&path, &wrong);
        let finding = editor.finding(&path, code);
        assert_eq!(mended(&mut editor, &path, &wrong, &finding), text, "{code}");
        editor.change(&path, &text);
        editor.findings(&path, |found| found.is_empty());
    }
}

#[test]
fn a_rule_of_the_lint_is_reported_with_its_code() {
    let mut editor = Editor::start();
    let (path, text) = file("openapi/accounts.yaml");
    editor.open(
        &path,
        &replaced(&text, "operationId: createUser", "operationId: create_user"),
    );
    let finding = editor.finding(&path, "operation-id-case");
    assert_eq!(finding["source"], "accord");
}

#[test]
fn text_that_is_not_yaml_is_reported_at_its_place() {
    let mut editor = Editor::start();
    let (path, text) = file("openapi/identity.yaml");
    let wrong = replaced(&text, "info:\n", "info:\n  title: \"open\n");
    editor.open(&path, &wrong);
    let finding = editor.finding(&path, "yaml-syntax");
    assert!(finding["range"]["start"]["line"].as_u64() > Some(0));
}

#[test]
fn columns_count_utf16_units() {
    let mut editor = Editor::start();
    let path = root().join("target/lsp-columns.yaml");
    let text = "openapi: 3.0.3\ninfo: {title: \"\u{1f600}é\", versoin: '1'}\npaths: {}\n";
    editor.open(&path, text);
    let finding = editor.finding(&path, "unknown-key");
    // An emoji is two units, and four bytes.
    assert_eq!(
        finding["range"]["start"],
        json!({"line": 1, "character": 21})
    );
    assert_eq!(finding["range"]["end"], json!({"line": 1, "character": 28}));
}

#[test]
fn a_file_that_the_editor_names_by_a_link_is_one_of_the_contract() {
    let folder = tempfile::tempdir().expect("a folder");
    let link = folder.path().join("link");
    std::os::unix::fs::symlink(root(), &link).expect("a link");
    let mut editor = Editor::start();
    let path = link.join("openapi/common.yaml");
    let (_, text) = file("openapi/common.yaml");
    let wrong = replaced(&text, "bearerFormat: JWT", "bearerFormt: JWT");
    editor.open(&path, &wrong);
    // Documents of the contract find it. The shared file alone is not checked.
    editor.finding(&path, "unknown-key");
}

#[test]
fn a_finding_in_a_shared_file_is_reported_there() {
    let mut editor = Editor::start();
    let (path, text) = file("openapi/common.yaml");
    editor.open(
        &path,
        &replaced(&text, "bearerFormat: JWT", "bearerFormt: JWT"),
    );
    let finding = editor.finding(&path, "unknown-key");
    let (line, _) = position(&text, "bearerFormat", 0);
    assert_eq!(finding["range"]["start"]["line"], line);
    // The documents that share the file are fine again with it.
    editor.change(&path, &text);
    editor.findings(&path, |found| found.is_empty());
}
