//! Calls upstreams until one responds.
//!
//! Attempts end with the first byte of a response: a response that has begun is never repeated. An
//! upstream that failed is not called a second time while there is another. Once all have been
//! called, each further attempt but the first waits for a random time, which grows.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures::StreamExt;
use http::HeaderMap;

use super::ModelResponse;
use super::breaker::KeyHash;
use super::events::{Convention, Piece};
use super::pool::{NoSlot, Pool, Slot};
use super::references;
use super::routed::Routed;
use super::span::CallSpan;
use super::translate;
use super::upstream::{Attempt, Failed, Next, Upstream};
use crate::inference::problem::{Code, Fault, Problem};
use crate::kernel::jittered;

/// The minimum backoff.
const MIN_BACKOFF: Duration = Duration::from_millis(50);
/// The maximum backoff.
const MAX_BACKOFF: Duration = Duration::from_secs(2);

/// One call.
#[derive(Debug)]
pub struct Forward<'a> {
    /// The model's name, for messages.
    pub model: &'a str,
    /// The hash of the caller's key.
    pub caller: KeyHash,
    /// The upstreams of the model.
    pub pool: &'a Arc<Pool>,
    /// The convention of the call.
    pub convention: Convention,
    /// The caller's headers.
    pub headers: &'a HeaderMap,
    /// The call's id.
    pub request_id: &'a str,
    /// The caller's body.
    pub routed: &'a Routed,
    /// The span of the call.
    pub span: Option<&'a Arc<CallSpan>>,
}

impl Forward<'_> {
    /// Calls the upstreams until one responds.
    ///
    /// # Errors
    ///
    /// The error of the last upstream, or that none has capacity.
    pub async fn call(&self, upstream: &Upstream) -> Result<ModelResponse, Problem> {
        let slot = self.pool.slot(self.caller).await;
        let mut slot = slot.map_err(|none| self.no_slot(none))?;
        let mut tried = Vec::new();
        let mut waits = 0;
        let mut retries = self.pool.retries;
        loop {
            let is_first = tried.is_empty();
            let failed = match self.attempt(upstream, &mut slot, is_first).await {
                Ok(response) => return Ok(hold_slot(response, slot)),
                Err(failed) => failed,
            };
            if failed.may_be_the_request() {
                // One other upstream shows whether the request causes the failure.
                retries = retries.min(u32::from(is_first));
            }
            if failed.next == Next::Nothing || retries == 0 {
                return Err(failed.problem);
            }
            retries -= 1;
            let last = slot.index();
            tried.push(last);
            drop(slot);
            slot = match self.pool.try_slot(self.caller, &tried) {
                Ok(slot) => slot,
                // All upstreams were called. Only one that may recover is called again.
                Err(_) if failed.next == Next::Again => {
                    // The first retry does not wait: a connection that was idle too long fails at
                    // once, and a new one does not.
                    if waits > 0 {
                        tokio::time::sleep(backoff(waits)).await;
                    }
                    waits += 1;
                    let others: Vec<_> = tried.iter().filter(|i| **i != last).copied().collect();
                    match self.pool.try_slot(self.caller, &others) {
                        Ok(slot) => slot,
                        Err(_) => return Err(failed.problem),
                    }
                }
                Err(_) => return Err(failed.problem),
            };
        }
    }

    async fn attempt(
        &self,
        upstream: &Upstream,
        slot: &mut Slot,
        is_first: bool,
    ) -> Result<ModelResponse, Failed> {
        let target = slot.target();
        let (uri, translated) = match (self.convention, &target.responses) {
            (Convention::Chat, _) => (&target.chat_completions, None),
            (Convention::Responses, Some(uri)) => (uri, None),
            (Convention::Responses, None) => {
                let request = translate::Request::read(&self.routed.body);
                let request = request.map_err(Failed::finally)?;
                (&target.chat_completions, Some(request))
            }
        };
        // After the translation, whose errors say more. Later attempts have the same body.
        if is_first && !self.pool.shared_store {
            references::reject(&self.routed.body).map_err(Failed::finally)?;
        }
        let name = match &target.model {
            Some(name) => Cow::Borrowed(name.as_str()),
            None => Cow::Borrowed(self.model),
        };
        let (convention, body) = match &translated {
            None => (self.convention, self.routed.naming(&name)),
            Some(request) => (Convention::Chat, Bytes::from(request.to_chat(&name))),
        };
        let id = self.new_attempt_id(&target.address);
        let attempt = Attempt {
            model: self.model,
            target,
            uri,
            convention,
            headers: self.headers,
            request_id: &id,
            body,
            span: self.span,
        };
        if let Some(span) = self.span {
            span.set_address(uri);
        }
        let outcome = upstream.attempt(&attempt).await;
        if let (Some(span), Err(failed)) = (self.span, &outcome) {
            span.attempt_failed(failed.problem.class());
        }
        report(&outcome, slot);
        match (outcome?, translated) {
            (response, None) => Ok(response),
            (response, Some(request)) => request.response(response).map_err(Failed::finally),
        }
    }

    /// Creates the id of an attempt, and logs it with that of the call.
    fn new_attempt_id(&self, address: &str) -> String {
        let id = uuid::Uuid::new_v4().to_string();
        tracing::info!(
            request_id = %self.request_id,
            upstream_request_id = %id,
            model = self.model,
            address,
            "calling a model server"
        );
        id
    }

    fn no_slot(&self, none: NoSlot) -> Problem {
        let (retry_after, state) = match none {
            NoSlot::Busy | NoSlot::Tried => (1, "busy"),
            NoSlot::Broken(until) => {
                let wait = until.saturating_duration_since(Instant::now());
                (i64::try_from(wait.as_secs() + 1).unwrap_or(1), "failing")
            }
        };
        let message = format!("All upstreams of model {} are {state}.", self.model);
        let fault = Fault::Overload { retry_after };
        Problem::new(fault, Code::UpstreamOverloaded, message)
    }
}

/// Reports the outcome of an attempt to the breaker.
fn report(outcome: &Result<ModelResponse, Failed>, slot: &mut Slot) {
    match outcome {
        Err(failed) if failed.is_outage() => count_outage(slot),
        // The outcome of a stream counts when it ends. A successful trial is reported to waiting
        // calls at once.
        Ok(ModelResponse::Events(_)) if !slot.is_trial() => {}
        // An error about the request, or caused by it, is a response as well.
        Ok(_) | Err(_) => slot.succeeded(),
    }
}

/// Reports to the breaker that the upstream failed.
fn count_outage(slot: &mut Slot) {
    if slot.failed() {
        let address = &slot.target().address;
        tracing::warn!(
            address,
            "a model server failed repeatedly; its circuit is open"
        );
    }
}

/// The slot of a stream, which reports the outcome to the breaker at the end.
struct Streaming {
    slot: Slot,
    has_failed: bool,
}

impl Streaming {
    fn observe(&mut self, piece: &Piece) {
        if matches!(piece, Err(broken_off) if broken_off.is_outage) {
            self.has_failed = true;
            count_outage(&mut self.slot);
        }
    }
}

impl Drop for Streaming {
    fn drop(&mut self) {
        if !self.has_failed {
            self.slot.succeeded();
        }
    }
}

/// Holds the slot until the response ends.
fn hold_slot(response: ModelResponse, slot: Slot) -> ModelResponse {
    match response {
        ModelResponse::Whole(bytes) => ModelResponse::Whole(bytes),
        ModelResponse::Events(events) => {
            let mut streaming = Streaming {
                slot,
                has_failed: false,
            };
            let events = events.inspect(move |piece| streaming.observe(piece));
            ModelResponse::Events(events.boxed())
        }
    }
}

/// Doubles with each retry, with jitter.
fn backoff(waits: u32) -> Duration {
    jittered((MIN_BACKOFF * 2u32.saturating_pow(waits.min(16))).min(MAX_BACKOFF))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_grows_up_to_a_limit_and_is_never_quite_the_same() {
        for waits in 1..40 {
            let whole = (MIN_BACKOFF * 2u32.saturating_pow(waits.min(16))).min(MAX_BACKOFF);
            let wait = backoff(waits);
            assert!(whole / 2 <= wait && wait <= whole, "{waits}: {wait:?}");
        }
        assert_ne!(backoff(9), backoff(9));
    }
}
