//! Guesses of user codes: a limit for all users together does not lock out users without wrong
//! codes, and the response time does not depend on whether a code exists.

use accord_server::identity::error::ServerError;
use accord_server::identity::user_code::UserCode;
use accord_server::identity::user_code_entry::{Entered, Outcome, enter};
use accord_server::params;
use accord_server::store::Tx;

use super::browser::Browser;
use super::client::{ANA, Device, PASSWORD};
use crate::harness::{Server, both_databases};

/// The default limit of wrong codes of all users, and the seconds in which they count.
const ALL_CODES: i64 = 1000;
const WINDOW: i64 = 300;

/// The time of the service, in milliseconds.
fn now(server: &Server) -> i64 {
    server.app().clock.now().timestamp_millis()
}

/// Enters a code as the user and from the address with this number, at this time. Returns the outcome, and the
/// number of statements.
async fn entered(server: &Server, code: &str, number: u8, now: i64) -> (Outcome, usize) {
    let app = server.app().clone();
    let entered = Entered {
        code: UserCode::parse(code).unwrap(),
        user_id: format!("user-{number}"),
        origin: format!("192.0.2.{number}"),
        network: format!("192.0.2.{number}"),
        decision: None,
        now,
    };
    let work = move |tx: &mut Tx<'_>| -> Result<_, ServerError> {
        let outcome = enter(tx, &app.server_keys, &app.config.identity, &entered)?;
        Ok((outcome, tx.statements()))
    };
    server.app().store.write(work).await.unwrap()
}

/// Records this many wrong codes of all users.
async fn record_wrong_codes(server: &Server, failures: i64) {
    let now = now(server);
    let write = move |tx: &mut Tx<'_>| {
        tx.execute(
            "INSERT INTO failed_attempts (subject, failures, started_at, blocked_until) \
             VALUES ('code all', $1, $2, 0)",
            params![failures, now],
        )
    };
    server.write(write).await;
}

both_databases! {
    async fn the_limit_of_all_users_does_not_block_users_without_wrong_codes(server: Server) {
        let device = Device::ask(&server, "accounts.read").await;
        record_wrong_codes(&server, ALL_CODES - 1).await;
        let mut guesser = Browser::signed_in(&server, ANA, PASSWORD).await;
        let page = guesser.submit("/ui/v1/device", &[("user_code", "BBBBBBBB")]).await;
        assert_eq!(page.status, 400);
        // A user with a wrong code has to wait now.
        let page = guesser.submit("/ui/v1/device", &[("user_code", &device.user_code)]).await;
        let seconds: i64 = page.header("retry-after").parse().unwrap();
        assert!(page.status == 429 && (30..=60).contains(&seconds), "{seconds}");
        // A user without a wrong code is admitted, and has one guess.
        let mut other = Browser::signed_in(&server, "ben@north.example", PASSWORD).await;
        let page = other.submit("/ui/v1/device", &[("user_code", &device.user_code)]).await;
        assert_eq!(page.status, 200);
        let now = now(&server);
        assert_eq!(entered(&server, "BBBBBBBB", 1, now).await.0, Outcome::Wrong);
        assert_eq!(entered(&server, &device.user_code, 1, now).await.0, Outcome::Wait(60));
        server.advance(60);
        let page = guesser.submit("/ui/v1/device", &[("user_code", &device.user_code)]).await;
        assert_eq!(page.status, 200);
    }

    async fn an_old_flood_no_longer_counts(server: Server) {
        record_wrong_codes(&server, ALL_CODES - 1).await;
        server.advance(WINDOW + 1);
        for _ in 0..3 {
            assert_eq!(entered(&server, "BBBBBBBB", 1, now(&server)).await.0, Outcome::Wrong);
        }
    }

    /// Otherwise a guesser could end the wait of all accounts with a wrong code of a new account.
    async fn a_wrong_code_in_a_new_window_does_not_end_the_wait(server: Server) {
        record_wrong_codes(&server, ALL_CODES - 1).await;
        server.advance(WINDOW - 10);
        let now = now(&server);
        assert_eq!(entered(&server, "BBBBBBBB", 1, now).await.0, Outcome::Wrong);
        assert_eq!(entered(&server, "BBBBBBBB", 1, now).await.0, Outcome::Wait(60));
        // The failures of all users no longer count, and the wait is not over.
        server.advance(20);
        let now = now + 20_000;
        assert_eq!(entered(&server, "BBBBBBBB", 2, now).await.0, Outcome::Wrong);
        assert_eq!(entered(&server, "BBBBBBBB", 1, now).await.0, Outcome::Wait(40));
    }

    /// Otherwise a user with a device of their own could reset their failures between guesses.
    async fn a_valid_code_does_not_reset_the_failures(server: Server) {
        let own = Device::ask(&server, "accounts.read").await;
        let now = now(&server);
        for _ in 0..4 {
            assert_eq!(entered(&server, "BBBBBBBB", 1, now).await.0, Outcome::Wrong);
        }
        let (outcome, _) = entered(&server, &own.user_code, 1, now).await;
        assert!(matches!(outcome, Outcome::Found(_)), "{outcome:?}");
        assert_eq!(entered(&server, "BBBBBBBB", 1, now).await.0, Outcome::Wrong);
        assert_eq!(entered(&server, &own.user_code, 1, now).await.0, Outcome::Wait(60));
    }

    async fn failures_under_a_clock_that_was_ahead_block_nobody(server: Server) {
        server.advance(7200);
        // The first sweep of the service deletes failures that are ahead of the clock which it has read, maybe before.
        let mut failures = 0;
        while !matches!(entered(&server, "BBBBBBBB", 1, now(&server)).await.0, Outcome::Wait(_)) {
            failures += 1;
            assert!(failures <= 10, "not blocked");
        }
        server.advance(-7200);
        // A sweep may have deleted an earlier device, which has expired in between.
        let device = Device::ask(&server, "accounts.read").await;
        let (outcome, _) = entered(&server, &device.user_code, 1, now(&server)).await;
        assert!(matches!(outcome, Outcome::Found(_)), "{outcome:?}");
    }

    /// Denied, redeemed, expired or unknown: the response is the same, and so is the work. Only a
    /// pending code has another response, which shows the request.
    async fn a_finished_code_takes_the_same_work_as_an_unknown_one(server: Server) {
        let expired = Device::ask(&server, "accounts.read").await;
        server.advance(301);
        let denied = Device::ask(&server, "accounts.read").await;
        let mut browser = Browser::signed_in(&server, ANA, PASSWORD).await;
        browser.decide(&denied.user_code, "deny").await;
        let approved = Device::ask(&server, "accounts.read").await;
        approved.approve(&server).await;
        let redeemed = Device::ask(&server, "accounts.read").await;
        redeemed.approve(&server).await;
        assert_eq!(redeemed.poll(&server).await.status, 200);

        let now = now(&server);
        let (outcome, work) = entered(&server, "BBBBBBBB", 1, now).await;
        assert_eq!(outcome, Outcome::Wrong);
        for (seen, device) in [expired, denied, approved, redeemed].iter().enumerate() {
            let known = entered(&server, &device.user_code, seen as u8 + 2, now).await;
            assert_eq!(known, (Outcome::Wrong, work), "{seen}");
        }
    }

    async fn a_blocked_user_learns_nothing_about_a_code(server: Server) {
        let pending = Device::ask(&server, "accounts.read").await;
        let now = now(&server);
        for _ in 0..5 {
            entered(&server, "BBBBBBBB", 1, now).await;
        }
        let unknown = entered(&server, "CCCCCCCC", 1, now).await;
        assert_eq!(unknown.0, Outcome::Wait(60));
        assert_eq!(entered(&server, &pending.user_code, 1, now).await, unknown);
    }
}
