//! Tables of figures in the project's pages.

use std::path::Path;

/// Replaces the text between `<!-- NAME: … -->` and `<!-- NAME end -->` in a page.
/// `path` is relative to the repository.
///
/// # Panics
///
/// When the page has no such place, or cannot be written.
pub fn write_table(path: &str, name: &str, table: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
    let page = std::fs::read_to_string(&path).expect("a readable page");
    let (begin, end) = (format!("<!-- {name}: "), format!("<!-- {name} end -->"));
    let place = page.split_once(&begin).and_then(|(before, rest)| {
        let (command, rest) = rest.split_once("-->\n")?;
        let (_, after) = rest.split_once(&end)?;
        Some((before, command, after))
    });
    let (before, command, after) = place.expect("a place for the table");
    let page = format!(
        "{before}{begin}{command}-->\n\n{}\n\n{end}{after}",
        table.trim()
    );
    std::fs::write(&path, page).expect("a writable page");
}
