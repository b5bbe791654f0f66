//! How a request of any of the four clients is sent: with credentials, within a deadline, more than once where that is
//! safe.

use crate::{
    challenge,
    credentials::Credentials,
    retry::{RetryPolicy, is_repeatable},
};
use dropforge_client::{Operation, Pending};
use reqwest::{Client, Request, Response, StatusCode};
use std::{sync::Arc, time::Duration};
use tokio::time::Instant;

/// The transport of the four clients.
#[derive(Debug)]
pub(crate) struct Transport {
    pub(crate) credentials: Arc<Credentials>,
    pub(crate) retry: RetryPolicy,
    pub(crate) deadlines: Deadlines,
}

/// How long things may take.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Deadlines {
    /// One attempt, its response included. Event streams are not bound by it.
    pub(crate) attempt: Duration,
    /// All attempts of a call, with the waits between them.
    pub(crate) call: Duration,
    /// The silence of an event stream.
    pub(crate) silence: Duration,
}

impl dropforge_client::Transport for Transport {
    fn prepare<'a>(
        &'a self,
        request: &'a mut Request,
        operation: &'static Operation,
    ) -> Pending<'a, Result<(), String>> {
        Box::pin(async move {
            self.credentials.prepare(operation).await?;
            request.timeout_mut().get_or_insert(self.deadlines.attempt);
            Ok(())
        })
    }

    fn send<'a>(
        &'a self,
        client: &'a Client,
        request: Request,
        operation: &'static Operation,
    ) -> Pending<'a, reqwest::Result<Response>> {
        Box::pin(self.attempts(client, request, operation))
    }

    fn stream_timeout(&self) -> Option<Duration> {
        Some(self.deadlines.silence)
    }
}

impl Transport {
    async fn attempts(
        &self,
        client: &Client,
        mut request: Request,
        operation: &'static Operation,
    ) -> reqwest::Result<Response> {
        let repeatable = is_repeatable(&request);
        let deadline = Instant::now() + self.deadlines.call;
        let mut attempt = 1;
        let mut renewed = false;
        loop {
            // A body that is a stream cannot be sent again.
            let copy = request.try_clone();
            // Each attempt has the credential of its own moment: a login may have been renewed since the last one.
            let source = self.credentials.authorize(&mut request, operation);
            let result = client.execute(request).await;
            let Some(mut next) = copy else { return result };
            if let (Ok(response), Some(source), false) = (&result, source, renewed)
                && response.status() == StatusCode::UNAUTHORIZED
                && challenge::asks_for_another_token(response.headers())
            {
                // The service has done nothing, so any method may be sent again.
                renewed = true;
                if self.credentials.renew(source).await {
                    request = next;
                    continue;
                }
            }
            let Some(wait) = self.retry.wait(attempt, &result).filter(|_| repeatable) else {
                return result;
            };
            let left = deadline.saturating_duration_since(Instant::now() + wait);
            if left.is_zero() {
                return result;
            }
            tokio::time::sleep(wait).await;
            if let (Some(timeout), false) = (next.timeout_mut(), operation.streams) {
                *timeout = left.min(*timeout);
            }
            attempt += 1;
            request = next;
        }
    }
}
