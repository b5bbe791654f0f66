//! Passkeys, in a browser with a virtual authenticator.

use super::browser::Browser;
use super::client::{ANA, PASSWORD};
use crate::harness::{Database, Server, both_databases, run_with, tools};

/// Browsers take no passkeys at a bare address, so the service has a name here.
fn named_server(database: Database) {
    run_with(|| async move {
        let port = {
            let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
            listener.local_addr().unwrap().port()
        };
        let server = Server::start_with(database, |layer| {
            layer.server.listen = Some(([127, 0, 0, 1], port).into());
            layer.server.public_url = Some(format!("http://localhost:{port}").parse().unwrap());
        })
        .await;
        let (browser, pictures) = (tools::browser(), tools::pictures());
        let arguments = [
            browser.to_str().unwrap(),
            &server.url(""),
            ANA,
            PASSWORD,
            pictures.to_str().unwrap(),
        ];
        let printed = tools::node("passkeys.mjs", &arguments).await;
        assert_eq!(printed.trim().lines().last(), Some("all is well"));
        server
    });
}

#[test]
fn a_person_signs_in_with_a_passkey_and_nobody_else_does_on_sqlite() {
    named_server(Database::Sqlite);
}

#[test]
fn a_person_signs_in_with_a_passkey_and_nobody_else_does_on_postgres() {
    named_server(Database::Postgres);
}

both_databases! {
    async fn at_a_bare_address_there_are_no_passkeys_and_no_script(server: Server) {
        let mut browser = Browser::new(&server);
        let page = browser.get("/ui/v1/signin").await;
        assert!(!page.body.contains("data-passkey"));
        browser.sign_in(ANA, PASSWORD).await;
        let page = browser.get("/ui/v1/account/passkeys").await;
        assert!(page.body.contains("never at a bare IP address"), "{}", page.body);
        assert!(!page.header("content-security-policy").contains("script"));
        let fields = [("action", "add"), ("name", "n"), ("ceremony", ""), ("credential", "{}")];
        assert_eq!(browser.submit("/ui/v1/account/passkeys", &fields).await.status, 400);
        let fields = [("ceremony", ""), ("credential", "{}")];
        assert_eq!(browser.submit("/ui/v1/signin/passkey", &fields).await.status, 400);
    }
}
