//! Patterns of strings: regular expressions of ECMA 262, compiled when they are
//! first used.
//!
//! Most patterns of documents say which characters there may be and how many:
//! `^[A-Za-z0-9_-]{1,100}$`. Those are recognised and asked of each character; an
//! engine for anything else costs several times as much on short text.

use std::sync::OnceLock;

/// A regular expression, compiled when it is first used.
#[derive(Debug)]
pub struct Pattern {
    source: &'static str,
    compiled: OnceLock<Compiled>,
}

#[derive(Debug)]
enum Compiled {
    Run(Run),
    Expression(regress::Regex),
    /// The generator refuses it long before: it matches everything.
    Broken,
}

impl Pattern {
    /// A pattern; the generator has already checked that it compiles.
    pub const fn new(source: &'static str) -> Self {
        Pattern {
            source,
            compiled: OnceLock::new(),
        }
    }

    /// The expression as the document writes it.
    pub fn source(&self) -> &'static str {
        self.source
    }

    /// Whether some part of `text` matches. An expression that does not
    /// compile matches everything: the generator refuses it long before.
    pub fn is_match(&self, text: &str) -> bool {
        let compiled = self.compiled.get_or_init(|| match Run::parse(self.source) {
            Some(run) => Compiled::Run(run),
            None => expression(self.source).map_or(Compiled::Broken, Compiled::Expression),
        });
        match compiled {
            Compiled::Run(run) => run.is_match(text),
            Compiled::Expression(regex) => regex.find(text).is_some(),
            Compiled::Broken => true,
        }
    }
}

fn expression(source: &str) -> Option<regress::Regex> {
    let unicode = regress::Regex::with_flags(source, "u");
    unicode.or_else(|_| regress::Regex::new(source)).ok()
}

/// Characters of one class and nothing else, so many of them.
#[derive(Debug)]
struct Run {
    /// Of ASCII, bit by bit.
    ascii: u128,
    /// Every other character.
    others: bool,
    least: usize,
    most: usize,
}

impl Run {
    /// An expression of the form `^[class]quantifier$` whose class names nothing
    /// but ASCII.
    fn parse(source: &str) -> Option<Run> {
        let inner = source.strip_prefix("^[")?.strip_suffix('$')?;
        let (inner, negated) = match inner.strip_prefix('^') {
            Some(inner) => (inner, true),
            None => (inner, false),
        };
        let mut rest = inner;
        let mut ascii: u128 = 0;
        loop {
            if let Some(after) = rest.strip_prefix(']') {
                rest = after;
                break;
            }
            let first = class_character(&mut rest)?;
            let is_range = rest.starts_with('-') && !rest.starts_with("-]");
            let last = match is_range {
                true => {
                    rest = &rest[1..];
                    class_character(&mut rest)?
                }
                false => first,
            };
            if last < first {
                return None;
            }
            for byte in first..=last {
                ascii |= 1 << byte;
            }
        }
        let (least, most) = match rest {
            "*" => (0, usize::MAX),
            "+" => (1, usize::MAX),
            _ => {
                let counts = rest.strip_prefix('{')?.strip_suffix('}')?;
                match counts.split_once(',') {
                    None => (number(counts)?, number(counts)?),
                    Some((least, "")) => (number(least)?, usize::MAX),
                    Some((least, most)) => (number(least)?, number(most)?),
                }
            }
        };
        Some(Run {
            ascii: if negated { !ascii } else { ascii },
            others: negated,
            least,
            most,
        })
    }

    fn is_match(&self, text: &str) -> bool {
        let mut count = 0;
        for char in text.chars() {
            let fits = match u32::from(char) {
                code @ 0..128 => self.ascii & (1 << code) != 0,
                _ => self.others,
            };
            if !fits {
                return false;
            }
            count += 1;
        }
        (self.least..=self.most).contains(&count)
    }
}

/// Takes one ASCII character of a class off its front; none where that is a class
/// of its own, or a sign.
fn class_character(rest: &mut &str) -> Option<u8> {
    let mut chars = rest.chars();
    let first = chars.next()?;
    let (code, length) = match first {
        '\\' => match chars.next()? {
            'x' => (u8::from_str_radix(rest.get(2..4)?, 16).ok()?, 4),
            'u' => (u8::from_str_radix(rest.get(2..6)?, 16).ok()?, 6),
            escaped @ ('-' | '.' | '/' | '\\' | '[' | ']' | '^' | '$') => (escaped as u8, 2),
            _ => return None,
        },
        '[' | '^' | '&' => return None,
        // Only the last is no sign.
        '-' if !rest.starts_with("-]") => return None,
        plain if plain.is_ascii() => (plain as u8, 1),
        _ => return None,
    };
    *rest = rest.get(length..)?;
    code.is_ascii().then_some(code)
}

fn number(text: &str) -> Option<usize> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if digits { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::{Run, expression};

    #[test]
    fn a_class_that_repeats_is_recognised_and_judges_as_the_expression_does() {
        let patterns = [
            r"^[^\u0000-\u001F\u007F]*$",
            "^[A-Za-z0-9_-]+$",
            r"^[^\u0000]+$",
            r"^[\x21-\x7E]+$",
            "^[BCDFG]{2}$",
            "^[A-Za-z0-9_.-]{1,3}$",
            "^[0-9]{2,}$",
            r"^[a\-\\]*$",
        ];
        let texts = [
            "", "a", "-", "A-b", "abcd", "12", "1", "BC", "BCD", "é", "😀", "a\n", "\n", "a b",
            "\u{0}", "\u{7f}", "a.b", "\\", "BG", "~", " ",
        ];
        for pattern in patterns {
            let run = Run::parse(pattern).unwrap_or_else(|| panic!("{pattern}"));
            let whole = expression(pattern).expect("an expression");
            for text in texts {
                let expected = whole.find(text).is_some();
                assert_eq!(run.is_match(text), expected, "{pattern} {text:?}");
            }
        }
    }

    #[test]
    fn everything_else_is_left_to_the_engine() {
        for pattern in [
            "[a-z]+",
            "^[a-z]+",
            "^[a-z][0-9]$",
            "^[a-z]+[0-9]*$",
            r"^[\d]+$",
            r"^[\p{L}]+$",
            "^[é]+$",
            "^[a-z]?$",
            "^[a-z]{1,2}|b$",
            "^[z-a]+$",
            "^[a-z]*?$",
        ] {
            assert!(Run::parse(pattern).is_none(), "{pattern}");
        }
    }
}
