//! Lists of keys: pages, orders and filters.

use serde_json::Value;

use super::client::{COMPARTMENT, Key, Manager, two_secrets};
use crate::harness::both_databases;

/// The names on each page, followed to the last.
async fn pages(manager: &Manager, query: &str) -> Vec<Vec<String>> {
    let mut pages = Vec::new();
    let mut page = String::new();
    loop {
        let reply = manager
            .get(&format!("?compartmentId={COMPARTMENT}{query}{page}"))
            .await;
        let next = reply.header("accord-next-page").map(str::to_owned);
        let body = reply.ok();
        let items = body["items"].as_array().unwrap().iter();
        pages.push(
            items
                .map(|item| item["displayName"].as_str().unwrap().to_owned())
                .collect(),
        );
        match next {
            Some(next) => page = format!("&page={next}"),
            None => return pages,
        }
    }
}

async fn make(manager: &Manager, names: &[&str]) -> Vec<Key> {
    let mut keys = Vec::new();
    for name in names {
        keys.push(Key::of(
            &manager.create(&two_secrets(name, COMPARTMENT)).await.ok(),
        ));
        manager.server.advance(1);
    }
    keys
}

both_databases! {
    async fn pages_follow_each_other_in_every_order(server: Server) {
        let manager = Manager::of(&server).await;
        // Bytewise, capitals come first on every database.
        make(&manager, &["b", "_a", "B", "a", "b"]).await;
        for (query, expected) in [
            ("", vec![vec!["b", "a", "B", "_a", "b"]]),
            ("&limit=2", vec![vec!["b", "a"], vec!["B", "_a"], vec!["b"]]),
            ("&limit=2&sortOrder=ASC", vec![vec!["b", "_a"], vec!["B", "a"], vec!["b"]]),
            ("&limit=5&sortBy=displayName", vec![vec!["B", "_a", "a", "b", "b"]]),
            ("&limit=1&sortBy=displayName&sortOrder=DESC",
                vec![vec!["b"], vec!["b"], vec!["a"], vec!["_a"], vec!["B"]]),
        ] {
            assert_eq!(pages(&manager, query).await, expected, "{query}");
        }
    }

    async fn keys_that_come_between_two_pages_make_nothing_appear_twice(server: Server) {
        let manager = Manager::of(&server).await;
        make(&manager, &["a", "b", "c"]).await;
        let first = manager.get("?compartmentId=compartment.demo&limit=2").await;
        let next = first.header("accord-next-page").unwrap().to_owned();
        make(&manager, &["d"]).await;
        let second = manager.get(&format!("?compartmentId=compartment.demo&limit=2&page={next}")).await;
        assert_eq!(second.header("accord-next-page"), None);
        let names = |body: Value| -> Vec<String> {
            let items = body["items"].as_array().unwrap().iter();
            items.map(|item| item["displayName"].as_str().unwrap().to_owned()).collect()
        };
        assert_eq!(names(first.ok()), ["c", "b"]);
        assert_eq!(names(second.ok()), ["a"]);
    }

    async fn filters_narrow_a_list(server: Server) {
        let manager = Manager::of(&server).await;
        let keys = make(&manager, &["active", "idle", "gone", "idle"]).await;
        manager.set_state(&keys[1], "one", "REVOKED").await.ok();
        manager.delete(&keys[2].id).await;
        let id = format!("&id={}", keys[3].id);
        for (query, expected) in [
            ("", vec!["idle", "idle", "active"]),
            ("&lifecycleState=ACTIVE", vec!["idle", "active"]),
            ("&lifecycleState=INACTIVE", vec!["idle"]),
            ("&lifecycleState=DELETED", vec!["gone"]),
            ("&lifecycleState=CREATING", vec![]),
            ("&displayName=idle", vec!["idle", "idle"]),
            ("&displayName=idl", vec![]),
            (&id, vec!["idle"]),
        ] {
            assert_eq!(pages(&manager, query).await, [expected], "{query}");
        }
        server.advance(91 * 86_400);
        let manager = Manager::of(&server).await;
        assert_eq!(pages(&manager, "&lifecycleState=ACTIVE").await, [Vec::<String>::new()]);
    }

    async fn what_is_no_query_is_refused(server: Server) {
        let manager = Manager::of(&server).await;
        make(&manager, &["a", "b"]).await;
        let first = manager.get("?compartmentId=compartment.demo&limit=1").await;
        let page = first.header("accord-next-page").unwrap();
        for query in [
            "limit=0".to_owned(),
            "limit=1001".into(),
            "limit=x".into(),
            "sortBy=id".into(),
            "sortOrder=asc".into(),
            "lifecycleState=GONE".into(),
            "page=x".into(),
            "id=a%00b".into(),
            "displayName=a%00b".into(),
            // The page of another order.
            format!("sortOrder=ASC&page={page}"),
        ] {
            let reply = manager.get(&format!("?compartmentId=compartment.demo&{query}")).await;
            assert_eq!(reply.status, 400, "{query}");
            reply.is(400, "InvalidParameter");
        }
        manager.get("").await.is(400, "MissingParameter");
        let unknown = manager.get("/a%00b").await;
        unknown.is(400, "InvalidParameter");
        let message = unknown.body["message"].as_str().unwrap();
        assert!(message.starts_with("/apiKeyId "), "{message}");
        manager.get("?compartmentId=compartment.unknown").await.is(404, "NotAuthorizedOrNotFound");
        manager.get("/apikey.local.unknown").await.is(404, "NotAuthorizedOrNotFound");
    }
}
