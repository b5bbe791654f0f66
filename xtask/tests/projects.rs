//! Tests of the tool's projects, and of trying a corpus.

#[path = "../src/times.rs"]
mod times;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The tool, at the top of the repository.
fn xtask(arguments: &[&str]) -> Output {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    command.args(arguments).current_dir(root);
    command.output().expect("the tool runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A folder that does not exist yet.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("projects")
        .join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("the folder of the last run can be removed");
    }
    folder
}

/// Runs cargo in a new project. Projects share compiled dependencies with each other and with `corpus --compile`.
fn cargo(folder: &Path, arguments: &[&str]) -> Output {
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/corpus/target");
    let mut command = Command::new(env!("CARGO"));
    command
        .args(arguments)
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target)
        .env("CARGO_PROFILE_DEV_DEBUG", "false")
        .env("CARGO_INCREMENTAL", "0");
    command.output().expect("cargo runs")
}

/// Progenitor reads OpenAPI 3.0 only. A script takes the place of openapi-to-rust.
#[test]
fn the_clients_of_other_generators_are_counted() {
    use std::os::unix::fs::PermissionsExt;

    let documents = folder("others");
    fs::create_dir_all(&documents).expect("a folder");
    for (name, version) in [("old", "3.0.3"), ("new", "3.1.0"), ("newer", "3.1.0")] {
        let text = format!("openapi: {version}\ninfo: {{title: T, version: '1'}}\npaths: {{}}\n");
        fs::write(documents.join(name).with_extension("yaml"), text).expect("a document");
    }
    let program = documents.join("program");
    let script = "#!/bin/sh\n[ \"$1\" = generate ] && grep -q '/new[a-z]*[.]yaml' \"$3\"\n";
    fs::write(&program, script).expect("a program");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("a program");

    let (documents, program) = (
        documents.display().to_string(),
        program.display().to_string(),
    );
    let sentence = "Other generators make clients of the same documents: progenitor alone of 1";
    let corpus = |arguments: &[&str]| {
        let all = [&["corpus", &documents][..], arguments].concat();
        text(&xtask(&all).stdout)
    };
    let output = corpus(&["--openapi-to-rust", &program]);
    let end = "openapi-to-rust of 2. Their clients are not compiled here.";
    let both = format!("\n{sentence}, {end}\n");
    assert!(output.contains(&both), "{output}");
    let report: serde_json::Value = serde_json::from_str(&corpus(&["--json"])).expect("JSON");
    assert_eq!(report["others"]["progenitor"], 1);
    // Without such an option, and for servers alone, they are not started.
    let server_alone = ["--side", "server", "--openapi-to-rust", &program];
    for arguments in [&[][..], &server_alone] {
        let output = corpus(arguments);
        assert!(output.contains("3 generated"), "{output}");
        assert!(!output.contains("progenitor"), "{output}");
    }
}

#[test]
fn own_documents_compile_and_start() {
    let output = xtask(&["corpus", "xtask/tests/documents", "--compile"]);
    let message = text(&output.stdout);
    assert!(output.status.success(), "{message}{}", text(&output.stderr));
    assert!(
        message.contains(
            "servers: 2 generated, 0 refused, 0 defects, 2 compile and start\n\
                       clients: 2 generated, 0 refused, 0 defects, 2 compile\n"
        ),
        "{message}"
    );
}

/// Documents of many kinds, each with further arguments. The largest one of the repository is not among them: its code
/// takes as long to compile as that of several others.
const DOCUMENTS: [(&str, &[&str]); 12] = [
    ("openapi/accounts.yaml", &[]),
    ("openapi/forge/roundtrip/modern.yaml", &[]),
    ("openapi/forge/roundtrip/styles.yaml", &[]),
    ("openapi/forge/roundtrip/traps.yaml", &[]),
    ("openapi/forge/tests/golden/counter.yaml", &[]),
    ("openapi/forge/tests/golden/kitchen.yaml", &[]),
    ("openapi/identity.yaml", &[]),
    ("openapi/patterns.yaml", &["--client"]),
    ("xtask/tests/documents/shapes.json", &["--server"]),
    ("xtask/tests/documents/tasks.yaml", &[]),
    ("xtask/tests/several/bookings.yaml", &[]),
    ("xtask/tests/several/search.yaml", &[]),
];

/// The projects are members of one workspace, so that they share what can be shared. The guide's test builds projects of
/// their own.
#[test]
fn new_projects_of_many_documents_pass_their_tests_at_once() {
    // What cargo has compiled in the last run is used again, if nothing has changed.
    let before = folder("before");
    let _ = fs::rename(before.with_file_name("several"), &before);
    let workspace = folder("several");
    let mut members = Vec::new();
    for (document, arguments) in DOCUMENTS {
        let name = Path::new(document).file_stem().expect("a name");
        let project = workspace.join(name);
        let path = project.display().to_string();
        let mut all = vec!["new", &path, "--spec", document];
        all.extend(arguments);
        let output = xtask(&all);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let manifest = project.join("Cargo.toml");
        let alone = fs::read_to_string(&manifest).expect("a manifest");
        let member = alone.replace("\n[workspace]\n", "\n");
        assert_ne!(member, alone, "a project is a workspace");
        fs::write(&manifest, member).expect("a manifest");
        members.push(name.to_string_lossy().into_owned());
    }
    // The example calls an operation that changes nothing.
    let example = fs::read_to_string(workspace.join("tasks/examples/call.rs"));
    let example = example.expect("an example");
    assert!(example.contains("client.list_tasks().call()"), "{example}");
    let manifest = format!("[workspace]\nresolver = \"3\"\nmembers = {members:?}\n");
    fs::write(workspace.join("Cargo.toml"), manifest).expect("a manifest");
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.lock");
    fs::copy(lock, workspace.join("Cargo.lock")).expect("a copy");
    times::keep(&before, &workspace).expect("times");
    // The libraries have no tests of their own, and their code would be compiled again for them.
    let targets = ["--test", "contract", "--example", "call"];
    let mut arguments = vec!["test", "--workspace", "--quiet", "--no-fail-fast"];
    arguments.extend(targets);
    let output = cargo(&workspace, &arguments);
    let message = text(&output.stdout) + &text(&output.stderr);
    assert!(output.status.success(), "{message}");
    // A build script may warn of its document.
    let is_of_code = |line: &&str| line.starts_with("warning:") && !line.contains("@0.1.0:");
    assert_eq!(message.lines().find(is_of_code), None, "{message}");
}

#[test]
fn nothing_is_written_over_or_from_a_document_with_errors() {
    let there = env!("CARGO_MANIFEST_DIR");
    let output = xtask(&["new", there, "--spec", "xtask/tests/documents/tasks.yaml"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("exists already. Choose another folder"));

    let folder = folder("broken");
    let path = folder.display().to_string();
    let document = Path::new(env!("CARGO_TARGET_TMPDIR")).join("broken.yaml");
    fs::write(
        &document,
        "openapi: 3.0.3\ninfo: {title: T, version: '1'}\npahts: {}\n",
    )
    .expect("a file");
    let document = document.display().to_string();
    let output = xtask(&["new", &path, "--spec", &document]);
    assert_eq!(output.status.code(), Some(1));
    let message = text(&output.stderr);
    assert!(
        message.contains("broken.yaml:3:1") && message.contains("`pahts`"),
        "{message}"
    );
    assert!(!folder.exists());

    for name in ["test", "examples"] {
        let output = xtask(&["new", &path, "--name", name, "--spec", &document]);
        assert_eq!(output.status.code(), Some(2));
        let advice = format!("Choose one with --name, such as --name {name}_api");
        assert!(text(&output.stderr).contains(&advice));
    }
}

#[test]
fn a_copied_repository_is_the_one_that_its_commands_read() {
    let copy = folder("copy");
    fs::create_dir_all(copy.join("openapi")).expect("a folder");
    let document = "openapi: 3.0.3\ninfo:   {title: Copy, version: '1'}\npaths: {}\n";
    fs::write(copy.join("openapi/copy.yaml"), document).expect("a document");
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    command.args(["format", "--check"]).current_dir(&copy);
    // As cargo runs the program in the copy.
    let output = command
        .env("CARGO_MANIFEST_DIR", copy.join("xtask"))
        .output();
    let output = output.expect("the tool runs");
    let message = text(&output.stdout) + &text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains("openapi/copy.yaml"), "{message}");
    assert!(!message.contains("identity.yaml"), "{message}");
}
