//! The features of packages, for which each is compiled.

use std::collections::BTreeSet;
use std::process::Command;

use super::root;

/// The packages of a selection with their features, as in `tokio v1.54.1 [fs,net]`, without those of the workspace.
fn packages(selection: &[&str]) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--prefix=none", "--no-dedupe", "--format={p} [{f}]"])
        .args(selection)
        .current_dir(root())
        .output()
        .expect("cargo");
    let lines = String::from_utf8(output.stdout).expect("a list");
    assert!(output.status.success(), "cargo tree {selection:?}");
    let of_others = lines.lines().filter(|line| !line.contains(" (/"));
    of_others.map(str::to_owned).collect()
}

/// A dependency is compiled once for the service, the tool and all tests only if they ask for the same features.
#[test]
fn the_service_asks_for_the_features_that_all_tests_ask_for() {
    let service = packages(&["--package=accord-server", "--edges=normal,build"]);
    let all = packages(&["--workspace", "--edges=normal,build,dev"]);
    assert!(service.len() > 300, "{service:?}");
    let others: Vec<_> = service.difference(&all).collect();
    assert!(
        others.is_empty(),
        "the tests have other features of these packages: add the features to server/features/Cargo.toml\n{others:#?}"
    );
}
