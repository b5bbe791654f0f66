//! Walks through lists while others write.

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::{Value, json};

use super::{body_of, create, names, problem, request, send, triage, with};
use crate::harness::{Server, both_databases};

async fn make(server: &Server, name: &str) {
    let changes = json!({"patternCode": name.to_uppercase(), "name": name});
    body_of(create(server, &with(triage(), changes)).await, 200).await;
}

/// One page, and where to go on.
async fn page(server: &Server, query: &[(&str, &str)]) -> (Value, Option<String>) {
    let request = request(server, Method::GET, "").await.query(query);
    let answer = request.send().await.unwrap();
    let next = answer.headers().get("accord-next-page");
    let next = next.map(|next| next.to_str().unwrap().to_owned());
    (body_of(answer, 200).await, next)
}

both_databases! {
    async fn a_walk_shows_what_is_there_all_the_while_exactly_once(server: Server) {
        let stay: BTreeSet<String> = (0..20).map(|number| format!("stays-{number:02}")).collect();
        for name in &stay {
            make(&server, name).await;
        }
        for order in ["name", "time"] {
            make(&server, &format!("stays-{order}-goes")).await;
            let mut seen = Vec::new();
            let mut next: Option<String> = None;
            for round in 0.. {
                let mut query = vec![("orderBy", order), ("limit", "3"), ("q", "{name: /stays/}")];
                if let Some(page) = &next {
                    query.push(("page", page));
                }
                let (found, after) = page(&server, &query).await;
                assert_eq!(found["hasMore"], after.is_some());
                seen.extend(names(&found).into_iter().map(str::to_owned));
                // In front of the place where the walk is, and behind it.
                make(&server, &format!("a-{order}-{round}-stays")).await;
                make(&server, &format!("zz-{order}-{round}-stays")).await;
                if round == 1 {
                    let path = format!("/STAYS-{}-GOES%7C01.00.0000", order.to_uppercase());
                    assert_eq!(send(&server, Method::DELETE, &path).await.status(), 200);
                    let path = format!("/A-{}-0-STAYS%7C01.00.0000", order.to_uppercase());
                    assert_eq!(send(&server, Method::DELETE, &path).await.status(), 200);
                }
                next = after;
                if next.is_none() {
                    break;
                }
            }
            let times = |name: &String| seen.iter().filter(|one| *one == name).count();
            assert!(stay.iter().all(|name| times(name) == 1), "{order}: {seen:?}");
            assert!(seen.iter().all(|name| times(name) == 1), "{order}: {seen:?}");
        }
    }

    async fn a_page_is_of_its_own_order_and_of_no_other_making(server: Server) {
        for name in ["a", "b", "c"] {
            make(&server, name).await;
        }
        let (_, next) = page(&server, &[("limit", "1")]).await;
        let next = next.unwrap();
        let (rest, last) = page(&server, &[("page", &next)]).await;
        assert_eq!((names(&rest), last), (vec!["b", "c"], None));
        assert_eq!((&rest["totalResults"], &rest["hasMore"]), (&json!(3), &json!(false)));
        for (order, page) in [("time", next.as_str()), ("name", "bg"), ("name", "x"), ("name", "")] {
            let request = request(&server, Method::GET, "").await;
            let request = request.query(&[("orderBy", order), ("page", page)]);
            let refused = problem(request.send().await.unwrap(), 400, "REQUEST-400").await;
            assert_eq!(refused["errorDetails"][0]["errorPath"], "/page");
        }
        // Generated clients send the default of 0.
        let (same, _) = page(&server, &[("page", &next), ("offset", "0")]).await;
        assert_eq!(names(&same), ["b", "c"]);
        let request = request(&server, Method::GET, "").await;
        let both = request.query(&[("page", next.as_str()), ("offset", "1")]);
        let refused = problem(both.send().await.unwrap(), 400, "REQUEST-400").await;
        assert_eq!(refused["errorDetails"][0]["errorPath"], "/offset");
    }

    async fn the_longest_name_has_a_place_in_a_walk(server: Server) {
        for code in ["A", "B"] {
            let long = code.repeat(100);
            let changes = json!({"patternCode": long, "patternVersion": "1".repeat(50), "name": "\u{10000}".repeat(255)});
            body_of(create(&server, &with(triage(), changes)).await, 200).await;
        }
        let (_, next) = page(&server, &[("limit", "1")]).await;
        let next = next.unwrap();
        assert!(next.len() <= 2048, "{}", next.len());
        let (rest, _) = page(&server, &[("limit", "1"), ("page", &next)]).await;
        assert_eq!(rest["items"].as_array().unwrap().len(), 1);
    }
}
