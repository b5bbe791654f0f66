//! Pages: nobody sees or ends the sessions, devices, passkeys and links of another user.

use accord_server::store::StoreError;

use super::{EVE_EMAIL, add_eve, send};
use crate::harness::both_databases;
use crate::identity::browser::Browser;
use crate::identity::client::{ANA, Device, PASSWORD};

both_databases! {
    /// `GET /ui/v1/account` | signed-in users | their own sessions and connected devices | cookie; the
    /// queries are by its user
    ///
    /// `POST /ui/v1/account` | signed-in users | their own sessions and connected devices | cookie, form
    /// token; the statements are by its user and the id
    ///
    /// `GET /ui/v1/account/disconnect` | signed-in users | their own connected devices | cookie; the query
    /// is by its user
    async fn nobody_sees_or_ends_the_sessions_and_devices_of_another(server: Server) {
        add_eve(&server).await;
        let device = Device::ask(&server, "accounts.read offline_access").await;
        let mut ana = Browser::signed_in(&server, ANA, PASSWORD).await;
        ana.decide(&device.user_code, "approve").await;
        let token = device.poll(&server).await.text("access_token").to_owned();
        let page = ana.get("/ui/v1/account").await;
        let after = |text: &str| {
            let (_, rest) = page.body.split_once(text).unwrap();
            rest.split('"').next().unwrap().to_owned()
        };
        let disconnect = "/ui/v1/account/disconnect?id=";
        let device_id = after(disconnect);
        let question = ana.get(&format!("{disconnect}{device_id}")).await;
        assert!(question.body.contains(&device_id), "{}", question.body);
        let ids = [after("name=\"id\" value=\""), device_id];

        let mut eve = Browser::signed_in(&server, EVE_EMAIL, PASSWORD).await;
        let page = eve.get("/ui/v1/account").await;
        assert!(ids.iter().all(|id| !page.body.contains(id)), "{}", page.body);
        for id in &ids {
            assert_eq!(eve.get(&format!("{disconnect}{id}")).await.status, 404);
            for action in ["end_session", "disconnect"] {
                eve.submit("/ui/v1/account", &[("id", id), ("action", action)]).await;
            }
        }
        assert_eq!(ana.get("/ui/v1/account").await.status, 200);
        let (status, _) =
            send(&server, &token, reqwest::Method::GET, "/api/user/organizations", None).await;
        assert_eq!(status, 200);
    }

    /// `GET /ui/v1/account/elsewhere` | signed-in users | the number of their own sessions and devices |
    /// cookie; the queries are by its user
    ///
    /// `POST /ui/v1/account/elsewhere` | signed-in users | all of their own sessions but this one, and
    /// their devices | cookie, form token; the statements are by its user
    async fn signing_out_everywhere_else_leaves_others_signed_in(server: Server) {
        add_eve(&server).await;
        let device = Device::ask(&server, "accounts.read").await;
        let mut ana = Browser::signed_in(&server, ANA, PASSWORD).await;
        ana.decide(&device.user_code, "approve").await;
        let token = device.poll(&server).await.text("access_token").to_owned();
        let mut eve = Browser::signed_in(&server, EVE_EMAIL, PASSWORD).await;
        let page = eve.get("/ui/v1/account/elsewhere").await;
        assert!(page.body.contains("No other browser is signed in."), "{}", page.body);
        let fields = [("devices", "disconnect"), ("user", "ana"), ("id", "ana")];
        assert_eq!(eve.submit("/ui/v1/account/elsewhere", &fields).await.status, 200);
        assert_eq!(ana.get("/ui/v1/account").await.status, 200);
        let (status, _) =
            send(&server, &token, reqwest::Method::GET, "/api/user/organizations", None).await;
        assert_eq!(status, 200);
    }

    /// `GET /ui/v1/account/passkeys` | signed-in users | their own passkeys | cookie; the query is by its
    /// user
    ///
    /// `POST /ui/v1/account/passkeys` | signed-in users | their own passkeys | cookie, form token; the
    /// statements are by its user and the id
    ///
    /// `GET /ui/v1/account/passkeys/remove` | signed-in users | their own passkeys | cookie; the query is by
    /// its user
    async fn nobody_sees_or_removes_the_passkeys_of_another(server: Server) {
        add_eve(&server).await;
        let write = server.app().store.write(|tx| tx.execute(
            "INSERT INTO passkeys (credential_id, user_id, name, static_state, dynamic_state, \
             transports, created_at) VALUES ($1, 'ana', 'The key of ana', $1, $1, 0, 0)",
            accord_server::params![vec![1_u8, 2, 3]],
        ));
        let written = write.await;
        let rows: u64 = written.unwrap_or_else(|error: StoreError| panic!("{error}"));
        assert_eq!(rows, 1);
        let mut eve = Browser::signed_in(&server, EVE_EMAIL, PASSWORD).await;
        let page = eve.get("/ui/v1/account/passkeys").await;
        assert!(page.status == 200 && !page.body.contains("The key of ana"), "{}", page.body);
        assert_eq!(eve.get("/ui/v1/account/passkeys/remove?id=010203").await.status, 404);
        eve.submit("/ui/v1/account/passkeys", &[("action", "remove"), ("id", "010203")]).await;
        let left = server.app().store.read(|tx| tx.query("SELECT 1 FROM passkeys", &[])).await;
        assert_eq!(left.unwrap_or_else(|error: StoreError| panic!("{error}")).len(), 1);
    }

    /// `POST /ui/v1/account/password` | signed-in users | their own password | cookie, form token, present
    /// password; the user is that of the session, and a form can name no other
    async fn nobody_changes_the_password_of_another(server: Server) {
        add_eve(&server).await;
        let path = "/ui/v1/account/password";
        let mut ana = Browser::signed_in(&server, ANA, PASSWORD).await;
        ana.get(path).await;
        let mut eve = Browser::signed_in(&server, EVE_EMAIL, PASSWORD).await;
        eve.get(path).await;
        let password = "another long phrase of words";
        let fields = [
            ("present", PASSWORD), ("password", password), ("again", password),
            ("username", ANA), ("user", "ana"), ("user_id", "ana"), ("id", "ana"),
        ];
        // The token of a form that ana was given is worth nothing in eve's session.
        let own = std::mem::replace(&mut eve.csrf_token, ana.csrf_token.clone());
        assert_eq!(eve.submit(path, &fields).await.status, 403);
        eve.csrf_token = own;
        let page = eve.submit(path, &fields).await;
        assert!(page.status < 400, "{page:?}");
        // Eve has changed her own.
        Browser::new(&server).sign_in(EVE_EMAIL, password).await;
        Browser::new(&server).sign_in(ANA, PASSWORD).await;
        assert_eq!(ana.get("/ui/v1/account").await.status, 200);
    }

    /// `GET /ui/v1/password` | who holds the link of a mail | a form | the link's token
    ///
    /// `POST /ui/v1/password` | who holds the link of a mail | the password of the user that the mail
    /// went to | the link's token, which is used once
    async fn who_holds_no_link_sets_no_password(server: Server) {
        add_eve(&server).await;
        let mut eve = Browser::signed_in(&server, EVE_EMAIL, PASSWORD).await;
        let token = "A".repeat(43);
        assert_ne!(eve.get(&format!("/ui/v1/password?token={token}")).await.status, 200);
        let password = "another long phrase of words";
        let fields = [("token", token.as_str()), ("password", password), ("again", password)];
        assert_ne!(eve.submit("/ui/v1/password", &fields).await.status, 200);
        Browser::new(&server).sign_in(ANA, PASSWORD).await;
    }
}
