//! Matches strings against `pattern`: regular expressions of ECMA 262, compiled at their first
//! use.
//!
//! `regex` matches patterns in time linear in the text, except those with look-around
//! or back references. `fancy-regex` matches these by backtracking, for at most [`MAX_STEPS`]
//! steps. A text that takes more steps does not match.

use std::sync::OnceLock;

/// A regular expression, compiled when it is first used.
#[derive(Debug)]
pub struct Pattern {
    source: &'static str,
    expression: &'static str,
    /// The least and the greatest number of characters.
    length: Option<(u64, Option<u64>)>,
    compiled: OnceLock<Compiled>,
}

#[derive(Debug)]
enum Compiled {
    Linear(regex::Regex),
    Backtracking(fancy_regex::Regex),
    /// Does not compile. The generator rejects such a pattern.
    Broken,
}

/// The maximum of backtracking steps of one match.
const MAX_STEPS: usize = 100_000;

/// The maximum size of a compiled expression, in bytes.
const MAX_PROGRAM: usize = 1 << 26;

impl Pattern {
    /// A pattern; the generator has already checked that it compiles.
    pub const fn new(source: &'static str) -> Self {
        Pattern {
            source,
            expression: source,
            length: None,
            compiled: OnceLock::new(),
        }
    }

    /// Sets the equivalent expression in the syntax of `regex`.
    pub const fn matched_as(mut self, expression: &'static str) -> Self {
        self.expression = expression;
        self
    }

    /// Limits the number of characters. A large count in an expression would cost time and memory.
    pub const fn of_length(mut self, least: u64, most: Option<u64>) -> Self {
        self.length = Some((least, most));
        self
    }

    /// The expression as the document writes it.
    pub fn source(&self) -> &'static str {
        self.source
    }

    /// Whether some part of `text` matches. An expression that does not compile, or that
    /// takes too many steps, matches nothing.
    pub fn is_match(&self, text: &str) -> bool {
        let has_length = self.length.is_none_or(|(least, most)| {
            let count = text.chars().count() as u64;
            least <= count && most.is_none_or(|most| count <= most)
        });
        has_length && self.matches(text)
    }

    fn matches(&self, text: &str) -> bool {
        match self.compiled.get_or_init(|| compile(self.expression)) {
            Compiled::Linear(regex) => regex.is_match(text),
            Compiled::Backtracking(regex) => regex.is_match(text).unwrap_or(false),
            Compiled::Broken => false,
        }
    }
}

fn compile(expression: &str) -> Compiled {
    let linear = regex::RegexBuilder::new(expression)
        .size_limit(MAX_PROGRAM)
        .build();
    if let Ok(regex) = linear {
        return Compiled::Linear(regex);
    }
    fancy_regex::RegexBuilder::new(expression)
        .backtrack_limit(MAX_STEPS)
        .build()
        .map_or(Compiled::Broken, Compiled::Backtracking)
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    #[test]
    fn no_text_makes_an_expression_try_for_long() {
        static NESTED: Pattern = Pattern::new(r"^(\w+\s?)*$");
        static LOOKING: Pattern = Pattern::new(r"^(?!b)(\w+\s?)*$");
        static REPEATED: Pattern = Pattern::new(r"^(a*)*\1!!$");
        for pattern in [&NESTED, &LOOKING, &REPEATED] {
            let [short, long] = [1 << 14, 1 << 20].map(|length| {
                let text = "a".repeat(length) + "!";
                let times = (0..5).map(|_| {
                    let start = Instant::now();
                    assert!(!pattern.is_match(&text), "{}", pattern.source());
                    start.elapsed()
                });
                times.min().unwrap()
            });
            // A text of 64 times the length takes about 64 times as long, and 4096 times if the time is quadratic.
            assert!(
                long < 1000 * short,
                "{} {short:?} {long:?}",
                pattern.source()
            );
        }
        assert!(NESTED.is_match("a b c"));
        assert!(LOOKING.is_match("a b c"));
        assert!(!LOOKING.is_match("b c"));
    }

    #[test]
    fn a_length_counts_characters() {
        static LIMITED: Pattern = Pattern::new("^é{2,3}$")
            .matched_as("^é*$")
            .of_length(2, Some(3));
        static OPEN: Pattern = Pattern::new("^é{2,}$")
            .matched_as("^é*$")
            .of_length(2, None);
        for (text, is_limited, is_open) in [
            ("é", false, false),
            ("éé", true, true),
            ("ééé", true, true),
            ("éééé", false, true),
            ("éa", false, false),
        ] {
            assert_eq!(LIMITED.is_match(text), is_limited, "{text}");
            assert_eq!(OPEN.is_match(text), is_open, "{text}");
        }
    }

    #[test]
    fn an_expression_that_does_not_compile_matches_nothing() {
        static BROKEN: Pattern = Pattern::new("(");
        assert!(!BROKEN.is_match(""));
        assert_eq!(BROKEN.source(), "(");
    }
}
