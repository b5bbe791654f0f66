//! What all pages of the console have in common.

use reqwest::Method;

use super::signed_in;
use crate::accounts::count;
use crate::harness::both_databases;
use crate::identity::browser::Browser;
use crate::identity::client::{ANA, PASSWORD};

/// The table of all pages, which a test in `server/src/serve` compares with the code.
const ACCESS: &str = include_str!("../../../ACCESS.md");

both_databases! {
    async fn whoever_signs_in_without_a_code_gets_to_the_keys_or_to_the_page_asked_for(server: Server) {
        let mut browser = Browser::new(&server);
        for path in ["/ui", "/ui/v1"] {
            let page = browser.get(path).await;
            assert_eq!((page.status, page.header("location")), (303, "/ui/v1/keys"));
        }
        for (path, to) in [
            ("/ui/v1/keys", "keys"),
            ("/ui/v1/account/password", "account"),
            // The form for the code that a device shows.
            ("/ui/v1/device", "device"),
        ] {
            let mut browser = Browser::new(&server);
            let page = browser.get(path).await;
            let sign_in = format!("/ui/v1/signin?to={to}");
            assert_eq!((page.status, page.header("location")), (303, &*sign_in));
            let page = browser.get(&sign_in).await;
            assert_eq!(page.field("to"), Some(to));
            let fields = [("username", ANA), ("password", PASSWORD), ("to", to)];
            let page = browser.submit("/ui/v1/signin", &fields).await;
            let section = format!("/ui/v1/{to}");
            assert_eq!((page.status, page.header("location")), (303, &*section));
        }
    }

    async fn the_banner_of_the_service_leads_to_the_console(server: Server) {
        let banner = accord_server::serve::banner(server.app()).await;
        let line = banner.lines().find_map(|line| line.trim().strip_prefix("console"));
        let address = line.expect("a line").trim();
        let page = reqwest::get(address).await.unwrap();
        assert!(page.url().path().starts_with("/ui/v1/"), "{}", page.url());
        assert_eq!(page.status(), 200);
    }

    async fn the_page_says_in_which_section_it_is(server: Server) {
        let mut browser = signed_in(&server).await;
        for (path, current) in [("/ui/v1/keys", "Keys"), ("/ui/v1/account", "Account")] {
            let page = browser.get(path).await;
            let marked = format!("aria-current=\"page\">{current}</a>");
            assert!(page.body.contains(&marked), "{}", page.body);
            assert_eq!(page.body.matches("aria-current=\"page\"").count(), 1);
            assert!(page.body.contains("href=\"#content\">Skip to content"));
            assert!(page.body.contains("<link rel=\"icon\""));
        }
    }

    async fn a_wrong_address_is_a_page_for_people_and_json_for_programs(server: Server) {
        for path in ["/ui/nowhere", "/ui/v1/nowhere", "/ui/v1/keys/new/more", "/ui/v1/account/x"] {
            let request = server.http().get(server.url(path));
            let page = Browser::new(&server).send(request.header("accept", "text/html, */*")).await;
            assert_eq!((page.status, page.header("content-type")), (404, "text/html; charset=utf-8"));
            assert!(page.body.contains("Page not found"), "{}", page.body);
            assert!(page.header("content-security-policy").contains("default-src 'none'"));
            for accept in ["*/*", "application/json, text/html;q=0"] {
                let request = server.http().get(server.url(path)).header("accept", accept);
                let page = Browser::new(&server).send(request).await;
                assert_eq!((page.status, page.header("content-type")), (404, "application/json"));
                assert!(page.body.contains("The page does not exist."), "{}", page.body);
            }
        }
    }

    async fn a_method_that_a_page_does_not_have_is_refused_with_those_that_it_has(server: Server) {
        for (method, path, allow) in [
            (Method::PUT, "/ui/v1/account", "GET, HEAD, POST"),
            (Method::TRACE, "/ui/v1/account", "GET, HEAD, POST"),
            (Method::POST, "/ui/v1/keys", "GET, HEAD"),
            (Method::GET, "/ui/v1/signin/passkey", "POST"),
        ] {
            for accept in ["text/html", "*/*"] {
                let request = server.http().request(method.clone(), server.url(path));
                let page = Browser::new(&server).send(request.header("accept", accept)).await;
                assert_eq!((page.status, page.header("allow")), (405, allow), "{path}");
            }
        }
    }

    async fn no_page_accepts_a_form_without_the_token_of_its_browser(server: Server) {
        let rows = ACCESS.lines().filter_map(|line| line.strip_prefix("| `POST /ui/"));
        let paths = rows.map(|row| row.split('`').next().unwrap().replace("{id}", "unknown"));
        let paths: Vec<_> = paths.collect();
        assert!(paths.len() >= 29, "{paths:?}");
        let mut browser = signed_in(&server).await;
        let stale = Browser::new(&server).get("/ui/v1/signin").await;
        let stale = stale.field("csrf_token").unwrap().to_owned();
        let events = count(&server, "audit_trail").await;
        for path in &paths {
            for token in ["", &stale] {
                browser.csrf_token = token.to_owned();
                let page = browser.submit(&format!("/ui/{path}"), &[]).await;
                assert!(page.status == 403 && page.body.contains("This form is out of date"), "{path}: {}", page.body);
            }
        }
        assert_eq!(count(&server, "audit_trail").await, events);
    }

    /// Scripts of other pages of this origin, such as `/docs`, could read a page otherwise.
    async fn scripts_and_frames_read_no_page_and_send_no_form(server: Server) {
        let mut browser = signed_in(&server).await;
        let (url, token) = (server.url("/ui/v1/account"), browser.csrf_token.clone());
        for (mode, destination, is_shown) in [
            ("navigate", "document", true),
            ("cors", "empty", false),
            ("same-origin", "empty", false),
            ("navigate", "iframe", false),
            ("no-cors", "script", false),
        ] {
            let form = [("csrf_token", token.as_str()), ("action", "end_session"), ("id", "none")];
            for request in [server.http().get(&url), server.http().post(&url).form(&form)] {
                let request = request
                    .header("sec-fetch-site", "same-origin")
                    .header("sec-fetch-mode", mode)
                    .header("sec-fetch-dest", destination);
                let page = browser.send(request).await;
                let expected = if is_shown { 200 } else { 403 };
                assert_eq!(page.status, expected, "{mode} {destination}");
                assert_eq!(page.body.contains("Signed-in browsers"), is_shown);
            }
        }
    }
}
