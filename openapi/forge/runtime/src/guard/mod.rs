//! The contract guard compares every response with the document before it is sent.
//!
//! It notifies the context ([`Observe::violation`](crate::Observe::violation)) and never
//! changes a response: the response of the handler serves a caller better than a 500. It is
//! on in debug builds, so that tests run under it. Production decides with [`set_guard`], and
//! may compare only a share of the responses. [`Finished::compared`](crate::Finished) says
//! whether a response was compared, so that a count of violations has a total.

use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::reply::Reply;
use crate::table::{HeaderSource, Operation};

mod finding;
mod inspect;

pub use finding::{Finding, GuardReport};
pub(crate) use inspect::{StreamGuard, inspect};

/// The share of responses that the guard compares with the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guard {
    /// None.
    Off,
    /// All.
    On,
    /// The first response of each group of this size, of all operations together.
    OneIn(NonZeroU32),
}

/// The process has not called [`set_guard`].
const UNSET: u32 = u32::MAX;

/// [`UNSET`], 0 for none, or `n` for one in `n`.
static MODE: AtomicU32 = AtomicU32::new(UNSET);

/// Number of responses sent while the guard was sampling.
static PASSED: AtomicU32 = AtomicU32::new(0);

/// Sets the share of responses that the guard of this process compares.
pub fn set_guard(guard: Guard) {
    let mode = match guard {
        Guard::Off => 0,
        Guard::On => 1,
        Guard::OneIn(many) => many.get().min(UNSET - 1),
    };
    MODE.store(mode, Ordering::Relaxed);
}

/// The share of responses that the guard compares. The default is all in debug builds, and none in
/// others.
pub fn guard() -> Guard {
    match MODE.load(Ordering::Relaxed) {
        UNSET if cfg!(debug_assertions) => Guard::On,
        UNSET | 0 => Guard::Off,
        1 => Guard::On,
        many => NonZeroU32::new(many).map_or(Guard::Off, Guard::OneIn),
    }
}

/// Compares a response with the document before it is sent, as the guard does. Headers that the
/// runtime sets may be missing. Does not read the events of a stream.
pub fn findings(operation: &Operation, reply: &Reply) -> Vec<Finding> {
    let listed = operation.response(reply.status());
    let is_set_later = |name: &str| {
        let mut headers = listed.into_iter().flat_map(|response| response.headers);
        headers.any(|header| header.name == name && header.source == HeaderSource::RequestId)
    };
    let (mut findings, _) = inspect(listed, &operation.method, reply);
    findings.retain(
        |finding| !matches!(finding, Finding::HeaderMissing { name } if is_set_later(name)),
    );
    findings
}

/// Whether the guard compares this response. Called once for each response.
pub(crate) fn is_watched() -> bool {
    watches(guard(), &PASSED)
}

/// The same, after as many responses as have `passed`.
fn watches(guard: Guard, passed: &AtomicU32) -> bool {
    match guard {
        Guard::Off => false,
        Guard::On => true,
        Guard::OneIn(many) => passed.fetch_add(1, Ordering::Relaxed) % many == 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_the_answers_is_watched_the_first_one_too() {
        let watched = |guard| {
            let passed = AtomicU32::new(0);
            let watched = (0..9).map(|_| watches(guard, &passed));
            watched.collect::<Vec<bool>>()
        };
        assert_eq!(watched(Guard::Off), [false; 9]);
        assert_eq!(watched(Guard::On), [true; 9]);
        let third = watched(Guard::OneIn(NonZeroU32::new(3).unwrap()));
        assert_eq!(
            third,
            [true, false, false, true, false, false, true, false, false]
        );
    }
}
