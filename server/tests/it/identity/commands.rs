//! What operators do while the service runs: it notices at once.

use serde_json::Value;

use super::browser::Browser;
use super::client::{ANA, Device, PASSWORD, organizations, post_as, tokens};
use super::replicas::is_refused_within_a_second;
use super::tokens::introspect;
use crate::harness::{Server, both_databases};

pub use crate::harness::commands::{fail as refused, json, output as run, succeed as done};

const TOKEN: &str = "/oauth2/v1/token";
const CERTIFICATE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/certificate.pem");

const ADD: [&str; 9] = [
    "clients",
    "add",
    "kiosk",
    "--name",
    "Kiosk",
    "--kind",
    "confidential",
    "--role",
    "accounts_reader",
];

async fn secret(server: &Server, arguments: &[&str]) -> String {
    json(server, arguments).await["client_secret"]
        .as_str()
        .unwrap()
        .to_owned()
}

/// Whether a client is let in with a secret.
pub async fn is_let_in(server: &Server, id: &str, secret: &str) -> bool {
    let form = [
        ("grant_type", super::client::DEVICE_CODE),
        ("device_code", "none"),
    ];
    let answer = post_as(server, (id, secret), TOKEN, &form).await;
    match answer.error() {
        (400, "invalid_grant") => true,
        (401, "invalid_client") => false,
        other => panic!("{other:?}"),
    }
}

both_databases! {
    async fn every_command_prints_json_and_a_secret_only_once(server: Server) {
        let added = json(&server, &ADD).await;
        assert_eq!(added["client_id"], "kiosk");
        let mut secrets = vec![added["client_secret"].as_str().unwrap().to_owned()];
        let rotated = json(&server, &["clients", "rotate", "kiosk"]).await;
        secrets.push(rotated["client_secret"].as_str().unwrap().to_owned());
        Browser::new(&server).sign_in(ANA, PASSWORD).await;

        let mut told = String::new();
        for arguments in [
            &["clients", "rotate", "kiosk", "--finish"][..],
            &["clients", "disable", "kiosk"],
            &["clients", "enable", "kiosk"],
            &["clients", "list"],
            &["users", "list"],
            &["users", "disable", "ben@north.example"],
            &["users", "enable", "ben@north.example"],
            &["sessions", "list"],
            &["sessions", "revoke", "--user", ANA],
            &["signing-keys", "list"],
            &["signing-keys", "rotate"],
            &["signing-keys", "rotate", "--revoke"],
            &["grants", "list"],
            &["audit", "list"],
            &["audit", "verify"],
        ] {
            let value = json(&server, arguments).await;
            assert!(value.is_object() || value.is_array(), "{arguments:?}: {value}");
            told += &value.to_string();
            told += &done(&server, &[&arguments[..1], &["--help"]].concat()).await;
        }
        let set = ["users", "set-password", "ben@north.example", "--json"];
        let output = run(&server, &set, "a fine long passphrase\n").await;
        let value: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(value["password"], "set");
        secrets.push("a fine long passphrase".to_owned());
        for secret in &secrets {
            assert!(!told.contains(secret.as_str()) && !value.to_string().contains(secret.as_str()));
        }
    }

    async fn a_registered_client_rotates_its_secret_two_at_a_time(server: Server) {
        let one = secret(&server, &ADD).await;
        assert!(is_let_in(&server, "kiosk", &one).await);
        assert!(refused(&server, &ADD).await.contains("already"));

        let two = secret(&server, &["clients", "rotate", "kiosk"]).await;
        assert!(is_let_in(&server, "kiosk", &one).await);
        assert!(is_let_in(&server, "kiosk", &two).await);
        assert!(refused(&server, &["clients", "rotate", "kiosk"]).await.contains("--finish"));

        done(&server, &["clients", "rotate", "kiosk", "--finish"]).await;
        assert!(!is_let_in(&server, "kiosk", &one).await);
        assert!(is_let_in(&server, "kiosk", &two).await);

        done(&server, &["clients", "disable", "kiosk"]).await;
        assert!(!is_let_in(&server, "kiosk", &two).await);
        let listed = json(&server, &["clients", "list"]).await;
        let kiosk = listed.as_array().unwrap().iter().find(|client| client["id"] == "kiosk");
        assert_eq!(kiosk.unwrap()["disabled"], true);
        assert!(!listed.to_string().contains(&two), "{listed}");
        done(&server, &["clients", "enable", "kiosk"]).await;
        assert!(is_let_in(&server, "kiosk", &two).await);
    }

    async fn a_client_needs_what_its_kind_proves_itself_with(server: Server) {
        let add = |kind: &'static str| {
            ["clients", "add", "robot", "--name", "R", "--kind", kind, "--role", "accounts_reader"]
        };
        assert!(refused(&server, &add("saml")).await.contains("--key"));
        let with_key = [&add("saml")[..], &["--key", CERTIFICATE, "--saml-issuer", "x"]].concat();
        done(&server, &with_key).await;
        let of_saml = "only a client of the kind saml has an issuer of SAML assertions";
        for kind in ["confidential", "public"] {
            let with_issuer = [&add(kind)[..], &["--saml-issuer", "x"]].concat();
            assert!(refused(&server, &with_issuer).await.contains(of_saml), "{kind}");
            let with_key = [&add(kind)[..], &["--key", CERTIFICATE]].concat();
            assert!(refused(&server, &with_key).await.contains(&format!("a {kind} client has")), "{kind}");
        }
        let with_issuer = [&add("assertion")[..], &["--key", CERTIFICATE, "--saml-issuer", "x"]].concat();
        assert!(refused(&server, &with_issuer).await.contains(of_saml));
        let of_public = ["clients", "rotate", "accord-cli"];
        assert!(refused(&server, &of_public).await.contains("public"));
        assert!(refused(&server, &["clients", "rotate", "nobody"]).await.contains("no client"));
        assert!(refused(&server, &["clients", "disable", "nobody"]).await.contains("no client"));
        let mut bad = ADD;
        bad[2] = "a b";
        assert!(refused(&server, &bad).await.contains("identifier"));
    }

    async fn a_disabled_client_has_no_good_tokens(server: Server) {
        let both = tokens(&server, "accounts.read offline_access").await;
        let (token, refresh) = (both.text("access_token"), both.text("refresh_token"));
        assert_eq!(organizations(&server, token).await, 200);
        assert_eq!(introspect(&server, refresh).await["active"], true);
        done(&server, &["clients", "disable", "accord-cli"]).await;
        assert_eq!(introspect(&server, refresh).await["active"], false);
        // Done by another process, it is known to this one within a second.
        is_refused_within_a_second(&server, token).await;
    }

    async fn a_new_user_signs_in_with_the_password_that_was_set(server: Server) {
        let organizations = json(&server, &["users", "list"]).await;
        assert!(organizations.to_string().contains(ANA));
        let add = [
            "users", "add", "New@North.example", "--first-name", "Nora", "--last-name", "Ny",
            "--organization", "1",
        ];
        let mut nowhere = add;
        nowhere[8] = "99";
        assert!(refused(&server, &nowhere).await.contains("no hub organization"));
        let known: i64 = server.read(|tx: &mut accord_server::store::Tx<'_>| {
            let row = tx.query_opt("SELECT MIN(id) FROM hub_organizations", &[])?.unwrap();
            row.get::<i64>(0)
        }).await;
        let known = known.to_string();
        let mut add = add;
        add[8] = &known;
        done(&server, &add).await;
        assert!(refused(&server, &add).await.contains("already"));

        let unknown = refused(&server, &["users", "set-password", "nobody@north.example"]).await;
        assert!(unknown.contains("there is no user nobody@north.example"), "{unknown}");
        let set = ["users", "set-password", "new@north.example"];
        let output = run(&server, &set, "short\n").await;
        assert_eq!(output.status.code(), Some(1));
        let output = run(&server, &set, "a fine long passphrase\n").await;
        assert!(output.status.success(), "{output:?}");
        assert!(!String::from_utf8_lossy(&output.stdout).contains("fine"));
        Browser::signed_in(&server, "new@north.example", "a fine long passphrase").await;
    }

    async fn a_disabled_user_is_out_at_once(server: Server) {
        let mut browser = Browser::signed_in(&server, ANA, PASSWORD).await;
        let device = Device::ask(&server, "accounts.read").await;
        browser.decide(&device.user_code, "approve").await;
        let token = tokens(&server, "accounts.read").await;
        let token = token.text("access_token");
        done(&server, &["users", "disable", ANA]).await;

        is_refused_within_a_second(&server, token).await;
        assert_eq!(device.poll(&server).await.error(), (400, "invalid_grant"));
        assert_eq!(browser.get("/ui/v1/device").await.status, 303);
        let mut other = Browser::new(&server);
        other.get("/ui/v1/signin").await;
        let fields = [("username", ANA), ("password", PASSWORD)];
        assert_eq!(other.submit("/ui/v1/signin", &fields).await.status, 400);

        assert!(refused(&server, &["users", "disable", ANA]).await.contains("already"));
        done(&server, &["users", "enable", ANA]).await;
        Browser::new(&server).sign_in(ANA, PASSWORD).await;
        assert_eq!(organizations(&server, token).await, 401);
    }

    async fn sessions_are_listed_and_ended(server: Server) {
        let mut one = Browser::signed_in(&server, ANA, PASSWORD).await;
        let mut two = Browser::signed_in(&server, ANA, PASSWORD).await;
        let listed = json(&server, &["sessions", "list", "--user", ANA]).await;
        assert_eq!(listed.as_array().unwrap().len(), 2);
        let id = listed[0]["id"].as_str().unwrap();
        done(&server, &["sessions", "revoke", id]).await;
        let mut left = 0;
        for browser in [&mut one, &mut two] {
            left += usize::from(browser.get("/ui/v1/device").await.status == 200);
        }
        assert_eq!(left, 1);
        done(&server, &["sessions", "revoke", "--user", ANA]).await;
        assert!(refused(&server, &["sessions", "revoke", "--user", ANA]).await.contains("no such"));
        assert_eq!(one.get("/ui/v1/device").await.status, 303);
        assert_eq!(two.get("/ui/v1/device").await.status, 303);
    }

    async fn the_audit_trail_lists_what_a_user_did_by_email_address(server: Server) {
        Browser::new(&server).sign_in(ANA, PASSWORD).await;
        let events = async |actor: &str| json(&server, &["audit", "list", "--actor", actor]).await;
        let by_email = events("Ana@north.example").await;
        assert_eq!(by_email[0]["actor"], "user:ana");
        assert_eq!(by_email, events("user:ana").await);
        let text = refused(&server, &["audit", "list", "--actor", "nobody@north.example"]).await;
        assert!(text.contains("there is no user nobody@north.example"), "{text}");
    }

    async fn what_operators_do_is_in_the_audit_trail(server: Server) {
        let secret = secret(&server, &ADD).await;
        done(&server, &["clients", "disable", "kiosk"]).await;
        let listed = json(&server, &["audit", "list", "--actor", "operator:olga"]).await;
        let told: Vec<_> = listed
            .as_array()
            .unwrap()
            .iter()
            .map(|entry| (entry["action"].as_str().unwrap(), entry["subject"].as_str().unwrap()))
            .collect();
        assert_eq!(told, [
            ("identity.client.registered", "kiosk"),
            ("identity.client.disabled", "kiosk"),
        ]);
        assert!(!listed.to_string().contains(&secret));
        let verified = json(&server, &["audit", "verify"]).await;
        let head = verified["head"].as_str().unwrap();
        done(&server, &["audit", "verify", "--kept", head]).await;
        server.write(|tx: &mut accord_server::store::Tx<'_>| {
                tx.execute("DELETE FROM audit_trail WHERE action LIKE '%disabled'", &[])
            }).await;
        let error = refused(&server, &["audit", "verify", "--kept", head]).await;
        assert!(error.contains("no longer contains"), "{error}");
    }
}
