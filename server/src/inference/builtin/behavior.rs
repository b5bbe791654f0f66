//! How a built-in model responds: at once, slowly, or with a failure that the caller
//! chooses.
//!
//! Clients have to cope with slow and broken model servers, and their authors need one to
//! test them with. The first word of the text to repeat selects the behavior:
//! `NAME:NUMBER`.

use std::time::Duration;

use bytes::Bytes;
use futures::StreamExt;

use crate::inference::gateway::Answer;
use crate::inference::gateway::events::{self, BrokenOff, Convention, Piece};
use crate::inference::problem::{Code, Fault, Problem};

/// The longest that one event may be asked to wait.
const MAX_DELAY: Duration = Duration::from_secs(60);
/// How long an answer hangs.
const HANG_TIME: Duration = Duration::from_secs(600);
/// The behaviors of a broken model, for people.
const BROKEN_HELP: &str = "Begin the text with status:CODE, die:EVENTS, end:EVENTS, half:EVENTS, \
     malformed:EVENTS or hang:EVENTS to choose how builtin/broken fails.";

/// How a built-in model behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BuiltinKind {
    /// It repeats the text at once.
    Echo,
    /// It waits before each piece; `pace:MILLISECONDS` says how long.
    Slow {
        /// How long when the text does not say.
        pace: Duration,
    },
    /// It fails.
    Broken,
}

/// How one answer goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Behavior {
    pace: Duration,
    failure: Option<Failure>,
}

/// How an answer fails that was begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Failure {
    /// After so many events.
    after: usize,
    how: How,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum How {
    /// The model server dies, and the gateway says so.
    Die,
    /// The stream ends as if it were whole.
    End,
    /// It ends within an event.
    Half,
    /// An event comes that cannot be read; the others follow.
    Malformed,
    /// Nothing comes any more.
    Hang,
}

/// An answer as it would be, were nothing to go wrong.
pub(super) enum PlannedResponse {
    /// In one piece, and of how many tokens.
    Whole(String, usize),
    /// Event by event.
    Events(Vec<Bytes>),
}

impl BuiltinKind {
    /// What a text asks for, and what is left of it to repeat.
    ///
    /// # Errors
    ///
    /// That the answer is an error, as the text asked.
    pub(super) fn plan<'a>(&self, text: &'a str) -> Result<(Behavior, &'a str), Problem> {
        let smooth = |pace| Behavior {
            pace,
            failure: None,
        };
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let asked = word.split_once(':');
        let asked = asked.and_then(|(name, number)| Some((name, number.parse::<u32>().ok()?)));
        match (self, asked) {
            (BuiltinKind::Echo, _) => Ok((smooth(Duration::ZERO), text)),
            (BuiltinKind::Slow { .. }, Some(("pace", milliseconds))) => {
                let pace = Duration::from_millis(milliseconds.into());
                Ok((smooth(pace.min(MAX_DELAY)), rest))
            }
            (BuiltinKind::Slow { pace }, _) => Ok((smooth(*pace), text)),
            (BuiltinKind::Broken, Some(("status", status))) => Err(refusal(status)),
            (BuiltinKind::Broken, Some((name, after))) => {
                let how = match name {
                    "die" => How::Die,
                    "end" => How::End,
                    "half" => How::Half,
                    "malformed" => How::Malformed,
                    "hang" => How::Hang,
                    _ => return Err(unclear()),
                };
                let after = usize::try_from(after).unwrap_or(usize::MAX);
                let behavior = Behavior {
                    pace: Duration::ZERO,
                    failure: Some(Failure { after, how }),
                };
                Ok((behavior, rest))
            }
            (BuiltinKind::Broken, None) => Err(unclear()),
        }
    }
}

/// The error with this status.
fn refusal(status: u32) -> Problem {
    let (fault, code) = match status {
        400 => (Fault::Request, Code::InvalidValue),
        403 => (Fault::Permission, Code::InsufficientPermissions),
        404 => (Fault::Model, Code::ModelNotFound),
        429 => (Fault::Rate { retry_after: 1 }, Code::RateLimitExceeded),
        500 => (Fault::Service, Code::ServerError),
        502 => (Fault::Upstream, Code::UpstreamFailed),
        503 => (Fault::Overload { retry_after: 1 }, Code::UpstreamOverloaded),
        _ => return unclear(),
    };
    let message = format!("Model builtin/broken failed with {status}, as the text requested.");
    Problem::new(fault, code, message)
}

fn unclear() -> Problem {
    Problem::new(Fault::Request, Code::UnsupportedValue, BROKEN_HELP)
}

fn broken_off() -> Problem {
    let message = "The upstream of model builtin/broken closed the connection before the end of its response.";
    Problem::new(Fault::Upstream, Code::UpstreamFailed, message)
}

impl Behavior {
    /// The answer, as the course has it.
    ///
    /// # Errors
    ///
    /// When an answer in one piece fails.
    pub(super) async fn respond(
        self,
        planned: PlannedResponse,
        convention: Convention,
    ) -> Result<Answer, Problem> {
        match planned {
            PlannedResponse::Whole(text, tokens) => self.whole(text, tokens).await,
            PlannedResponse::Events(events) => Ok(self.events(events, convention)),
        }
    }

    async fn whole(self, mut text: String, tokens: usize) -> Result<Answer, Problem> {
        let tokens = u32::try_from(tokens).unwrap_or(u32::MAX);
        let wait = self.pace.saturating_mul(tokens);
        if !wait.is_zero() {
            tokio::time::sleep(wait).await;
        }
        match self.failure.map(|failure| failure.how) {
            None => {}
            Some(How::Die | How::End | How::Half) => return Err(broken_off()),
            Some(How::Malformed) => text.insert(0, '}'),
            Some(How::Hang) => {
                tokio::time::sleep(HANG_TIME).await;
                return Err(broken_off());
            }
        }
        Ok(Answer::Whole(text.into()))
    }

    fn events(self, mut events: Vec<Bytes>, convention: Convention) -> Answer {
        let mut hang = Duration::ZERO;
        let mut broken_off = None;
        if let Some(Failure { after, how }) = self.failure {
            let after = after.min(events.len());
            let rest = events.split_off(after);
            match how {
                How::End => {}
                How::Die => {
                    let last = events.last().cloned().unwrap_or_default();
                    broken_off = Some(BrokenOff {
                        event: events::failure(convention, &last, &events::broken()),
                        is_outage: false,
                    });
                }
                How::Half => {
                    events.extend(rest.first().map(|event| event.slice(..event.len() / 2)))
                }
                How::Malformed => {
                    events.push("data: {\"malformed\n\n".into());
                    events.extend(rest);
                }
                How::Hang => hang = HANG_TIME,
            }
        }
        let events = events.into_iter().map(Ok).chain(broken_off.map(Err));
        let pace = self.pace;
        if pace.is_zero() && hang.is_zero() {
            return Answer::Events(futures::stream::iter(events).boxed());
        }
        let paced = futures::stream::iter(events).then(move |piece: Piece| async move {
            tokio::time::sleep(pace).await;
            Some(piece)
        });
        let end = futures::stream::once(async move {
            tokio::time::sleep(hang).await;
            None
        });
        let all = paced.chain(end);
        Answer::Events(all.filter_map(std::future::ready).boxed())
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
            let (behavior, left) = kind.plan(text).expect("an answer");
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
            assert_eq!(problem, unclear(), "{text}");
        }
    }

    #[tokio::test]
    async fn an_answer_in_one_piece_fails_as_the_gateway_tells_it() {
        let respond = async |text| {
            let (behavior, rest) = BuiltinKind::Broken.plan(text)?;
            let planned = PlannedResponse::Whole(format!("{{\"said\":\"{rest}\"}}"), 1);
            behavior.respond(planned, Convention::Chat).await
        };
        for text in ["die:0 x", "half:2 x", "end:0 x"] {
            assert_eq!(respond(text).await.expect_err("no answer"), broken_off());
        }
        let Ok(Answer::Whole(bytes)) = respond("malformed:0 x").await else {
            panic!("an answer");
        };
        assert!(serde_json::from_slice::<serde_json::Value>(&bytes).is_err());
    }
}
