//! The expressions of a document, each compiled once.

use std::collections::HashMap;

use super::counts::{counted, size};
use super::tokens::tokens;
use super::translation::translate;
use crate::document::expression;
use crate::ir::Pattern;

/// The maximum size of all expressions of a document, so that no document takes minutes.
const MAX_SIZE: u64 = 1_000_000;

/// The expressions so far.
#[derive(Default)]
pub(in crate::lower) struct Expressions {
    known: HashMap<String, Result<Pattern, Problem>>,
    size: u64,
}

/// Why a server cannot match an expression.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::lower) enum Problem {
    /// It is not an expression of ECMA 262.
    Invalid(String),
    /// No engine matches it.
    Unsupported(String),
}

impl Expressions {
    /// The pattern that a server matches in place of an expression.
    pub(in crate::lower) fn pattern(&mut self, source: &str) -> Result<Pattern, Problem> {
        if let Some(known) = self.known.get(source) {
            return known.clone();
        }
        let pattern = self.compile(source);
        self.known.insert(source.to_owned(), pattern.clone());
        pattern
    }

    fn compile(&mut self, source: &str) -> Result<Pattern, Problem> {
        if let Err(error) = expression::compile(source) {
            return Err(Problem::Invalid(error.to_string()));
        }
        let counted = counted(source);
        let matched = counted
            .as_ref()
            .map_or(source, |one| one.expression.as_str());
        let own = size(&tokens(matched));
        let sum = self.size.saturating_add(own);
        if sum > MAX_SIZE {
            let problem = match own > MAX_SIZE {
                true => "it repeats too much",
                false => "the patterns of the document repeat too much",
            };
            return Err(Problem::Unsupported(problem.to_owned()));
        }
        self.size = sum;
        Ok(Pattern {
            source: source.to_owned(),
            expression: translate(matched).map_err(Problem::Unsupported)?,
            length: counted.map(|one| (one.least, one.most)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expression_is_compiled_once() {
        let mut expressions = Expressions::default();
        for _ in 0..100 {
            expressions.pattern("^a.{2,300}$").expect("a pattern");
        }
        assert_eq!(expressions.known.len(), 1);
        assert_eq!(expressions.size, 1 + 12 * 300);
    }

    #[test]
    fn the_expressions_of_a_document_have_a_maximum_size() {
        let mut expressions = Expressions::default();
        let problem = |pattern: Result<Pattern, Problem>| match pattern {
            Err(Problem::Unsupported(problem)) => problem,
            other => panic!("{other:?}"),
        };
        let alone = expressions.pattern("^a.{0,90000}$");
        assert_eq!(problem(alone), "it repeats too much");
        expressions.size = MAX_SIZE - 10;
        let last = expressions.pattern("^a[b-c]{11}$");
        assert_eq!(
            problem(last),
            "the patterns of the document repeat too much"
        );
        expressions.pattern("^[b-c]{10}$").expect("a small pattern");
    }

    #[test]
    fn a_large_count_is_a_length() {
        let pattern = Expressions::default().pattern(r"^[\s\S]{1,65000}$");
        let pattern = pattern.expect("a pattern");
        assert_eq!(pattern.source, r"^[\s\S]{1,65000}$");
        assert_eq!(pattern.length, Some((1, Some(65_000))));
        let expression = regex::Regex::new(&pattern.expression).expect("an expression");
        assert!(expression.is_match("a\nb"));
    }
}
