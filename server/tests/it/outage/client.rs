//! The generated client during an outage.

use std::time::{Duration, Instant};

use accord_client::Accord;
use accord_client::accounts::types::{CreateUserRequest, HubUserRequest, HubUserRequestRequired};
use accord_client::patterns::types::{CreatePatternRequest, CreatePatternRequestRequired};
use accord_server::accounts::demo::ORGANIZATION;
use accord_server::patterns::accelerators::REACT;
use accord_server::patterns::demo::{INSTANCE, PROJECT};

use super::caller::Caller;
use crate::harness::{Database, Server};
use crate::inference::outage::let_in;

#[tokio::test(flavor = "multi_thread")]
async fn the_generated_client_outlasts_an_outage() {
    let server = Server::start(Database::Postgres).await;
    let caller = Caller::of(&server).await;
    let accord = Accord::builder()
        .base_url(server.url(""))
        .access_token(&caller.token)
        .build()
        .unwrap();
    let (accounts, patterns) = (accord.accounts(), accord.patterns());
    let mira = HubUserRequest::new(HubUserRequestRequired {
        email_address: "mira@north.example".to_owned(),
        first_name: "Mira".to_owned(),
        last_name: "Lund".to_owned(),
        language: "en".to_owned(),
        hub_organization_id: ORGANIZATION,
        set_password: false,
    });
    let pattern = CreatePatternRequest::new(CreatePatternRequestRequired {
        id: REACT,
        pattern_code: "OUTAGE".to_owned(),
        pattern_version: "1".to_owned(),
        project_code: PROJECT.to_owned(),
    });
    let_in(&server, false).await;
    let list = accounts.list_organizations().call();
    let create = accounts
        .create_user()
        .body(CreateUserRequest::new().hub_user(mira))
        .call();
    let patterns_of = patterns
        .list_patterns()
        .project_id(PROJECT)
        .integration_instance(INSTANCE)
        .call();
    let create_pattern = patterns
        .create_pattern_from_accelerator()
        .project_id(PROJECT)
        .integration_instance(INSTANCE)
        .body(pattern)
        .call();
    let end = async {
        for operation in [
            "listOrganizations",
            "createUser",
            "listPatterns",
            "createPatternFromAccelerator",
        ] {
            let since = Instant::now();
            while caller.counted(operation, 503).await == 0 {
                assert!(since.elapsed() < Duration::from_secs(60), "{operation}");
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
        let_in(&server, true).await;
    };
    let (listed, created, of_project, new, ()) =
        tokio::join!(list, create, patterns_of, create_pattern, end);
    assert!(!listed.unwrap().is_empty());
    assert_eq!(created.unwrap().hub_user.display_name, "Mira Lund");
    of_project.unwrap();
    assert_eq!(new.unwrap().code, "OUTAGE");
    assert_eq!(server.stop().await, Vec::<String>::new());
}
