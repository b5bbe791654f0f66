//! The usage of keys, read by their managers.

use accord_server::accounts::demo::{ADMINISTRATOR, COLLEAGUE};
use accord_server::area::Area;
use serde_json::{Value, json};

use super::client::{BOTH_SCOPES, COMPARTMENT, Key, Manager, Reply, accepted, chat};
use crate::harness::{Server, both_databases};

async fn usage(manager: &Manager, query: &str) -> Reply {
    let server = &manager.server;
    let url = format!("{}/20231130/usage{query}", server.area(Area::Inference));
    Reply::of(server.http().get(url).bearer_auth(&manager.token)).await
}

/// Day, key, model and requests of each row, page by page to the last.
async fn pages(manager: &Manager, query: &str) -> Vec<Vec<(String, String, String, i64)>> {
    let mut pages = Vec::new();
    let mut page = String::new();
    loop {
        let query = format!("?compartmentId={COMPARTMENT}{query}{page}");
        let reply = usage(manager, &query).await;
        let next = reply.header("accord-next-page").map(str::to_owned);
        let body = reply.ok();
        let read = |sum: &Value| {
            let text = |name: &str| sum[name].as_str().unwrap().to_owned();
            let requests = sum["requests"].as_i64().unwrap();
            (text("day"), text("apiKeyId"), text("model"), requests)
        };
        pages.push(body["items"].as_array().unwrap().iter().map(read).collect());
        match next {
            Some(next) => page = format!("&page={next}"),
            None => return pages,
        }
    }
}

fn today(server: &Server) -> String {
    server.app().clock.now().date_naive().to_string()
}

/// Sets the clock to noon of tomorrow, so that no day ends while a test counts.
fn advance_to_noon(server: &Server) {
    let now = server.app().clock.now();
    let noon = now.date_naive().and_hms_opt(12, 0, 0).unwrap().and_utc();
    server.advance((noon - now).num_seconds() + DAY);
}

const DAY: i64 = 86_400;

both_databases! {
    async fn the_usage_of_a_finished_call_is_listed_at_once(server: Server) {
        advance_to_noon(&server);
        let manager = Manager::of(&server).await;
        let key = manager.new_key().await;
        assert_eq!(pages(&manager, "").await, [vec![]]);
        chat(&server, &key.one, "accord.echo").await.ok();
        chat(&server, &key.two, "accord.echo").await;
        chat(&server, &key.one, "meta.echo").await.ok();
        let reply = usage(&manager, &format!("?compartmentId={COMPARTMENT}&model=accord.echo")).await;
        assert!(reply.header("accord-next-page").is_none());
        let sum = json!({
            "apiKeyId": key.id, "displayName": "reports", "model": "accord.echo",
            "day": today(&server), "requests": 1, "errors": 0,
            // The built-in models count words: two in, two out.
            "inputTokens": 2, "outputTokens": 2,
        });
        assert_eq!(reply.ok(), json!({"items": [sum]}));
    }

    async fn pages_follow_each_other_in_both_directions_and_filters_narrow_them(server: Server) {
        advance_to_noon(&server);
        let manager = Manager::of(&server).await;
        let key = manager.new_key().await;
        let mut days = Vec::new();
        for models in [&["accord.echo"][..], &["accord.echo", "meta.echo"], &["meta.echo"]] {
            days.push(today(&server));
            for model in models {
                chat(&server, &key.one, model).await.ok();
            }
            server.advance(DAY);
        }
        let manager = Manager::of(&server).await;
        let sum = |day: usize, model: &str| (days[day].clone(), key.id.clone(), model.to_owned(), 1);
        let (echo, meta) = ("accord.echo", "meta.echo");
        let all = [sum(0, echo), sum(1, echo), sum(1, meta), sum(2, meta)];
        let reversed: Vec<_> = all.iter().rev().cloned().collect();
        let between = format!("&firstDay={0}&lastDay={0}", days[1]);
        let both = format!("&apiKeyId={}&lastDay={}&sortOrder=ASC", key.id, days[0]);
        for (query, expected) in [
            ("", vec![&reversed[..]]),
            ("&sortOrder=ASC&limit=4", vec![&all[..]]),
            ("&sortOrder=ASC&limit=1", all.chunks(1).collect()),
            ("&limit=3", reversed.chunks(3).collect()),
            (&between, vec![&reversed[1..3]]),
            (&both, vec![&all[..1]]),
            ("&model=meta.echo", vec![&[sum(2, meta), sum(1, meta)][..]]),
            ("&apiKeyId=apikey.unknown", vec![&[][..]]),
        ] {
            assert_eq!(pages(&manager, query).await, expected, "{query}");
        }
    }

    async fn a_page_belongs_to_the_order_of_its_list(server: Server) {
        let manager = Manager::of(&server).await;
        let key = manager.new_key().await;
        for model in ["accord.echo", "meta.echo"] {
            chat(&server, &key.one, model).await.ok();
        }
        for (order, other) in [("ASC", "DESC"), ("DESC", "ASC")] {
            let query = format!("?compartmentId={COMPARTMENT}&limit=1&sortOrder={order}");
            let first = usage(&manager, &query).await;
            let page = first.header("accord-next-page").unwrap();
            usage(&manager, &format!("{query}&page={page}")).await.ok();
            let query = format!("?compartmentId={COMPARTMENT}&sortOrder={other}&page={page}");
            usage(&manager, &query).await.is(400, "InvalidParameter");
        }
    }

    async fn sums_outlive_their_key(server: Server) {
        let manager = Manager::of(&server).await;
        let key = manager.new_key().await;
        assert!(accepted(&server, &key.one).await);
        manager.delete(&key.id).await;
        let listed = pages(&manager, "").await;
        assert_eq!(listed[0][0].1, key.id);
    }

    async fn a_principal_who_may_list_keys_may_list_their_usage(server: Server) {
        let manager = Manager::of(&server).await;
        let Key { one, .. } = manager.new_key().await;
        usage(&manager, "").await.is(400, "MissingParameter");
        for query in ["firstDay=x", "lastDay=2026-13-01", "limit=0", "page=x", "page=W10"] {
            let query = format!("?compartmentId={COMPARTMENT}&{query}");
            usage(&manager, &query).await.is(400, "InvalidParameter");
        }
        usage(&manager, &format!("?compartmentId={COMPARTMENT}&apiKeyId=a%00b")).await.is(400, "InvalidParameter");
        let here = format!("?compartmentId={COMPARTMENT}");
        usage(&manager, "?compartmentId=compartment.unknown").await.is(404, "NotAuthorizedOrNotFound");
        // The verb `inspect` suffices.
        let colleague = Manager::named(&server, COLLEAGUE, BOTH_SCOPES).await;
        usage(&colleague, &here).await.ok();
        let writer = Manager::named(&server, ADMINISTRATOR, "apikeys.write").await;
        usage(&writer, &here).await.is(403, "NotAuthorized");
        // The secret of an API key does not authorize management.
        let with_secret = Manager { server: server.clone(), token: one };
        usage(&with_secret, &here).await.is(401, "NotAuthenticated");
    }
}
