//! The playground, as the server writes it. A browser calls models with it in `console.mjs`.

use super::{create, signed_in};
use crate::harness::{Database, Server, both_databases, run_with};
use crate::identity::browser::Browser;
use crate::identity::client::{ANA, PASSWORD};

both_databases! {
    async fn the_page_may_call_models_and_nothing_else(server: Server) {
        let mut browser = signed_in(&server).await;
        let made = create(&mut browser, "reports").await;
        let page = browser.get("/ui/v1/playground").await;
        let host = server.address();
        for page in [&made, &page] {
            let policy = page.header("content-security-policy");
            let calls = format!("connect-src {host}/20231130/actions/v1/");
            assert!(policy.contains(&calls), "{policy}");
            assert!(policy.contains("default-src 'none'") && policy.contains("script-src 'sha256-"));
            assert!(!policy.contains("unsafe") && !policy.contains("'self' "), "{policy}");
            assert_eq!(page.body.matches("<script>").count(), policy.matches("sha256-").count() - 1);
        }
        // The field of the secret has no name, so no form sends it.
        let (_, rest) = page.body.split_once("<input id=\"secret\"").unwrap();
        assert!(!rest.split('>').next().unwrap().contains("name="));
        assert!(page.body.contains("Bearer $ACCORD_API_KEY"), "{}", page.body);
        // Other pages call nothing.
        let policy = browser.get("/ui/v1/keys").await;
        assert!(!policy.header("content-security-policy").contains("connect-src"));
    }
}

#[test]
fn where_another_listener_serves_the_models_the_page_says_so() {
    run_with(|| async {
        let server = Server::start_with(Database::Sqlite, |layer| {
            layer.server.inference_listen = Some("127.0.0.1:0".parse().unwrap());
        })
        .await;
        let mut browser = Browser::signed_in(&server, ANA, PASSWORD).await;
        let page = browser.get("/ui/v1/playground").await;
        let address = server.area(accord_server::area::Area::Inference);
        assert!(
            page.body.contains("Models are served at another address"),
            "{}",
            page.body
        );
        assert!(
            page.body.contains(address) && !page.body.contains("<script"),
            "{}",
            page.body
        );
        server
    });
}
