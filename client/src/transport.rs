//! Sends the requests of all four clients: with credentials, within a deadline, and repeatedly where that is safe.

use crate::{
    challenge,
    credentials::Credentials,
    retry::{RetryPolicy, is_repeatable},
};
use dropforge_client::{Operation, Pending};
use reqwest::{Client, Request, Response, StatusCode};
use std::{sync::Arc, time::Duration};
use tokio::time::{Instant, timeout, timeout_at};

/// The transport of the four clients.
#[derive(Debug)]
pub(crate) struct Transport {
    pub(crate) credentials: Arc<Credentials>,
    pub(crate) retry: RetryPolicy,
    pub(crate) deadlines: Deadlines,
}

/// The timeouts of a call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Deadlines {
    /// The timeout of one attempt, its response included. It does not limit event streams.
    pub(crate) attempt: Duration,
    /// The deadline of a call: its attempts, the waits between them, and the refreshes that they need. An event stream
    /// must begin within it.
    pub(crate) call: Duration,
    /// How long an event stream may be silent.
    pub(crate) silence: Duration,
}

/// The error of a call whose deadline passed before anything was sent.
const TOO_SLOW: &str =
    "the login was not refreshed within the deadline of the call; try again, or allow more time";

impl dropforge_client::Transport for Transport {
    fn prepare<'a>(
        &'a self,
        request: &'a mut Request,
        operation: &'static Operation,
    ) -> Pending<'a, Result<(), String>> {
        Box::pin(async move {
            let began = Instant::now();
            let prepared = timeout(self.deadlines.call, self.credentials.prepare(operation));
            prepared.await.map_err(|_| TOO_SLOW.to_owned())??;
            // The rest of the call's time, until `send` gives each attempt its part of it.
            let left = self.deadlines.call.saturating_sub(began.elapsed());
            *request.timeout_mut() = Some(left);
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
        let left = request.timeout_mut().take();
        let deadline = Instant::now() + left.unwrap_or(self.deadlines.call);
        let mut attempt = 1;
        let mut renewed = false;
        loop {
            if !operation.streams {
                let left = deadline.saturating_duration_since(Instant::now());
                *request.timeout_mut() = Some(left.min(self.deadlines.attempt));
            }
            // A body that is a stream cannot be sent again.
            let copy = request.try_clone();
            // Each attempt gets the current credential: the login may have been renewed since the last attempt.
            let source = self.credentials.authorize(&mut request, operation);
            let result = client.execute(request).await;
            let Some(next) = copy else { return result };
            if let (Ok(response), Some(source), false) = (&result, source, renewed)
                && response.status() == StatusCode::UNAUTHORIZED
                && challenge::requires_new_token(response.headers())
            {
                // The service did not execute the request, so any method may be repeated.
                renewed = true;
                let renewal = timeout_at(deadline, self.credentials.renew(source));
                if renewal.await.unwrap_or(false) {
                    request = next;
                    continue;
                }
            }
            let Some(wait) = self.retry.wait(attempt, &result).filter(|_| repeatable) else {
                return result;
            };
            if Instant::now() + wait >= deadline {
                return result;
            }
            tokio::time::sleep(wait).await;
            attempt += 1;
            request = next;
        }
    }
}
