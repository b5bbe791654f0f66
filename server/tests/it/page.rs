//! The reference page at `/docs`, in a browser.

use crate::harness::{Database, Server, run, tools};
use crate::identity::client::{ANA, PASSWORD};
use crate::inference::client::Manager;

#[test]
fn the_reference_page_signs_in_calls_operations_and_stays_away_from_pages() {
    run(Database::Sqlite, async |server: Server| {
        let key = Manager::of(&server).await.new_key().await;
        let operations: Vec<String> = accord_server::area::Area::ALL
            .into_iter()
            .flat_map(|area| {
                let operations = accord_server::contract::table(area).operations.iter();
                operations.map(move |operation| format!("{}/{}", area.name(), operation.id))
            })
            .collect();
        let printed = tools::node(
            "docs_page.mjs",
            &[
                tools::browser().to_str().unwrap(),
                &server.url("/docs"),
                &key.one,
                ANA,
                PASSWORD,
                &tools::pictures(),
                &operations.join(","),
            ],
        )
        .await;
        assert_eq!(printed.trim().lines().last(), Some("success"));
    });
}

#[test]
fn axe_finds_nothing_on_the_reference_page() {
    run(Database::Sqlite, async |server: Server| {
        let browser = tools::browser();
        let docs = server.url("/docs");
        let printed = tools::node("docs_axe.mjs", &[browser.to_str().unwrap(), &docs]).await;
        assert_eq!(printed.trim().lines().last(), Some("success"));
    });
}
