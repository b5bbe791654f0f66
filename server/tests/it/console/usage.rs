//! The page of usage, and its download.

use accord_server::inference::admission::limits::Limits;
use accord_server::inference::admission::period::Period;
use accord_server::inference::demo::CLOSED_COMPARTMENT;
use accord_server::inference::operator;
use accord_server::store::StoreError;

use super::signed_in;
use crate::harness::both_databases;
use crate::identity::browser::Browser;
use crate::identity::client::PASSWORD;
use crate::inference::client::{COMPARTMENT, Manager, chat};

both_databases! {
    async fn the_page_adds_up_what_the_keys_of_a_compartment_have_used(server: Server) {
        // Noon of a day: no day ends while the test counts.
        let now = server.app().clock.now();
        let noon = now.date_naive().and_hms_opt(12, 0, 0).unwrap().and_utc();
        server.advance((noon - now).num_seconds() + 86_400);
        let key = Manager::of(&server).await.new_key().await;
        let mut browser = signed_in(&server).await;
        let page = browser.get("/ui/v1/usage").await;
        // The first compartment by its name, without usage.
        assert!(page.body.contains(&format!("Usage of {CLOSED_COMPARTMENT}")), "{}", page.body);
        assert_eq!(page.body.matches("No requests in these days.").count(), 2);
        chat(&server, &key.one, "accord.echo").await.ok();
        chat(&server, &key.one, "accord.echo").await.ok();
        server.advance(86_400);
        chat(&server, &key.one, "meta.echo").await.ok();

        // The session has ended in the meantime.
        let mut browser = signed_in(&server).await;
        let path = format!("/ui/v1/usage?compartment={COMPARTMENT}&days=7");
        let page = browser.get(&path).await;
        for part in ["<strong>3</strong> requests", "<strong>0</strong> failed", "<strong>12</strong> tokens"] {
            assert!(page.body.contains(part), "{part}: {}", page.body);
        }
        // Two charts of seven bars, each with its table.
        assert_eq!(page.body.matches("<rect class=\"low\"").count(), 14);
        assert_eq!(page.body.matches("as a table</summary>").count(), 2);
        let day = |days| {
            let day = server.app().clock.now().date_naive() - chrono::TimeDelta::days(days);
            day.format("%-d %b %Y").to_string()
        };
        for (day, input) in [(day(2), 0), (day(1), 4), (day(0), 2)] {
            let row = format!("<tr><th scope=\"row\">{day}</th><td class=\"number\">{input}</td>");
            assert!(page.body.contains(&row), "{row}: {}", page.body);
        }
        let rows = [("reports", 3, 6), ("accord.echo", 2, 4), ("meta.echo", 1, 2)];
        for (name, requests, tokens) in rows {
            let row = format!(
                "<bdi>{name}</bdi></th><td class=\"number\">{requests}</td>\
                 <td class=\"number\">0</td><td class=\"number\">{tokens}</td>"
            );
            assert!(page.body.contains(&row), "{row}: {}", page.body);
        }

        let page = browser.get(&path.replace("usage?", "usage.csv?")).await;
        assert_eq!(page.header("content-type"), "text/csv; charset=utf-8");
        assert!(page.header("content-disposition").starts_with("attachment"));
        assert_eq!(page.header("cache-control"), "no-store");
        let lines: Vec<_> = page.body.lines().collect();
        assert_eq!(lines.len(), 3, "{}", page.body);
        assert!(lines[0].starts_with("day,api_key_id,display_name,model,requests"));
        assert!(lines[1].ends_with(&format!("{},reports,accord.echo,2,0,4,4", key.id)), "{}", lines[1]);
    }

    async fn the_page_shows_what_is_left_of_a_budget(server: Server) {
        let key = Manager::of(&server).await.new_key().await;
        let id = key.id.clone();
        let limits = Limits { budget: Some((1000, Period::Month)), ..Limits::default() };
        server.write(move |tx| operator::put_limits(tx, &id, Some(&limits))).await;
        server.app().inference.admission.invalidate();
        chat(&server, &key.one, "accord.echo").await.ok();
        let mut browser = signed_in(&server).await;
        let page = browser.get(&format!("/ui/v1/usage?compartment={COMPARTMENT}")).await;
        let left = "<bdi>reports</bdi></strong>: 996 of 1,000 tokens left this month.";
        assert!(page.body.contains(left), "{}", page.body);
    }

    async fn usage_needs_a_grant_on_the_compartment(server: Server) {
        let mut ben = Browser::signed_in(&server, "ben@north.example", PASSWORD).await;
        assert_eq!(ben.get("/ui/v1/usage").await.status, 200);
        for path in ["/ui/v1/usage?compartment=compartment.none", "/ui/v1/usage.csv?compartment=x"] {
            assert_eq!(ben.get(path).await.status, 404, "{path}");
        }
        let revoke = "DELETE FROM grants WHERE principal = 'ben'";
        let write = server.app().store.write(move |tx| tx.execute(revoke, &[])).await;
        assert!(write.unwrap_or_else(|error: StoreError| panic!("{error}")) >= 2);
        let page = ben.get("/ui/v1/usage").await;
        assert!(page.body.contains("You have no grant on a compartment"), "{}", page.body);
        let path = format!("/ui/v1/usage?compartment={COMPARTMENT}");
        assert_eq!(ben.get(&path).await.status, 404);
        assert_eq!(ben.get("/ui/v1/usage.csv").await.status, 404);
    }
}
