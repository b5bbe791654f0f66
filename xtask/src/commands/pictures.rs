//! `pictures`: makes the pictures of the README from the compiler and the running service.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};

use crate::edited::{self, Edited};
use crate::{Outcome, files, repository};

/// The edit of the first picture.
const EDIT: [&str; 3] = [
    "openapi/patterns.yaml",
    "name: integrationInstance",
    "name: serviceInstance",
];

/// The folders of the hand-written code that has to follow it.
const SIDES: [&str; 2] = ["server/src/", "client/src/"];

/// The test that walks through the console and takes pictures of each page.
const CONSOLE: &str =
    "console::browser::a_person_creates_a_key_calls_a_model_and_rotates_the_secrets::sqlite";

/// The picture of the console that the README shows.
const PAGE: &str = "console-key-both-active-light.png";

/// Create the pictures of the README
///
/// A parameter is renamed in a document, and the errors of `cargo xtask check` become a drawing.
/// The edit is reverted. The output of `cargo xtask tour` becomes another drawing. The pages of the
/// console are photographed by the test that walks through them in a browser. The pictures are
/// written into server/pictures.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask pictures            all of them
  cargo xtask pictures compiler   the errors of the compiler
  cargo xtask pictures tour       the output of the tour
  cargo xtask pictures console    the pages of the console

Exit code: 0 when the pictures are written, 2 when they are not.")]
pub(crate) struct Arguments {
    /// Only these
    only: Option<Subject>,
}

/// What the pictures show.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Subject {
    /// The errors of the compiler after an edit
    Compiler,
    /// The output of the tour
    Tour,
    /// Pages of the console
    Console,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Outcome> {
    let folder = repository::root().join("server/pictures");
    let chosen = |subject| arguments.only.is_none_or(|only| only == subject);
    if chosen(Subject::Compiler) {
        compiler(&folder.join("compiler.svg"))?;
    }
    if chosen(Subject::Tour) {
        tour(&folder.join("tour.svg"))?;
    }
    if chosen(Subject::Console) {
        console(&folder)?;
    }
    Ok(Outcome::Success)
}

/// Draws the first error of each side after the edit.
fn compiler(picture: &Path) -> anyhow::Result<()> {
    edited::ensure_committed()?;
    let [document, from, to] = EDIT;
    eprintln!("compiling both sides after an edit of {document}");
    let printed = {
        let _edit = Edited::save(document, from, to)?;
        let this = std::env::current_exe().context("cannot find this program")?;
        let output = Command::new(this)
            .arg("check")
            .env("CARGO_TERM_COLOR", "always")
            .current_dir(repository::root())
            .stdin(Stdio::null())
            .output()
            .context("cannot run cargo xtask check")?;
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let mut shown = format!("$ sed -i 's/{from}/{to}/' {document}\n$ cargo xtask check\n");
    for side in SIDES {
        let error = first_error(&printed, side)
            .with_context(|| format!("no error in {side} after the edit:\n{printed}"))?;
        // Cargo's own summary can come between the messages.
        for line in error
            .lines()
            .filter(|line| !line.contains("could not compile"))
        {
            shown += line;
            shown.push('\n');
        }
        shown.push('\n');
    }
    draw(picture, &shown)
}

/// Draws the output of the tour.
fn tour(picture: &Path) -> anyhow::Result<()> {
    eprintln!("running the tour");
    let this = std::env::current_exe().context("cannot find this program")?;
    let output = Command::new(this)
        .arg("tour")
        .current_dir(repository::root())
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .context("cannot run cargo xtask tour")?;
    let printed = String::from_utf8_lossy(&output.stdout);
    ensure!(output.status.success(), "the tour failed:\n{printed}");
    draw(picture, &format!("$ cargo xtask tour\n{printed}"))
}

/// Draws what a terminal shows.
fn draw(picture: &Path, shown: &str) -> anyhow::Result<()> {
    let drawing = anstyle_svg::Term::new().render_svg(shown.trim_end());
    write(picture, drawing.as_bytes())
}

/// The first message of the compiler about a file in this folder. Messages end with an empty line.
fn first_error<'p>(printed: &'p str, folder: &str) -> Option<&'p str> {
    let mut messages = printed.split("\n\n").map(str::trim);
    messages.find(|message| message.contains("error") && message.contains(folder))
}

/// Walks through the console in a browser, and takes the picture that the README shows.
fn console(folder: &Path) -> anyhow::Result<()> {
    eprintln!("walking through the console");
    let status = Command::new(repository::cargo())
        .args([
            "test",
            "--quiet",
            "--package",
            "accord-server",
            "--test",
            "it",
        ])
        .args(["--", "--exact", CONSOLE])
        .env("ACCORD_PICTURES", "1")
        .current_dir(repository::root())
        .stdin(Stdio::null())
        .status()
        .context("cannot run cargo")?;
    ensure!(status.success(), "the walk through the console failed");
    let taken = repository::target().join("screenshots").join(PAGE);
    let content = fs::read(&taken).with_context(|| format!("cannot read {}", taken.display()))?;
    write(&folder.join(PAGE.replace("-light", "")), &content)
}

fn write(picture: &Path, content: &[u8]) -> anyhow::Result<()> {
    files::write(picture, content)?;
    println!("wrote {}", repository::relative(picture).display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::first_error;

    #[test]
    fn the_first_error_of_a_side_is_a_whole_message() {
        let printed = "error: one\n --> client/src/a.rs\n\nerror: two\n --> server/src/b.rs\n  --> openapi/a.yaml:1\n\n";
        let found = first_error(printed, "server/src/");
        assert_eq!(
            found,
            Some("error: two\n --> server/src/b.rs\n  --> openapi/a.yaml:1")
        );
        assert_eq!(first_error(printed, "xtask/"), None);
    }
}
