//! Tests of the tool's projects, and of compiling a corpus.

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

#[test]
fn own_documents_compile_and_start() {
    let output = xtask(&["corpus", "xtask/tests/documents", "--compile"]);
    let told = text(&output.stdout);
    assert!(output.status.success(), "{told}{}", text(&output.stderr));
    assert!(
        told.contains(
            "servers: 2 generated, 0 refused, 0 defects, 2 compile and start\n\
                       clients: 2 generated, 0 refused, 0 defects, 2 compile\n"
        ),
        "{told}"
    );
}

#[test]
fn a_new_project_passes_its_tests_at_once() {
    for (document, arguments) in [("tasks.yaml", &[][..]), ("shapes.json", &["--server"])] {
        let (name, _) = document.split_once('.').expect("an extension");
        let folder = folder(name);
        let path = folder.display().to_string();
        let document = format!("xtask/tests/documents/{document}");
        let mut all = vec!["new", &path, "--spec", &document];
        all.extend(arguments);
        let output = xtask(&all);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let output = cargo(&folder, &["test", "--quiet"]);
        let told = text(&output.stdout) + &text(&output.stderr);
        assert!(output.status.success(), "{told}");
        assert!(!told.contains("warning:"), "{told}");
    }
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
    let told = text(&output.stderr);
    assert!(
        told.contains("broken.yaml:3:1") && told.contains("`pahts`"),
        "{told}"
    );
    assert!(!folder.exists());

    let output = xtask(&["new", &path, "--name", "test", "--spec", &document]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("Choose one with --name, such as --name test_api"));
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
    let told = text(&output.stdout) + &text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("openapi/copy.yaml"), "{told}");
    assert!(!told.contains("identity.yaml"), "{told}");
}
