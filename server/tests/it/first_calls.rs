//! The examples of the client's landing page, against the service. The page shows the same files.

use accord_client::Accord;
use accord_client::patterns::types::{CreatePatternRequest, CreatePatternRequestRequired};
use accord_server::accounts::demo::ADMINISTRATOR;
use accord_server::patterns::demo::{INSTANCE, PROJECT};

use crate::harness::{Database, Server, run};
use crate::identity::client::WEB;
use crate::inference::client::Manager;

#[path = "../../../client/examples/first_calls/accounts.rs"]
mod accounts;
#[path = "../../../client/examples/first_calls/identity.rs"]
mod identity;
#[path = "../../../client/examples/first_calls/inference.rs"]
mod inference;
#[path = "../../../client/examples/first_calls/patterns.rs"]
mod patterns;

/// An accelerator of the demo.
const ACCELERATOR: uuid::Uuid = uuid::uuid!("3f1c2a9e-6d0b-4f6e-9c64-0a4c8c0d7b01");

#[test]
fn the_first_calls_of_each_area_work_as_printed() {
    run(Database::Sqlite, async |server: Server| {
        let scopes = "accounts.read patterns.write";
        let token = server.token(ADMINISTRATOR, scopes).await;
        let key = Manager::of(&server).await.new_key().await;
        let accord = Accord::builder()
            .base_url(server.url(""))
            .access_token(&token)
            .api_key(&key.one)
            .client_credentials(WEB.0, WEB.1)
            .build()
            .unwrap();

        let names = accounts::organizations(&accord).await.unwrap();
        assert!(
            names.iter().any(|name| name == "North Works Ltd"),
            "{names:?}"
        );

        let owner = identity::owner(&accord, &token).await.unwrap();
        assert_eq!(owner.as_deref(), Some("ana@north.example"));
        let owner = identity::owner(&accord, "invalid").await.unwrap();
        assert_eq!(owner, None);

        let answer = inference::chat(&accord, "accord.echo", "Hello").await;
        assert_eq!(answer.unwrap().trim(), "Hello");

        let pattern = async || patterns::pattern(&accord, INSTANCE, PROJECT, ACCELERATOR).await;
        assert_eq!(pattern().await.unwrap(), "ORDER_TRIAGE|01.00.0000");
        let again = pattern().await.unwrap_err();
        assert!(again.starts_with("there is one already: "), "{again}");
    });
}

#[test]
fn the_patterns_of_a_project_arrive_page_by_page() {
    run(Database::Sqlite, async |server: Server| {
        let scopes = "patterns.read patterns.write";
        let accord = Accord::builder()
            .base_url(server.url(""))
            .access_token(server.token(ADMINISTRATOR, scopes).await)
            .build()
            .unwrap();
        let list = || {
            let list = accord.patterns().list_patterns().limit(2);
            list.integration_instance(INSTANCE).project_id(PROJECT)
        };
        let before = list().items().collect_all().await.unwrap().len();
        for number in 1..=3 {
            let version = format!("0{number}.00.0000");
            let body = CreatePatternRequest::new(CreatePatternRequestRequired {
                id: ACCELERATOR,
                pattern_code: "PAGED".to_owned(),
                pattern_version: version.to_owned(),
                project_code: PROJECT.to_owned(),
            });
            let create = accord.patterns().create_pattern_from_accelerator();
            let create = create.integration_instance(INSTANCE).project_id(PROJECT);
            create.body(body).call().await.unwrap();
        }
        let all = list().items().collect_all().await.unwrap();
        assert_eq!(all.len(), before + 3);
        let rest = list().offset(1).items().collect_all().await.unwrap();
        assert_eq!(rest, all[1..]);
        let mut pages = list().pages();
        let mut sizes = Vec::new();
        while let Some(page) = pages.next_page().await.unwrap() {
            sizes.push(page.items.len());
        }
        assert_eq!(sizes.iter().sum::<usize>(), before + 3);
        assert!(sizes.iter().all(|size| *size <= 2), "{sizes:?}");
    });
}
