//! An admitted call, until the end of its response.
//!
//! The service counts a response before it sends it: a whole response at once, a stream piece by
//! piece. So an interrupted stream counts up to the interruption. A killed process loses at most
//! the counts of the last second or so in the [`Ledger`](super::ledger::Ledger). A call that ends
//! without a response is counted when the `AdmittedCall` is dropped. If its caller left, its
//! estimated input counts, because a model server may be processing it.

use std::hash::BuildHasher as _;
use std::sync::Arc;
use std::time::Instant;

use futures::StreamExt;

use super::caller::Caller;
use super::credential::Credential;
use super::demand::{Reservation, Settlement};
use super::limits::{Exhausted, LimitKind, LimitStatuses, Limits};
use super::shared::{LimitedKey, SharedLimits as _};
use super::usage::{Counts, Line};
use crate::inference::Inference;
use crate::inference::gateway::ModelResponse;
use crate::inference::gateway::breaker::KeyHash;
use crate::inference::gateway::events::{self, Convention, Piece};
use crate::inference::gateway::models::Model;
use crate::inference::gateway::routed::Routed;
use crate::inference::gateway::span::CallSpan;
use crate::inference::gateway::usage::{Counter, MAX_TOKENS, Tokens};
use crate::inference::problem::{Code, Fault, Problem};
use crate::inference::settings::Settings;
use crate::kernel::texts::Seconds;

/// The failure of a call without a response whose caller has left.
const CANCELED: &str = "cancelled";
/// The failure of an interrupted stream.
const BROKEN_OFF: &str = "upstream_broke_off";

/// An admitted model call.
pub struct AdmittedCall {
    inference: Arc<Inference>,
    /// The settings at the beginning of the call.
    settings: Arc<Settings>,
    credential: Arc<Credential>,
    /// The rest of the call's reservation.
    reservation: Reservation,
    limit_statuses: LimitStatuses,
    counter: Counter,
    /// The model's index in the catalog.
    model: usize,
    /// The line of usage that this call adds to.
    line: Line,
    /// The usage that the ledger has of this call. `None` while it has no response.
    known: Option<Tokens>,
    convention: Convention,
    begun: Instant,
    /// The time of the first event.
    first: Option<Instant>,
    /// Why the response is missing or incomplete.
    failed: Option<&'static str>,
    /// The span of the call.
    span: Option<Arc<CallSpan>>,
}

impl AdmittedCall {
    /// Admits a call if the key's limits allow it.
    ///
    /// # Errors
    ///
    /// The exhausted limit, and the time until the call could be admitted.
    pub async fn enter(
        inference: &Arc<Inference>,
        settings: &Arc<Settings>,
        caller: Caller,
        model: &Arc<Model>,
        convention: Convention,
        routed: &Routed,
    ) -> Result<AdmittedCall, Problem> {
        let credential = caller.credential;
        let now = crate::inference::now(inference);
        let counter = Counter::new(routed.body.len());
        let output = routed.output_bound(settings.config.reserved_output_tokens);
        let tokens = counter.tokens().total().saturating_add(output);
        let reservation = reservation(&credential.limits, routed.streams, tokens);
        let admission = &inference.admission;
        let entered = admission
            .enter(inference, credential.key(), reservation, now)
            .await;
        let limit_statuses = entered.map_err(limit_problem)?;
        let measures = settings.measures.of(model.place.index, convention);
        if let (true, Some(measures)) = (reservation.streams, measures) {
            measures.stream_opened();
        }
        Ok(AdmittedCall {
            limit_statuses,
            inference: Arc::clone(inference),
            settings: Arc::clone(settings),
            reservation,
            counter,
            model: model.place.index,
            line: Line {
                key_id: credential.key_id.to_string(),
                model: model.name.clone(),
                day: now.date_naive(),
            },
            credential,
            known: None,
            convention,
            begun: Instant::now(),
            first: None,
            failed: None,
            span: None,
        })
    }

    /// Traces the call from here on.
    pub fn trace(&mut self, span: Arc<CallSpan>) {
        self.span = Some(span);
    }

    /// The hash of the key, by which the breakers of upstreams count.
    pub fn key_hash(&self) -> KeyHash {
        let hash = foldhash::fast::FixedState::default().hash_one(&self.credential.key_id);
        // Any half of the bits will do.
        hash as KeyHash
    }

    /// The call's span, if it is traced.
    pub fn span(&self) -> Option<&Arc<CallSpan>> {
        self.span.as_ref()
    }

    /// Records why the call got no response.
    pub fn fail(mut self, problem: Problem) -> Problem {
        self.failed = Some(problem.class());
        problem
    }

    /// The status of the key's limits after this call.
    pub fn limit_statuses(&self) -> LimitStatuses {
        self.limit_statuses
    }

    /// The response, counted while it passes.
    pub fn count(mut self, response: ModelResponse) -> ModelResponse {
        match response {
            ModelResponse::Whole(body) => {
                self.counter.whole(&body);
                if let Some(span) = &self.span {
                    span.read_whole(&body);
                }
                self.report_usage();
                ModelResponse::Whole(body)
            }
            ModelResponse::Events(events) => {
                self.report_usage();
                let mut admitted = self;
                let count = move |piece: &Piece| {
                    let bytes = events::bytes(piece);
                    admitted.record_first(bytes);
                    admitted.counter.events(bytes);
                    admitted.report_usage();
                    // A chat that the model server ended with an error was not interrupted.
                    if matches!(piece, Err(broken_off) if !broken_off.event.is_empty()) {
                        admitted.failed = Some(BROKEN_OFF);
                    }
                };
                ModelResponse::Events(events.inspect(count).boxed())
            }
        }
    }

    /// Records the time of the first piece of a stream.
    fn record_first(&mut self, piece: &[u8]) {
        if self.first.is_none() {
            self.first = Some(Instant::now());
            if let Some(span) = &self.span {
                span.read_events(piece);
            }
        }
    }

    /// Adds the usage since the last call to the meter and the ledger.
    fn report_usage(&mut self) {
        let tokens = self.counter.tokens();
        let known = self.known.replace(tokens);
        let before = known.unwrap_or_default();
        let fresh = Counts {
            requests: i64::from(known.is_none()),
            errors: 0,
            tokens: Tokens {
                input: tokens.input.saturating_sub(before.input),
                output: tokens.output.saturating_sub(before.output),
            },
        };
        if fresh == Counts::default() {
            return;
        }
        // The meter before the ledger, so that the ledger writes only metered usage.
        self.settle(fresh.tokens.total());
        let ledger = &self.inference.admission.ledger;
        ledger.add(&self.line, fresh);
    }

    /// Replaces reserved tokens by used ones. The present limits of the key count them, because the
    /// key may have got a budget since the admission.
    fn settle(&mut self, used: i64) {
        let released = used.clamp(0, self.reservation.tokens);
        self.reservation.tokens -= released;
        let settlement = Settlement {
            used,
            released,
            day: self.line.day,
        };
        let admission = &self.inference.admission;
        let now = crate::inference::now(&self.inference);
        let settle = |key: LimitedKey<'_>| {
            if key.limits.count_tokens() || released > 0 {
                admission.limiter.settle(key, settlement, now);
            }
        };
        let own = self.credential.key();
        if admission.with(own.id, settle).is_none() {
            // The key was deleted.
            settle(own);
        }
    }
}

impl Drop for AdmittedCall {
    fn drop(&mut self) {
        let canceled = self.known.is_none().then_some(CANCELED);
        let failed = self.failed.or(canceled);
        if self.known.is_none() {
            // A model server may be processing the request of a caller who left.
            let input = match self.failed {
                Some(_) => 0,
                None => self.counter.tokens().input,
            };
            let tokens = Tokens { input, output: 0 };
            self.settle(tokens.total());
            let counts = Counts {
                requests: 1,
                errors: 1,
                tokens,
            };
            self.inference.admission.ledger.add(&self.line, counts);
        }
        let now = crate::inference::now(&self.inference);
        let limiter = &self.inference.admission.limiter;
        limiter.leave(self.credential.key(), self.reservation, now);
        let measures = self.settings.measures.of(self.model, self.convention);
        if let Some(measures) = measures {
            let end = measures.ended(&self.inference.metrics, self.begun, failed);
            if let Some(tokens) = self.known {
                measures.record_tokens(self.begun, self.first, end, tokens);
            }
            if self.reservation.streams {
                measures.stream_closed();
            }
        }
        if let Some(span) = &self.span {
            if let Some(failed) = failed {
                span.failed(failed);
            }
            span.end(self.known, self.first.map(|first| first - self.begun));
        }
    }
}

/// The part of a key's limits that a call holds. `tokens` is its maximum.
fn reservation(limits: &Limits, streams: bool, tokens: i64) -> Reservation {
    Reservation {
        calls: limits.concurrent_calls.is_some(),
        streams,
        tokens: match limits.count_tokens() {
            true => tokens.min(MAX_TOKENS),
            false => 0,
        },
    }
}

/// The problem of a caller who has reached a limit.
pub(super) fn limit_problem(exhausted: Exhausted) -> Problem {
    let Exhausted {
        kind,
        retry_after,
        limit_statuses,
    } = exhausted;
    let (code, limit) = match kind {
        LimitKind::Requests => (Code::RateLimitExceeded, "requests per minute"),
        LimitKind::Tokens => (Code::RateLimitExceeded, "tokens per minute"),
        LimitKind::Calls => (Code::RateLimitExceeded, "concurrent calls"),
        LimitKind::Streams => (Code::RateLimitExceeded, "concurrent streams"),
        LimitKind::Budget => (Code::InsufficientQuota, "tokens in this period"),
    };
    let wait = Seconds(retry_after);
    let message = format!("The API key has reached its limit of {limit}. Try again in {wait}.");
    Problem {
        limit_statuses: Some(Box::new(limit_statuses)),
        ..Problem::new(Fault::Rate { retry_after }, code, message)
    }
}
