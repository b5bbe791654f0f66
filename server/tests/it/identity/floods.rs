//! Floods of sign-ins, user codes and device requests: from 200 addresses, from the address of a
//! proxy, and from one /64 of IPv6. They lock nobody at another address out of any of these, at
//! any replica.

use accord_server::config::Layer;
use accord_server::identity::demo;
use accord_server::identity::quota::{Quotas, RESERVE};
use accord_server::store::{StoreError, Tx};
use futures::future::join_all;

use super::browser::Browser;
use super::client::{ANA, Answer, PASSWORD, answer};
use crate::harness::{Server, both_databases};

const BEN: &str = "ben@north.example";
/// The number of requests of a flood.
const FLOOD: usize = 200;

/// The origin of a flood.
#[derive(Debug, Clone, Copy)]
enum Origin {
    Addresses,
    Proxy,
    Network,
}

const ORIGINS: [Origin; 3] = [Origin::Addresses, Origin::Proxy, Origin::Network];

impl Origin {
    /// The address of each request.
    fn addresses(self) -> Vec<String> {
        let address = |number| match self {
            Origin::Addresses => format!("198.51.100.{number}"),
            Origin::Proxy => "203.0.113.1".to_owned(),
            Origin::Network => format!("2001:db8:1:2::{number:x}"),
        };
        (0..FLOOD).map(address).collect()
    }

    /// The address of somebody else.
    fn bystander(self) -> &'static str {
        match self {
            Origin::Addresses => "192.0.2.1",
            Origin::Proxy => "203.0.113.2",
            Origin::Network => "2001:db8:1:3::1",
        }
    }
}

/// Two replicas behind a trusted proxy, which these tests play themselves.
async fn replicas(server: &Server, per_client: i64) -> [Server; 2] {
    let replica = async || {
        let change = |layer: &mut Layer| {
            layer.server.trusted_proxies = Some(vec!["127.0.0.0/8".parse().unwrap()]);
            layer.identity.password_delay_seconds = Some(1);
            layer.identity.device_requests_per_client = Some(per_client);
        };
        server.replica_with(change).await
    };
    [replica().await, replica().await]
}

/// A browser at this address, whose requests the proxy sends to this replica.
fn browser(replica: &Server, address: &str) -> Browser {
    let mut browser = Browser::through(replica, replica.address(), [127, 0, 0, 1]);
    browser.behind_proxy = Some(address.to_owned());
    browser
}

async fn start_device(replica: &Server, address: &str) -> Answer {
    let url = format!("http://{}/oauth2/v1/device", replica.address());
    let form = [("client_id", demo::PUBLIC), ("scope", "accounts.read")];
    let request = replica.http().post(url).form(&form);
    answer(request.header("x-forwarded-for", address)).await
}

/// Signs in, starts a device and enters its code, at each replica.
async fn signs_in_and_connects_a_device(replicas: &[Server; 2], address: &str) {
    for replica in replicas {
        let mut browser = browser(replica, address);
        browser.sign_in(BEN, PASSWORD).await;
        let device = start_device(replica, address).await;
        assert_eq!(device.status, 200, "{device:?}");
        let code = [("user_code", device.text("user_code"))];
        let page = browser.submit("/ui/v1/device", &code).await;
        assert_eq!(page.status, 200, "{}", page.body);
    }
}

async fn stop(replicas: [Server; 2]) {
    for replica in replicas {
        assert_eq!(replica.stop().await, Vec::<String>::new());
    }
}

fn rejected(statuses: &[u16]) -> usize {
    statuses.iter().filter(|status| **status == 429).count()
}

both_databases! {
    async fn a_flood_of_passwords_locks_nobody_else_out(server: Server) {
        let replicas = replicas(&server, 6000).await;
        for origin in ORIGINS {
            let addresses = origin.addresses();
            let guesses = addresses.iter().zip(replicas.iter().cycle());
            let guesses = guesses.map(async |(address, replica)| {
                let mut browser = browser(replica, address);
                browser.get("/ui/v1/signin").await;
                let fields = [("username", BEN), ("password", "wrong")];
                browser.submit("/ui/v1/signin", &fields).await.status
            });
            let statuses = join_all(guesses).await;
            match origin {
                // One wrong password each.
                Origin::Addresses => assert_eq!(rejected(&statuses), 0),
                // Nine wrong ones, and then the ten that each replica is comparing at that time.
                Origin::Proxy | Origin::Network => {
                    assert!(rejected(&statuses) >= FLOOD - 9 - 2 * 10, "{statuses:?}");
                }
            }
            signs_in_and_connects_a_device(&replicas, origin.bystander()).await;
        }
        stop(replicas).await;
    }

    async fn a_flood_of_user_codes_locks_nobody_else_out(server: Server) {
        let replicas = replicas(&server, 6000).await;
        let mut attackers = [browser(&replicas[0], "192.0.2.9"), browser(&replicas[1], "192.0.2.9")];
        for attacker in &mut attackers {
            attacker.sign_in(ANA, PASSWORD).await;
        }
        for origin in ORIGINS {
            let mut statuses = Vec::new();
            for (number, address) in origin.addresses().into_iter().enumerate() {
                let attacker = &mut attackers[number % 2];
                attacker.behind_proxy = Some(address);
                let wrong = [("user_code", "BBBBBBBB")];
                statuses.push(attacker.submit("/ui/v1/device", &wrong).await.status);
            }
            // One account has five wrong codes at all replicas together.
            assert!(rejected(&statuses) >= FLOOD - 5, "{statuses:?}");
            signs_in_and_connects_a_device(&replicas, origin.bystander()).await;
        }
        stop(replicas).await;
    }

    async fn a_flood_of_device_requests_locks_nobody_else_out(server: Server) {
        let replicas = replicas(&server, 1).await;
        for origin in ORIGINS {
            let addresses = origin.addresses();
            let requests = addresses.iter().zip(replicas.iter().cycle());
            let requests = requests.map(async |(address, replica)| start_device(replica, address).await.status);
            let statuses = join_all(requests).await;
            match origin {
                // The reserve of each address admits its request.
                Origin::Addresses => assert_eq!(rejected(&statuses), 0),
                // The quota of the client, the reserve, and what refills meanwhile.
                Origin::Proxy | Origin::Network => assert!(rejected(&statuses) >= 150, "{statuses:?}"),
            }
            signs_in_and_connects_a_device(&replicas, origin.bystander()).await;
        }
        stop(replicas).await;
    }

    async fn replicas_count_device_requests_together(server: Server) {
        let change = |layer: &mut Layer| {
            layer.identity.device_requests_per_address = Some(4);
        };
        let replicas = [server.replica_with(change).await, server.replica_with(change).await];
        let mut statuses = Vec::new();
        for number in 0..6 {
            statuses.push(start_device(&replicas[number % 2], "").await.status);
        }
        assert_eq!(statuses, [200, 200, 200, 200, 429, 429]);
        stop(replicas).await;
    }

    async fn a_quota_of_a_minute_refills_evenly(server: Server) {
        let now = now(&server);
        let quotas = of_client(&server, 60, "192.0.2.1");
        // The reserve is the smaller quota, and used up later.
        for _ in 0..60 + RESERVE {
            assert_eq!(request(&server, &quotas, now).await, None);
        }
        assert_eq!(request(&server, &quotas, now).await, Some(1));
        assert_eq!(request(&server, &quotas, now + 999).await, Some(1));
        assert_eq!(request(&server, &quotas, now + 1_000).await, None);
        assert_eq!(request(&server, &quotas, now + 1_000).await, Some(1));
    }

    async fn each_address_has_a_reserve_of_its_own(server: Server) {
        let now = now(&server);
        let attacker = of_client(&server, 1, "192.0.2.1");
        for _ in 0..1 + RESERVE {
            assert_eq!(request(&server, &attacker, now).await, None);
        }
        assert_eq!(request(&server, &attacker, now).await, Some(10));
        let other = of_client(&server, 1, "192.0.2.2");
        for _ in 0..RESERVE {
            assert_eq!(request(&server, &other, now).await, None);
        }
        assert_eq!(request(&server, &other, now).await, Some(10));
    }

    async fn a_clock_that_was_ahead_leaves_no_wait(server: Server) {
        let now = now(&server);
        let quotas = of_client(&server, 1, "192.0.2.1");
        for _ in 0..1 + RESERVE {
            assert_eq!(request(&server, &quotas, now + 7_200_000).await, None);
        }
        assert_eq!(request(&server, &quotas, now).await, None);
    }

    async fn a_request_that_began_earlier_does_not_refill_a_quota(server: Server) {
        let now = now(&server);
        let quotas = of_client(&server, 1, "192.0.2.1");
        for _ in 0..1 + RESERVE {
            assert_eq!(request(&server, &quotas, now + 10).await, None);
        }
        assert_eq!(request(&server, &quotas, now).await, Some(10));
        assert_eq!(request(&server, &quotas, now - 40_000).await, Some(10));
    }

    async fn a_quota_that_is_full_again_is_deleted(server: Server) {
        let now = now(&server);
        let quotas = of_client(&server, 1, "192.0.2.1");
        assert_eq!(request(&server, &quotas, now).await, None);
        server.first_upkeep().await;
        for (seconds, rows) in [(0, 1), (61, 0)] {
            server.advance(seconds);
            accord_server::identity::sweep(&server.app().identity).await.unwrap();
            let count = |tx: &mut Tx<'_>| tx.query("SELECT 1 FROM device_quotas", &[]);
            let found = server.read(count).await;
            assert_eq!(found.len(), rows);
        }
    }
}

/// The time of the server in milliseconds. Tests begin with it, because the server deletes older quotas.
fn now(server: &Server) -> i64 {
    server.app().clock.now().timestamp_millis()
}

/// The quotas of a client at this address, which has no limit of its own.
fn of_client(server: &Server, per_minute: i64, network: &str) -> Quotas {
    let mut config = server.app().config.identity.clone();
    config.device_requests_per_client = per_minute;
    config.device_requests_per_address = 0;
    Quotas::new(&config, network, Some("client"))
}

/// Sends a request at this time, in milliseconds. Returns the seconds to wait if it is rejected.
async fn request(server: &Server, quotas: &Quotas, now: i64) -> Option<i64> {
    let quotas = quotas.clone();
    let request = move |tx: &mut Tx<'_>| {
        let admission = quotas.admit(tx, now)?;
        if let Ok(uses) = &admission {
            uses.take_from_address(tx)?;
            uses.take_from_client(tx)?;
        }
        Ok(admission.err())
    };
    let store = &server.app().store;
    store.write::<_, StoreError, _>(request).await.unwrap()
}
