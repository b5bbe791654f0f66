//! RFC 7662: introspection of tokens.

use accord_server::identity::clients::Kind;
use accord_server::identity::demo;
use serde_json::{Value, json};

use super::super::client::{WEB, answer, post, post_as, register, tokens};
use super::super::tokens::{introspect, part, refresh, revoke};
use super::{INTROSPECT, clauses, post_raw};
use crate::harness::both_databases;

clauses! {
    /// RFC 7662, section 2.1, as defined: a request is an HTTP POST with a form.
    async fn an_introspection_is_a_form_that_is_posted(server: Server) {
        let get = server.http().get(server.url("/oauth2/v1/introspect?token=x"));
        assert_eq!(answer(get.basic_auth(WEB.0, Some(WEB.1))).await.status, 405);
    }

    /// RFC 7662, section 2.1, REQUIRED: the request has the parameter `token`.
    async fn an_introspection_has_a_token(server: Server) {
        for body in ["", "token="] {
            let answer = post_raw(&server, INTROSPECT, body).await;
            assert_eq!(answer.error(), (400, "invalid_request"), "{body}");
        }
    }

    /// RFC 7662, section 2.1, MUST: the server finds the token despite a wrong hint.
    async fn a_wrong_hint_does_not_hide_a_token_from_introspection(server: Server) {
        let answer = tokens(&server, "accounts.read offline_access").await;
        for name in ["access_token", "refresh_token"] {
            for hint in ["access_token", "refresh_token", "pet", ""] {
                let form = [("token", answer.text(name)), ("token_type_hint", hint)];
                let told = post_as(&server, WEB, INTROSPECT, &form).await;
                assert_eq!(told.body["active"], true, "{name} as {hint}");
            }
        }
    }

    /// RFC 7662, section 2.1, MUST: the caller is authorized; without authentication, the
    /// server describes no token.
    async fn whoever_introspects_authenticates(server: Server) {
        let answer = tokens(&server, "accounts.read").await;
        let token = ("token", answer.text("access_token"));
        for form in [vec![token], vec![token, ("client_id", demo::PUBLIC)]] {
            let answer = post(&server, INTROSPECT, &form).await;
            assert_eq!(answer.error(), (401, "invalid_client"));
            assert_eq!(answer.body["active"], Value::Null);
        }
    }

    /// RFC 7662, section 2.2, REQUIRED: the response is JSON with the boolean `active`.
    async fn an_introspection_says_whether_the_token_is_active(server: Server) {
        let answer = tokens(&server, "accounts.read").await;
        for (token, active) in [(answer.text("access_token"), true), ("x", false)] {
            let told = post_as(&server, WEB, INTROSPECT, &[("token", token)]).await;
            assert!(told.header("content-type").starts_with("application/json"));
            assert_eq!(told.body["active"], Value::Bool(active));
        }
    }

    /// RFC 7662, section 2.2, as defined: the response for an active token has the values
    /// of the token.
    async fn what_is_told_of_a_token_is_what_it_says(server: Server) {
        let answer = tokens(&server, "accounts.read").await;
        let told = introspect(&server, answer.text("access_token")).await;
        let claims = part(answer.text("access_token"), 1);
        for name in ["scope", "client_id", "exp", "iat", "nbf", "sub", "aud", "iss", "jti"] {
            assert_eq!(told[name], claims[name], "{name}");
        }
        assert_eq!(told["token_type"], "Bearer");
    }

    /// RFC 7662, section 2.2, MUST: the response for an inactive or unknown token has
    /// `active` false, and is not an error.
    async fn a_bad_token_is_answered_as_inactive(server: Server) {
        let answer = tokens(&server, "accounts.read offline_access").await;
        let used = answer.text("refresh_token");
        refresh(&server, used, &[]).await;
        let signed = answer.text("access_token");
        let cut = &signed[..signed.len() - 4];
        for token in [used, cut, "x", "a.b.c", "rt_x", "\0"] {
            assert_eq!(introspect(&server, token).await, json!({"active": false}), "{token}");
        }
    }

    /// RFC 7662, section 2.2, SHOULD NOT: the response for an inactive token has nothing
    /// else, and no reason.
    async fn nothing_else_is_told_of_an_inactive_token(server: Server) {
        let answer = tokens(&server, "accounts.read").await;
        revoke(&server, answer.text("access_token")).await;
        let revoked = introspect(&server, answer.text("access_token")).await;
        assert_eq!(revoked, introspect(&server, "never heard of").await);
        assert_eq!(revoked, json!({"active": false}));
    }

    /// RFC 7662, section 2.3, as 6749: with invalid credentials, the response is 401.
    async fn wrong_credentials_introspect_nothing(server: Server) {
        let wrong = (demo::CONFIDENTIAL, "wrong");
        let answer = post_as(&server, wrong, INTROSPECT, &[("token", "x")]).await;
        assert_eq!(answer.error(), (401, "invalid_client"));
        assert!(answer.header("www-authenticate").starts_with("Basic "));
    }

    /// RFC 7662, section 4, SHOULD: only clients that are registered for introspection may
    /// call it.
    async fn only_clients_that_are_registered_for_it_introspect(server: Server) {
        register(&server, |client| {
            client.id = "clauses-no-introspection".into();
            client.kind = Kind::Confidential;
        })
        .await;
        let context = server.app().clone();
        let add = move |tx: &mut accord_server::store::Tx<'_>| {
            let id = "clauses-no-introspection";
            accord_server::identity::clients::add_secret(tx, &context.server_keys, id, "its own", 0)
        };
        let store = &server.app().store;
        store.write::<_, accord_server::store::StoreError, _>(add).await.unwrap();
        let credentials = ("clauses-no-introspection", "its own");
        let answer = post_as(&server, credentials, INTROSPECT, &[("token", "x")]).await;
        assert_eq!(answer.error(), (400, "unauthorized_client"));
    }

    /// RFC 7662, section 4, MUST: a revoked token is not active.
    async fn a_revoked_token_is_not_active(server: Server) {
        let answer = tokens(&server, "accounts.read").await;
        assert_eq!(introspect(&server, answer.text("access_token")).await["active"], true);
        revoke(&server, answer.text("access_token")).await;
        assert_eq!(introspect(&server, answer.text("access_token")).await["active"], false);
    }

    /// RFC 7662, section 4, MUST: the server validates the signature of a signed token.
    async fn a_token_with_a_wrong_signature_is_not_active(server: Server) {
        let answer = tokens(&server, "accounts.read").await;
        let token = answer.text("access_token");
        let (message, signature) = token.rsplit_once('.').unwrap();
        let turned: String = signature.chars().rev().collect();
        let forged = format!("{message}.{turned}");
        assert_eq!(introspect(&server, &forged).await, json!({"active": false}));
    }

    /// RFC 7662, section 5, MUST: the response has no more than its receiver needs, and
    /// forbids caching.
    async fn an_introspection_is_not_stored(server: Server) {
        let told = post_as(&server, WEB, INTROSPECT, &[("token", "x")]).await;
        assert_eq!(told.header("cache-control"), "no-store");
    }
}

both_databases! {
    /// RFC 7662, section 4, MUST: an expired token is not active.
    async fn an_expired_token_is_not_active(server: Server) {
        let answer = tokens(&server, "accounts.read offline_access").await;
        server.advance(3600);
        assert_eq!(introspect(&server, answer.text("access_token")).await["active"], false);
        assert_eq!(introspect(&server, answer.text("refresh_token")).await["active"], true);
        server.advance(604_800);
        assert_eq!(introspect(&server, answer.text("refresh_token")).await["active"], false);
    }

    /// RFC 7662, section 4, MUST: a token is not active before its time.
    async fn a_token_from_the_future_is_not_active(server: Server) {
        server.advance(3000);
        let answer = tokens(&server, "accounts.read").await;
        server.advance(-3000);
        assert_eq!(introspect(&server, answer.text("access_token")).await["active"], false);
    }
}
