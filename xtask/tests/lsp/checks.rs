//! The check of both sides after a save. A script takes the place of cargo: the code of this
//! repository compiles, and a compiler would take minutes.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use dropforge::document::Document;
use serde_json::{Value, json};

use super::editor::{Editor, file, position, uri};

/// The script: it writes its number and waits, until there are messages to write.
const SCRIPT: &str = "#!/bin/sh
cd \"$(dirname \"$0\")\"
if [ -e messages ]; then cat messages; exit 101; fi
sleep 600 &
echo $! > waiting.new && mv waiting.new waiting
wait
";

/// A folder with the script.
pub(super) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("lsp")
        .join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    let script = folder.join("cargo");
    fs::write(&script, SCRIPT).expect("a script");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).expect("a program");
    folder
}

/// Waits until something is true.
fn until(what: &str, is_true: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !is_true() {
        assert!(Instant::now() < deadline, "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Writes what cargo reports if a handler and a caller use a parameter of another name.
pub(super) fn write_messages(folder: &Path) {
    let (path, _) = file("openapi/patterns.yaml");
    // Places in generated code begin at the top of the repository.
    let (_, text) = file("openapi/patterns.yaml");
    let neighbor = |name: &str| {
        let text = fs::read_to_string(path.with_file_name(name));
        text.map_err(|error| error.to_string())
    };
    let document = Document::load_with("openapi/patterns.yaml", &text, neighbor);
    let document = document.expect("a document");
    let server = dropforge::generate_server(&document, "patterns").expect("a server");
    fs::write(folder.join("server.rs"), dropforge::pretty(server.tokens)).expect("a file");
    let client = dropforge::emit::client::generate(&document).expect("a client");
    fs::write(folder.join("client.rs"), dropforge::pretty(client.tokens)).expect("a file");
    let built = |side: &str| {
        json!({
            "reason": "build-script-executed",
            "package_id": format!("path+file:///r/openapi/patterns/{side}#accord-patterns-{side}@0.1.0"),
            "out_dir": folder,
        })
    };
    let message = |text: &str, code: &str, name: &str, piece: &str| {
        let (_, source) = file(name);
        let (line, column) = position(&source, piece, 0);
        json!({
            "reason": "compiler-message",
            "message": {
                "message": text,
                "level": "error",
                "code": {"code": code},
                "spans": [{
                    "file_name": name,
                    "is_primary": true,
                    "line_start": line + 1,
                    "line_end": line + 1,
                    "column_start": column + 1,
                    "column_end": column + 1 + piece.len(),
                    "label": "no such name",
                    "text": [{"text": piece}],
                }],
                "children": [],
            },
        })
    };
    let messages = [
        built("server"),
        built("client"),
        message(
            "struct `accord::patterns::server::parameters::ListPatterns` does not have a field named `integration_instance`",
            "E0026",
            "server/src/api/patterns/mod.rs",
            "integration_instance",
        ),
        message(
            "no method named `list_patterns` found for struct `Client` in the current scope",
            "E0599",
            "client/src/bin/accord/commands/patterns.rs",
            "list_patterns",
        ),
    ];
    let lines = messages.map(|message| message.to_string()).join("\n");
    fs::write(folder.join("messages.new"), lines + "\n").expect("a file");
    fs::rename(folder.join("messages.new"), folder.join("messages")).expect("a file");
}

#[test]
fn a_newer_save_ends_an_older_check_and_errors_are_at_the_lines_of_the_document() {
    let folder = folder("replaced");
    let mut editor = Editor::start_with(&[("CARGO", &folder.join("cargo"))]);
    let (path, text) = file("openapi/patterns.yaml");
    editor.open(&path, &text);
    editor.save(&path);
    let waiting = folder.join("waiting");
    until("the first check begins", || waiting.exists());
    let number = fs::read_to_string(&waiting).expect("a number");
    let process = Path::new("/proc").join(number.trim());
    // The server still responds while the check runs.
    editor.ask("hover", &path, (0, 0));
    write_messages(&folder);
    editor.save(&path);
    let ends = |token: &'static str| {
        move |params: &Value| params["token"] == token && params["value"]["kind"] == "end"
    };
    let first = editor.wait("$/progress", ends("accord/check/1"));
    assert_eq!(first["value"]["message"], "replaced by a newer check");
    let is_gone = || {
        let status = fs::read_to_string(process.join("status")).unwrap_or_default();
        status.is_empty() || status.contains("State:\tZ")
    };
    until("the processes of the first check end", is_gone);
    let second = editor.wait("$/progress", ends("accord/check/2"));
    assert_eq!(second["value"]["message"], "2 errors");
    let compiled =
        |found: &[Value]| found.iter().filter(|one| one["source"] == "rustc").count() == 2;
    let found = editor.findings(&path, compiled);
    for (code, source, words) in [
        (
            "E0026",
            "server/src/api/patterns/mod.rs",
            "    IntegrationInstance:",
        ),
        (
            "E0599",
            "client/src/bin/accord/commands/patterns.rs",
            "      operationId: listPatterns",
        ),
    ] {
        let finding = found
            .iter()
            .find(|one| one["code"] == code)
            .expect("a finding");
        let line = finding["range"]["start"]["line"].as_u64().expect("a line") as usize;
        assert_eq!(text.lines().nth(line), Some(words), "{code}");
        let (source, _) = file(source);
        let related = &finding["relatedInformation"][0];
        assert_eq!(related["location"]["uri"], uri(&source));
        assert_eq!(related["message"], "no such name");
    }
    assert_eq!(editor.shut_down(), Some(0));
}

#[test]
fn the_check_ends_with_the_editor() {
    let folder = folder("ended");
    let mut editor = Editor::start_with(&[("CARGO", &folder.join("cargo"))]);
    let (path, text) = file("openapi/patterns.yaml");
    editor.open(&path, &text);
    editor.save(&path);
    let waiting = folder.join("waiting");
    until("the check begins", || waiting.exists());
    let number = fs::read_to_string(&waiting).expect("a number");
    let process = Path::new("/proc").join(number.trim());
    assert_eq!(editor.shut_down(), Some(0));
    until("the processes of the check end", || {
        let status = fs::read_to_string(process.join("status")).unwrap_or_default();
        status.is_empty() || status.contains("State:\tZ")
    });
}
