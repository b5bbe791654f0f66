//! Lines that version control leaves in a text where two versions conflict.

use super::{Diagnostic, Span};

/// The finding about the first marker in a text that begins at `offset`. `code` is that of the
/// syntax error that the marker causes.
pub(super) fn find(text: &str, offset: usize, code: &'static str) -> Option<Diagnostic> {
    // A line of `=` alone may underline a heading.
    let has_labels = text.lines().any(has_label);
    let mut start = offset;
    for line in text.split_inclusive('\n') {
        let written = line.trim_end();
        if has_label(written) || has_labels && written == "=======" {
            let span = Span::new(start, start + written.len());
            let message = "a merge conflict marker is left here";
            return Some(
                Diagnostic::error(code, span, message)
                    .help("keep one of the two versions, and remove the three markers"),
            );
        }
        start += line.len();
    }
    None
}

/// Whether a line is a marker that names one of the versions.
fn has_label(line: &str) -> bool {
    ["<<<<<<<", "|||||||", ">>>>>>>"].iter().any(|sign| {
        let label = line.trim_end().strip_prefix(sign);
        label.is_some_and(|label| label.is_empty() || label.starts_with(' '))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_marker_at_the_beginning_of_a_line_is_found() {
        let found = |text| find(text, 5, "yaml-syntax").map(|found| found.span);
        assert_eq!(
            found("a: 1\r\n<<<<<<< HEAD\r\n"),
            Some(Span::new(11, 23)),
            "with the label"
        );
        let rest = "a: 1\n=======\nb: 2\n>>>>>>> other\n";
        assert_eq!(found(rest), Some(Span::new(10, 17)));
        assert_eq!(found(">>>>>>>"), Some(Span::new(5, 12)));
        for text in [
            "a: |\n  =======\n",
            "a: 'A heading\n=======\n'",
            "========\n",
            ">>>>>>>>\n",
            "<<: *a\n",
            "",
        ] {
            assert_eq!(found(text), None, "{text}");
        }
    }
}
