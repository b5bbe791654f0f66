//! The page at `/docs`, in a browser.

use std::process::Stdio;
use std::time::Duration;

use crate::harness::both_databases;

const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// What a page holds once its scripts have run.
async fn rendered(url: &str) -> String {
    let profile = tempfile::tempdir().unwrap();
    for name in NAMES {
        let browser = tokio::process::Command::new(name)
            .args(["--headless", "--no-sandbox", "--disable-gpu"])
            .args(["--no-first-run", "--disable-background-networking"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .args(["--virtual-time-budget=20000", "--dump-dom"])
            .arg(url)
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .output();
        match tokio::time::timeout(Duration::from_secs(120), browser).await {
            Ok(Ok(output)) => return String::from_utf8(output.stdout).unwrap(),
            Ok(Err(_)) => continue,
            Err(_) => panic!("{name} does not end"),
        }
    }
    panic!("a browser is needed; on Debian: apt-get install chromium, or cargo xtask test");
}

both_databases! {
    async fn the_page_shows_an_operation_with_its_form(server: Server) {
        let page = rendered(&server.url("/docs#/accounts/createUser")).await;
        for text in ["Create a hub account", "hubOrganizationId", "accounts.write", "Send", "curl -i"] {
            assert!(page.contains(text), "{text} is missing:\n{page}");
        }
        // One entry for each operation of the four documents.
        for area in accord_server::area::Area::ALL {
            for operation in area.table().operations {
                let link = format!("#/{}/{}", area.name(), operation.id);
                assert!(page.contains(&link), "{link} is missing");
            }
        }
        assert!(!page.contains("[object "), "{page}");
    }
}
