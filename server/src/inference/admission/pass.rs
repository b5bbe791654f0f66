//! A model call that was let in, until its answer has ended.
//!
//! However it ends, with the last byte, with an error, or with the caller gone,
//! dropping the pass takes its tokens and counts it.

use std::sync::Arc;

use futures::StreamExt;

use super::Caller;
use super::meter::{Exhausted, Standings, What};
use super::snapshot::Credential;
use super::usage::{Counts, Line};
use crate::inference::Inference;
use crate::inference::gateway::Answer;
use crate::inference::gateway::models::Model;
use crate::inference::gateway::usage::{Counter, Tokens};
use crate::inference::problem::{Fault, Problem};

/// A model call that was let in.
pub struct Pass {
    inference: Arc<Inference>,
    credential: Arc<Credential>,
    model: Arc<Model>,
    streams: bool,
    standings: Standings,
    counter: Counter,
    answered: bool,
}

impl Pass {
    /// Lets a call in when the key's limits allow it.
    ///
    /// # Errors
    ///
    /// That there is nothing left, and when there will be.
    pub fn enter(
        inference: &Arc<Inference>,
        caller: &Caller,
        model: &Arc<Model>,
        streams: bool,
        request_bytes: usize,
    ) -> Result<Pass, Problem> {
        let credential = &caller.credential;
        let now = crate::inference::now(inference);
        let entered = credential.meter.enter(&credential.limits, streams, now);
        Ok(Pass {
            standings: entered.map_err(refusal)?,
            inference: Arc::clone(inference),
            credential: Arc::clone(credential),
            model: Arc::clone(model),
            streams,
            counter: Counter::new(request_bytes),
            answered: false,
        })
    }

    /// Where the key stands with this call.
    pub fn standings(&self) -> Standings {
        self.standings
    }

    /// The answer, counted as it goes by.
    pub fn count(mut self, answer: Answer) -> Answer {
        self.answered = true;
        match answer {
            Answer::Whole(body) => {
                self.counter.whole(&body);
                Answer::Whole(body)
            }
            Answer::Events(events) => {
                let mut pass = self;
                let count = move |piece: &Result<bytes::Bytes, std::convert::Infallible>| {
                    if let Ok(piece) = piece {
                        pass.counter.events(piece);
                    }
                };
                Answer::Events(events.inspect(count).boxed())
            }
        }
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        let tokens = match self.answered {
            true => self.counter.tokens(),
            false => Tokens::default(),
        };
        let now = crate::inference::now(&self.inference);
        let credential = &self.credential;
        // The meter before the ledger: what is written was metered.
        credential
            .meter
            .leave(&credential.limits, self.streams, tokens.total(), now);
        let line = Line {
            key_id: credential.key_id.clone(),
            model: self.model.name.clone(),
            day: now.date_naive(),
        };
        let counts = Counts {
            requests: 1,
            errors: i64::from(!self.answered),
            tokens,
        };
        self.inference.admission.ledger.add(line, counts);
    }
}

/// What a caller reads who has nothing left.
pub(super) fn refusal(exhausted: Exhausted) -> Problem {
    let Exhausted {
        what,
        retry_after,
        standings,
    } = exhausted;
    let (code, limit) = match what {
        What::Requests => ("rate_limit_exceeded", "requests a minute"),
        What::Tokens => ("rate_limit_exceeded", "tokens a minute"),
        What::Streams => ("rate_limit_exceeded", "streams at once"),
        What::Budget => ("insufficient_quota", "tokens in this period"),
    };
    let message =
        format!("The API key has reached its limit of {limit}; wait {retry_after} seconds.");
    Problem {
        standings: Some(Box::new(standings)),
        ..Problem::new(Fault::Rate { retry_after }, code, message)
    }
}
