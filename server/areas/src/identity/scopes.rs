//! Scopes: the permissions of a token, with the names of `scopes_supported`.
//!
//! The set is closed. A client may name other scopes (RFC 6749, section 3.3 lets the server ignore
//! them), but none of them is ever granted.

use std::collections::BTreeSet;
use std::fmt;

/// One scope. The order of the variants is the order in which sets print.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// Read organizations and application instances.
    AccountsRead,
    /// Create users and link profiles.
    AccountsWrite,
    /// Read agent patterns.
    PatternsRead,
    /// Create and delete agent patterns.
    PatternsWrite,
    /// Read API keys, without their secrets.
    ApiKeysRead,
    /// Create, rotate and delete API keys.
    ApiKeysWrite,
    /// Use a refresh token, and so act while the user is away.
    OfflineAccess,
}

crate::names! {
    /// The scope's name in requests and tokens.
    Scope {
        AccountsRead = "accounts.read",
        AccountsWrite = "accounts.write",
        PatternsRead = "patterns.read",
        PatternsWrite = "patterns.write",
        ApiKeysRead = "apikeys.read",
        ApiKeysWrite = "apikeys.write",
        OfflineAccess = "offline_access",
    }
}

/// A set of scopes. Prints as the value of a `scope` parameter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scopes(BTreeSet<Scope>);

/// A malformed `scope` parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the scope is not a list of names separated by single spaces")]
pub struct MalformedScope;

impl Scopes {
    /// The known scopes of a `scope` parameter (RFC 6749, section 3.3).
    ///
    /// # Errors
    ///
    /// When the parameter is malformed: it has characters that a scope token cannot have, or a
    /// space too many.
    pub fn parse(text: &str) -> Result<Scopes, MalformedScope> {
        let mut scopes = BTreeSet::new();
        for token in tokens(text) {
            scopes.extend(Scope::parse(token?));
        }
        Ok(Scopes(scopes))
    }

    /// Parses a `scope` parameter of which no scope may be ignored.
    ///
    /// # Errors
    ///
    /// When the parameter is malformed or names an unknown scope.
    pub fn parse_known(text: &str) -> Result<Scopes, MalformedScope> {
        tokens(text)
            .map(|token| Scope::parse(token?).ok_or(MalformedScope))
            .collect::<Result<_, _>>()
            .map(Scopes)
    }

    /// The scopes that are in both sets.
    pub fn intersection(&self, other: &Scopes) -> Scopes {
        Scopes(self.0.intersection(&other.0).copied().collect())
    }

    /// The set without one scope.
    pub fn without(mut self, scope: Scope) -> Scopes {
        self.0.remove(&scope);
        self
    }

    /// Whether every scope is also in the other set.
    pub fn is_subset(&self, other: &Scopes) -> bool {
        self.0.is_subset(&other.0)
    }

    /// Whether a scope is in the set.
    pub fn has(&self, scope: Scope) -> bool {
        self.0.contains(&scope)
    }

    /// Whether a scope, by its name, is in the set.
    pub fn contains(&self, name: &str) -> bool {
        Scope::parse(name).is_some_and(|scope| self.has(scope))
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The scopes in their order.
    pub fn iter(&self) -> impl Iterator<Item = Scope> + '_ {
        self.0.iter().copied()
    }
}

/// The scope tokens of a parameter, one after the other.
fn tokens(text: &str) -> impl Iterator<Item = Result<&str, MalformedScope>> {
    let allowed = |byte: u8| matches!(byte, 0x21 | 0x23..=0x5b | 0x5d..=0x7e);
    text.split(' ').map(
        move |token| match !token.is_empty() && token.bytes().all(allowed) {
            true => Ok(token),
            false => Err(MalformedScope),
        },
    )
}

impl FromIterator<Scope> for Scopes {
    fn from_iter<I: IntoIterator<Item = Scope>>(scopes: I) -> Self {
        Scopes(scopes.into_iter().collect())
    }
}

impl fmt::Display for Scopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, scope) in self.iter().enumerate() {
            if index > 0 {
                f.write_str(" ")?;
            }
            f.write_str(scope.as_str())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_scopes_are_left_out() {
        let scopes = Scopes::parse("patterns.read openid accounts.read").unwrap();
        assert_eq!(scopes.to_string(), "accounts.read patterns.read");
    }

    #[test]
    fn a_scope_that_breaks_the_grammar_is_refused() {
        for text in ["a  b", " a", "a ", "a\tb", "a\"b", "a\\b", "ä"] {
            assert_eq!(Scopes::parse(text), Err(MalformedScope), "{text:?}");
        }
    }

    #[test]
    fn an_unknown_scope_is_refused_where_nothing_may_be_left_out() {
        assert!(Scopes::parse_known("accounts.read offline_access").is_ok());
        assert_eq!(
            Scopes::parse_known("accounts.read openid"),
            Err(MalformedScope)
        );
    }
}
