//! While the database is away, and the request ids by which operators find what happened.

use std::time::{Duration, Instant};

use accord_server::identity::demo;

use super::client::{answer, post};
use crate::harness::{Database, Server, both_databases};
use crate::inference::outage::let_in;

const REVOKE: &str = "/oauth2/v1/revoke";

#[tokio::test(flavor = "multi_thread")]
async fn a_client_learns_when_to_repeat_a_request_that_met_an_outage() {
    let server = Server::start(Database::Postgres).await;
    let form = [("token", "x"), ("client_id", demo::PUBLIC)];
    assert_eq!(post(&server, REVOKE, &form).await.status, 200);
    let_in(&server, false).await;
    let refused = post(&server, REVOKE, &form).await;
    assert_eq!(refused.error(), (503, "temporarily_unavailable"));
    assert_eq!(refused.header("retry-after"), "5");
    assert_eq!(refused.header("cache-control"), "no-store");
    let_in(&server, true).await;
    let since = Instant::now();
    while post(&server, REVOKE, &form).await.status != 200 {
        assert!(since.elapsed() < Duration::from_secs(60), "no recovery");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(server.stop().await, Vec::<String>::new());
}

both_databases! {
    async fn every_response_has_the_request_id_that_the_caller_chose(server: Server) {
        for (method, path) in [
            ("POST", "/oauth2/v1/device"), ("POST", "/oauth2/v1/token"), ("POST", REVOKE),
            ("POST", "/oauth2/v1/introspect"), ("GET", "/admin/v1/SigningCert/jwk"),
            ("GET", "/.well-known/oauth-authorization-server"), ("GET", "/api/user/organizations"),
            ("DELETE", "/oauth2/v1/token"), ("DELETE", "/api/user"), ("GET", "/oauth2/v1/nothing"),
        ] {
            for name in ["accord-request-id", "x-request-id"] {
                let request = server.http().request(method.parse().unwrap(), server.url(path));
                let response = answer(request.header(name, "mine-1")).await;
                assert_eq!(response.header("accord-request-id"), "mine-1", "{method} {path}");
            }
            // An unsafe value is replaced, and does not fail the request.
            let request = server.http().request(method.parse().unwrap(), server.url(path));
            let response = answer(request.header("accord-request-id", "a b")).await;
            let made = response.header("accord-request-id");
            assert!(!made.is_empty() && made != "a b", "{method} {path}");
        }
    }
}
