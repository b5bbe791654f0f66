//! The published documents, health and metrics.

use std::io::Read;
use std::time::{Duration, Instant};

use crate::harness::{Database, Server, on_sqlite};
use crate::inference::outage::let_in;

#[tokio::test(flavor = "multi_thread")]
async fn readiness_follows_the_database_and_health_does_not() {
    let server = Server::start(Database::Postgres).await;
    let get = async |path: &str| {
        let response = server.get(path).await;
        (response.status().as_u16(), response.text().await.unwrap())
    };
    // The response names neither the database nor its address.
    let away = (503, "the store cannot be written\n".to_owned());
    let back = (200, "ready\n".to_owned());
    for (is_open, ready) in [(true, &back), (false, &away), (true, &back)] {
        let_in(&server, is_open).await;
        let since = Instant::now();
        while get("/readyz").await != *ready {
            assert!(since.elapsed() < Duration::from_secs(60), "{ready:?}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        assert_eq!(get("/healthz").await, (200, "ok\n".to_owned()));
    }
    assert_eq!(server.stop().await, Vec::<String>::new());
}

on_sqlite! {
    async fn each_document_is_listed_and_names_this_server(server: Server) {
        let list = server.get("/openapi").await;
        // Tools in a browser read the list and the documents.
        assert_eq!(list.headers()["access-control-allow-origin"], "*");
        let list: serde_json::Value = list.json().await.unwrap();
        let documents = list["documents"].as_array().unwrap();
        assert_eq!(documents.len(), 4);
        for entry in documents {
            let json = server.get(entry["json"].as_str().unwrap()).await;
            assert_eq!(json.headers()["content-type"], "application/json");
            assert_eq!(json.headers()["access-control-allow-origin"], "*");
            let document: serde_json::Value = json.json().await.unwrap();
            let url = document["servers"][0]["url"].as_str().unwrap();
            assert!(url.starts_with(&server.url("")), "{url}");
            let yaml = server.get(entry["yaml"].as_str().unwrap()).await.text().await.unwrap();
            assert!(yaml.contains(&format!("  - url: {url}\n")));
            // Each stands alone, and has no keys of the generator.
            for other in ["x-dropforge-", "x-decision", "common.yaml"] {
                assert!(!yaml.contains(other) && !document.to_string().contains(other), "{other}");
            }
            let read = dropforge::document::Document::load("served.yaml", &yaml).unwrap();
            let written = dropforge::document::Document::load("served.json", &document.to_string());
            assert_eq!(read.to_json(), written.unwrap().to_json());
        }
    }

    async fn a_document_that_is_known_is_not_sent_again(server: Server) {
        let first = server.get("/openapi/accounts.yaml").await;
        let tag = first.headers()["etag"].clone();
        let again = server.http().get(server.url("/openapi/accounts.yaml"))
            .header("if-none-match", &tag).send().await.unwrap();
        assert_eq!(again.status(), 304);
        // A 304 describes no content (RFC 9110, section 15.4.5).
        assert_eq!(again.headers()["etag"], tag);
        assert!(again.headers().contains_key("vary"));
        assert!(!again.headers().contains_key("content-type"));
        assert_eq!(again.text().await.unwrap(), "");
    }

    async fn a_condition_that_names_another_document_fails(server: Server) {
        let first = server.get("/openapi/accounts.yaml").await;
        let tag = first.headers()["etag"].to_str().unwrap();
        let weak = format!("W/{tag}");
        for (value, status) in [("\"other\"", 412), (weak.as_str(), 412), (tag, 200), ("*", 200)] {
            let again = server.http().get(server.url("/openapi/accounts.yaml"));
            let again = again.header("if-match", value).send().await.unwrap();
            assert_eq!(again.status(), status, "{value}");
        }
    }

    async fn a_document_that_is_not_there_is_404(server: Server) {
        for (path, advice) in [
            ("/openapi/nothing.json", "/openapi lists all documents."),
            ("/openapi/accounts.xml", "/openapi lists all documents."),
            ("/docs/0/page.js", "Load /docs again."),
        ] {
            let response = server.get(path).await;
            assert_eq!(response.status(), 404, "{path}");
            let error: serde_json::Value = response.json().await.unwrap();
            let message = error["message"].as_str().unwrap();
            assert!(message.ends_with(advice), "{message}");
        }
    }

    async fn the_page_loads_nothing_from_elsewhere_and_calls_operations_only(server: Server) {
        assert_eq!(server.get("/").await.headers()["location"], "/docs");
        let page = server.get("/docs").await;
        let policies: Vec<_> = page.headers().get_all("content-security-policy").iter()
            .map(|policy| policy.to_str().unwrap().to_owned()).collect();
        let [contents, connections] = policies.as_slice() else { panic!("{policies:?}") };
        let directives: Vec<_> = contents.split(';').map(str::trim).collect();
        for directive in [
            "default-src 'none'", "script-src 'self'", "connect-src 'self'", "worker-src 'none'",
            "frame-src 'none'", "object-src 'none'", "base-uri 'none'", "form-action 'none'",
            "frame-ancestors 'none'",
        ] {
            assert!(directives.contains(&directive), "{directive}: {contents}");
        }
        assert!(connections.starts_with("connect-src "), "{connections}");
        for path in ["/openapi/", "/oauth2/v1/device", "/20231130/actions/v1/models/"] {
            assert!(connections.split(' ').any(|one| one == format!("*:*{path}")), "{connections}");
        }
        assert!(!connections.contains("/ui"), "{connections}");
        // The pages under `/ui` have another one, so a tab that shows one of them is out of reach.
        let opener = |response: &reqwest::Response| {
            response.headers()["cross-origin-opener-policy"].clone()
        };
        assert_eq!(opener(&page), "same-origin-allow-popups");
        assert_eq!(opener(&server.get("/ui/v1/signin").await), "same-origin");

        let html = page.text().await.unwrap();
        for address in addresses(&html) {
            assert!(address.starts_with("/docs/"), "{address}");
            assert_eq!(server.get(&address).await.status(), 200, "{address}");
        }
    }

    async fn a_file_of_the_page_is_compressed_and_kept_by_its_hash(server: Server) {
        let html = server.get("/docs").await.text().await.unwrap();
        let addresses = addresses(&html);
        assert_eq!(addresses.len(), 3, "{addresses:?}");
        for address in &addresses {
            let file = server.get(address).await;
            assert_eq!(file.headers()["cache-control"], "public, max-age=31536000, immutable");
            let tag = file.headers()["etag"].clone();
            let again = server.http().get(server.url(address)).header("if-none-match", tag);
            assert_eq!(again.send().await.unwrap().status(), 304, "{address}");
            let (folder, name) = address.rsplit_once('/').unwrap();
            let other = format!("{}0/{name}", &folder[..folder.len() - 1]);
            let other = if other == *address { format!("{folder}0/{name}") } else { other };
            assert_eq!(server.get(&other).await.status(), 404, "{other}");
        }
        let script = addresses.iter().find(|address| address.ends_with("/scalar.js")).unwrap();
        let plain = server.get(script).await;
        assert!(!plain.headers().contains_key("content-encoding"));
        assert_eq!(plain.headers()["vary"], "Accept-Encoding");
        let plain_tag = plain.headers()["etag"].clone();
        let plain = plain.bytes().await.unwrap();
        let compressed = server.http().get(server.url(script)).header("accept-encoding", "br, gzip");
        let compressed = compressed.send().await.unwrap();
        assert_eq!(compressed.headers()["content-encoding"], "gzip");
        let tag = compressed.headers()["etag"].clone();
        assert_ne!(tag, plain_tag);
        let again = server.http().get(server.url(script)).header("accept-encoding", "br, gzip");
        let again = again.header("if-none-match", tag).send().await.unwrap();
        assert_eq!(again.status(), 304);
        assert!(!again.headers().contains_key("content-encoding"));
        let compressed = compressed.bytes().await.unwrap();
        assert!(compressed.len() * 3 < plain.len(), "{} of {}", compressed.len(), plain.len());
        let mut read = Vec::new();
        flate2::read::GzDecoder::new(&compressed[..]).read_to_end(&mut read).unwrap();
        assert!(read == plain, "the same script");
    }
}

/// The addresses of the files that the page loads.
fn addresses(html: &str) -> Vec<String> {
    let loaded = html.lines().filter_map(|line| {
        let line = line.trim();
        let rest = match line.strip_prefix("<script src=\"") {
            Some(rest) => rest,
            None => line.strip_prefix("<link rel=\"stylesheet\" href=\"")?,
        };
        rest.split('"').next()
    });
    loaded.map(str::to_owned).collect()
}
