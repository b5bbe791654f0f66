//! Texts that need quotes, since YAML reads a part of them as a sign of its own.

use super::open;
use crate::document::cursor::Line;

/// The help for a misplaced colon.
pub(super) const KEY_AND_VALUE: &str = "write `key: value` on one line, with a space behind the colon; put text with a colon in quotes";

/// Longer texts are not repeated in a help.
pub(crate) const MAX_SHOWN: usize = 60;

/// The help for a syntax error at a byte of a text, if the value around it may be a text that needs
/// quotes.
pub(super) fn help(content: &str, at: usize, error: &str) -> Option<String> {
    if let Some(help) = of_several_lines(content, at, error) {
        return Some(help);
    }
    let start = content.get(..at)?.rfind('\n').map_or(0, |end| end + 1);
    let line = content[start..].lines().next()?;
    let (value, at) = value_around(line, at - start, error.contains("flow"))?;
    let first = value.chars().next()?;
    let is_about = |words: &[&str]| words.iter().any(|word| error.contains(word));
    let quoted = format!("`{}`", quoted(value));
    match first {
        '@' | '`' | '%' if at == 0 && is_about(&["unexpected character"]) => Some(format!(
            "a text that begins with `{first}` has to be in quotes: write {quoted}"
        )),
        '*' if is_about(&["unknown anchor"]) => {
            let name = value[1..].split([' ', ',']).next().unwrap_or_default();
            Some(format!(
                "define the anchor (`&{name}`) before the alias; \
                 or put a text that begins with `*` in quotes: write {quoted}"
            ))
        }
        '*' | '&' if is_about(&["anchor or alias"]) => Some(format!(
            "a text that begins with `{first}` has to be in quotes: write {quoted}"
        )),
        '|' | '>' if is_about(&["block scalar"]) => Some(format!(
            "begin the text in the line after `{first}`, or put it in quotes: write {quoted}"
        )),
        '[' | '{' if closes_before(value, at) => Some(format!(
            "nothing may follow the bracket that closes `{first}`: \
             put a text in quotes, as in {quoted}, or a comma between two items"
        )),
        '"' | '\'' if ends_before(value, at) && !value.contains('\\') => Some(format!(
            "nothing may follow the quote that closes the text: \
             put all of it in single quotes, and double those within it: write `{}`",
            self::quoted(without_quotes(value, first))
        )),
        // Within brackets, a bracket ends a text.
        _ if at > 0 && value[at..].starts_with(['[', '{']) && is_about(&["',' or"]) => {
            Some(format!(
                "a text with brackets has to be in quotes here: write {quoted}; \
                 or put a comma between two items"
            ))
        }
        _ if at > 0 && is_about(&["mapping values"]) => Some(format!("{KEY_AND_VALUE}: {quoted}")),
        _ => None,
    }
}

/// The help for a text in quotes that begins in a line above, and is closed by a quote within it.
fn of_several_lines(content: &str, at: usize, error: &str) -> Option<String> {
    if !error.contains("trailing content") || content.get(at..)?.starts_with(':') {
        return None;
    }
    let (start, close) = open::at(content, at).quoted?;
    let is_behind = content.get(close + 1..at)?.trim().is_empty();
    if !is_behind || !content[start..close].contains('\n') {
        return None;
    }
    let line = 1 + content[..start].matches('\n').count();
    let written = match content[start..].starts_with('"') {
        true => r#"each `"` within it as `\"`"#,
        false => "each `'` within it as two",
    };
    Some(format!(
        "nothing may follow the quote that closes the text of line {line}: write {written}"
    ))
}

/// A text in single quotes, for messages.
pub(crate) fn quoted(text: &str) -> String {
    match text.chars().count() > MAX_SHOWN {
        true => "'…'".to_owned(),
        false => format!("'{}'", text.replace('\'', "''")),
    }
}

/// The value of a line around a byte, and the place of that byte in it. `None` if it is in a key.
fn value_around(line: &str, at: usize, in_brackets: bool) -> Option<(&str, usize)> {
    let begin = line.len() - Line::parse(line).rest.len();
    let at = at.min(line.len());
    let before = line.get(begin..at)?;
    let (mut outer, mut own, mut quote) = (Vec::new(), 0, None);
    let mut chars = before.char_indices().peekable();
    while let Some((index, c)) = chars.next() {
        let is_begin = before[own..index].trim().is_empty();
        match c {
            '\\' if quote == Some('"') => _ = chars.next(),
            c if quote == Some(c) => quote = None,
            _ if quote.is_some() => {}
            '"' | '\'' if is_begin => quote = Some(c),
            '{' | '[' if is_begin => {
                outer.push(index);
                own = index + 1;
            }
            '}' | ']' => own = outer.pop().unwrap_or(own),
            ',' if in_brackets || !outer.is_empty() => own = index + 1,
            ':' if !outer.is_empty() && chars.peek().is_none_or(|(_, next)| *next == ' ') => {
                own = index + 1;
            }
            _ => {}
        }
    }
    let own = begin + own;
    let own = own + (line[own..].len() - line[own..].trim_start().len());
    let value = &line[own..];
    let value = match in_brackets || !outer.is_empty() {
        true => &value[..end_in_brackets(value)],
        false => value.split(" #").next().unwrap_or_default(),
    };
    let value = value.trim_end();
    let at = at.checked_sub(own)?;
    (at <= value.len()).then_some((value, at))
}

/// The end of a value within brackets: a comma, or the bracket that closes these.
fn end_in_brackets(value: &str) -> usize {
    let mut depth = 0_usize;
    let mut chars = value.char_indices();
    while let Some((index, c)) = chars.next() {
        match c {
            '\\' => _ = chars.next(),
            '{' | '[' => depth += 1,
            '}' | ']' | ',' if depth == 0 => return index,
            '}' | ']' => depth -= 1,
            _ => {}
        }
    }
    value.len()
}

/// Whether the bracket with which a value begins is closed before a byte of it.
fn closes_before(value: &str, at: usize) -> bool {
    let mut depth = 0_usize;
    for c in value[..at].chars() {
        match c {
            '{' | '[' => depth += 1,
            '}' | ']' if depth == 1 => return true,
            '}' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    false
}

/// Whether the quote with which a value begins is closed before a byte of it.
fn ends_before(value: &str, at: usize) -> bool {
    let quote = value.chars().next();
    value[..at].chars().skip(1).any(|c| Some(c) == quote)
}

/// A text without the quotes around it, if they are the outer ones: `"say "no" now"`, `'it's'`.
fn without_quotes(value: &str, quote: char) -> &str {
    let Some(inner) = value
        .strip_prefix(quote)
        .and_then(|rest| rest.strip_suffix(quote))
    else {
        return value;
    };
    let before_second = inner.split(quote).next().unwrap_or_default();
    let is_odd = inner.matches(quote).count() % 2 == 1;
    match is_odd || before_second.ends_with(' ') {
        true => inner,
        false => value,
    }
}

#[cfg(test)]
mod tests {
    use crate::document::Document;

    /// The help for the first error in a text.
    fn help(text: &str) -> String {
        let refused = Document::load("x.yaml", text).expect_err(text);
        let first = refused.iter().next().and_then(|first| first.help.clone());
        first.unwrap_or_default()
    }

    #[test]
    fn a_value_that_yaml_reads_in_another_way_is_shown_in_quotes() {
        for (text, quoted) in [
            ("a:\n  pattern: [a-z]+\n  b: 1\n", "`'[a-z]+'`"),
            ("a:\n  - pattern: [A-Z]{2} # two\n", "`'[A-Z]{2}'`"),
            ("a: {type: string, pattern: [a-z]+, b: 1}\n", "`'[a-z]+'`"),
            (
                "a: {type: string, pattern: ^[a-z]{2,3}$, b: 1}\n",
                "`'^[a-z]{2,3}$'`",
            ),
            ("a: {\n  pattern: [a-z]+,\n  b: 1}\n", "`'[a-z]+'`"),
            ("a: [[b] [c]]\n", "a comma between two items"),
            ("a:\n  description: @foo\n", "`'@foo'`"),
            ("a: {description: `foo` is it, b: 1}\n", "`'`foo` is it'`"),
            ("a:\n  - %d of it\n", "`'%d of it'`"),
            ("a:\n  pattern: *abc\n", "`'*abc'`"),
            (
                "a:\n  pattern: '^a'\n  description: **bold** text\n",
                "`'**bold** text'`",
            ),
            ("a: {example: &, b: 1}\n", "`'&'`"),
            ("a:\n  summary: >= 5\n", "`'>= 5'`"),
            (
                "a:\n  summary: \"one\" or 'two'\n",
                "`'\"one\" or ''two'''`",
            ),
            ("a:\n  summary: 'it's fine'\n", "`'it''s fine'`"),
            ("a:\n  summary: \"say \"no\" now\"\n", "`'say \"no\" now'`"),
            (
                "a:\n  summary: \"one\" or \"two\"\n",
                "`'\"one\" or \"two\"'`",
            ),
            (
                "a:\n  summary: \"one\n    and \"two\" of them\"\n",
                r#"the text of line 2: write each `"` within it as `\"`"#,
            ),
            (
                "a:\n  summary: 'one\n    and it's fine'\n",
                "the text of line 2: write each `'` within it as two",
            ),
            (
                "a: {b: \"one\n    \"two\" three\", c: d}\n",
                r#"the text of line 1: write each `"` within it as `\"`"#,
            ),
            ("a:\n  summary: Note: it is\n", "`'Note: it is'`"),
        ] {
            let help = help(text);
            assert!(help.contains(quoted), "{text}: {help}");
        }
        let long = format!("a:\n  summary: @{}\n", "word ".repeat(20));
        assert!(help(&long).ends_with("`'…'`"));
    }

    #[test]
    fn another_error_has_no_quotes_in_its_help() {
        for text in [
            "a: [b, c\nd: 1\n",
            "a:\n    b: 1\n  c: 2\n",
            "a: b\n  c: d\n",
            "a: {b: c d: [e]}\n",
            "a: {name:{b: 1}}\n",
        ] {
            let help = help(text);
            assert!(!help.contains("`'"), "{text}: {help}");
        }
    }
}
