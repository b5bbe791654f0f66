//! The comments of Rust sources.
//!
//! Tokens have no comments, so this scans the text: a comment begins with `//` outside of
//! string and character literals. Lines that follow each other are one paragraph, so that a
//! phrase is found across a line break. Examples of code between fences are left out.

use std::ops::Range;

/// The paragraphs of all comments, each with its offset. Blanks replace the markers, so that
/// an offset in a paragraph is one in the file.
pub(super) fn paragraphs(text: &str) -> Vec<(usize, String)> {
    let mut paragraphs: Vec<(usize, String)> = Vec::new();
    let (mut open, mut fenced, mut end, mut indent) = (false, false, 0, 0);
    for comment in comments(text) {
        let line = &text[comment.clone()];
        let words = line.trim_start_matches(['/', '!']);
        let marker = line.len() - words.len();
        let between = &text[end..comment.start];
        let follows = between.trim().is_empty() && between.matches('\n').count() == 1;
        if !follows || marker != indent {
            (open, fenced) = (false, false);
        }
        (end, indent) = (comment.end, marker);
        if words.trim_start().starts_with("```") {
            (open, fenced) = (false, !fenced);
            continue;
        }
        if fenced || words.trim().is_empty() {
            open = false;
            continue;
        }
        let words = " ".repeat(marker) + words;
        match paragraphs.last_mut() {
            Some((_, paragraph)) if open => *paragraph += &(between.to_owned() + &words),
            _ => paragraphs.push((comment.start, words)),
        }
        open = true;
    }
    paragraphs
}

/// The ranges of the comments of a source, one for each line.
fn comments(text: &str) -> Vec<Range<usize>> {
    let mut comments = Vec::new();
    let mut at = 0;
    while let Some(next) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = if rest.starts_with("//") {
            let length = rest.find('\n').unwrap_or(rest.len());
            comments.push(at..at + length);
            length
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else {
            literal(rest).unwrap_or(next.len_utf8())
        };
        at += length;
    }
    comments
}

/// The length of the literal that a text begins with, if it is a string or a character.
fn literal(text: &str) -> Option<usize> {
    if let Some(rest) = text.strip_prefix('"') {
        return Some(1 + end_of_string(rest));
    }
    if let Some(rest) = text.strip_prefix('\'') {
        let first = rest.chars().next()?;
        let after = match first {
            '\\' => 1 + rest[1..].chars().next()?.len_utf8(),
            _ => first.len_utf8(),
        };
        let close = match first {
            '\\' => rest[after..].find('\'')?,
            // Anything else but a quote makes it a lifetime.
            _ => rest[after..].starts_with('\'').then_some(0)?,
        };
        return Some(1 + after + close + 1);
    }
    let rest = text.strip_prefix('r')?;
    let hashes = rest.len() - rest.trim_start_matches('#').len();
    let inner = rest[hashes..].strip_prefix('"')?;
    let close = format!("\"{}", "#".repeat(hashes));
    let length = inner.find(&close)?;
    Some(1 + hashes + 1 + length + close.len())
}

/// The length of the rest of a string, with its quote.
fn end_of_string(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        paragraphs(text)
            .into_iter()
            .map(|(start, paragraph)| {
                assert_eq!(text[start..start + paragraph.len()].len(), paragraph.len());
                paragraph.split_whitespace().collect::<Vec<_>>().join(" ")
            })
            .collect()
    }

    #[test]
    fn lines_that_follow_each_other_are_a_paragraph() {
        let text =
            "//! One\n//! two.\n//!\n//! Three.\n\n/// Four\n    // five\nfn f() {} // six\n";
        assert_eq!(words(text), ["One two.", "Three.", "Four", "five", "six"]);
    }

    #[test]
    fn literals_have_no_comments() {
        let text = r###"
            let a = ("// no", "\"// no", r"// no", r#"// "no"#, br"//", '"', '\'', '/', b'"');
            fn f<'a>(x: &'a str) {} // yes
            let b = '\u{2f}'; // yes too
            /* // no */
        "###;
        assert_eq!(words(text), ["yes", "yes too"]);
    }

    #[test]
    fn code_between_fences_is_left_out() {
        let text = "/// One.\n///\n/// ```\n/// two\n/// ```\n/// Three.\n";
        assert_eq!(words(text), ["One.", "Three."]);
    }
}
