//! Listeners: one for all areas, or one for each.

use accord_server::area::Area;

use crate::harness::{Database, Server};
use crate::serving::{Serving, own_address, program};

const KEYS: &str = "/admin/v1/SigningCert/jwk";

#[tokio::test(flavor = "multi_thread")]
async fn an_area_with_a_listener_of_its_own_is_served_there_and_nowhere_else() {
    let server = Server::start_with(Database::Sqlite, |layer| {
        layer.server.identity_listen = Some("127.0.0.1:0".parse().unwrap());
    })
    .await;
    let own = server.area(Area::Identity).to_owned();
    assert_ne!(own, server.url(""));
    assert_eq!(server.area(Area::Accounts), server.url(""));
    let get = |url: String| server.http().get(url).send();
    let there = get(format!("{own}{KEYS}")).await.unwrap();
    assert_eq!(there.status(), 200);
    assert_eq!(server.get(KEYS).await.status(), 404);
    // Wherever the documents are read, each names where its area is served.
    for asked in [server.url(""), own.clone()] {
        for area in Area::ALL {
            let url = format!("{asked}/openapi/{}.json", area.name());
            let document: serde_json::Value = get(url).await.unwrap().json().await.unwrap();
            let address = document["servers"][0]["url"].as_str().unwrap();
            assert!(
                address.starts_with(server.area(area)),
                "{address} from {asked}"
            );
        }
    }
    // The page is there too, as a page may call only where it comes from.
    assert_eq!(get(format!("{own}/docs")).await.unwrap().status(), 200);
    assert_eq!(server.stop().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn health_and_metrics_are_only_at_their_own_listener_if_there_is_one() {
    let address = own_address();
    let server = Server::start_with(Database::Sqlite, |layer| {
        layer.server.ops_listen = Some(address);
    })
    .await;
    let get = |url: String| server.http().get(url).send();
    for path in ["/healthz", "/readyz", "/metrics"] {
        let there = get(format!("http://{address}{path}")).await.unwrap();
        assert_eq!(there.status(), 200, "{path}");
        assert_eq!(server.get(path).await.status(), 404, "{path}");
    }
    let area = get(format!("http://{address}{KEYS}")).await.unwrap();
    assert_eq!(area.status(), 404);
    let banner = accord_server::serve::banner(server.app()).await;
    assert!(
        banner.contains(&format!("http://{address}/readyz")),
        "{banner}"
    );
    assert_eq!(server.stop().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_configured_address_is_the_one_that_documents_and_tokens_name() {
    let server = Server::start_with(Database::Sqlite, |layer| {
        layer.server.public_url = Some("https://accord.example".parse().unwrap());
    })
    .await;
    let port = format!("http://{}", server.address());
    let get = |path: &str| server.http().get(format!("{port}{path}")).send();
    let document = get("/openapi/accounts.json").await.unwrap();
    let document: serde_json::Value = document.json().await.unwrap();
    assert_eq!(document["servers"][0]["url"], "https://accord.example/api");
    let metadata = get("/.well-known/oauth-authorization-server").await;
    let metadata: serde_json::Value = metadata.unwrap().json().await.unwrap();
    assert_eq!(metadata["issuer"], "https://accord.example");
    assert_eq!(server.stop().await, Vec::<String>::new());
}

#[test]
fn a_misspelled_variable_is_warned_of() {
    let directory = tempfile::tempdir().unwrap();
    let mut command = program(directory.path());
    command.env("ACCORD_LISEN", "127.0.0.1:1");
    // The demo catalog is not served there.
    let printed = command.args(["--listen", "0.0.0.0:0"]).output().unwrap();
    let text = String::from_utf8(printed.stderr).unwrap();
    let expected = "the variable ACCORD_LISEN has no effect: did you mean ACCORD_LISTEN?";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn headers_of_proxies_without_a_proxy_are_warned_of() {
    let directory = tempfile::tempdir().unwrap();
    let file = "[server]\nforwarded_headers = [\"X-Forwarded-Proto\"]\n";
    std::fs::write(directory.path().join("accord.toml"), file).unwrap();
    let log = Serving::start(directory.path(), &[]).log();
    let expected = "server.forwarded_headers has no effect";
    assert!(log.contains("WARN") && log.contains(expected), "{log}");
}
