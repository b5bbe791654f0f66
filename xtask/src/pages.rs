//! Writes what a command measures into a page of the repository, between two lines.

use std::fs;

use anyhow::Context;

use crate::{files, repository};

/// Replaces the text between the lines `begin` and `end` of a page.
///
/// # Errors
///
/// When the page lacks one of the lines, or cannot be read or written.
pub(crate) fn write(page: &str, [begin, end]: [&str; 2], measured: &str) -> anyhow::Result<()> {
    let path = repository::root().join(page);
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {page}"))?;
    let text = inserted(&text, [begin, end], measured);
    let text = text.with_context(|| format!("{page} has no lines {begin}{end}"))?;
    files::write(&path, text)
}

fn inserted(text: &str, [begin, end]: [&str; 2], measured: &str) -> Option<String> {
    let (before, rest) = text.split_once(begin)?;
    let (_, after) = rest.split_once(end)?;
    Some(format!("{before}{begin}{measured}{end}{after}"))
}

#[cfg(test)]
mod tests {
    use super::inserted;

    #[test]
    fn a_table_replaces_the_one_between_its_lines() {
        let lines = ["<!-- begin -->\n", "<!-- end -->\n"];
        let page = |table: &str| format!("a\n{}{table}{}b\n", lines[0], lines[1]);
        assert_eq!(
            inserted(&page("old\n"), lines, "new\n"),
            Some(page("new\n"))
        );
        assert_eq!(inserted("no lines", lines, "new\n"), None);
    }
}
