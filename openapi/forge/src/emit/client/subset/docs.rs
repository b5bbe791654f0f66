//! Descriptions, which become documentation comments.
//!
//! rustdoc runs code that is indented or fenced without a language, and a description is not Rust.

use crate::emit::comment;

/// A description without Rust code.
pub fn text(description: &str) -> String {
    let mut fenced = false;
    let lines: Vec<String> = comment::text(description)
        .lines()
        .map(|line| {
            let bare = line.trim_start();
            if bare.starts_with("```") || bare.starts_with("~~~") {
                fenced = !fenced;
                let fence = bare.trim_end();
                return if fenced && fence.trim_start_matches(['`', '~']).is_empty() {
                    format!("{fence}text")
                } else {
                    bare.to_owned()
                };
            }
            // Outside of lists, four spaces begin a block of code. Three spaces are enough within a
            // list.
            let indent = line.len() - bare.len();
            if fenced || indent < 4 {
                line.to_owned()
            } else {
                format!("   {bare}")
            }
        })
        .collect();
    let mut text = lines.join("\n");
    if fenced {
        text.push_str("\n```");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn a_description_has_no_code_to_run() {
        assert_eq!(text("a\n\n    let x;\n"), "a\n\n   let x;");
        assert_eq!(text("```\nlet x;\n```"), "```text\nlet x;\n```");
        assert_eq!(text("```json\n    {}\n```"), "```json\n    {}\n```");
        assert_eq!(text("```\nopen"), "```text\nopen\n```");
        assert_eq!(text("a\rb"), "a\nb");
    }
}
