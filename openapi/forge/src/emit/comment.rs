//! Texts of a document in comments of generated code.

/// A text without the characters that the compiler rejects in comments: carriage returns, and those
/// that change the direction of text (its lint `text_direction_codepoint_in_comment`).
pub(super) fn text(text: &str) -> String {
    let lines = text.replace("\r\n", "\n").replace('\r', "\n");
    let turns = |char: char| matches!(char, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    lines.replace(turns, "")
}

/// A description for a documentation comment. rustdoc runs code that is indented, or fenced without
/// the name of another language than Rust, and the code of a document would fail.
pub(super) fn description(description: &str) -> String {
    let description = text(description);
    let mut lines: Vec<String> = Vec::new();
    // The sign that began a fenced block, if a line is in one.
    let mut begun: Option<&str> = None;
    for line in description.lines() {
        let bare = line.trim_start();
        let fence = fence(bare);
        lines.push(match (begun, fence) {
            (None, Some((sign, language))) => {
                begun = Some(sign);
                match language.is_empty() || language == "rust" {
                    true => format!("{sign}text"),
                    false => bare.to_owned(),
                }
            }
            // A block ends at a sign that is as long as the first, or longer.
            (Some(first), Some((sign, ""))) if sign.starts_with(first) => {
                begun = None;
                bare.to_owned()
            }
            // Four spaces begin a block of code, and three are enough within a list.
            (None, None) if line.len() - bare.len() >= 4 => format!("   {bare}"),
            _ => line.to_owned(),
        });
    }
    lines.extend(begun.map(str::to_owned));
    lines.join("\n")
}

/// The sign of a fence and the language after it, if a line is the first or the last of a fenced block.
fn fence(line: &str) -> Option<(&str, &str)> {
    let char = line.chars().next().filter(|char| "`~".contains(*char))?;
    let rest = line.trim_start_matches(char);
    let (sign, language) = (&line[..line.len() - rest.len()], rest.trim());
    // A line such as "```code```" has code within its text.
    let is_fence = sign.len() >= 3 && !(char == '`' && language.contains(char));
    is_fence.then_some((sign, language))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_has_no_character_that_the_compiler_rejects() {
        assert_eq!(text("a\rb\r\nc\n\u{202E}d\u{2069}"), "a\nb\nc\nd");
    }

    #[test]
    fn a_description_has_no_code_to_run() {
        for (written, expected) in [
            ("a\n\n    let x;\n", "a\n\n   let x;"),
            ("```\nlet x;\n```", "```text\nlet x;\n```"),
            ("```rust\nlet x;\n```", "```text\nlet x;\n```"),
            ("```json\n    {}\n```", "```json\n    {}\n```"),
            ("```\nopen", "```text\nopen\n```"),
            ("~~~\nopen", "~~~text\nopen\n~~~"),
            // The inner signs end no block.
            ("````\n```\na\n````", "````text\n```\na\n````"),
            ("~~~\n```\n~~~\n\n    a", "~~~text\n```\n~~~\n\n   a"),
            ("```code```\n\n    a", "```code```\n\n   a"),
            ("a\rb", "a\nb"),
        ] {
            assert_eq!(description(written), expected);
        }
    }
}
