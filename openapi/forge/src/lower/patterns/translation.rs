//! Patterns: from regular expressions of ECMA 262 to those of the crate `regex`.
//!
//! `regex` matches in time linear in the text, which a server needs for text from any caller.
//! Expressions with look-around or back references are left to `fancy-regex`, whose steps the
//! runtime limits. The two dialects differ in the meaning of `\d`, `\w`, `\s`, `\b` and `.` beyond
//! ASCII, in the escapes, and in the characters that need one. [`translate`] writes out these
//! differences. One is left: `\B`, and `\b` beside look-around, take letters beyond ASCII for parts
//! of words.
//!
//! The crate `regress` reads the dialect of ECMA 262, and would replace this file. But it
//! backtracks, and has no limit of its steps: a caller could choose a text that occupies the server.
//! It is the second opinion of the tests, on 54 expressions.

use std::iter::Peekable;
use std::str::Chars;

use super::tokens::count_end;

/// White space and line terminators (ECMA 262, `\s`).
const SPACE: &str =
    r"\t-\r \x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}\x{FEFF}";
const DIGIT: &str = "0-9";
const WORD: &str = "A-Za-z0-9_";

/// The maximum size of a compiled expression, in bytes.
const MAX_PROGRAM: usize = 1 << 26;

/// A pattern in the dialect of `regex`.
///
/// # Errors
///
/// Why a server cannot match the pattern.
pub(super) fn translate(source: &str) -> Result<String, String> {
    let expression = written(source, r"(?-u:\b)")?;
    let linear = regex::RegexBuilder::new(&expression)
        .size_limit(MAX_PROGRAM)
        .build();
    let Err(error) = linear else {
        return Ok(expression);
    };
    if let regex::Error::CompiledTooBig(_) = error {
        return Err("it repeats too much".to_owned());
    }
    let expression = written(source, r"\b")?;
    match fancy_regex::Regex::new(&expression) {
        Ok(_) => Ok(expression),
        Err(error) => Err(error.to_string()),
    }
}

/// The expression with the given replacement for the boundary of a word.
fn written(source: &str, boundary: &'static str) -> Result<String, String> {
    let mut translation = Translation {
        rest: source.chars().peekable(),
        written: String::new(),
        boundary,
    };
    translation.expression()?;
    Ok(translation.written)
}

struct Translation<'s> {
    rest: Peekable<Chars<'s>>,
    written: String,
    boundary: &'static str,
}

impl Translation<'_> {
    fn expression(&mut self) -> Result<(), String> {
        while let Some(char) = self.rest.next() {
            match char {
                '\\' => self.escape()?,
                '[' => self.class()?,
                '.' => self.written.push_str(r"[^\n\r\x{2028}\x{2029}]"),
                '{' => match self.count() {
                    Some(count) => self.written.push_str(&count),
                    None => self.written.push_str(r"\{"),
                },
                '}' | ']' => self.written.extend(['\\', char]),
                other => self.written.push(other),
            }
        }
        Ok(())
    }

    /// Reads the count that an opening brace begins, such as `{2}` or `{2,5}`.
    fn count(&mut self) -> Option<String> {
        let is_part = |char: &char| char.is_ascii_digit() || matches!(char, ',' | '}');
        let behind: String = self.rest.clone().take_while(is_part).collect();
        let end = count_end(&behind)?;
        self.rest.by_ref().take(end).for_each(drop);
        Some(format!("{{{}", &behind[..end]))
    }

    /// Translates the text after a backslash outside of classes.
    fn escape(&mut self) -> Result<(), String> {
        let Some(char) = self.rest.next() else {
            return Err("it ends with a backslash".to_owned());
        };
        match char {
            'd' => self.write_class("", DIGIT),
            'D' => self.write_class("^", DIGIT),
            'w' => self.write_class("", WORD),
            'W' => self.write_class("^", WORD),
            's' => self.write_class("", SPACE),
            'S' => self.write_class("^", SPACE),
            'b' => self.written.push_str(self.boundary),
            'B' | '1'..='9' | 'k' => {
                self.written.extend(['\\', char]);
            }
            other => self.character(other)?,
        }
        Ok(())
    }

    fn write_class(&mut self, sign: &str, members: &str) {
        self.written.push_str(&format!("[{sign}{members}]"));
    }

    /// An escape that means the same within classes and outside of them.
    fn character(&mut self, char: char) -> Result<(), String> {
        match char {
            't' | 'n' | 'r' | 'f' | 'v' => {
                self.written.extend(['\\', char]);
            }
            'p' | 'P' if self.rest.peek() == Some(&'{') => {
                self.written.extend(['\\', char]);
                for part in self.rest.by_ref() {
                    self.written.push(part);
                    if part == '}' {
                        break;
                    }
                }
            }
            'c' if self.rest.peek().is_some_and(char::is_ascii_alphabetic) => {
                let letter = self.rest.next().unwrap_or_default();
                self.write_code(u32::from(letter) % 32)?;
            }
            'x' => match self.digits(2) {
                Some(code) => self.write_code(code)?,
                None => self.written.push('x'),
            },
            'u' => self.unicode()?,
            '0' if !self.rest.peek().is_some_and(char::is_ascii_digit) => self.write_code(0)?,
            '0'..='9' => return Err("octal escapes are not supported".to_owned()),
            other => self.write_literal(other),
        }
        Ok(())
    }

    /// `\u{1F980}`, `\u00E9`, or two surrogates.
    fn unicode(&mut self) -> Result<(), String> {
        if self.rest.peek() == Some(&'{') {
            let code: String = self
                .rest
                .by_ref()
                .skip(1)
                .take_while(|char| *char != '}')
                .collect();
            let code = u32::from_str_radix(&code, 16).map_err(|error| error.to_string())?;
            return self.write_code(code);
        }
        let Some(code) = self.digits(4) else {
            self.written.push('u');
            return Ok(());
        };
        if !(0xD800..0xDC00).contains(&code) {
            return self.write_code(code);
        }
        let mut ahead = self.rest.clone();
        let is_escape = ahead.next() == Some('\\') && ahead.next() == Some('u');
        let low: String = ahead.take(4).collect();
        match u32::from_str_radix(&low, 16) {
            Ok(low @ 0xDC00..0xE000) if is_escape => {
                self.rest.by_ref().take(6).for_each(drop);
                self.write_code(0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00))
            }
            _ => self.write_code(code),
        }
    }

    /// Reads exactly the given number of hexadecimal digits.
    fn digits(&mut self, count: usize) -> Option<u32> {
        let digits: String = self.rest.clone().take(count).collect();
        let all = digits.len() == count && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        let code = u32::from_str_radix(&digits, 16).ok().filter(|_| all)?;
        self.rest.by_ref().take(count).for_each(drop);
        Some(code)
    }

    fn write_code(&mut self, code: u32) -> Result<(), String> {
        match char::from_u32(code) {
            Some(_) => self.written.push_str(&format!("\\x{{{code:X}}}")),
            None => return Err(format!("U+{code:04X} is not a character")),
        }
        Ok(())
    }

    fn write_literal(&mut self, char: char) {
        match char.is_ascii_punctuation() && !matches!(char, '<' | '>') {
            true => self.written.extend(['\\', char]),
            false => self.written.push(char),
        }
    }

    /// Translates the text after an opening bracket.
    fn class(&mut self) -> Result<(), String> {
        let negated = self.rest.next_if_eq(&'^').is_some();
        if self.rest.next_if_eq(&']').is_some() {
            // `[]` matches nothing and `[^]` every character.
            let sign = if negated { "" } else { "^" };
            self.write_class(sign, r"\x{0}-\x{10FFFF}");
            return Ok(());
        }
        self.written.push_str(if negated { "[^" } else { "[" });
        // Whether a range may begin with the previous member.
        let mut begins_range = false;
        while let Some(char) = self.rest.next() {
            match char {
                ']' => {
                    self.written.push(']');
                    return Ok(());
                }
                '-' if begins_range && self.range_end_follows() => {
                    self.written.push('-');
                    let end = self.rest.next().unwrap_or_default();
                    self.member(end)?;
                    begins_range = false;
                }
                other => begins_range = self.member(other)?,
            }
        }
        Err("a class has no end".to_owned())
    }

    /// Whether a single character follows a hyphen.
    fn range_end_follows(&self) -> bool {
        let mut ahead = self.rest.clone();
        match ahead.next() {
            None | Some(']') => false,
            Some('\\') => !matches!(
                ahead.next(),
                Some('d' | 'D' | 'w' | 'W' | 's' | 'S' | 'p' | 'P')
            ),
            Some(_) => true,
        }
    }

    /// Translates one member of a class. Returns whether it is a single character.
    fn member(&mut self, char: char) -> Result<bool, String> {
        if char != '\\' {
            self.write_literal(char);
            return Ok(true);
        }
        let Some(escaped) = self.rest.next() else {
            return Err("it ends with a backslash".to_owned());
        };
        match escaped {
            'd' => self.written.push_str(DIGIT),
            'w' => self.written.push_str(WORD),
            's' => self.written.push_str(SPACE),
            'D' => self.write_class("^", DIGIT),
            'W' => self.write_class("^", WORD),
            'S' => self.write_class("^", SPACE),
            'b' => self.write_code(8)?,
            other => {
                self.character(other)?;
                return Ok(!matches!(other, 'p' | 'P'));
            }
        }
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXTS: [&str; 45] = [
        "", "a", "-", "A-b", "abcd", "12", "é", "😀", "a\n", "\n", "\r", "\u{2028}", "\u{85}",
        "\u{feff}", "a b", "\u{0}", "\u{8}", "a.b", "\\", "\\\\", "~", " ", "\u{a0}", "en-GB",
        "aa1", "1aaaaaaa", "aa", "abab", "{a}", "{", "}", "]", "[", "&", "&&", "a&b", "٣", "_",
        "a-z", "b-", "^", "<a>", "/a/", "a_b", "\t",
    ];

    #[test]
    fn a_translation_matches_what_the_expression_of_ecma_matches() {
        for source in [
            r"^\d+$",
            r"^[\d]+$",
            r"\D",
            r"^[^\D]$",
            r"^\w*$",
            r"^[\w-]+$",
            r"^[\w-.]+$",
            r"\W",
            r"\s",
            r"^[\s\S]*$",
            r"^\S+$",
            r"^.$",
            r"^.*$",
            r"a.b",
            r"\ba\b",
            r"^[a-z-9]$",
            r"^[-a]$",
            r"^[a-]$",
            r"^[a\-z]$",
            r"^[&&]+$",
            r"^[a&&b]+$",
            r"^[~~]$",
            r"^[[]$",
            r"^[\[\]]$",
            r"^\{a\}$",
            r"^\\{2}$",
            r"^\.{2}$",
            r"^[{}]$",
            r"^\x61$",
            r"^\u0061$",
            r"^\ud83d\ude00$",
            r"\cJ",
            r"^\0$",
            r"^[\b]$",
            r"^(a|b)+$",
            r"^(?=.*\d)(?=.*a).{8}$",
            r"^(?!a)",
            r"(a)\1",
            r"^(?:ab){2}$",
            r"^a{1,2}$",
            r"^a{2,}$",
            r"^\/a\/$",
            r"^[^]$",
            r"^[]$",
            r"^<a>$",
            r"^[<>a]+$",
            r"^\p{L}+$",
            r"^[\p{L}_]+$",
            r"^[^\r\n]*$",
            r"(?<=a)b",
            r"(?=.*\ba)b",
            r"^$",
            r"^[ -~]*$",
            r"^(\w+\s?)*$",
        ] {
            let ecma = crate::document::expression::compile(source).expect(source);
            let expression = translate(source).expect(source);
            let linear = regex::Regex::new(&expression);
            let backtracking = || fancy_regex::Regex::new(&expression).expect(source);
            for text in TEXTS {
                let found = match &linear {
                    Ok(linear) => linear.is_match(text),
                    Err(_) => backtracking().is_match(text).expect("few steps"),
                };
                assert_eq!(
                    found,
                    ecma.find(text).is_some(),
                    "{source} {expression} {text:?}"
                );
            }
        }
    }

    #[test]
    fn braces_that_count_nothing_are_characters() {
        for (source, text) in [
            ("^{a}$", "{a}"),
            ("^a{,2}$", "a{,2}"),
            ("^{$", "{"),
            ("^}$", "}"),
        ] {
            let expression = translate(source).expect(source);
            let ours = regex::Regex::new(&expression).expect(source);
            assert!(ours.is_match(text), "{source}");
        }
    }

    #[test]
    fn what_no_engine_can_match_is_refused_with_its_reason() {
        for source in [r"\ud83d", "(?:a{1000}){1000}{1000}", r"[\012]"] {
            assert!(translate(source).is_err(), "{source}");
        }
    }
}
