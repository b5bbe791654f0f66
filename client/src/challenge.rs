//! `WWW-Authenticate`: why a service rejects a token (RFC 6750, section 3).

use crate::{OperationError, credentials_error::CredentialsError};
use reqwest::{
    StatusCode,
    header::{HeaderMap, WWW_AUTHENTICATE},
};

/// The `error` of the `Bearer` challenge; `None` without a challenge or an error.
pub(crate) fn error(headers: &HeaderMap) -> Option<String> {
    let values = headers.get_all(WWW_AUTHENTICATE).into_iter();
    values
        .filter_map(|value| value.to_str().ok())
        .find_map(error_of)
}

/// Whether a response with these headers rejects the token as invalid, so that a new one may be accepted. If the
/// challenge is missing, a proxy may have removed it.
pub(crate) fn requires_new_token(headers: &HeaderMap) -> bool {
    !headers.contains_key(WWW_AUTHENTICATE) || error(headers).as_deref() == Some("invalid_token")
}

/// Whether an error is about the credentials, so that other calls will fail as well: they are missing, invalid, or lack
/// a scope. An error about a missing right is different: the user may have the right elsewhere.
pub fn concerns_credentials(failed: &dyn OperationError) -> bool {
    match (failed.status(), failed.headers()) {
        (Some(StatusCode::UNAUTHORIZED), Some(headers)) => {
            !headers.contains_key(WWW_AUTHENTICATE) || error(headers).is_some()
        }
        (Some(StatusCode::FORBIDDEN), _) => true,
        _ => CredentialsError::of(failed).is_some(),
    }
}

/// The value of the parameter `error`, which may be quoted.
fn error_of(challenge: &str) -> Option<String> {
    // Commas within quotes are not separators.
    let (mut quoted, mut escaped) = (false, false);
    let parameters = challenge.split(|c: char| {
        quoted ^= c == '"' && !escaped;
        escaped = quoted && c == '\\' && !escaped;
        c == ',' && !quoted
    });
    for parameter in parameters {
        // The first parameter has the scheme before it.
        let Some((name, value)) = parameter.split_once('=') else {
            continue;
        };
        let name = name.split_whitespace().next_back().unwrap_or_default();
        if name.eq_ignore_ascii_case("error") {
            return Some(value.trim().trim_matches('"').to_owned());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(challenges: &[&'static str]) -> HeaderMap {
        let challenges = challenges
            .iter()
            .map(|challenge| (WWW_AUTHENTICATE, challenge.parse().expect("a header")));
        challenges.collect()
    }

    #[test]
    fn only_an_invalid_token_requires_a_new_one() {
        for (challenge, asks) in [
            (
                r#"Bearer realm="accord", error="invalid_token", error_description="a, b""#,
                true,
            ),
            ("Bearer error=invalid_token", true),
            (
                r#"Bearer realm="accord", error="insufficient_scope", scope="a b""#,
                false,
            ),
            (r#"Bearer realm="accord""#, false),
            (
                r#"Bearer realm="x", error_description="\", error=\"invalid_token\""""#,
                false,
            ),
            ("Bearer", false),
        ] {
            let headers = headers(&[challenge]);
            assert_eq!(requires_new_token(&headers), asks, "{challenge}");
        }
        assert!(requires_new_token(&HeaderMap::new()));
        assert!(requires_new_token(&headers(&[
            "Basic",
            r#"Bearer error="invalid_token""#
        ])));
    }
}
