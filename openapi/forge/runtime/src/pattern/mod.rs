//! Patterns of strings: regular expressions of ECMA 262, compiled when they are
//! first used.
//!
//! Most patterns of documents say which characters there may be and how many:
//! `^[A-Za-z0-9_-]{1,100}$`. Those are recognised and matched in one walk; an
//! engine for anything else costs several times as much on short text.

mod chain;

use std::sync::OnceLock;

use chain::Chain;

/// A regular expression, compiled when it is first used.
#[derive(Debug)]
pub struct Pattern {
    source: &'static str,
    compiled: OnceLock<Compiled>,
}

#[derive(Debug)]
enum Compiled {
    Chain(Chain),
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
        let compiled = self
            .compiled
            .get_or_init(|| match Chain::parse(self.source) {
                Some(chain) => Compiled::Chain(chain),
                None => expression(self.source).map_or(Compiled::Broken, Compiled::Expression),
            });
        match compiled {
            Compiled::Chain(chain) => chain.is_match(text),
            Compiled::Expression(regex) => regex.find(text).is_some(),
            Compiled::Broken => true,
        }
    }
}

fn expression(source: &str) -> Option<regress::Regex> {
    let unicode = regress::Regex::with_flags(source, "u");
    unicode.or_else(|_| regress::Regex::new(source)).ok()
}
