//! The exchange of a refresh token, repeated while that is safe.

use crate::{
    OperationError,
    areas::identity::{self, CreateTokenError, types},
    retry::RetryPolicy,
};
use std::time::{Duration, Instant};

/// How long the service accepts a used refresh token again, if the response to the first request was lost. The identity
/// document promises half a minute. A later repetition ends the login.
const REPEATABLE: Duration = Duration::from_secs(25);

/// Sends the request until it succeeds or a repetition is useless or unsafe.
///
/// A caller that gave up after the first failure would leave a response unread whose refresh token is the only one that
/// is still valid.
pub(crate) async fn exchange(
    client: &identity::Client,
    request: types::TokenRequest,
    retry: &RetryPolicy,
) -> Result<types::TokenResponse, CreateTokenError> {
    let began = Instant::now();
    let mut attempt = 1;
    loop {
        let sent = client.create_token().body(request.clone()).call().await;
        let error = match sent {
            Ok(response) => return Ok(response.into_inner()),
            Err(error) => error,
        };
        let wait = match error.is_retryable() {
            true => retry.wait(attempt, error.retry_after()),
            false => None,
        };
        match wait {
            Some(wait) if began.elapsed().saturating_add(wait) < REPEATABLE => {
                tokio::time::sleep(wait).await;
                attempt += 1;
            }
            _ => return Err(error),
        }
    }
}
