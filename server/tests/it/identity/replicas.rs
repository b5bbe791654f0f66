//! Several services over one database: what one of them revokes the others
//! refuse, and what one of them has seen the others have.

use std::collections::BTreeSet;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use accord_server::identity::users;
use accord_server::identity::{rotate_key, tokens as issued};
use accord_server::store::{StoreError, Tx};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use tokio::sync::watch;

use super::browser::Browser;
use super::client::{ANA, Answer, Device, JWT_BEARER, PASSWORD, post, tokens};
use super::saml::{Provider, SAML2_BEARER};
use super::signing::{Robot, authenticate};
use super::tokens::revoke;
use crate::harness::{Database, Server, both_databases};

/// What an access token gets at accounts, at a replica's own address.
async fn status(replica: &Server, token: &str) -> u16 {
    let url = format!("http://{}/api/user/organizations", replica.address());
    let request = replica.http().get(url).bearer_auth(token);
    request.send().await.unwrap().status().as_u16()
}

/// A second is promised from the moment that the change was acknowledged, and a
/// request that is on its way then may still be let in.
pub async fn is_refused_within_a_second(replica: &Server, token: &str) {
    let since = Instant::now();
    loop {
        let asked = since.elapsed();
        if status(replica, token).await == 401 {
            return;
        }
        assert!(asked < Duration::from_secs(1), "still good after {asked:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// The ways in which a token becomes worthless.
#[derive(Debug, Clone, Copy)]
enum Way {
    AccessToken,
    RefreshToken,
    DeviceCodeTwice,
    ByItsUser,
    OfAllOfTheUser,
}

const WAYS: [Way; 5] = [
    Way::AccessToken,
    Way::RefreshToken,
    Way::DeviceCodeTwice,
    Way::ByItsUser,
    Way::OfAllOfTheUser,
];

async fn goes(here: &Server, way: Way, device: &Device, answer: &Answer) {
    match way {
        Way::AccessToken => revoke(here, answer.text("access_token")).await,
        Way::RefreshToken => revoke(here, answer.text("refresh_token")).await,
        Way::DeviceCodeTwice => {
            let again = device.poll(here).await;
            assert_eq!(again.error(), (400, "invalid_grant"));
        }
        Way::ByItsUser => {
            let mut browser = Browser::signed_in(here, ANA, PASSWORD).await;
            let page = browser.get("/ui/v1/account").await;
            let (_, id) = page.body.split_once("/account/disconnect?id=").unwrap();
            let id = id.split('"').next().unwrap();
            let fields = [("id", id), ("action", "disconnect")];
            assert_eq!(browser.submit("/ui/v1/account", &fields).await.status, 200);
        }
        Way::OfAllOfTheUser => {
            // As the command does, in another process.
            let now = here.app().clock.now().timestamp_millis();
            let all = move |tx: &mut Tx<'_>| issued::revoke_all(tx, "ana", now);
            let store = &here.app().store;
            store.write::<_, StoreError, _>(all).await.unwrap();
        }
    }
}

async fn all_ways_are_honoured(here: &Server, there: &Server) {
    for way in WAYS {
        let device = Device::ask(here, "accounts.read offline_access").await;
        device.approve(here).await;
        let answer = device.poll(here).await;
        let token = answer.text("access_token");
        for replica in [here, there] {
            assert_eq!(status(replica, token).await, 200, "{way:?}");
        }
        goes(here, way, &device, &answer).await;
        if !matches!(way, Way::OfAllOfTheUser) {
            assert_eq!(status(here, token).await, 401, "{way:?}");
        }
        is_refused_within_a_second(there, token).await;
        is_refused_within_a_second(here, token).await;
    }
}

/// Ends the connections on which the two replicas await notices, as often as they come back, until the sender is
/// dropped. Returns when both have ended once.
async fn cut_the_channel(server: &Server) -> mpsc::Sender<()> {
    let url = server.app().config.database_url().expose().to_owned();
    let (stop, stopped) = mpsc::channel::<()>();
    let (ended, mut number) = watch::channel(0);
    std::thread::spawn(move || {
        let mut client = postgres::Client::connect(&url, postgres::NoTls).unwrap();
        let mut processes = BTreeSet::new();
        while stopped.recv_timeout(Duration::from_millis(10)) == Err(RecvTimeoutError::Timeout) {
            let rows = client.query(
                "SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity \
                 WHERE query LIKE 'LISTEN %' AND datname = current_database()",
                &[],
            );
            processes.extend(rows.unwrap().iter().map(|row| row.get::<_, i32>(0)));
            ended.send_modify(|number| *number = processes.len());
        }
    });
    let both = number.wait_for(|number| *number >= 2);
    let both = tokio::time::timeout(Duration::from_secs(60), both).await;
    assert!(matches!(both, Ok(Ok(_))), "no channels");
    stop
}

both_databases! {
    async fn a_revocation_is_honoured_by_every_replica_within_a_second(server: Server) {
        let there = server.replica().await;
        all_ways_are_honoured(&server, &there).await;
        assert_eq!(there.stop().await, Vec::<String>::new());
    }

    async fn a_key_that_another_replica_signs_with_is_known_at_once(server: Server) {
        let there = server.replica().await;
        let before = tokens(&server, "accounts.read").await;
        assert_eq!(status(&there, before.text("access_token")).await, 200);
        rotate_key(&server.app().identity, true, None).await.unwrap();
        tokio::time::sleep(Duration::from_millis(60)).await;
        let after = tokens(&server, "accounts.read").await;
        assert_eq!(status(&there, after.text("access_token")).await, 200);
        assert_eq!(status(&there, before.text("access_token")).await, 200);
        assert_eq!(there.stop().await, Vec::<String>::new());
    }

    async fn an_assertion_is_good_once_whichever_replica_sees_it(server: Server) {
        let there = server.replica().await;
        for _ in 0..4 {
            let assertion = Robot::new(&server).await.assertion();
            let (one, other) = tokio::join!(
                authenticate(&server, &assertion),
                present_at(&there, JWT_BEARER, &assertion),
            );
            let mut seen = [one.status, other];
            seen.sort_unstable();
            assert_eq!(seen, [200, 401]);
        }
        assert_eq!(there.stop().await, Vec::<String>::new());
    }

    async fn a_saml_assertion_is_good_once_whichever_replica_sees_it(server: Server) {
        let there = server.replica().await;
        for _ in 0..2 {
            let provider = Provider::new(&server).await;
            let signed = provider.signed().await;
            let encoded = URL_SAFE_NO_PAD.encode(&signed);
            let (one, other) = tokio::join!(
                provider.present(&signed),
                present_at(&there, SAML2_BEARER, &encoded),
            );
            let mut seen = [one.status, other];
            seen.sort_unstable();
            assert_eq!(seen, [200, 401]);
        }
        assert_eq!(there.stop().await, Vec::<String>::new());
    }

    async fn a_disabled_user_gets_nothing_from_what_a_device_was_given(server: Server) {
        let answer = tokens(&server, "accounts.read offline_access").await;
        let now = server.app().clock.now().timestamp_millis();
        let disable = move |tx: &mut Tx<'_>| users::disable(tx, "ana", now);
        server.write(disable).await;
        let form = [
            ("grant_type", "refresh_token"),
            ("refresh_token", answer.text("refresh_token")),
            ("client_id", accord_server::identity::demo::PUBLIC),
        ];
        let refused = post(&server, "/oauth2/v1/token", &form).await;
        assert_eq!(refused.error(), (400, "invalid_grant"));
    }
}

/// Revokes a token that nobody has at a replica's own address.
async fn present_at(replica: &Server, kind: &str, assertion: &str) -> u16 {
    let form = [
        ("token", "x"),
        ("client_assertion_type", kind),
        ("client_assertion", assertion),
    ];
    let url = format!("http://{}/oauth2/v1/revoke", replica.address());
    let request = replica.http().post(url).form(&form);
    request.send().await.unwrap().status().as_u16()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_revocation_is_honoured_with_the_channel_cut() {
    let here = Server::start(Database::Postgres).await;
    let there = here.replica().await;
    let cut = cut_the_channel(&here).await;
    all_ways_are_honoured(&here, &there).await;
    drop(cut);
    assert_eq!(there.stop().await, Vec::<String>::new());
    assert_eq!(here.stop().await, Vec::<String>::new());
}

/// The tables of keys and tokens are out of reach meanwhile: whoever looked
/// something up in them would wait.
#[tokio::test(flavor = "multi_thread")]
async fn a_token_is_verified_without_a_look_up() {
    let server = Server::start(Database::Postgres).await;
    let answer = tokens(&server, "accounts.read").await;
    let token = answer.text("access_token");
    assert_eq!(status(&server, token).await, 200);

    let url = server.app().config.database_url().expose().to_owned();
    let (locked, is_locked) = std::sync::mpsc::channel();
    let (done, is_done) = std::sync::mpsc::channel::<()>();
    let holder = std::thread::spawn(move || {
        let mut client = postgres::Client::connect(&url, postgres::NoTls).unwrap();
        let mut transaction = client.transaction().unwrap();
        let lock = "LOCK TABLE signing_keys, access_tokens, approvals, oauth_clients, \
                    revoked_tokens IN ACCESS EXCLUSIVE MODE";
        transaction.batch_execute(lock).unwrap();
        locked.send(()).unwrap();
        let _ = is_done.recv();
    });
    tokio::task::spawn_blocking(move || is_locked.recv().unwrap())
        .await
        .unwrap();
    let since = Instant::now();
    // Longer than what is known is good for: it is read again on the way.
    while since.elapsed() < Duration::from_millis(1200) {
        let verified = tokio::time::timeout(Duration::from_secs(60), status(&server, token));
        assert_eq!(verified.await.expect("somebody waits for a table"), 200);
    }
    drop(done);
    holder.join().unwrap();
    assert_eq!(server.stop().await, Vec::<String>::new());
}
