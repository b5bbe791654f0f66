//! An admitted model call, until the end of its response.
//!
//! The service counts a response before it sends it: a whole response at once, a stream
//! piece by piece. So an interrupted stream counts up to the interruption, and a killed
//! process loses what the [`Ledger`](super::ledger::Ledger) counted in about its last second
//! at most. A call that ends without a response is counted when the `AdmittedCall` is dropped; if
//! its caller left, with its estimated input, because a model server may be working on it.

use std::hash::BuildHasher as _;
use std::sync::Arc;
use std::time::Instant;

use futures::StreamExt;

use super::Caller;
use super::meter::{Demand, Exhausted, LimitKind, LimitStatuses, Settlement};
use super::shared::SharedLimits as _;
use super::snapshot::Credential;
use super::usage::{Counts, Line};
use crate::inference::Inference;
use crate::inference::gateway::Answer;
use crate::inference::gateway::breaker::KeyHash;
use crate::inference::gateway::events::{self, Convention, Piece};
use crate::inference::gateway::models::Model;
use crate::inference::gateway::routed::Routed;
use crate::inference::gateway::span::CallSpan;
use crate::inference::gateway::usage::{Counter, Tokens};
use crate::inference::problem::{Code, Fault, Problem};
use crate::kernel::texts::Seconds;

/// A model call that was let in.
pub struct AdmittedCall {
    inference: Arc<Inference>,
    credential: Arc<Credential>,
    /// What the call still holds of the key's limits.
    demand: Demand,
    limit_statuses: LimitStatuses,
    counter: Counter,
    /// The model's place in the catalog.
    model: usize,
    /// What is counted together with this call.
    line: Line,
    /// What the ledger knows of this call; nothing while it is not answered.
    known: Option<Tokens>,
    convention: Convention,
    begun: Instant,
    /// When the first event came.
    first: Option<Instant>,
    /// Why it was not answered, or not to the end.
    failed: Option<&'static str>,
    /// Where calls are traced.
    span: Option<Arc<CallSpan>>,
}

/// Why a call was not answered that nobody waits for any more.
const CANCELED: &str = "cancelled";
/// Why a stream ended before its end.
const BROKEN_OFF: &str = "upstream_broke_off";

impl AdmittedCall {
    /// Admits a call when the key's limits allow it.
    ///
    /// # Errors
    ///
    /// That there is nothing left, and when there will be.
    pub async fn enter(
        inference: &Arc<Inference>,
        caller: Caller,
        model: &Arc<Model>,
        convention: Convention,
        routed: &Routed,
    ) -> Result<AdmittedCall, Problem> {
        let credential = caller.credential;
        let now = crate::inference::now(inference);
        let counter = Counter::new(routed.body.len());
        let limits = &credential.limits;
        let demand = Demand {
            streams: routed.streams,
            tokens: match limits.count_tokens() {
                true => {
                    let default = inference.config.inference.reserved_output_tokens;
                    let output = routed.output_bound.unwrap_or(default.into());
                    counter.tokens().total().saturating_add(output)
                }
                false => 0,
            },
        };
        let limiter = &inference.admission.limiter;
        let entered = limiter.enter(credential.key(), demand, now).await;
        Ok(AdmittedCall {
            limit_statuses: entered.map_err(refusal)?,
            inference: Arc::clone(inference),
            demand,
            counter,
            model: model.place,
            line: Line {
                key_id: credential.key_id.clone(),
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

    /// The hash of the key, which the breakers of upstreams count by.
    pub fn caller(&self) -> KeyHash {
        let hash = foldhash::fast::FixedState::default().hash_one(&self.credential.key_id);
        // Any half will do.
        hash as KeyHash
    }

    /// The call's span, if it is traced.
    pub fn span(&self) -> Option<&Arc<CallSpan>> {
        self.span.as_ref()
    }

    /// The call was not answered, and why.
    pub fn fail(mut self, problem: Problem) -> Problem {
        self.failed = Some(problem.class());
        problem
    }

    /// Where the key stands with this call.
    pub fn limit_statuses(&self) -> LimitStatuses {
        self.limit_statuses
    }

    /// The answer, counted as it goes by.
    pub fn count(mut self, answer: Answer) -> Answer {
        match answer {
            Answer::Whole(body) => {
                self.counter.whole(&body);
                if let Some(span) = &self.span {
                    span.answered(&body);
                }
                self.report_usage();
                Answer::Whole(body)
            }
            Answer::Events(events) => {
                self.report_usage();
                let mut admitted = self;
                let count = move |piece: &Piece| {
                    let bytes = events::bytes(piece);
                    admitted.see_first(bytes);
                    admitted.counter.events(bytes);
                    admitted.report_usage();
                    // A chat that the model server ended with an error is not broken off.
                    if matches!(piece, Err(broken_off) if !broken_off.event.is_empty()) {
                        admitted.failed = Some(BROKEN_OFF);
                    }
                };
                Answer::Events(events.inspect(count).boxed())
            }
        }
    }

    /// Records the time of the first piece of a stream.
    fn see_first(&mut self, piece: &[u8]) {
        if self.first.is_none() {
            self.first = Some(Instant::now());
            if let Some(span) = &self.span {
                span.begun(piece);
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
        // The meter before the ledger: what is written was metered.
        self.settle(fresh.tokens.total());
        let ledger = &self.inference.admission.ledger;
        ledger.add(&self.line, fresh);
    }

    /// Replaces reserved tokens by used ones.
    fn settle(&mut self, used: i64) {
        let released = used.clamp(0, self.demand.tokens);
        self.demand.tokens -= released;
        let settlement = Settlement {
            used,
            released,
            day: self.line.day,
        };
        let (key, now) = (
            self.credential.key(),
            crate::inference::now(&self.inference),
        );
        self.inference
            .admission
            .limiter
            .settle(key, settlement, now);
    }
}

impl Drop for AdmittedCall {
    fn drop(&mut self) {
        let canceled = self.known.is_none().then_some(CANCELED);
        let failed = self.failed.or(canceled);
        if self.known.is_none() {
            // A model server may have begun to work for a caller who left.
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
        let (key, now) = (
            self.credential.key(),
            crate::inference::now(&self.inference),
        );
        self.inference
            .admission
            .limiter
            .leave(key, self.demand, now);
        let measures = self.inference.measures.of(self.model, self.convention);
        if let Some(measures) = measures {
            let end = measures.ended(&self.inference.metrics, self.begun, failed);
            if let Some(tokens) = self.known {
                measures.record_tokens(self.begun, self.first, end, tokens);
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

/// The problem of a caller who has reached a limit.
pub(super) fn refusal(exhausted: Exhausted) -> Problem {
    let Exhausted {
        kind,
        retry_after,
        limit_statuses,
    } = exhausted;
    let (code, limit) = match kind {
        LimitKind::Requests => (Code::RateLimitExceeded, "requests per minute"),
        LimitKind::Tokens => (Code::RateLimitExceeded, "tokens per minute"),
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
