//! A real editor: Debian's neovim without a window, driven by a script.

use std::path::Path;
use std::process::{Command, Stdio};

use super::checks::{folder, write_messages};
use super::editor::root;

#[test]
fn neovim_underlines_a_misspelled_key_and_shows_handlers_at_a_parameter() {
    let compiler = folder("neovim");
    write_messages(&compiler);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lsp/neovim.lua");
    let output = Command::new("nvim")
        .args(["--headless", "-n", "-i", "NONE", "-u", "NONE"])
        .arg("-c")
        .arg(format!("luafile {}", script.display()))
        .current_dir(root())
        .env("ACCORD_XTASK", env!("CARGO_BIN_EXE_xtask"))
        .env("CARGO", compiler.join("cargo"))
        // The editor writes nothing into the home of whoever runs the test.
        .env("XDG_STATE_HOME", env!("CARGO_TARGET_TMPDIR"))
        .env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"))
        .env("XDG_DATA_HOME", env!("CARGO_TARGET_TMPDIR"))
        .stdin(Stdio::null())
        .output()
        .expect("neovim runs: `cargo xtask test --only tools` installs it");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let said = said + &String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("underlined: operatonId"), "{said}");
    assert!(said.contains("mended: operationId"), "{said}");
    // `cargo xtask bench lsp` measures with the real compiler.
    for time in ["underlined after ", "handler after ", "caller after "] {
        let found = said.lines().find(|line| line.starts_with(time));
        println!("{}", found.unwrap_or_else(|| panic!("no `{time}`: {said}")));
    }
}
