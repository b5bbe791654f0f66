//! Tests of all sources together: their dependencies, and the pages about them.

mod circles;
mod features;
mod modules;
mod pages;
mod pictures;
mod references;
mod snippets;

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use modules::Sources;

/// The top of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(file: &str) -> Option<String> {
    std::fs::read_to_string(root().join(file)).ok()
}

/// The crates of the workspace by their root files: libraries, and programs.
static ALL: LazyLock<Vec<(String, Sources)>> = LazyLock::new(|| {
    let all = root_files().into_iter().map(|file| {
        let sources = Sources::load(&file, &read);
        (file, sources)
    });
    all.collect()
});

/// The folders of all members of the workspace.
fn members() -> Vec<String> {
    let manifest = read("Cargo.toml").expect("the manifest of the workspace");
    let (_, rest) = manifest.split_once("members = [").expect("members");
    let (members, _) = rest.split_once(']').expect("the end of the members");
    let members = members.split('"').skip(1).step_by(2);
    members.map(str::to_owned).collect()
}

/// The root files of the libraries and programs of all members of the workspace.
fn root_files() -> Vec<String> {
    let mut found = Vec::new();
    for member in members() {
        let programs = root().join(&member).join("src/bin").read_dir();
        let programs = programs.into_iter().flatten().flatten();
        let programs =
            programs.map(|program| format!("bin/{}/main.rs", program.file_name().display()));
        let files = ["lib.rs".to_owned(), "main.rs".to_owned()];
        let files = files.into_iter().chain(programs);
        found.extend(files.map(|file| format!("{member}/src/{file}")));
    }
    found.retain(|file| read(file).is_some());
    found
}

#[test]
fn the_modules_at_the_top_of_a_crate_form_no_circle() {
    for (_, sources) in ALL.iter() {
        let found = circles::find(&sources.modules_at_the_top());
        assert!(found.is_empty(), "{}", circles::explain(&found));
    }
}

#[test]
fn the_files_of_a_crate_form_no_circle() {
    for (_, sources) in ALL.iter() {
        let found = circles::find(&sources.references());
        assert!(found.is_empty(), "{}", circles::explain(&found));
    }
}

#[test]
fn the_gateway_does_not_use_admission() {
    let (_, areas) = ALL
        .iter()
        .find(|(file, _)| *file == "server/areas/src/lib.rs")
        .expect("the areas");
    let mut uses = areas.references();
    uses.retain(|edge| {
        edge.from.starts_with("server/areas/src/inference/gateway/")
            && edge.to.starts_with("server/areas/src/inference/admission/")
    });
    assert!(uses.is_empty(), "{uses:?}");
}

#[test]
fn the_crates_of_the_workspace_are_found() {
    let files: Vec<&str> = ALL.iter().map(|(file, _)| file.as_str()).collect();
    for expected in [
        "client/src/bin/accord/main.rs",
        "client/src/lib.rs",
        "client/testing/src/lib.rs",
        "openapi/forge/client/src/lib.rs",
        "openapi/forge/events/src/lib.rs",
        "openapi/forge/fields/src/lib.rs",
        "openapi/forge/mutants/src/lib.rs",
        "openapi/forge/runtime/src/lib.rs",
        "openapi/forge/src/lib.rs",
        "server/areas/src/lib.rs",
        "server/base/src/lib.rs",
        "server/src/lib.rs",
        "server/src/main.rs",
        "xtask/src/main.rs",
    ] {
        assert!(
            files.contains(&expected),
            "{expected} is not among {files:?}"
        );
    }
    let with_modules = ALL.iter().filter(|(_, sources)| sources.files().len() > 1);
    assert!(with_modules.count() > 10, "modules are not followed");
}

#[test]
fn the_picture_of_the_compiler_shows_lines_of_the_sources() {
    let drawing = read("server/pictures/compiler.svg").expect("the picture");
    let shown = pictures::shown(&drawing);
    assert!(shown.len() > 4, "{shown:?}");
    for line in shown {
        let text = read(&line.file).unwrap_or_default();
        // Its number may differ: an edit elsewhere in the file needs no new picture.
        assert!(
            text.lines().any(|present| present.trim() == line.text),
            "{line:?} is not there: `cargo xtask pictures compiler` draws the picture again"
        );
    }
}
