//! Identity: no client uses the codes and tokens of another.

use reqwest::Method;
use serde_json::json;

use super::{EVE_EMAIL, add_eve, send};
use crate::harness::both_databases;
use crate::identity::browser::Browser;
use crate::identity::client::{ANA, Device, PASSWORD, WEB, post, post_as};

const REFRESH: (&str, &str) = ("grant_type", "refresh_token");

both_databases! {
    /// `createToken` | registered clients | device codes and refresh tokens that were issued to the
    /// calling client | identification of the client, which the code or token has to name
    ///
    /// `revokeToken` | registered clients | tokens that were issued to the calling client |
    /// identification of the client, which the token has to name
    ///
    /// `introspectToken` | clients that are registered for it | all tokens | identification of the
    /// client, and its registration
    async fn no_client_uses_revokes_or_introspects_the_tokens_of_another(server: Server) {
        let device = Device::ask(&server, "patterns.read offline_access").await;
        let mut browser = Browser::signed_in(&server, ANA, PASSWORD).await;
        browser.decide(&device.user_code, "approve").await;
        // The code of the public client, by the confidential one.
        let form = [
            ("grant_type", crate::identity::client::DEVICE_CODE),
            ("device_code", device.device_code.as_str()),
        ];
        let stolen = post_as(&server, WEB, "/oauth2/v1/token", &form).await;
        assert_eq!(stolen.error(), (400, "invalid_grant"));
        server.advance(6);
        let own = device.poll(&server).await;
        assert_eq!(own.status, 200, "{own:?}");
        let refresh = own.text("refresh_token").to_owned();
        let stolen = post_as(&server, WEB, "/oauth2/v1/token", &[REFRESH, ("refresh_token", &refresh)]).await;
        assert_eq!(stolen.error(), (400, "invalid_grant"));
        let revoked = post_as(&server, WEB, "/oauth2/v1/revoke", &[("token", &refresh)]).await;
        assert_eq!(revoked.error(), (400, "invalid_grant"), "{revoked:?}");
        let form = [("token", refresh.as_str()), ("client_id", &device.client_id)];
        let introspected = post(&server, "/oauth2/v1/introspect", &form).await;
        assert_eq!(introspected.status, 401, "{introspected:?}");
        let form = [REFRESH, ("refresh_token", &refresh), ("client_id", &device.client_id)];
        assert_eq!(post(&server, "/oauth2/v1/token", &form).await.status, 200);
    }

    /// `GET /ui/v1/device` | signed-in users | a form | cookie
    ///
    /// `POST /ui/v1/device` | signed-in users who know the user code | the device request of the code |
    /// cookie, form token, user code; who approves is the user of the tokens
    async fn who_approves_a_device_gives_it_nothing_of_another_user(server: Server) {
        add_eve(&server).await;
        let mut anonymous = Browser::new(&server);
        let page = anonymous.get("/ui/v1/device").await;
        assert_eq!((page.status, page.header("location").split('?').next()), (303, Some("/ui/v1/signin")));
        let device = Device::ask(&server, "accounts.read").await;
        let mut browser = Browser::signed_in(&server, EVE_EMAIL, PASSWORD).await;
        browser.decide(&device.user_code, "approve").await;
        let token = device.poll(&server).await.text("access_token").to_owned();
        let (_, answer) =
            send(&server, &token, Method::GET, "/api/user/organizations", None).await;
        assert_eq!(answer[0]["id"], json!(4210), "{answer}");
        assert_eq!(answer.as_array().unwrap().len(), 1);
    }
}
