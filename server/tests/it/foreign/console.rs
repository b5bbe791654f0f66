//! The console: nobody sees or changes the API keys of compartments without a grant.

use super::{EVE_EMAIL, add_eve};
use crate::harness::both_databases;
use crate::identity::browser::Browser;
use crate::identity::client::PASSWORD;
use crate::inference::client::{COMPARTMENT, Manager, accepted};

both_databases! {
    /// `GET /ui/v1/keys` | signed-in users | keys of compartments | cookie; `rights::compartments`, then
    /// `rights::facts`: a grant of `inspect` on each compartment
    ///
    /// `GET /ui/v1/keys/{id}` | signed-in users | a key | cookie; `rights::facts`: a grant of `read` on the
    /// key's compartment
    ///
    /// `GET /ui/v1/keys/{id}/edit` | signed-in users | a key | cookie; `rights::facts`: a grant of `use` on
    /// the key's compartment
    ///
    /// `GET /ui/v1/keys/{id}/renew` | signed-in users | a key | cookie; `rights::facts`: a grant of `manage`
    /// on the key's compartment
    ///
    /// `GET /ui/v1/keys/{id}/revoke` | signed-in users | a key | cookie; `rights::facts`: a grant of
    /// `manage` on the key's compartment
    ///
    /// `GET /ui/v1/keys/{id}/move` | signed-in users | a key | cookie; `rights::facts`: a grant of `manage`
    /// on the key's compartment
    ///
    /// `GET /ui/v1/keys/{id}/delete` | signed-in users | a key | cookie; `rights::facts`: a grant of
    /// `manage` on the key's compartment
    async fn without_a_grant_no_page_shows_a_key(server: Server) {
        add_eve(&server).await;
        let key = Manager::of(&server).await.new_key().await;
        let mut eve = Browser::new(&server);
        eve.sign_in(EVE_EMAIL, PASSWORD).await;
        for path in ["/ui/v1/keys".to_owned(), format!("/ui/v1/keys?compartment={COMPARTMENT}")] {
            let page = eve.get(&path).await;
            assert!(!page.body.contains(&key.id) && !page.body.contains("reports"), "{}", page.body);
        }
        for page in ["", "/edit", "/renew?secret=one", "/revoke?secret=one", "/move", "/delete"] {
            let there = eve.get(&format!("/ui/v1/keys/{}{page}", key.id)).await;
            let nowhere = eve.get(&format!("/ui/v1/keys/apikey.local.none{page}")).await;
            assert_eq!(there.status, 404, "{page}");
            assert_eq!(without_id(&there.body), without_id(&nowhere.body), "{page}");
        }
    }

    /// `POST /ui/v1/keys/new` | signed-in users | a compartment | cookie, form token; `rights::facts`: a
    /// grant of `manage` on the compartment
    ///
    /// `POST /ui/v1/keys/{id}/state` | signed-in users | a key | cookie, form token; `rights::facts`: a
    /// grant of `manage` on the key's compartment
    ///
    /// `POST /ui/v1/keys/{id}/renew` | signed-in users | a key | cookie, form token; `rights::facts`: a
    /// grant of `manage` on the key's compartment
    ///
    /// `POST /ui/v1/keys/{id}/edit` | signed-in users | a key | cookie, form token; `rights::facts`: a
    /// grant of `use` on the key's compartment
    ///
    /// `POST /ui/v1/keys/{id}/move` | signed-in users | a key, and the other compartment | cookie, form
    /// token; `rights::facts`: a grant of `manage` on both compartments
    ///
    /// `POST /ui/v1/keys/{id}/delete` | signed-in users | a key | cookie, form token; `rights::facts`: a
    /// grant of `manage` on the key's compartment
    async fn without_a_grant_no_form_changes_a_key(server: Server) {
        add_eve(&server).await;
        let key = Manager::of(&server).await.new_key().await;
        let mut eve = Browser::new(&server);
        eve.sign_in(EVE_EMAIL, PASSWORD).await;
        let new = [
            ("once", "once"), ("name", "mine"), ("compartment", COMPARTMENT), ("one", "one"),
        ];
        assert_eq!(eve.submit("/ui/v1/keys/new", &new).await.status, 404);
        for (page, fields) in [
            ("state", vec![("secret", "one"), ("state", "REVOKED")]),
            ("renew", vec![("secret", "one"), ("once", "once")]),
            ("edit", vec![("name", "mine")]),
            ("move", vec![("compartment", "compartment.closed")]),
            ("delete", vec![]),
        ] {
            let there = eve.submit(&format!("/ui/v1/keys/{}/{page}", key.id), &fields).await;
            assert_eq!(there.status, 404, "{page}: {}", there.body);
        }
        assert!(accepted(&server, &key.one).await);
    }
}

both_databases! {
    /// `GET /ui/v1/usage` | signed-in users | usage of a compartment's keys | cookie; `rights::facts`: a
    /// grant of `inspect` on the compartment
    ///
    /// `GET /ui/v1/usage.csv` | signed-in users | usage of a compartment's keys | cookie; `rights::facts`:
    /// a grant of `inspect` on the compartment
    async fn without_a_grant_no_page_shows_usage(server: Server) {
        add_eve(&server).await;
        let key = Manager::of(&server).await.new_key().await;
        assert!(accepted(&server, &key.one).await);
        let mut eve = Browser::new(&server);
        eve.sign_in(EVE_EMAIL, PASSWORD).await;
        let page = eve.get("/ui/v1/usage").await;
        assert!(!page.body.contains("reports") && !page.body.contains(COMPARTMENT), "{}", page.body);
        for page in ["usage", "usage.csv"] {
            let there = eve.get(&format!("/ui/v1/{page}?compartment={COMPARTMENT}")).await;
            let nowhere = eve.get(&format!("/ui/v1/{page}?compartment=compartment.none")).await;
            assert_eq!((there.status, &there.body), (404, &nowhere.body));
        }
    }
}

/// A page without the values that differ each time.
fn without_id(body: &str) -> String {
    body.replace("apikey.local.none", "")
}
