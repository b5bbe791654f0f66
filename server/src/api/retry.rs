//! The retry token of a request, which has two names.

/// `Idempotency-Key` and `accord-retry-token` have different values.
pub struct DifferentTokens;

/// The token of the headers `Idempotency-Key` and `accord-retry-token`; `None` without
/// either.
pub fn token(
    idempotency_key: Option<String>,
    retry_token: Option<String>,
) -> Result<Option<String>, DifferentTokens> {
    match (idempotency_key, retry_token) {
        (Some(key), Some(token)) if key != token => Err(DifferentTokens),
        (key, token) => Ok(key.or(token)),
    }
}
