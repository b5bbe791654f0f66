//! What callers may notice of each failure.

use std::time::{Duration, Instant};

use super::failures::{Failure, NOTICED, Window};
use super::journal::{Attempt, Call, Kind};
use super::replicas::OFFLINE_SECONDS;
use super::upstream::{STREAM_TOKENS, Served};

/// The time after the return of the database in which the service may still refuse calls with 503.
const DATABASE_RECOVERY: Duration = Duration::from_secs(10);
/// The time after the death of a replica in which calls may fail.
const REPLICA_RECOVERY: Duration = Duration::from_secs(3);
/// The time between two saves of usage, and the time of a save.
const UNSAVED: Duration = Duration::from_millis(1500);

/// The bounds in a sentence, for the table.
pub fn sentence(failure: Failure) -> String {
    match failure {
        Failure::Kill => "Calls in flight at the replica fail, unless the client may repeat them. \
            A second of the replica's usage is lost."
            .to_owned(),
        Failure::Restart | Failure::Promote | Failure::Hosts | Failure::Pause => format!(
            "Calls other than model calls get 503 until {} s after the database is back. Model calls get 503 once \
             the database has been away for {OFFLINE_SECONDS} s.",
            DATABASE_RECOVERY.as_secs()
        ),
        Failure::Rolling | Failure::Redis | Failure::Skew | Failure::Full => "Nothing.".to_owned(),
    }
}

/// The maximum time to recovery.
pub fn recovery(failure: Failure) -> Duration {
    match failure {
        Failure::Kill => REPLICA_RECOVERY,
        _ if failure.is_of_database() => DATABASE_RECOVERY,
        _ => Duration::ZERO,
    }
}

/// Whether a call may fail as it did.
pub fn allows(failure: Failure, window: &Window, call: &Call) -> bool {
    let Some(failed) = &call.failed else {
        return true;
    };
    if failure == Failure::Kill {
        let in_flight = call.began <= window.complete && call.ended >= window.began;
        return in_flight && !call.kind.is_repeatable();
    }
    if !failure.is_of_database()
        || call.ended < window.began
        || call.ended > window.back + DATABASE_RECOVERY + window.stall
    {
        return false;
    }
    match (call.kind, failed.status) {
        // A replica that has not heard of a renewal before the absence learns of it after its end.
        (Kind::NewSecret, Some(401)) => call.began <= window.back + NOTICED + window.stall,
        (kind, Some(503)) if kind.is_model_call() => is_beyond_offline(window, call.ended),
        // A stream has begun, so its failure has no status.
        (Kind::Stream, None) => is_beyond_offline(window, call.ended),
        (kind, Some(503)) => !kind.is_model_call(),
        _ => false,
    }
}

/// Whether a replica may refuse model calls, since the database has been away for too long.
fn is_beyond_offline(window: &Window, at: Instant) -> bool {
    // A replica counts from the last time at which it heard of the database, a moment before.
    at + NOTICED + window.stall >= window.began + Duration::from_secs(OFFLINE_SECONDS)
}

/// Whether a revoked credential was accepted for too long.
pub fn is_late(failure: Failure, window: &Window, attempt: &Attempt) -> bool {
    let noticed = NOTICED + window.stall;
    let bound = window.began + Duration::from_secs(OFFLINE_SECONDS) + noticed;
    let is_away = failure.is_of_database()
        && attempt.at >= window.began
        && attempt.at <= bound.min(window.back + noticed);
    attempt.is_accepted() && !is_away
}

/// The tokens that may be missing in the usage, and those that it may have too many.
pub fn tokens(
    failure: Failure,
    window: &Window,
    victim: &str,
    served: &[Served],
    calls: &[Call],
) -> (u64, u64) {
    let is_unsaved = |one: &&Served| {
        failure == Failure::Kill
            && one.replica == victim
            && one.ended + UNSAVED + window.stall >= window.began
            && one.ended <= window.complete + NOTICED + window.stall
    };
    let unsaved: u64 = served.iter().filter(is_unsaved).map(|one| one.tokens).sum();
    // The service counts the part of a stream that it has passed on.
    let is_cut = |call: &&Call| call.kind == Kind::Stream && call.failed.is_some();
    let cut = calls.iter().filter(is_cut).count();
    let cut = u64::try_from(cut)
        .unwrap_or(u64::MAX)
        .saturating_mul(STREAM_TOKENS);
    let partial = served.iter().filter(|one| !one.is_whole);
    let partial: u64 = partial.map(|one| one.tokens).sum();
    // A killed replica does not correct the estimate of a stream, which may be greater than its tokens.
    let uncorrected = match failure {
        Failure::Kill => cut,
        _ => 0,
    };
    (
        unsaved.saturating_add(cut),
        partial.saturating_add(uncorrected),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::Failed;

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    /// A failure from second 100 to second 120.
    fn window() -> (Instant, Window) {
        let start = Instant::now();
        let window = Window {
            began: start + seconds(100),
            complete: start + seconds(100),
            back: start + seconds(120),
            stall: Duration::ZERO,
            problems: Vec::new(),
        };
        (start, window)
    }

    fn failed(start: Instant, kind: Kind, from: u64, to: u64, status: Option<u16>) -> Call {
        Call {
            kind,
            began: start + seconds(from),
            ended: start + seconds(to),
            failed: Some(Failed {
                status,
                text: String::new(),
            }),
        }
    }

    #[test]
    fn a_killed_replica_fails_calls_in_flight_that_cannot_be_repeated() {
        let (start, window) = window();
        let allows = |kind, from, to| {
            let call = failed(start, kind, from, to, Some(502));
            allows(Failure::Kill, &window, &call)
        };
        assert!(allows(Kind::Chat, 99, 101));
        assert!(!allows(Kind::Chat, 101, 102));
        assert!(!allows(Kind::Chat, 90, 91));
        assert!(!allows(Kind::User, 99, 101));
    }

    #[test]
    fn without_the_database_model_calls_fail_only_beyond_their_bound() {
        let (start, window) = window();
        let allows = |kind, at, status| {
            let call = failed(start, kind, at, at, Some(status));
            allows(Failure::Pause, &window, &call)
        };
        assert!(allows(Kind::Key, 101, 503));
        assert!(!allows(Kind::Key, 101, 500));
        assert!(allows(Kind::User, 101, 503));
        assert!(!allows(Kind::User, 101, 500));
        assert!(!allows(Kind::Chat, 105, 503));
        assert!(allows(Kind::Chat, 112, 503));
        assert!(allows(Kind::Key, 129, 503));
        assert!(!allows(Kind::Key, 131, 503));
    }

    #[test]
    fn a_stall_of_the_machine_moves_the_bounds() {
        let (start, mut window) = window();
        let early = failed(start, Kind::Chat, 107, 107, Some(503));
        let late = failed(start, Kind::Key, 132, 132, Some(503));
        for call in [&early, &late] {
            assert!(!allows(Failure::Pause, &window, call));
        }
        window.stall = seconds(2);
        for call in [&early, &late] {
            assert!(allows(Failure::Pause, &window, call));
        }
        let earlier = failed(start, Kind::Chat, 106, 106, Some(503));
        let later = failed(start, Kind::Key, 133, 133, Some(503));
        for call in [&earlier, &later] {
            assert!(!allows(Failure::Pause, &window, call));
        }
    }

    #[test]
    fn an_orderly_restart_and_an_absence_of_redis_fail_nothing() {
        let (start, window) = window();
        let call = failed(start, Kind::Chat, 101, 101, Some(503));
        assert!(!allows(Failure::Rolling, &window, &call));
        assert!(!allows(Failure::Redis, &window, &call));
    }

    #[test]
    fn a_revoked_secret_is_accepted_in_an_absence_of_the_database_only() {
        let (start, window) = window();
        let is_late = |failure, at| {
            let attempt = Attempt {
                credential: String::new(),
                at: start + seconds(at),
                status: Some(200),
            };
            is_late(failure, &window, &attempt)
        };
        assert!(is_late(Failure::Kill, 105));
        assert!(!is_late(Failure::Pause, 105));
        assert!(is_late(Failure::Pause, 112));
        assert!(is_late(Failure::Pause, 99));
    }

    #[test]
    fn a_killed_replica_may_lose_its_last_second_of_usage() {
        let (start, window) = window();
        let served = |replica: &str, ended| Served {
            replica: replica.to_owned(),
            ended: start + seconds(ended),
            tokens: 3,
            is_whole: true,
        };
        let all = [served("two", 90), served("two", 99), served("one", 99)];
        assert_eq!(tokens(Failure::Kill, &window, "two", &all, &[]), (3, 0));
        assert_eq!(tokens(Failure::Rolling, &window, "two", &all, &[]), (0, 0));
        let cut = [failed(start, Kind::Stream, 99, 101, None)];
        let both = (STREAM_TOKENS, STREAM_TOKENS);
        assert_eq!(tokens(Failure::Kill, &window, "two", &[], &cut), both);
        let missing = (STREAM_TOKENS, 0);
        assert_eq!(tokens(Failure::Rolling, &window, "two", &[], &cut), missing);
    }
}
