//! The guide of the generator, as printed.

#[path = "../../server/tests/it/harness/walk.rs"]
mod walk;

use std::fs;
use std::path::Path;
use std::process::Command;

use walk::Walk;

/// `cargo xtask` is the program of this build, which cargo would build again with other features.
const PRELUDE: &str = "\
cargo() { case $1 in xtask) shift; \"$XTASK\" \"$@\";; *) \"$CARGO\" \"$@\";; esac; }
export CARGO_TERM_COLOR=never";

#[test]
fn a_document_becomes_a_tested_server_and_a_client_as_printed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folder = root.join("target/guide");
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("the folder of the last run can be removed");
    }
    let mut shell = Command::new("/bin/sh");
    shell
        .current_dir(&root)
        .env("XTASK", env!("CARGO_BIN_EXE_xtask"))
        // Projects share compiled dependencies with each other and with `corpus --compile`.
        .env("CARGO_TARGET_DIR", root.join("target/corpus/target"))
        .env("CARGO_PROFILE_DEV_DEBUG", "false")
        .env("CARGO_INCREMENTAL", "0");
    let pages = ["README.md", "client.md", "change.md", "refused.md"];
    let pages = pages.map(|page| format!("openapi/forge/guide/{page}"));
    let pages = pages.each_ref().map(String::as_str);
    Walk::through(&pages).run(&mut shell, PRELUDE);
}
