//! `WWW-Authenticate` for bearer tokens (RFC 6750, section 3): why the service rejects a
//! token, or that the request has none.

use dropforge_runtime::table::Operation;
use dropforge_runtime::{Denied, Rejection};

/// The reason for a challenge. Displays as the header's value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Challenge {
    /// The request has no token: the scheme alone, without an error (section 3.1).
    Missing,
    /// The token is invalid.
    InvalidToken(String),
    /// The token is valid and lacks scopes, of which these are needed.
    InsufficientScope(Vec<&'static str>),
    /// The token suffices, its user does not.
    Privilege,
}

impl Challenge {
    /// The challenge for a request of `operation`, if it was rejected because of its credentials.
    pub fn of(rejection: &Rejection, operation: Option<&Operation>) -> Option<Self> {
        match rejection {
            Rejection::MissingCredentials => Some(Challenge::Missing),
            Rejection::Denied(Denied::Unauthenticated { reason }) => {
                Some(Challenge::InvalidToken(reason.clone()))
            }
            Rejection::Denied(Denied::Forbidden { .. }) => Some(Challenge::InsufficientScope(
                operation
                    .into_iter()
                    .flat_map(|operation| operation.security)
                    .flat_map(|requirement| requirement.all)
                    .flat_map(|scheme| scheme.scopes)
                    .copied()
                    .collect(),
            )),
            _ => None,
        }
    }

    /// A sentence about the scopes that the token lacks.
    pub fn lacking(&self) -> Option<String> {
        match self {
            Challenge::InsufficientScope(scopes) => Some(format!(
                "The access token lacks the scope {}",
                scopes.join(" ")
            )),
            _ => None,
        }
    }
}

impl std::fmt::Display for Challenge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Bearer realm=\"accord\"")?;
        match self {
            Challenge::Missing | Challenge::Privilege => Ok(()),
            Challenge::InvalidToken(reason) => {
                write!(
                    f,
                    ", error=\"invalid_token\", error_description=\"{}\"",
                    quoted(reason)
                )
            }
            Challenge::InsufficientScope(scopes) => {
                write!(
                    f,
                    ", error=\"insufficient_scope\", scope=\"{}\"",
                    scopes.join(" ")
                )
            }
        }
    }
}

/// The characters of a text that are allowed in a description (section 3).
fn quoted(text: &str) -> String {
    text.chars()
        .filter(|c| matches!(c, ' '..='~') && !matches!(c, '"' | '\\'))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_challenge_says_what_the_token_lacks() {
        for (challenge, text) in [
            (Challenge::Missing, r#"Bearer realm="accord""#),
            (
                Challenge::InvalidToken("a \"bad\"\r\n token".into()),
                r#"Bearer realm="accord", error="invalid_token", error_description="a bad token""#,
            ),
            (
                Challenge::InsufficientScope(vec!["a.read", "a.write"]),
                r#"Bearer realm="accord", error="insufficient_scope", scope="a.read a.write""#,
            ),
        ] {
            assert_eq!(challenge.to_string(), text);
        }
    }
}
