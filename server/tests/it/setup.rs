//! `accord-server init`: from an empty database to a login and a chat.

use std::path::PathBuf;

use accord_server::setup::{CLIENT, COMPARTMENT};
use serde_json::json;

use crate::harness::commands::{fail, json, succeed};
use crate::harness::{Database, Server, both_databases};
use crate::identity::browser::Browser;
use crate::identity::client::{Device, organizations};
use crate::inference::client::{Manager, chat};

const EMAIL: &str = "mira@works.example";
const PASSWORD: &str = "seven quiet harbors";

/// The arguments of `init`, with a password in a file.
struct Arguments {
    _directory: tempfile::TempDir,
    password_file: PathBuf,
}

impl Arguments {
    fn new(password: &str) -> Arguments {
        let directory = tempfile::tempdir().unwrap();
        let password_file = directory.path().join("password");
        std::fs::write(&password_file, format!("{password}\n")).unwrap();
        Arguments {
            _directory: directory,
            password_file,
        }
    }

    fn all(&self) -> Vec<&str> {
        let password_file = self.password_file.to_str().unwrap();
        let mut arguments = vec!["init", "--email", EMAIL, "--password-file", password_file];
        arguments.extend(["--first-name", "Mira", "--last-name", "Lund"]);
        arguments.extend(["--organization", "Harbor Works"]);
        arguments
    }
}

async fn empty(database: Database) -> Server {
    Server::start_with(database, |layer| layer.demo.enabled = Some(false)).await
}

#[test]
fn an_empty_database_is_ready_for_a_login_and_a_chat() {
    for database in [Database::Sqlite, Database::Postgres] {
        crate::harness::run_with(async || {
            let server = empty(database).await;
            let printed = succeed(&server, &Arguments::new(PASSWORD).all()).await;
            assert!(
                printed.contains(EMAIL) && !printed.contains(PASSWORD),
                "{printed}"
            );
            for command in ["login", "keys create first --compartment", "chat Hello"] {
                assert!(printed.contains(command), "{printed}");
            }

            let device =
                Device::ask_as(&server, CLIENT, "accounts.read apikeys.read apikeys.write");
            let device = device.await;
            let mut browser = Browser::signed_in(&server, EMAIL, PASSWORD).await;
            let page = browser.decide(&device.user_code, "approve").await;
            assert!(page.body.contains("Device approved"), "{}", page.body);
            let token = device.poll(&server).await.text("access_token").to_owned();
            assert_eq!(organizations(&server, &token).await, 200);

            let manager = Manager {
                server: server.clone(),
                token,
            };
            let key = manager.new_key_in(COMPARTMENT).await;
            // The service reads new policies within a second.
            let deadline = std::time::Instant::now() + std::time::Duration::from_secs(60);
            while chat(&server, &key.one, "accord.echo").await.status != 200 {
                assert!(
                    std::time::Instant::now() < deadline,
                    "the model is not allowed"
                );
                tokio::time::sleep(std::time::Duration::from_millis(100)).await;
            }
            succeed(&server, &["audit", "verify"]).await;
            server
        });
    }
}

both_databases! {
    async fn a_database_with_content_stays_as_it_is(server: Server) {
        let before = json(&server, &["users", "list"]).await;
        let complaint = fail(&server, &Arguments::new(PASSWORD).all()).await;
        assert!(complaint.contains("not empty"), "{complaint}");
        assert_eq!(json(&server, &["users", "list"]).await, before);
    }
}

#[test]
fn missing_values_and_weak_passwords_leave_the_database_empty() {
    crate::harness::run_with(async || {
        let server = empty(Database::Sqlite).await;
        let arguments = Arguments::new(PASSWORD);
        let without_name = &arguments.all()[..5];
        let complaint = fail(&server, without_name).await;
        assert!(complaint.contains("add --first-name"), "{complaint}");
        let complaint = fail(&server, &Arguments::new("password12").all()).await;
        assert!(complaint.contains("easy to guess"), "{complaint}");
        assert_eq!(json(&server, &["users", "list"]).await, json!([]));
        server
    });
}
