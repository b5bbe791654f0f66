use super::*;
use chrono::TimeDelta;

fn at(seconds: i64) -> DateTime<Utc> {
    DateTime::UNIX_EPOCH + TimeDelta::seconds(seconds)
}

fn used(tokens: i64) -> Settlement {
    Settlement {
        used: tokens,
        released: 0,
        day: at(0).date_naive(),
    }
}

const STREAM: Reservation = Reservation {
    calls: true,
    streams: true,
    tokens: 0,
};

#[test]
fn one_token_left_admits_one_call_until_its_usage_is_settled() {
    let meter = Meter::default();
    for limits in [
        Limits {
            tokens_per_minute: Some(60),
            ..Limits::default()
        },
        Limits {
            budget: Some((60, Period::Day)),
            ..Limits::default()
        },
    ] {
        let reservation = Reservation {
            calls: false,
            streams: false,
            tokens: 1000,
        };
        meter
            .enter(&limits, reservation, at(0))
            .expect("tokens left");
        for _ in 0..100 {
            let refused = meter.enter(&limits, reservation, at(0));
            let refused = refused.expect_err("all tokens are reserved");
            assert_eq!(refused.retry_after, 1, "{limits:?}");
        }
        let settlement = Settlement {
            released: 10,
            ..used(10)
        };
        meter.settle(&limits, settlement, at(0));
        assert!(meter.enter(&limits, reservation, at(0)).is_err());
        let rest = Reservation {
            tokens: 990,
            ..reservation
        };
        meter.leave(&limits, rest, at(0));
        meter
            .enter(&limits, reservation, at(0))
            .expect("50 tokens left");
        meter.leave(&limits, reservation, at(0));
    }
}

#[test]
fn a_long_response_makes_the_next_call_wait() {
    let meter = Meter::default();
    let limits = Limits {
        tokens_per_minute: Some(60),
        ..Limits::default()
    };
    assert!(meter.enter(&limits, Reservation::default(), at(0)).is_ok());
    meter.settle(&limits, used(90), at(0));
    let refused = meter
        .enter(&limits, Reservation::default(), at(0))
        .expect_err("in debt");
    assert_eq!((refused.kind, refused.retry_after), (LimitKind::Tokens, 31));
    let status = refused.limit_statuses.tokens.expect("a limit");
    assert_eq!((status.remaining, status.reset_seconds), (0, 90));
    assert!(meter.enter(&limits, Reservation::default(), at(31)).is_ok());
}

#[test]
fn a_refused_call_takes_nothing() {
    let meter = Meter::default();
    let limits = Limits {
        requests_per_minute: Some(2),
        concurrent_streams: Some(1),
        ..Limits::default()
    };
    assert!(meter.enter(&limits, STREAM, at(0)).is_ok());
    for _ in 0..5 {
        let refused = meter
            .enter(&limits, STREAM, at(0))
            .expect_err("one at once");
        assert_eq!(refused.kind, LimitKind::Streams);
    }
    meter.leave(&limits, STREAM, at(0));
    let limit_statuses = meter
        .enter(&limits, STREAM, at(0))
        .expect("a second request");
    assert_eq!(limit_statuses.requests.map(|s| s.remaining), Some(0));
    meter.leave(&limits, STREAM, at(0));
    let refused = meter.enter(&limits, STREAM, at(0)).expect_err("no third");
    assert_eq!(
        (refused.kind, refused.retry_after),
        (LimitKind::Requests, 30)
    );
}

#[test]
fn calls_that_redis_admitted_leave_no_debt_to_a_small_share() {
    let meter = Meter::new(Share::even(0.01));
    let limits = Limits {
        requests_per_minute: Some(6000),
        tokens_per_minute: Some(6000),
        ..Limits::default()
    };
    let reservation = Reservation {
        calls: false,
        streams: false,
        tokens: 10,
    };
    for _ in 0..1000 {
        meter.count(&limits, reservation, at(0));
        meter.settle(&limits, used(10), at(0));
        meter.end_debt();
    }
    let refused = meter.enter(&limits, Reservation::default(), at(0));
    assert_eq!(refused.expect_err("used up").retry_after, 1);
    // A share of 0.01 refills one request and one token a second.
    meter
        .enter(&limits, Reservation::default(), at(1))
        .expect("refilled");
}

#[test]
fn a_caller_waits_no_longer_than_until_the_share_follows() {
    let meter = Meter::new(Share::even(0.0));
    let limits = Limits {
        requests_per_minute: Some(600),
        ..Limits::default()
    };
    let call = || meter.enter(&limits, Reservation::default(), at(0));
    call().expect("each replica admits one call");
    assert_eq!(call().expect_err("no share").retry_after, 2);
    meter.set_share(Share::WHOLE, &limits, at(1));
    meter
        .enter(&limits, Reservation::default(), at(2))
        .expect("the share followed");
}

#[test]
fn a_budget_counts_what_others_used_and_begins_anew() {
    let meter = Meter::default();
    let limits = Limits {
        budget: Some((100, Period::Day)),
        ..Limits::default()
    };
    meter.settle(&limits, used(40), at(0));
    assert!(meter.enter(&limits, Reservation::default(), at(1)).is_ok());
    // This replica's 40, now written, and 60 of another.
    meter.follow(at(0).date_naive(), 100, 40);
    let refused = meter
        .enter(&limits, Reservation::default(), at(86_390))
        .expect_err("spent");
    assert_eq!((refused.kind, refused.retry_after), (LimitKind::Budget, 11));
    assert!(
        meter
            .enter(&limits, Reservation::default(), at(86_401))
            .is_ok()
    );
}
