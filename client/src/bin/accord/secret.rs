//! Secrets from files, which other users of the machine do not see in the list of processes.

use anyhow::{Context, bail};
use std::{
    io::{IsTerminal, stdin},
    path::Path,
};

/// The path that means the standard input.
const STANDARD_INPUT: &str = "-";

/// Reads a secret: the only line of a file, or the first line of the standard input for `-`. The rest of the standard
/// input is left to the command.
///
/// # Errors
///
/// When there is no secret, or more than one line. The error has no text of the file.
pub fn read(file: &Path) -> anyhow::Result<String> {
    if is_standard_input(file) {
        if stdin().is_terminal() {
            bail!("a terminal would show the secret; write it to a file, or into a pipe");
        }
        let mut line = String::new();
        let read = stdin().read_line(&mut line);
        read.context("the standard input cannot be read")?;
        return only_line(&line).context("the first line of the standard input has no secret");
    }
    let name = file.display();
    let text = std::fs::read_to_string(file).with_context(|| format!("{name} cannot be read"))?;
    if text.trim().is_empty() {
        bail!("{name} is empty; write the secret into it, in one line");
    }
    only_line(&text).with_context(|| format!("{name} is not a secret: write it in one line"))
}

/// Whether the secret comes from the standard input.
pub fn is_standard_input(file: &Path) -> bool {
    file.as_os_str() == STANDARD_INPUT
}

/// The only line of a text, without the spaces around it.
fn only_line(text: &str) -> Option<String> {
    let line = text.trim();
    (!line.is_empty() && line.lines().count() == 1).then(|| line.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{only_line, read};

    #[test]
    fn an_empty_file_and_several_lines_are_distinguished() {
        let folder = tempfile::tempdir().expect("a directory");
        let file = folder.path().join("secret");
        for (text, expected) in [
            ("\n", "is empty; write the secret into it, in one line"),
            ("a\nb\n", "is not a secret: write it in one line"),
        ] {
            std::fs::write(&file, text).expect("a file");
            let error = read(&file).expect_err(expected).to_string();
            assert!(error.ends_with(expected), "{error}");
        }
    }

    #[test]
    fn a_secret_is_one_line() {
        assert_eq!(only_line("sk-1\r\n").as_deref(), Some("sk-1"));
        assert_eq!(only_line("\n"), None);
        assert_eq!(only_line("sk-1\nsk-2\n"), None);
    }
}
