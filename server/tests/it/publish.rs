//! The published documents, health and metrics.

use crate::harness::both_databases;

both_databases! {
    async fn health_and_readiness_are_told_apart(server: Server) {
        let healthy = server.get("/healthz").await;
        assert_eq!(healthy.status(), 200);
        let ready = server.get("/readyz").await;
        assert_eq!(ready.status(), 200);
    }

    async fn each_document_is_listed_and_names_this_server(server: Server) {
        let list: serde_json::Value = server.get("/openapi").await.json().await.unwrap();
        let documents = list["documents"].as_array().unwrap();
        assert_eq!(documents.len(), 4);
        for entry in documents {
            let json = server.get(entry["json"].as_str().unwrap()).await;
            assert_eq!(json.headers()["content-type"], "application/json");
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
            .header("if-none-match", tag).send().await.unwrap();
        assert_eq!(again.status(), 304);
        assert_eq!(again.text().await.unwrap(), "");
    }

    async fn a_document_that_is_not_there_is_404(server: Server) {
        assert_eq!(server.get("/openapi/nothing.json").await.status(), 404);
        assert_eq!(server.get("/openapi/accounts.xml").await.status(), 404);
    }

    async fn the_page_loads_nothing_from_elsewhere(server: Server) {
        assert_eq!(server.get("/").await.headers()["location"], "/docs");
        let page = server.get("/docs").await;
        let policy = page.headers()["content-security-policy"].to_str().unwrap().to_owned();
        assert!(policy.starts_with("default-src 'none'; script-src 'self'"), "{policy}");
        let html = page.text().await.unwrap();
        for file in ["page.css", "page.js"] {
            assert!(html.contains(file), "{html}");
            let text = server.get(&format!("/docs/{file}")).await.text().await.unwrap();
            assert!(!text.contains("https://"), "{file} names another host");
        }
    }
}
