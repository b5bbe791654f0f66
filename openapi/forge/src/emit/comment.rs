//! Texts of a document in comments of generated code.

/// A text without the characters that the compiler rejects in comments: carriage returns, and those
/// that change the direction of text (its lint `text_direction_codepoint_in_comment`).
pub(super) fn text(text: &str) -> String {
    let lines = text.replace("\r\n", "\n").replace('\r', "\n");
    let turns = |char: char| matches!(char, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    lines.replace(turns, "")
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_comment_has_no_character_that_the_compiler_rejects() {
        assert_eq!(super::text("a\rb\r\nc\n\u{202E}d\u{2069}"), "a\nb\nc\nd");
    }
}
