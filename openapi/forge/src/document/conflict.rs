//! Lines that version control leaves in a text where two versions conflict.

use super::{Diagnostic, Span};

/// The finding about the first marker in a text that begins at `offset`. `code` is that of the
/// syntax error that the marker causes.
pub(super) fn find(text: &str, offset: usize, code: &'static str) -> Option<Diagnostic> {
    let mut start = offset;
    for line in text.split_inclusive('\n') {
        let written = line.trim_end();
        if is_marker(written) {
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

fn is_marker(line: &str) -> bool {
    let has_label = ["<<<<<<<", "|||||||", ">>>>>>>"].iter().any(|sign| {
        let label = line.strip_prefix(sign);
        label.is_some_and(|label| label.is_empty() || label.starts_with(' '))
    });
    has_label || line == "======="
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
        assert_eq!(found("a: 1\n=======\nb: 2\n"), Some(Span::new(10, 17)));
        assert_eq!(found(">>>>>>>"), Some(Span::new(5, 12)));
        for text in [
            "a: |\n  =======\n",
            "========\n",
            ">>>>>>>>\n",
            "<<: *a\n",
            "",
        ] {
            assert_eq!(found(text), None, "{text}");
        }
    }
}
