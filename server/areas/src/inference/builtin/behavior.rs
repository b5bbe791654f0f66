//! How a built-in model responds: at once, slowly, or with a failure that the caller chooses.
//!
//! Clients have to handle slow and broken model servers, and their authors need one for tests. The
//! first word of the text to repeat selects the behavior: `NAME:NUMBER`.

use std::time::Duration;

use bytes::Bytes;
use futures::StreamExt;

use crate::inference::gateway::ModelResponse;
use crate::inference::gateway::events::{self, BrokenOff, Convention, Piece};
use crate::inference::problem::{Code, Fault, Problem};

/// The maximum delay of one event that a caller can request.
const MAX_DELAY: Duration = Duration::from_secs(60);
/// The time for which a response hangs.
const HANG_TIME: Duration = Duration::from_secs(600);
/// The behaviors of a broken model, for people.
const BROKEN_HELP: &str = "Begin the text with status:CODE, die:EVENTS, end:EVENTS, half:EVENTS, \
     malformed:EVENTS or hang:EVENTS to choose how builtin/broken fails.";

/// How a built-in model behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BuiltinKind {
    /// It repeats the text at once.
    Echo,
    /// It waits before each piece. `pace:MILLISECONDS` sets the time.
    Slow {
        /// The time if the text does not set it.
        pace: Duration,
    },
    /// It fails.
    Broken,
}

/// The course of one response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Behavior {
    pace: Duration,
    failure: Option<Failure>,
}

/// How a response fails after its beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Failure {
    /// After this many events.
    after: usize,
    kind: FailureKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FailureKind {
    /// The model server dies, and the gateway reports it.
    Die,
    /// The stream ends as if it were whole.
    End,
    /// It ends within an event.
    Half,
    /// One event is malformed; the others follow.
    Malformed,
    /// The stream hangs.
    Hang,
}

/// The complete response, without any failure.
pub(super) enum PlannedResponse {
    /// The response as one document, and its number of tokens.
    Whole(String, usize),
    /// The response as events.
    Events(Vec<Bytes>),
}

impl BuiltinKind {
    /// The behavior that a text selects, and the rest of the text to repeat.
    ///
    /// # Errors
    ///
    /// If the text selects a response with an error status.
    pub(super) fn plan<'a>(&self, text: &'a str) -> Result<(Behavior, &'a str), Problem> {
        let smooth = |pace| Behavior {
            pace,
            failure: None,
        };
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let selected = word.split_once(':');
        let selected =
            selected.and_then(|(name, number)| Some((name, number.parse::<u32>().ok()?)));
        match (self, selected) {
            (BuiltinKind::Echo, _) => Ok((smooth(Duration::ZERO), text)),
            (BuiltinKind::Slow { .. }, Some(("pace", milliseconds))) => {
                let pace = Duration::from_millis(milliseconds.into());
                Ok((smooth(pace.min(MAX_DELAY)), rest))
            }
            (BuiltinKind::Slow { pace }, _) => Ok((smooth(*pace), text)),
            (BuiltinKind::Broken, Some(("status", status))) => Err(failed_with(status)),
            (BuiltinKind::Broken, Some((name, after))) => {
                let kind = match name {
                    "die" => FailureKind::Die,
                    "end" => FailureKind::End,
                    "half" => FailureKind::Half,
                    "malformed" => FailureKind::Malformed,
                    "hang" => FailureKind::Hang,
                    _ => return Err(unsupported()),
                };
                let after = usize::try_from(after).unwrap_or(usize::MAX);
                let behavior = Behavior {
                    pace: Duration::ZERO,
                    failure: Some(Failure { after, kind }),
                };
                Ok((behavior, rest))
            }
            (BuiltinKind::Broken, None) => Err(unsupported()),
        }
    }
}

/// The error with this status.
fn failed_with(status: u32) -> Problem {
    let (fault, code) = match status {
        400 => (Fault::Request, Code::InvalidValue),
        403 => (Fault::Permission, Code::InsufficientPermissions),
        404 => (Fault::Model, Code::ModelNotFound),
        429 => (Fault::Rate { retry_after: 1 }, Code::RateLimitExceeded),
        500 => (Fault::Service, Code::ServerError),
        502 => (Fault::Upstream, Code::UpstreamFailed),
        503 => (Fault::Overload { retry_after: 1 }, Code::UpstreamOverloaded),
        _ => return unsupported(),
    };
    let message = format!("Model builtin/broken failed with {status}, as the text requested.");
    Problem::new(fault, code, message)
}

fn unsupported() -> Problem {
    Problem::new(Fault::Request, Code::UnsupportedValue, BROKEN_HELP)
}

fn broken_off() -> Problem {
    let message = "The upstream of model builtin/broken closed the connection before the end of its response.";
    Problem::new(Fault::Upstream, Code::UpstreamFailed, message)
}

impl Behavior {
    /// The response, changed by the selected behavior.
    ///
    /// # Errors
    ///
    /// When a response in one piece fails.
    pub(super) async fn respond(
        self,
        planned: PlannedResponse,
        convention: Convention,
    ) -> Result<ModelResponse, Problem> {
        match planned {
            PlannedResponse::Whole(text, tokens) => self.whole(text, tokens).await,
            PlannedResponse::Events(events) => Ok(self.events(events, convention)),
        }
    }

    async fn whole(self, mut text: String, tokens: usize) -> Result<ModelResponse, Problem> {
        let tokens = u32::try_from(tokens).unwrap_or(u32::MAX);
        let wait = self.pace.saturating_mul(tokens);
        if !wait.is_zero() {
            tokio::time::sleep(wait).await;
        }
        match self.failure.map(|failure| failure.kind) {
            None => {}
            Some(FailureKind::Die | FailureKind::End | FailureKind::Half) => {
                return Err(broken_off());
            }
            Some(FailureKind::Malformed) => text.insert(0, '}'),
            Some(FailureKind::Hang) => {
                tokio::time::sleep(HANG_TIME).await;
                return Err(broken_off());
            }
        }
        Ok(ModelResponse::Whole(text.into()))
    }

    fn events(self, mut events: Vec<Bytes>, convention: Convention) -> ModelResponse {
        let failure = self.failure;
        let broken_off = failure.and_then(|failure| failure.apply(&mut events, convention));
        let events = events.into_iter().map(Ok).chain(broken_off.map(Err));
        let events = futures::stream::iter(events);
        let pace = self.pace;
        let hangs = failure.is_some_and(|failure| failure.kind == FailureKind::Hang);
        if pace.is_zero() && !hangs {
            return ModelResponse::Events(events.boxed());
        }
        let paced = events.then(move |piece: Piece| async move {
            tokio::time::sleep(pace).await;
            piece
        });
        if !hangs {
            return ModelResponse::Events(paced.boxed());
        }
        let hang = futures::stream::once(tokio::time::sleep(HANG_TIME));
        let end = hang.filter_map(|()| std::future::ready(None));
        ModelResponse::Events(paced.chain(end).boxed())
    }
}

impl Failure {
    /// Changes the events of a response. Returns its end, if the gateway reports the failure.
    fn apply(self, events: &mut Vec<Bytes>, convention: Convention) -> Option<BrokenOff> {
        let rest = events.split_off(self.after.min(events.len()));
        match self.kind {
            FailureKind::End | FailureKind::Hang => {}
            FailureKind::Die => {
                let last = events.last().cloned().unwrap_or_default();
                return Some(BrokenOff {
                    event: events::failure(convention, &last, &events::broken()),
                    is_outage: false,
                });
            }
            FailureKind::Half => {
                events.extend(rest.first().map(|event| event.slice(..event.len() / 2)));
            }
            FailureKind::Malformed => {
                events.push("data: {\"malformed\n\n".into());
                events.extend(rest);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SLOW: BuiltinKind = BuiltinKind::Slow {
        pace: Duration::from_millis(100),
    };

    #[test]
    fn the_first_word_directs_and_is_not_repeated() {
        for (kind, text, pace, rest) in [
            (BuiltinKind::Echo, "pace:5 a b", 0, "pace:5 a b"),
            (SLOW, "a b", 100, "a b"),
            (SLOW, "pace:5 a b", 5, "a b"),
            (SLOW, "pace:5", 5, ""),
            (SLOW, "pace:x a", 100, "pace:x a"),
            (SLOW, "pace:4000000000 a", 60_000, "a"),
            (BuiltinKind::Broken, "die:3 a b", 0, "a b"),
        ] {
            let (behavior, left) = kind.plan(text).expect("a response");
            assert_eq!((behavior.pace.as_millis(), left), (pace, rest), "{text}");
        }
    }

    #[test]
    fn a_status_is_one_that_the_document_lists() {
        let fault = |text| BuiltinKind::Broken.plan(text).expect_err("an error").fault;
        assert_eq!(fault("status:502"), Fault::Upstream);
        assert_eq!(fault("status:503 x"), Fault::Overload { retry_after: 1 });
        for text in ["", "Hello", "status:200", "status:", "explode:1", "die:-1"] {
            let problem = BuiltinKind::Broken.plan(text).expect_err("an error");
            assert_eq!(problem, unsupported(), "{text}");
        }
    }

    #[tokio::test]
    async fn a_response_in_one_piece_fails_as_the_gateway_reports_it() {
        let respond = async |text| {
            let (behavior, rest) = BuiltinKind::Broken.plan(text)?;
            let planned = PlannedResponse::Whole(format!("{{\"said\":\"{rest}\"}}"), 1);
            behavior.respond(planned, Convention::Chat).await
        };
        for text in ["die:0 x", "half:2 x", "end:0 x"] {
            assert_eq!(respond(text).await.expect_err("no response"), broken_off());
        }
        let Ok(ModelResponse::Whole(bytes)) = respond("malformed:0 x").await else {
            panic!("a response");
        };
        assert!(serde_json::from_slice::<serde_json::Value>(&bytes).is_err());
    }
}
