//! Attackers who try to lock others out, and a bystander who signs in and enters a
//! code at the first try.

use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use memchr::memmem;

use super::browser::Browser;
use super::client::{ANA, Device, PASSWORD};
use crate::harness::{Database, Server};

const BEN: &str = "ben@north.example";

/// A service behind a trusted proxy, which these tests play themselves.
async fn service() -> Server {
    service_with_delay(1).await
}

/// The same with this delay in seconds for a name that many guess at.
async fn service_with_delay(seconds: i64) -> Server {
    Server::start_with(Database::Sqlite, |layer| {
        layer.server.trusted_proxies = Some(vec!["127.0.0.0/8".parse().unwrap()]);
        layer.identity.password_delay_seconds = Some(seconds);
    })
    .await
}

/// A browser at this address, behind the proxy.
fn browser(server: &Server, address: &str) -> Browser {
    let mut browser = Browser::new(server);
    browser.behind_proxy = Some(address.to_owned());
    browser
}

/// Tries a wrong password; the status.
async fn guess(browser: &mut Browser, username: &str) -> u16 {
    if browser.csrf_token.is_empty() {
        browser.get("/ui/v1/signin").await;
    }
    let fields = [("username", username), ("password", "wrong")];
    browser.submit("/ui/v1/signin", &fields).await.status
}

async fn signs_in_and_enters_a_code(server: &Server, mut browser: Browser, username: &str) {
    browser.sign_in(username, PASSWORD).await;
    enters_a_code(server, &mut browser).await;
}

async fn enters_a_code(server: &Server, browser: &mut Browser) {
    let device = Device::ask(server, "accounts.read").await;
    let page = browser
        .submit("/ui/v1/device", &[("user_code", &device.user_code)])
        .await;
    assert_eq!(page.status, 200, "{}", page.body);
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_attackers_on_one_name_delay_it_and_do_not_shut_it() {
    let server = service_with_delay(20).await;
    let mut known = browser(&server, "192.0.2.100");
    known.sign_in(BEN, PASSWORD).await;
    known.cookie = None;
    for attacker in 0..10 {
        let mut attacker = browser(&server, &format!("192.0.2.{attacker}"));
        for _ in 0..2 {
            assert_eq!(guess(&mut attacker, BEN).await, 400);
        }
    }
    // Somewhere new, it takes two seconds.
    let begun = Instant::now();
    signs_in_and_enters_a_code(&server, browser(&server, "198.51.100.1"), BEN).await;
    assert!(begun.elapsed() >= Duration::from_secs(2));
    // Where ben has signed in before, it takes none of the delay, however many guess.
    let many = "UPDATE failed_attempts SET failures = 1000 WHERE subject LIKE 'signin name %'";
    assert_eq!(server.write(move |tx| tx.execute(many, &[])).await, 1);
    let begun = Instant::now();
    signs_in_and_enters_a_code(&server, known, BEN).await;
    assert!(begun.elapsed() < Duration::from_secs(20));
    assert_eq!(server.stop().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_attacker_at_a_shared_address_shuts_nobody_out_who_is_known_there() {
    let server = service().await;
    let mut known = browser(&server, "192.0.2.1");
    known.sign_in(BEN, PASSWORD).await;
    let mut signed_in = browser(&server, "192.0.2.1");
    signed_in.sign_in("ana@north.example", PASSWORD).await;
    let mut attacker = browser(&server, "192.0.2.1");
    for _ in 0..10 {
        assert_eq!(guess(&mut attacker, "nobody@north.example").await, 400);
    }
    assert_eq!(guess(&mut attacker, BEN).await, 429);
    // A cookie of one user is worth nothing for another.
    known.cookie = None;
    known.csrf_token.clear();
    assert_eq!(guess(&mut known, ANA).await, 429);
    known.csrf_token.clear();
    signs_in_and_enters_a_code(&server, known, BEN).await;
    let device = Device::ask(&server, "accounts.read").await;
    signed_in.get("/ui/v1/device").await;
    let page = signed_in
        .submit("/ui/v1/device", &[("user_code", &device.user_code)])
        .await;
    assert_eq!(page.status, 200, "{}", page.body);
    // Elsewhere nobody notices.
    signs_in_and_enters_a_code(&server, browser(&server, "192.0.2.2"), ANA).await;
    assert_eq!(server.stop().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_known_browser_that_guesses_is_a_stranger_again() {
    let server = service().await;
    let mut known = browser(&server, "192.0.2.1");
    known.sign_in(BEN, PASSWORD).await;
    known.cookie = None;
    known.csrf_token.clear();
    for _ in 0..10 {
        assert_eq!(guess(&mut known, BEN).await, 400);
    }
    // From here on it counts for its address and for the name.
    for _ in 0..10 {
        assert_eq!(guess(&mut known, BEN).await, 400);
    }
    assert_eq!(guess(&mut known, BEN).await, 429);
    assert_eq!(server.stop().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn where_no_days_are_configured_no_browser_is_known() {
    let server = service().await;
    let mut known = browser(&server, "192.0.2.1");
    known.sign_in(BEN, PASSWORD).await;
    let replica = server.replica_with(|layer| {
        layer.server.trusted_proxies = Some(vec!["127.0.0.0/8".parse().unwrap()]);
        layer.identity.device_cookie_days = Some(0);
    });
    let replica = replica.await;
    let at = |address: &str| {
        let mut browser = Browser::through(&replica, replica.address(), [127, 0, 0, 1]);
        browser.behind_proxy = Some(address.to_owned());
        browser
    };
    // The cookie of another replica has no limit of its own here.
    let mut guesser = at("192.0.2.1");
    guesser.device = known.device.clone();
    for _ in 0..10 {
        assert_eq!(guess(&mut guesser, BEN).await, 400);
    }
    assert_eq!(guess(&mut guesser, BEN).await, 429);
    let mut other = at("192.0.2.2");
    other.sign_in(BEN, PASSWORD).await;
    assert_eq!(other.device, None);
    assert_eq!(replica.stop().await, Vec::<String>::new());
    assert_eq!(server.stop().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_with_200_addresses_locks_nobody_out_of_entering_codes() {
    let server = service().await;
    let mut attacker = browser(&server, "192.0.2.1");
    attacker.sign_in(ANA, PASSWORD).await;
    let mut refused = 0;
    for address in 0..200 {
        attacker.behind_proxy = Some(format!("198.51.100.{address}"));
        let page = attacker
            .submit("/ui/v1/device", &[("user_code", "BBBBBBBB")])
            .await;
        refused += usize::from(page.status == 429);
    }
    assert_eq!(refused, 195);
    // At one of these addresses, and at another.
    for address in ["198.51.100.7", "203.0.113.1"] {
        signs_in_and_enters_a_code(&server, browser(&server, address), BEN).await;
    }
    assert_eq!(server.stop().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn one_person_who_guesses_codes_locks_out_no_other_at_the_same_address() {
    let server = service().await;
    let here = "192.0.2.1";
    let mut attacker = browser(&server, here);
    attacker.sign_in(ANA, PASSWORD).await;
    let wrong = [("user_code", "BBBBBBBB")];
    let mut statuses = Vec::new();
    for _ in 0..6 {
        statuses.push(attacker.submit("/ui/v1/device", &wrong).await.status);
    }
    assert_eq!(statuses, [400, 400, 400, 400, 400, 429]);
    signs_in_and_enters_a_code(&server, browser(&server, here), BEN).await;
    // Whoever mistypes once may try again.
    let mut hasty = browser(&server, here);
    hasty.sign_in(BEN, PASSWORD).await;
    let page = hasty.submit("/ui/v1/device", &wrong).await;
    assert_eq!(page.status, 400, "{}", page.body);
    enters_a_code(&server, &mut hasty).await;
    assert_eq!(server.stop().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_network_of_64_bits_is_one_address() {
    let server = service().await;
    for host in 0..10 {
        let mut attacker = browser(&server, &format!("2001:db8:1:2::{host:x}"));
        assert_eq!(guess(&mut attacker, "nobody@north.example").await, 400);
    }
    let mut attacker = browser(&server, "2001:db8:1:2:ffff::1");
    assert_eq!(guess(&mut attacker, "nobody@north.example").await, 429);
    let next = browser(&server, "2001:db8:1:3::1");
    signs_in_and_enters_a_code(&server, next, BEN).await;
    assert_eq!(server.stop().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn good_passwords_at_once_count_for_nothing_and_wrong_ones_at_once_all_count() {
    let server = service().await;
    let mut browsers = Vec::new();
    for _ in 0..15 {
        let mut browser = browser(&server, "192.0.2.1");
        browser.get("/ui/v1/signin").await;
        browsers.push(browser);
    }
    let good = [("username", BEN), ("password", PASSWORD)];
    let tries = browsers
        .iter_mut()
        .map(|browser| browser.submit("/ui/v1/signin", &good));
    for page in futures::future::join_all(tries).await {
        assert_eq!(page.status, 303);
    }
    let mut attackers = Vec::new();
    for _ in 0..40 {
        let mut attacker = browser(&server, "192.0.2.9");
        attacker.get("/ui/v1/signin").await;
        attackers.push(attacker);
    }
    let wrong = [("username", "nobody@north.example"), ("password", "wrong")];
    let tries = attackers
        .iter_mut()
        .map(|browser| browser.submit("/ui/v1/signin", &wrong));
    let pages = futures::future::join_all(tries).await;
    let looked_at = pages.iter().filter(|page| page.status == 400).count();
    assert!((10..20).contains(&looked_at), "{looked_at}");
    assert_eq!(server.stop().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn behind_https_both_cookies_are_out_of_reach_of_scripts_and_other_sites() {
    let server = Server::start_with(Database::Sqlite, |layer| {
        layer.server.public_url = Some("https://accord.example".parse().unwrap());
    })
    .await;
    let mut browser = Browser::through(&server, server.address(), [127, 0, 0, 1]);
    browser.get("/ui/v1/signin").await;
    let fields = [("username", BEN), ("password", PASSWORD)];
    let page = browser.submit("/ui/v1/signin", &fields).await;
    let cookies = page.headers.get_all("set-cookie").iter();
    let cookies: Vec<_> = cookies.map(|cookie| cookie.to_str().unwrap()).collect();
    for (name, lifetime) in [("session", 28_800), ("device", 15_552_000)] {
        let begin = format!("__Host-accord_{name}=");
        let cookie = cookies.iter().find_map(|one| one.strip_prefix(&*begin));
        let cookie = cookie.unwrap_or_else(|| panic!("{cookies:?}"));
        let (value, attributes) = cookie.split_once("; ").unwrap();
        let expected = format!("Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age={lifetime}");
        assert_eq!(attributes, expected, "{name}");
        let bytes = URL_SAFE_NO_PAD.decode(value).unwrap();
        assert!(memmem::find(&bytes, b"ben").is_none(), "{name}");
    }
    assert_eq!(server.stop().await, Vec::<String>::new());
}
