//! `users remove`: nothing of the person is left, and everything else is.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use accord_server::accounts::demo::ADMINISTRATOR;
use accord_server::identity::users::User;
use accord_server::identity::{demo, passwords};
use accord_server::params;
use accord_server::store::{StoreError, Tx};
use reqwest::Method;
use serde_json::json;

use super::{USER, body_of, count, create, mira, user_id};
use crate::harness::{Server, both_databases, commands};
use crate::identity::browser::Browser;
use crate::identity::client::{ANA, Device, PASSWORD, organizations, post, tokens};
use crate::inference::client::{BOTH_SCOPES, Manager, chat};

const EMAIL: &str = "w.quistgaard@north.example";
/// Parts of the person's names and addresses.
const NEEDLES: [&str; 3] = ["quistgaard", "wilhelmina", "eleonore"];
/// Tables that change by themselves, or that record the removal.
const CHANGING: [&str; 3] = ["audit_trail", "revoked_tokens", "sequences"];

/// The texts of all tables, in lower case.
async fn texts(server: &Server) -> BTreeMap<String, Vec<String>> {
    let is_postgres = server
        .app()
        .config
        .database_url()
        .expose()
        .starts_with("postgres");
    let columns = match is_postgres {
        true => {
            "SELECT table_name::text, column_name::text FROM information_schema.columns \
                 WHERE table_schema = 'public' AND data_type = 'text'"
        }
        false => {
            "SELECT t.name, c.name FROM sqlite_master t, pragma_table_info(t.name) c \
                  WHERE t.type = 'table' AND c.type = 'TEXT'"
        }
    };
    let read = move |tx: &mut Tx<'_>| -> Result<_, StoreError> {
        let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for row in tx.query(columns, &[])? {
            let (table, column): (String, String) = (row.get(0)?, row.get(1)?);
            let found = texts.entry(table.clone()).or_default();
            for row in tx.query(&format!("SELECT {column} FROM {table}"), &[])? {
                let text: Option<String> = row.get(0)?;
                found.extend(text.map(|text| text.to_lowercase()));
            }
            found.sort();
        }
        Ok(texts)
    };
    let texts = server.read(read).await;
    assert!(texts.len() > 25, "{:?}", texts.keys());
    texts
}

/// The tables that name the person.
fn naming(texts: &BTreeMap<String, Vec<String>>) -> Vec<&str> {
    let names = |text: &String| NEEDLES.iter().any(|needle| text.contains(needle));
    let tables = texts.iter().filter(|(_, texts)| texts.iter().any(names));
    tables.map(|(table, _)| table.as_str()).collect()
}

/// The files of mails that name the person.
fn mail_files(server: &Server) -> usize {
    let directory = server.app().config.server.data_dir.join("mail");
    let files = std::fs::read_dir(directory).unwrap();
    let texts = files.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap());
    let texts = texts.map(|text| text.to_lowercase());
    texts
        .filter(|text| NEEDLES.iter().any(|needle| text.contains(needle)))
        .count()
}

async fn until_mail_is_sent(server: &Server) {
    let deadline = Instant::now() + Duration::from_secs(60);
    let waiting = async || {
        let listed = commands::json(server, &["mail", "list", "--state", "waiting"]).await;
        listed.as_array().unwrap().len()
    };
    while waiting().await > 0 {
        assert!(Instant::now() < deadline, "mail is not sent");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Creates the person with a profile, by a request that can be repeated. Returns the identifier.
async fn create_person(server: &Server, token: &str) -> String {
    let body = json!({
        "hubUser": {
            "emailAddress": "W.Quistgaard@north.example", "firstName": "Wilhelmina",
            "middleName": "Eleonore", "lastName": "Quistgaard", "language": "en",
            "hubOrganizationId": 3104, "setPassword": true,
            "emailForCommunication": "post@quistgaard.example",
        },
        "collabUsers": [{"appInstanceId": 71, "collabOrganizationId": 5201,
            "projectIds": ["LOCK-1"], "userName": "wilhelmina.q"}],
    });
    let request = server
        .http()
        .request(Method::POST, server.url(USER))
        .bearer_auth(token);
    let request = request
        .header("idempotency-key", "wilhelmina-1")
        .json(&body);
    body_of(request.send().await.unwrap(), 200).await;
    user_id(server, EMAIL).await
}

/// Gives the person a password, a passkey, and rights.
async fn equip(server: &Server, id: &str) {
    let hash = passwords::hash(PASSWORD).unwrap();
    let user = id.to_owned();
    let write = move |tx: &mut Tx<'_>| -> Result<(), StoreError> {
        User::set_password(tx, &user, &hash)?;
        tx.execute(
            "INSERT INTO passkeys (credential_id, user_id, name, static_state, dynamic_state, \
             transports, created_at) VALUES ($1, $2, 'Phone of Wilhelmina', $1, $1, 0, 0)",
            params![vec![7u8; 16], &user],
        )
        .map(drop)
    };
    server.write(write).await;
    for arguments in [
        &["administrators", "add", EMAIL, "3104"][..],
        &["operators", "add", EMAIL],
        &[
            "grants",
            "set",
            "compartment:compartment.demo",
            EMAIL,
            "manage",
        ],
    ] {
        commands::succeed(server, arguments).await;
    }
}

/// Tries a wrong password.
async fn guess(server: &Server, email: &str) {
    let mut browser = Browser::new(server);
    browser.get("/ui/v1/signin").await;
    let fields = [("username", email), ("password", "a wrong passphrase")];
    assert_eq!(browser.submit("/ui/v1/signin", &fields).await.status, 400);
}

/// Asks for a link that sets another password.
async fn ask_for_link(server: &Server, email: &str) {
    let mut browser = Browser::new(server);
    browser.get("/ui/v1/forgot").await;
    let page = browser
        .submit("/ui/v1/forgot", &[("username", email)])
        .await;
    assert_eq!(page.status, 200, "{}", page.body);
}

both_databases! {
    async fn nothing_of_a_removed_person_is_left_and_all_else_is(server: Server) {
        // Others, who stay as they are. The demo's key is made while the service runs.
        demo::make_robot_key(&server.app().identity).await.unwrap();
        body_of(create(&server, &json!({"hubUser": mira()})).await, 200).await;
        let others = tokens(&server, "accounts.read").await;
        guess(&server, ANA).await;
        ask_for_link(&server, ANA).await;
        let key_of_another = Manager::of(&server).await.new_key().await;
        until_mail_is_sent(&server).await;
        let token = server.token(ADMINISTRATOR, "accounts.write").await;
        let before = texts(&server).await;
        assert_eq!(naming(&before), [""; 0]);

        let id = create_person(&server, &token).await;
        equip(&server, &id).await;
        let mut browser = Browser::signed_in(&server, EMAIL, PASSWORD).await;
        let device = Device::ask(&server, "accounts.read offline_access").await;
        browser.decide(&device.user_code, "approve").await;
        let given = device.poll(&server).await;
        let (access, refresh) = (given.text("access_token"), given.text("refresh_token"));
        assert_eq!(organizations(&server, access).await, 200);
        let waiting = Device::ask(&server, "accounts.read").await;
        browser.decide(&waiting.user_code, "approve").await;
        guess(&server, EMAIL).await;
        ask_for_link(&server, EMAIL).await;
        let own = Manager::named(&server, &id, BOTH_SCOPES).await.new_key().await;
        until_mail_is_sent(&server).await;
        let named = texts(&server).await;
        let tables = ["collab_profiles", "hub_users", "idempotency_keys", "mail_outbox", "passkeys"];
        assert_eq!(naming(&named), tables);
        assert!(mail_files(&server) >= 2);

        let refused = commands::fail(&server, &["users", "remove", EMAIL]).await;
        assert!(refused.contains("without a terminal; add --yes"), "{refused}");
        assert_eq!(naming(&texts(&server).await), tables);
        let shown = commands::json(&server, &["users", "remove", "--yes", "W.Quistgaard@north.example"]).await;
        assert_eq!(shown["id"], *id);
        assert!(shown["stays"].as_str().unwrap().contains("audit trail"), "{shown}");
        for (name, count) in [
            ("sessions", 1),
            ("passkeys", 1),
            ("device_authorizations", 2),
            ("password_links", 2),
            ("grants", 1),
            ("administrator_rights", 1),
            ("operator_rights", 1),
            ("profiles", 1),
            ("invitations", 1),
            ("stored_responses", 1),
        ] {
            assert_eq!(shown["removed"][name], count, "{name}: {shown}");
        }
        assert_eq!(shown["removed"]["mails"], shown["removed"]["files_of_mails"], "{shown}");

        let after = texts(&server).await;
        assert_eq!(naming(&after), [""; 0]);
        assert_eq!(mail_files(&server), 0);
        for (table, texts) in after.iter().filter(|(table, _)| !CHANGING.contains(&table.as_str())) {
            assert!(texts.iter().all(|text| !text.contains(&id)), "{table}: {texts:?}");
            // The API key of the person stays.
            if !table.starts_with("inference_") {
                assert_eq!(texts, &before[table], "{table}");
            }
        }

        // The tokens of the person are refused, those of others are not.
        let since = Instant::now();
        while organizations(&server, access).await != 401 {
            assert!(since.elapsed() < Duration::from_secs(60), "the token is still accepted");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let form = [("grant_type", "refresh_token"), ("refresh_token", refresh), ("client_id", &device.client_id)];
        let refused = post(&server, "/oauth2/v1/token", &form).await;
        assert_eq!(refused.error(), (400, "invalid_grant"));
        assert_eq!(waiting.poll(&server).await.error(), (400, "invalid_grant"));
        assert_eq!(browser.get("/ui/v1/account").await.status, 303);
        guess(&server, EMAIL).await;
        assert_eq!(organizations(&server, others.text("access_token")).await, 200);
        for secret in [&own.one, &key_of_another.one] {
            assert_eq!(chat(&server, secret, "accord.echo").await.status, 200);
        }

        // The trail records the removal by the identifier, and verifies.
        commands::succeed(&server, &["audit", "verify"]).await;
        let events = commands::json(&server, &["audit", "list", "--subject", &id]).await;
        let events = events.as_array().unwrap();
        assert!(events.iter().any(|event| event["action"] == "accounts.user.removed"), "{events:?}");
        let refused = commands::fail(&server, &["users", "remove", "--yes", &id]).await;
        assert!(refused.contains(&format!("there is no user {id}")), "{refused}");
        // The address is free again.
        assert_ne!(create_person(&server, &token).await, id);
    }

    async fn a_disabled_user_is_removed_too(server: Server) {
        body_of(create(&server, &json!({"hubUser": mira()})).await, 200).await;
        commands::succeed(&server, &["users", "disable", "mira.lund@north.example"]).await;
        let printed = commands::succeed(&server, &["users", "remove", "--yes", "mira.lund@north.example"]).await;
        assert!(printed.contains("The audit trail stays"), "{printed}");
        let listed = commands::json(&server, &["users", "list"]).await;
        assert!(!listed.to_string().to_lowercase().contains("mira"), "{listed}");
        assert_eq!(count(&server, "disabled_users").await, 0);
    }
}
