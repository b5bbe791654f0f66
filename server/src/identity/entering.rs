//! Entering a user code (RFC 8628, section 3.3), and what keeps it from being
//! guessed (section 5.1).
//!
//! Whoever waits is told so before anything is looked up, and a code that was
//! denied, redeemed or has expired takes the same statements as one that never
//! was: neither the answer nor the time it takes tells them apart.

use super::error::ServerError;
use super::grants::{self, Decision, Pending};
use super::throttle;
use super::user_code::UserCode;
use crate::audit::{self, Actor, Event};
use crate::kernel::{Mac, Pepper};
use crate::store::Tx;

/// A code that a user has entered.
pub struct Entered {
    /// The code.
    pub code: UserCode,
    /// Who has entered it.
    pub user_id: String,
    /// The keyed hash of the browser's cookie.
    pub session: Mac,
    /// The address that it came from.
    pub origin: String,
    /// What the user has decided, if they were asked already.
    pub decision: Option<Decision>,
    /// Now, in Unix milliseconds.
    pub now: i64,
}

/// What becomes of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Too many wrong codes; so many seconds to wait.
    Wait(i64),
    /// No pending grant has this code.
    Wrong,
    /// One has, and waits for its decision.
    Found(Pending),
    /// It has been decided.
    Decided(Decision),
}

/// Looks for the pending grant of a code, and decides it if that is asked for.
///
/// # Errors
///
/// When the store fails.
pub fn enter(tx: &mut Tx<'_>, pepper: &Pepper, entered: &Entered) -> Result<Outcome, ServerError> {
    let Entered {
        code,
        user_id,
        session,
        origin,
        decision,
        now,
    } = entered;
    let now = *now;
    let subjects = [
        format!("code session {}", hex(session)),
        format!("code address {origin}"),
        "code all".to_owned(),
    ];
    if let Some(seconds) = throttle::wait(tx, &subjects, now)? {
        return Ok(Outcome::Wait(seconds));
    }
    let found = match *decision {
        None => grants::pending(tx, pepper, code, now)?.map(Outcome::Found),
        Some(decision) => {
            let decided = grants::decide(tx, pepper, code, user_id, decision, now)?;
            if let Some(grant) = &decided {
                let event = Event {
                    at: now,
                    actor: Actor::User(user_id),
                    action: match decision {
                        Decision::Approve => "identity.grant.approved",
                        Decision::Deny => "identity.grant.denied",
                    },
                    subject: grant,
                    origin,
                    detail: "",
                };
                audit::record(tx, pepper, &event)?;
            }
            decided.map(|_| Outcome::Decided(decision))
        }
    };
    let Some(outcome) = found else {
        throttle::fail(tx, throttle::CODES, &subjects[..2], now)?;
        throttle::fail(tx, throttle::ALL_CODES, &subjects[2..], now)?;
        return Ok(Outcome::Wrong);
    };
    // Only the session's own: whoever has one good code must not clear the way
    // for others at the same address.
    throttle::forgive(tx, &subjects[..1])?;
    Ok(outcome)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
