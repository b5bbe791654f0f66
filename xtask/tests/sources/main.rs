//! Tests of all sources together: their dependencies, and the pages about them.

mod circles;
mod modules;
mod pages;
mod references;

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use modules::Sources;

/// The root files of the crates that have modules.
const CRATES: [&str; 10] = [
    "client/src/bin/accord/main.rs",
    "client/src/lib.rs",
    "openapi/forge/client/src/lib.rs",
    "openapi/forge/fields/src/lib.rs",
    "openapi/forge/mutants/src/lib.rs",
    "openapi/forge/runtime/src/lib.rs",
    "openapi/forge/src/lib.rs",
    "server/src/lib.rs",
    "server/src/main.rs",
    "xtask/src/main.rs",
];

/// Folders whose files may form circles, each with the reason. This list only shrinks: an
/// entry without a circle fails the test.
const CIRCLES: [(&str, &str); 1] = [
    (
        "server/src/pages",
        "passkeys confirm who a user is, and sign the user in",
    ),
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
fn files_form_no_circle_beside_the_listed_ones() {
    for (_, sources) in ALL.iter() {
        let mut graph = sources.references();
        graph.retain(|edge| !CIRCLES.iter().any(|(folder, _)| edge.is_within(folder)));
        let found = circles::find(&graph);
        assert!(found.is_empty(), "{}", circles::explain(&found));
    }
}

#[test]
fn each_listed_folder_has_a_circle() {
    let graphs: Vec<_> = ALL
        .iter()
        .map(|(_, sources)| sources.references())
        .collect();
    for (folder, reason) in CIRCLES {
        assert!(!reason.is_empty(), "say why {folder} has circles");
        let mut within: Vec<_> = graphs.iter().flatten().cloned().collect();
        within.retain(|edge| edge.is_within(folder));
        let found = circles::find(&within);
        assert!(
            !found.is_empty(),
            "{folder} has no circle: remove its entry"
        );
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
