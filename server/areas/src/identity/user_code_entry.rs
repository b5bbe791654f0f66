//! The entry of a user code (RFC 8628, section 3.3), and the protection against guesses (section
//! 5.1).
//!
//! Wrong codes count for the user, for the address and for everybody together. The failures
//! of others, at the same address or anywhere, do not block a user without wrong codes:
//! otherwise a few could lock out everybody.
//!
//! The service rejects a user who has to wait before it looks up the code. A denied, redeemed
//! or expired code takes the same statements as an unknown one, so neither the response nor
//! its time distinguishes them.

use super::error::ServerError;
use super::grants::{self, Decided, Decision, Pending};
use super::sessions;
use super::throttle::{self, Limit, Subject};
use super::user_code::UserCode;
use crate::audit::{Actor, AuditContext};
use crate::config::identity::IdentityConfig;
use crate::kernel::{Mac, ServerKeys};
use crate::store::Tx;

/// An entered user code, and its user.
pub struct Entered {
    /// The code.
    pub code: UserCode,
    /// The user who has entered it.
    pub user_id: String,
    /// The address of the request.
    pub origin: String,
    /// The network that limits count for this address.
    pub network: String,
    /// The decision of the user, if the request has one.
    pub decision: Option<Decision>,
    /// Now, in Unix milliseconds.
    pub now: i64,
}

/// The outcome of an entered code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Too many wrong codes, with the seconds to wait.
    Wait(i64),
    /// No pending grant has this code.
    Wrong,
    /// A pending grant has it.
    Found(Pending),
    /// The user has decided the grant, which this application had requested.
    Decided(Decision, String),
}

/// [`enter`] in a session. `None` if the session has ended, for example because the user has set
/// another password: nothing that it has begun may outlive it.
///
/// # Errors
///
/// When the store fails.
pub fn enter_in_session(
    tx: &mut Tx<'_>,
    server_keys: &ServerKeys,
    config: &IdentityConfig,
    session: Mac,
    entered: &Entered,
) -> Result<Option<Outcome>, ServerError> {
    match sessions::find(tx, &[session], entered.now)? {
        Some(_) => enter(tx, server_keys, config, entered).map(Some),
        None => Ok(None),
    }
}

/// Finds the pending grant of a code, and decides it if the user has.
///
/// # Errors
///
/// When the store fails.
pub fn enter(
    tx: &mut Tx<'_>,
    server_keys: &ServerKeys,
    config: &IdentityConfig,
    entered: &Entered,
) -> Result<Outcome, ServerError> {
    let Entered {
        code,
        user_id,
        network,
        decision,
        now,
        ..
    } = entered;
    let now = *now;
    let address = format!("code address {network}");
    let subjects = [
        Subject::new(format!("code user {user_id}"), Limit::codes(config)),
        Subject::new(address, Limit::codes_from_address(config)),
        Subject::new("code all", Limit::codes_of_all(config)),
    ];
    let binding = match throttle::failures(tx, &subjects[0], now)? {
        0 => &subjects[..1],
        _ => &subjects[..],
    };
    if let Some(seconds) = throttle::wait(tx, binding, now)? {
        return Ok(Outcome::Wait(seconds));
    }
    let found = match *decision {
        None => grants::pending(tx, server_keys, code, now)?.map(Outcome::Found),
        Some(decision) => match decide(tx, server_keys, entered, decision)? {
            None => None,
            Some(grant) => {
                let application = grants::application(tx, &grant)?;
                Some(Outcome::Decided(decision, application))
            }
        },
    };
    // A valid code does not reset the failures: anybody can get one for their own device, and would
    // continue guessing after it.
    if found.is_none() {
        throttle::fail(tx, &subjects, now)?;
    }
    Ok(found.unwrap_or(Outcome::Wrong))
}

/// Decides the grant of a code, and returns its identifier. A form that is sent twice is one
/// decision, and the code in it is not a wrong one.
fn decide(
    tx: &mut Tx<'_>,
    server_keys: &ServerKeys,
    entered: &Entered,
    decision: Decision,
) -> Result<Option<String>, ServerError> {
    let Entered {
        code, user_id, now, ..
    } = entered;
    let decided = grants::decide(tx, server_keys, code, user_id, decision, *now)?;
    let Some(Decided { grant, is_new }) = decided else {
        return Ok(None);
    };
    if !is_new {
        return Ok(Some(grant));
    }
    let action = match decision {
        Decision::Approve => "identity.grant.approved",
        Decision::Deny => "identity.grant.denied",
    };
    AuditContext::new(server_keys, Actor::User(user_id), &entered.origin, *now)
        .record(tx, action, &grant, "")?;
    Ok(Some(grant))
}
