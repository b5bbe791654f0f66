//! Tests of commands for those who edit documents, as processes, in a small repository. A script replaces cargo and
//! writes the messages of a compiler, because compiling a real server takes minutes.

use std::fs;
use std::fs::File;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use dropforge::document::Document;
use serde_json::{Value, json};

const DOCUMENT: &str = "\
openapi: 3.0.3
info: {title: Notes, version: '1'}
servers: [{url: https://notes.example/v1}]
paths:
  /notes:
    get:
      operationId: listNotes
      parameters: [{$ref: '#/components/parameters/Limit'}]
      responses: {'204': {description: There are no notes.}}
  /tags:
    get:
      operationId: listTags
      parameters: [{$ref: '#/components/parameters/Limit'}]
      responses: {'204': {description: There are no tags.}}
components:
  parameters:
    Limit:
      name: limit
      in: query
      required: true
      schema: {type: integer}
";

/// The script: everything compiles, unless there are messages to write. It records that it ran.
const SCRIPT: &str = "#!/bin/sh
cd \"$(dirname \"$0\")\"
touch ran
if [ -e messages ]; then cat messages; exit 101; fi
";

/// How long a test waits for the process.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A repository with one document, and the script.
struct Repository(PathBuf);

impl Repository {
    fn new(name: &str) -> Repository {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("edits")
            .join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("openapi")).expect("a folder");
        let script = folder.join("cargo");
        fs::write(&script, SCRIPT).expect("a script");
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).expect("a program");
        let repository = Repository(folder);
        repository.save("notes.yaml", DOCUMENT);
        repository
    }

    /// Saves a document as editors do: the file is never half written.
    fn save(&self, name: &str, text: &str) {
        let new = self.0.join("new");
        fs::write(&new, text).expect("a file");
        fs::rename(new, self.0.join("openapi").join(name)).expect("a document");
    }

    /// Lets the script write these messages.
    fn set_messages(&self, messages: &[Value]) {
        let lines: Vec<_> = messages.iter().map(Value::to_string).collect();
        fs::write(self.0.join("messages"), lines.join("\n")).expect("a file");
    }

    fn has_run_cargo(&self) -> bool {
        self.0.join("ran").exists()
    }

    /// Starts the tool as cargo runs it in the repository. Its output goes into files.
    fn start(&self, arguments: &[&str]) -> Process {
        let file = |name: &str| File::create(self.0.join(name)).expect("a file");
        let child = Command::new(env!("CARGO_BIN_EXE_xtask"))
            .args(arguments)
            .current_dir(&self.0)
            .env("CARGO_MANIFEST_DIR", self.0.join("xtask"))
            .env("CARGO", self.0.join("cargo"))
            .env("CARGO_TERM_COLOR", "never")
            .stdin(Stdio::null())
            .stdout(file("stdout"))
            .stderr(file("stderr"))
            .spawn();
        Process {
            folder: self.0.clone(),
            child: child.expect("the tool runs"),
        }
    }
}

/// The running tool.
struct Process {
    folder: PathBuf,
    child: Child,
}

impl Process {
    fn stdout(&self) -> String {
        fs::read_to_string(self.folder.join("stdout")).expect("an output")
    }

    fn stderr(&self) -> String {
        fs::read_to_string(self.folder.join("stderr")).expect("an output")
    }

    /// Waits until standard error has a text.
    fn wait_for(&self, text: &str) {
        let deadline = Instant::now() + TIMEOUT;
        while !self.stderr().contains(text) {
            assert!(Instant::now() < deadline, "no {text}: {}", self.stderr());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits until the tool ends, and returns its exit code.
    fn exit_code(&mut self) -> Option<i32> {
        let deadline = Instant::now() + TIMEOUT;
        while Instant::now() < deadline {
            if let Some(status) = self.child.try_wait().expect("a process") {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("the tool does not end: {}", self.stderr());
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What cargo reports of both sides of a document if a handler and a caller use a parameter by an old name.
fn messages(folder: &Path, text: &str) -> Vec<Value> {
    let document = Document::load("openapi/notes.yaml", text).expect("a document");
    let server = dropforge::generate_server(&document, "notes").expect("a server");
    fs::write(folder.join("server.rs"), dropforge::pretty(server.tokens)).expect("a file");
    let client = dropforge::emit::client::generate(&document).expect("a client");
    fs::write(folder.join("client.rs"), dropforge::pretty(client.tokens)).expect("a file");
    let built = |side: &str| {
        json!({
            "reason": "build-script-executed",
            "package_id": format!("path+file:///r/openapi/notes/{side}#accord-notes-{side}@0.1.0"),
            "out_dir": folder,
        })
    };
    let error = |text: &str, file: &str, line: u32| {
        json!({
            "reason": "compiler-message",
            "message": {
                "message": text,
                "level": "error",
                "rendered": format!("error: {text}\n --> {file}:{line}:5\n\n"),
                "spans": [{"file_name": file, "is_primary": true, "line_start": line, "line_end": line, "text": []}],
                "children": [],
            },
        })
    };
    vec![
        built("server"),
        built("client"),
        error(
            "struct `accord_notes_server::parameters::ListNotes` does not have a field named `limit`",
            "server/src/api/notes.rs",
            9,
        ),
        error(
            "no method named `limit` found for struct `accord_notes_client::builder::ListTags<'_>`",
            "client/src/bin/accord/commands/notes.rs",
            12,
        ),
    ]
}

/// What `check` and `watch` write of these messages.
const REPORT: &str = "\
error: struct `accord_notes_server::parameters::ListNotes` does not have a field named `limit`
 --> server/src/api/notes.rs:9:5
  --> openapi/notes.yaml:7 | operationId: listNotes

error: no method named `limit` found for struct `accord_notes_client::builder::ListTags<'_>`
 --> client/src/bin/accord/commands/notes.rs:12:5
  --> openapi/notes.yaml:12 | operationId: listTags

2 lines have to follow:
  client/src/bin/accord/commands/notes.rs: 12
  server/src/api/notes.rs: 9
";

#[test]
fn check_lists_the_code_that_has_to_follow_with_the_lines_of_the_document() {
    let repository = Repository::new("check");
    let mut check = repository.start(&["check"]);
    assert_eq!(check.exit_code(), Some(0), "{}", check.stderr());
    assert!(repository.has_run_cargo());
    assert_eq!(check.stdout() + &check.stderr(), "");

    let renamed = DOCUMENT.replace("name: limit", "name: count");
    repository.save("notes.yaml", &renamed);
    repository.set_messages(&messages(&repository.0, &renamed));
    let mut check = repository.start(&["check"]);
    assert_eq!(check.exit_code(), Some(1));
    assert_eq!(check.stderr(), REPORT);
}

#[test]
fn check_reports_every_invalid_document_without_cargo() {
    let repository = Repository::new("invalid");
    let wrong = DOCUMENT.replace("operationId: listTags", "operatonId: listTags");
    repository.save("notes.yaml", &wrong);
    repository.save("pages.yaml", &DOCUMENT.replace("$ref", "$reff"));
    let mut check = repository.start(&["check"]);
    assert_eq!(check.exit_code(), Some(1));
    assert!(!repository.has_run_cargo());
    let output = check.stderr();
    assert!(output.contains("openapi/notes.yaml:12:7"), "{output}");
    assert!(output.contains("did you mean `operationId`?"), "{output}");
    assert!(output.contains("openapi/pages.yaml:8:"), "{output}");
}

#[test]
fn a_comment_before_a_document_and_the_lock_of_an_editor_hide_nothing() {
    let repository = Repository::new("hidden");
    let wrong = DOCUMENT.replace("operationId: listTags", "operatonId: listTags");
    repository.save("notes.yaml", &format!("# Notes.\n{wrong}"));
    // Emacs creates such a link while it has changes that are not saved.
    let link = repository.0.join("openapi/.#notes.yaml");
    std::os::unix::fs::symlink("somebody@host.1", link).expect("a link");
    let mut check = repository.start(&["check"]);
    assert_eq!(check.exit_code(), Some(1), "{}", check.stderr());
    let output = check.stderr();
    assert!(output.contains("openapi/notes.yaml:13:7"), "{output}");
}

#[test]
fn lint_reports_all_findings_beside_a_document_that_cannot_be_loaded() {
    let repository = Repository::new("lint");
    repository.save("notes.yaml", "openapi: 3.0.3\npaths: [\n");
    repository.save("decisions.yaml", "decisions: []\n");
    let files = ["openapi/notes.yaml", "openapi/decisions.yaml"];
    let mut lint = repository.start(&[&["lint"][..], &files].concat());
    assert_eq!(lint.exit_code(), Some(1), "{}", lint.stderr());
    let output = lint.stdout();
    assert!(output.contains("error[yaml-syntax]"), "{output}");
    let unchecked = "openapi/notes.yaml cannot be loaded, so the decisions are not checked";
    assert!(output.contains(unchecked), "{output}");
    assert!(output.ends_with("\n2 files: 2 findings\n"), "{output}");
}

#[test]
fn diff_reports_a_released_document_that_was_removed() {
    let repository = Repository::new("removed");
    let published = repository.0.join("openapi/published");
    fs::create_dir(&published).expect("a folder");
    let mut diff = repository.start(&["diff"]);
    assert_eq!(diff.exit_code(), Some(0), "{}", diff.stderr());
    fs::write(published.join("tags.json"), "{}").expect("a released form");
    let mut diff = repository.start(&["diff"]);
    assert_eq!(diff.exit_code(), Some(1));
    let output = diff.stderr();
    assert!(output.contains("openapi/tags.yaml was removed"), "{output}");
    let mut diff = repository.start(&["diff", "--json"]);
    assert_eq!(diff.exit_code(), Some(1));
    let listed: Value = serde_json::from_str(&diff.stdout()).expect("JSON");
    assert_eq!(listed[0]["document"], "openapi/tags.yaml");
    assert_eq!(listed[0]["changes"][0]["class"], "breaks clients");
    let mut diff = repository.start(&["diff", "notes"]);
    assert_eq!(diff.exit_code(), Some(0), "{}", diff.stderr());
}

#[test]
fn watch_shows_the_effect_of_each_edit_and_the_code_that_has_to_follow() {
    let repository = Repository::new("watch");
    let mut watch = repository.start(&["watch", "--edits", "2"]);
    watch.wait_for("watching");
    // An invalid document is reported alone.
    let wrong = DOCUMENT.replace("operationId: listTags", "operatonId: listTags");
    repository.save("notes.yaml", &wrong);
    watch.wait_for("did you mean `operationId`?");
    assert!(!repository.has_run_cargo());
    let output = watch.stderr();
    assert!(output.contains("openapi/notes.yaml:12:7"), "{output}");
    assert!(!output.contains("compiling"), "{output}");
    assert_eq!(watch.stdout(), "");

    // The next edit is compared with the last valid document.
    let renamed = DOCUMENT.replace("name: limit", "name: count");
    repository.set_messages(&messages(&repository.0, &renamed));
    repository.save("notes.yaml", &renamed);
    assert_eq!(watch.exit_code(), Some(1));
    let output = watch.stderr();
    assert!(
        output.ends_with(&format!("compiling both sides\n{REPORT}")),
        "{output}"
    );
    let output = watch.stdout();
    let expected = "\
openapi/notes.yaml: 2 breaks clients

  breaks clients: in 2 operations, the query parameter `limit` is called `count` now
    GET /notes
    GET /tags
    because requests with the old name are rejected
    openapi/notes.yaml:17:5  #/components/parameters/Limit

the code does not compile, ";
    assert!(output.starts_with(expected), "{output}");
}

#[test]
fn watch_goes_on_while_an_editor_replaces_a_document_and_after_one_that_is_not_utf_8() {
    let repository = Repository::new("replaced");
    let mut watch = repository.start(&["watch", "--edits", "2"]);
    watch.wait_for("watching");
    let document = repository.0.join("openapi/notes.yaml");
    // There is no document for a moment, which is longer than a round.
    fs::rename(&document, repository.0.join("backup")).expect("a backup");
    std::thread::sleep(Duration::from_millis(300));
    fs::write(&document, b"openapi: 3.0.3\ninfo: {title: \xff}\n").expect("a document");
    watch.wait_for("openapi/notes.yaml:2:15");
    repository.save("notes.yaml", DOCUMENT);
    assert_eq!(watch.exit_code(), Some(0), "{}", watch.stderr());
    assert!(
        watch
            .stdout()
            .starts_with("openapi/notes.yaml: no change\n")
    );
}

#[test]
fn the_reader_of_an_output_may_end_early() {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let output = Command::new(env!("CARGO_BIN_EXE_xtask"))
        .args(["lint", "--rules"])
        .stdout(writer)
        .stderr(Stdio::piped())
        .output();
    let output = output.expect("the tool runs");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}
