//! The page at `/docs`, in a browser.

use accord_server::accounts::demo::ADMINISTRATOR;

use crate::harness::{both_databases, tools};
use crate::inference::client::Manager;

both_databases! {
    async fn the_page_shows_every_operation_and_tries_them(server: Server) {
        let key = Manager::of(&server).await.new_key().await;
        let token = server.token(ADMINISTRATOR, "accounts.read").await;
        let links: Vec<String> = accord_server::area::Area::ALL
            .into_iter()
            .flat_map(|area| {
                let operations = area.table().operations.iter();
                operations.map(move |operation| format!("{}/{}", area.name(), operation.id))
            })
            .collect();
        let printed = tools::node("docs_page.mjs", &[
            tools::browser().to_str().unwrap(),
            &server.url("/docs"),
            &key.one,
            &token,
            tools::pictures().to_str().unwrap(),
            &links.join(","),
        ]).await;
        assert_eq!(printed.trim().lines().last(), Some("success"));
    }
}
