//! How a request of any of the four clients is sent: with credentials, within a deadline, more than once where that is
//! safe.

use crate::{
    credentials::Credentials,
    retry::{RetryPolicy, is_repeatable},
};
use dropforge_client::{Operation, Pending};
use reqwest::{
    Client, Request, Response, StatusCode,
    header::{AUTHORIZATION, HeaderValue},
};
use secrecy::{ExposeSecret, SecretString};
use std::{sync::Arc, time::Duration};

/// The transport of the four clients.
#[derive(Debug)]
pub(crate) struct Transport {
    pub(crate) credentials: Arc<Credentials>,
    pub(crate) retry: RetryPolicy,
    /// The longest that one attempt may take, answer included; event streams are not bound by it.
    pub(crate) timeout: Duration,
}

impl dropforge_client::Transport for Transport {
    fn prepare<'a>(
        &'a self,
        request: &'a mut Request,
        operation: &'static Operation,
    ) -> Pending<'a, Result<(), String>> {
        Box::pin(async move {
            if let Some(secret) = self.credentials.bearer(operation).await? {
                authorize(request, &secret)?;
            }
            request.timeout_mut().get_or_insert(self.timeout);
            Ok(())
        })
    }

    fn send<'a>(
        &'a self,
        client: &'a Client,
        request: Request,
        _operation: &'static Operation,
    ) -> Pending<'a, reqwest::Result<Response>> {
        Box::pin(self.attempts(client, request))
    }
}

impl Transport {
    async fn attempts(&self, client: &Client, mut request: Request) -> reqwest::Result<Response> {
        let repeatable = is_repeatable(&request);
        let mut attempt = 1;
        let mut renewed = false;
        loop {
            // A body that is a stream cannot be sent again.
            let copy = request.try_clone();
            let used = bearer_of(&request);
            let result = client.execute(request).await;
            let Some(mut next) = copy else { return result };
            let is_refused = result
                .as_ref()
                .is_ok_and(|response| response.status() == StatusCode::UNAUTHORIZED);
            if let (true, false, Some(refused)) = (is_refused, renewed, used) {
                // Nothing was done, so any method may be sent again.
                renewed = true;
                match self.credentials.instead_of(&refused).await {
                    Some(token) if authorize(&mut next, &token).is_ok() => {
                        request = next;
                        continue;
                    }
                    _ => return result,
                }
            }
            match self.retry.wait(attempt, &result) {
                Some(wait) if repeatable => tokio::time::sleep(wait).await,
                _ => return result,
            }
            attempt += 1;
            request = next;
        }
    }
}

fn authorize(request: &mut Request, secret: &SecretString) -> Result<(), String> {
    let mut value = HeaderValue::from_str(&format!("Bearer {}", secret.expose_secret()))
        .map_err(|_| "the credentials have characters that no header can hold".to_owned())?;
    value.set_sensitive(true);
    request.headers_mut().insert(AUTHORIZATION, value);
    Ok(())
}

fn bearer_of(request: &Request) -> Option<SecretString> {
    let value = request.headers().get(AUTHORIZATION)?.to_str().ok()?;
    value.strip_prefix("Bearer ").map(Into::into)
}
