//! The pages on which API keys are listed and created.

use accord_server::inference::demo::CLOSED_COMPARTMENT;
use accord_server::store::StoreError;
use memchr::memmem;

use super::{create, key_address, new_key_fields, secrets, signed_in};
use crate::harness::{both_databases, contents};
use crate::identity::browser::Browser;
use crate::identity::client::PASSWORD;
use crate::inference::client::{COMPARTMENT, Manager, accepted};

const BEN: &str = "ben@north.example";

both_databases! {
    async fn a_new_key_shows_its_secrets_once_and_the_first_one_works(server: Server) {
        let mut browser = signed_in(&server).await;
        let page = create(&mut browser, "reports").await;
        assert_eq!(page.header("cache-control"), "no-store");
        let plain = secrets(&page);
        assert_eq!(plain.len(), 2, "{}", page.body);
        assert!(accepted(&server, &plain[0]).await);
        assert!(!accepted(&server, &plain[1]).await, "the second one is on standby");
        let address = key_address(&page);
        for path in ["/ui/v1/keys", &address, &format!("{address}/edit")] {
            let page = browser.get(path).await;
            assert!(page.status == 200 && page.body.contains("reports"), "{}", page.body);
            assert!(plain.iter().all(|secret| !page.body.contains(secret)), "{path}");
        }
        let page = browser.get(&address).await;
        for part in ["Secret key-one: Active", "Secret key-two: Standby", "Activate key-two"] {
            assert!(page.body.contains(part), "{part}: {}", page.body);
        }
    }

    async fn a_form_that_is_sent_twice_creates_one_key_and_shows_the_same_secrets(server: Server) {
        let mut browser = signed_in(&server).await;
        let form = browser.get("/ui/v1/keys/new").await;
        let once = form.field("once").unwrap().to_owned();
        let fields = new_key_fields("reports", &once);
        let first = browser.submit("/ui/v1/keys/new", &fields).await;
        let again = browser.submit("/ui/v1/keys/new", &fields).await;
        assert_eq!((first.status, again.status), (200, 200));
        assert_eq!(secrets(&first), secrets(&again));
        assert_eq!(browser.get("/ui/v1/keys").await.body.matches(">reports</a>").count(), 1);
        // The token belongs to this form.
        let other = new_key_fields("others", &once);
        let page = browser.submit("/ui/v1/keys/new", &other).await;
        assert_eq!(page.status, 409);
        assert!(page.body.contains("This form was used before"), "{}", page.body);
        let without = browser.submit("/ui/v1/keys/new", &fields[1..]).await;
        assert_eq!(without.status, 400);
    }

    async fn a_wrong_value_is_a_message_at_its_field_with_the_words_of_the_document(server: Server) {
        let mut browser = signed_in(&server).await;
        let day = (server.app().clock.now() + chrono::TimeDelta::days(-1)).date_naive().to_string();
        let long = "x".repeat(401);
        for (field, value, problem) in [
            ("name", "", "The name must not be empty."),
            ("name", "1st", "The name must match the pattern ^[A-Za-z_]"),
            ("one", "a b", "id=\"one-problem\" role=\"alert\">The name must match"),
            ("two", "key-one", "The name must differ from the name of the other secret."),
            ("one_day", &day, "The last day must be in the future."),
            ("two_day", "soon", "id=\"two_day-problem\""),
            ("description", &long, "The description must have at most 400 characters"),
            ("tags", "team", "lines in the form name=value"),
            ("tags", "=reports", "has a tag or namespace whose name does not have 1 to 100"),
        ] {
            let form = browser.get("/ui/v1/keys/new").await;
            let once = form.field("once").unwrap().to_owned();
            let mut fields = new_key_fields("reports", &once);
            fields.retain(|(name, _)| *name != field);
            fields.push((field, value));
            let page = browser.submit("/ui/v1/keys/new", &fields).await;
            assert_eq!(page.status, 400, "{field}");
            assert!(page.body.contains(problem), "{field}={value}: {}", page.body);
            assert!(page.body.contains("aria-invalid=\"true\""));
            assert!(secrets(&page).is_empty());
        }
        assert!(browser.get("/ui/v1/keys").await.body.contains("No API keys."));
    }

    async fn a_tag_and_a_description_come_back_as_they_were_written(server: Server) {
        let mut browser = signed_in(&server).await;
        let form = browser.get("/ui/v1/keys/new").await;
        let once = form.field("once").unwrap().to_owned();
        let mut fields = new_key_fields("reports", &once);
        fields.retain(|(name, _)| !["tags", "description", "second"].contains(name));
        fields.extend([("tags", "team = reports\r\n"), ("description", "<b>weekly</b>")]);
        let page = browser.submit("/ui/v1/keys/new", &fields).await;
        assert_eq!(secrets(&page).len(), 1, "without a second secret");
        let page = browser.get(&key_address(&page)).await;
        for part in ["&#60;b&#62;weekly&#60;/b&#62;", "team=reports", "No second secret"] {
            assert!(page.body.contains(part), "{part}: {}", page.body);
        }
    }

    async fn a_user_sees_what_the_grants_allow_and_nothing_else(server: Server) {
        let key = Manager::of(&server).await.new_key().await;
        let mut ben = Browser::signed_in(&server, BEN, PASSWORD).await;
        // Ben may read in both compartments of the demo, and change nothing.
        let page = ben.get("/ui/v1/keys").await;
        assert!(page.body.contains(COMPARTMENT) && page.body.contains(CLOSED_COMPARTMENT));
        assert!(!page.body.contains("Create an API key"), "{}", page.body);
        let address = format!("/ui/v1/keys/{}", key.id);
        let page = ben.get(&address).await;
        assert!(page.status == 200 && !page.body.contains("<form"), "{}", page.body);
        for path in ["edit", "move", "delete", "renew?secret=one", "revoke?secret=one"] {
            assert_eq!(ben.get(&format!("{address}/{path}")).await.status, 404, "{path}");
        }
        let form = ben.get("/ui/v1/keys/new").await;
        assert!(form.body.contains("You may not create API keys"), "{}", form.body);
        let page = ben.submit("/ui/v1/keys/new", &new_key_fields("mine", "once")).await;
        assert_eq!(page.status, 404);
        for (path, fields) in [
            ("state", vec![("secret", "one"), ("state", "REVOKED")]),
            ("renew", vec![("secret", "one"), ("once", "x")]),
            ("edit", vec![("name", "mine")]),
            ("move", vec![("compartment", CLOSED_COMPARTMENT)]),
            ("delete", vec![]),
        ] {
            let page = ben.submit(&format!("{address}/{path}"), &fields).await;
            assert_eq!(page.status, 404, "{path}: {}", page.body);
        }
        assert!(accepted(&server, &key.one).await);

        let revoke = "DELETE FROM grants WHERE principal = 'ben'";
        let write = server.app().store.write(move |tx| tx.execute(revoke, &[])).await;
        assert!(write.unwrap_or_else(|error: StoreError| panic!("{error}")) >= 2);
        let page = ben.get("/ui/v1/keys").await;
        assert!(page.body.contains("No compartments") && !page.body.contains("reports"));
        assert_eq!(ben.get(&address).await.status, 404);
        let path = format!("/ui/v1/keys?compartment={COMPARTMENT}");
        assert_eq!(ben.get(&path).await.status, 404);
    }

    async fn more_keys_than_a_page_holds_are_behind_a_link(server: Server) {
        let manager = Manager::of(&server).await;
        for _ in 0..51 {
            manager.new_key().await;
        }
        let mut browser = signed_in(&server).await;
        let page = browser.get("/ui/v1/keys").await;
        assert_eq!(page.body.matches(">reports</a>").count(), 50);
        let (_, rest) = page.body.split_once("href=\"/ui/v1/keys?compartment=").unwrap();
        let query = rest.split('"').next().unwrap().replace("&#38;", "&");
        let page = browser.get(&format!("/ui/v1/keys?compartment={query}")).await;
        assert_eq!(page.body.matches(">reports</a>").count(), 1, "{}", page.body);
        assert!(!page.body.contains(CLOSED_COMPARTMENT));
    }

    async fn no_secret_is_in_the_database(server: Server) {
        let mut browser = signed_in(&server).await;
        let page = create(&mut browser, "reports").await;
        let (plain, address) = (secrets(&page), key_address(&page));
        let id = address.rsplit('/').next().unwrap();
        let mut tables_of_the_key = 0;
        for (table, content) in contents::tables(&server).await {
            let holds = |text: &str| memmem::find(&content, text.as_bytes()).is_some();
            assert!(!plain.iter().any(|secret| holds(secret)), "{table}");
            tables_of_the_key += usize::from(holds(id));
        }
        // A secret would be found in these tables.
        assert!(tables_of_the_key >= 3, "{tables_of_the_key}");
    }
}
