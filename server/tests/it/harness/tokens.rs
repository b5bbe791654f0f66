//! Access tokens for those that are not about how one gets them.

use std::sync::Arc;

use accord_server::app::App;
use accord_server::area::Area;
use accord_server::identity::clients::{Client, Kind};
use accord_server::identity::ensure_key;
use accord_server::identity::error::ServerError;
use accord_server::identity::scopes::Scopes;
use accord_server::identity::tokens::{self, Mint};
use accord_server::identity::users::User;

/// A token of this user with these scopes, as an approved device has one.
pub async fn token(app: &App, user_id: &str, scopes: &str) -> String {
    token_of(app, app.urls().of(Area::Identity), user_id, scopes).await
}

/// The same, from this issuer. The context need not be that of a service, which knows its own.
pub async fn token_of(app: &App, issuer: &str, user_id: &str, scopes: &str) -> String {
    ensure_key(&app.identity).await.unwrap();
    let now = app.clock.now().timestamp_millis();
    let mint = Mint {
        issuer: issuer.to_owned(),
        jti: app.random.uuid().to_string(),
        refresh_token: tokens::refresh_token(&app.random.token()),
        refresh_seconds: 0,
        now,
    };
    let client = Client {
        id: "tests".into(),
        name: "The tests".into(),
        kind: Kind::Public,
        roles: Vec::new(),
        grants: Vec::new(),
        introspects: false,
        access_token_seconds: 3600,
        strict: true,
        saml_issuer: None,
    };
    let scopes = match scopes {
        "" => Scopes::default(),
        some => Scopes::parse(some).unwrap(),
    };
    let keys = Arc::clone(&app.identity.keys);
    let user_id = user_id.to_owned();
    let approval = app.random.uuid().to_string();
    let unsigned = app
        .store
        .write(move |tx| {
            let user = User::by_id(tx, &user_id)?.expect("the user exists");
            client.save(tx, now)?;
            tokens::approve(tx, &approval, &client.id, &user.id, &scopes, now)?;
            tokens::issue_access(tx, &keys, &mint, &client, &user, &scopes, &approval)
        })
        .await
        .unwrap_or_else(|error: ServerError| panic!("{error}"));
    unsigned.sign().unwrap()
}
