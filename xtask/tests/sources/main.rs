//! Tests of all sources together: their dependencies, and the pages about them.

mod circles;
mod modules;
mod pages;
mod pictures;
mod references;

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use modules::Sources;

/// The root files of the crates that have modules.
const CRATES: [&str; 11] = [
    "client/src/bin/accord/main.rs",
    "client/src/lib.rs",
    "client/testing/src/lib.rs",
    "openapi/forge/client/src/lib.rs",
    "openapi/forge/fields/src/lib.rs",
    "openapi/forge/mutants/src/lib.rs",
    "openapi/forge/runtime/src/lib.rs",
    "openapi/forge/src/lib.rs",
    "server/src/lib.rs",
    "server/src/main.rs",
    "xtask/src/main.rs",
];

/// The top of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(file: &str) -> Option<String> {
    std::fs::read_to_string(root().join(file)).ok()
}

/// The crates by their root files.
static ALL: LazyLock<Vec<(&str, Sources)>> = LazyLock::new(|| {
    let all = CRATES.iter().map(|file| {
        let sources = Sources::load(file, &read);
        assert!(sources.files().len() > 1, "{file} declares no modules");
        (*file, sources)
    });
    all.collect()
});

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
    let (_, server) = ALL
        .iter()
        .find(|(file, _)| *file == "server/src/lib.rs")
        .expect("the server");
    let mut uses = server.references();
    uses.retain(|edge| {
        edge.from.starts_with("server/src/inference/gateway/")
            && edge.to.starts_with("server/src/inference/admission/")
    });
    assert!(uses.is_empty(), "{uses:?}");
}

#[test]
fn each_crate_that_declares_modules_is_listed() {
    let manifest = read("Cargo.toml").expect("the manifest of the workspace");
    let (_, rest) = manifest.split_once("members = [").expect("members");
    let (members, _) = rest.split_once(']').expect("the end of the members");
    let members: Vec<_> = members.split('"').skip(1).step_by(2).collect();
    assert!(members.contains(&"xtask"), "{members:?}");
    for member in members {
        for root in ["src/lib.rs", "src/main.rs"] {
            let file = format!("{member}/{root}");
            if read(&file).is_some() && !CRATES.contains(&&*file) {
                let sources = Sources::load(&file, &read);
                assert_eq!(sources.files().len(), 1, "add {file} to CRATES");
            }
        }
    }
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
