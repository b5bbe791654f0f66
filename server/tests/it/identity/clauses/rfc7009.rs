//! RFC 7009: revocation of tokens.

use accord_server::identity::demo;
use serde_json::{Value, json};

use super::super::client::{WEB, answer, organizations, post, post_as, tokens};
use super::super::tokens::{introspect, refresh, revoke};
use super::{REVOKE, clauses, post_raw};

clauses! {
    /// RFC 7009, section 2, MUST: refresh tokens can be revoked.
    async fn a_refresh_token_can_be_revoked(server: Server) {
        let answer = tokens(&server, "accounts.read offline_access").await;
        let token = answer.text("refresh_token");
        revoke(&server, token).await;
        assert_eq!(refresh(&server, token, &[]).await.error(), (400, "invalid_grant"));
    }

    /// RFC 7009, section 2, SHOULD: access tokens can be revoked.
    async fn an_access_token_can_be_revoked(server: Server) {
        let answer = tokens(&server, "accounts.read").await;
        let token = answer.text("access_token");
        revoke(&server, token).await;
        assert_eq!(organizations(&server, token).await, 401);
    }

    /// RFC 7009, section 2, as defined: revocation is an HTTP POST with a form.
    async fn a_revocation_is_a_form_that_is_posted(server: Server) {
        let get = server.http().get(server.url("/oauth2/v1/revoke?token=x&client_id=accord-cli"));
        assert_eq!(answer(get).await.status, 405);
        let json = server.http().post(server.url(REVOKE)).json(&json!({ "token": "x" }));
        assert_eq!(answer(json).await.error(), (400, "invalid_request"));
    }

    /// RFC 7009, section 2, as defined: a client with credentials authenticates before the
    /// server revokes a token.
    async fn a_client_with_credentials_authenticates_to_revoke(server: Server) {
        let form = [("token", "x"), ("client_id", demo::CONFIDENTIAL)];
        assert_eq!(post(&server, REVOKE, &form).await.error(), (401, "invalid_client"));
        let wrong = (demo::CONFIDENTIAL, "wrong");
        let answer = post_as(&server, wrong, REVOKE, &form[..1]).await;
        assert_eq!(answer.error(), (401, "invalid_client"));
        assert_eq!(post_as(&server, WEB, REVOKE, &form[..1]).await.status, 200);
    }

    /// RFC 7009, section 2, as defined: the server does not revoke a token that was issued
    /// to another client, and the client gets an error.
    async fn the_token_of_another_client_is_refused(server: Server) {
        let answer = tokens(&server, "accounts.read offline_access").await;
        for name in ["access_token", "refresh_token"] {
            let form = [("token", answer.text(name))];
            let refused = post_as(&server, WEB, REVOKE, &form).await;
            assert_eq!(refused.error(), (400, "invalid_grant"), "{name}");
        }
        assert_eq!(organizations(&server, answer.text("access_token")).await, 200);
        assert_eq!(refresh(&server, answer.text("refresh_token"), &[]).await.status, 200);
    }

    /// RFC 7009, section 2, as defined: revocation takes place at once, and a revoked
    /// token cannot be used again.
    async fn a_revoked_token_is_good_for_nothing_at_once(server: Server) {
        let answer = tokens(&server, "accounts.read offline_access").await;
        let (access, next) = (answer.text("access_token"), answer.text("refresh_token"));
        revoke(&server, next).await;
        assert_eq!(organizations(&server, access).await, 401);
        for token in [access, next] {
            assert_eq!(introspect(&server, token).await, json!({"active": false}));
        }
        for _ in 0..2 {
            assert_eq!(refresh(&server, next, &[]).await.error(), (400, "invalid_grant"));
        }
    }

    /// RFC 7009, section 2, SHOULD: with a refresh token, the access tokens of the same
    /// approval are revoked.
    async fn a_refresh_token_takes_its_access_tokens_with_it(server: Server) {
        let first = tokens(&server, "accounts.read offline_access").await;
        let second = refresh(&server, first.text("refresh_token"), &[]).await;
        revoke(&server, second.text("refresh_token")).await;
        for answer in [&first, &second] {
            assert_eq!(organizations(&server, answer.text("access_token")).await, 401);
        }
    }

    /// RFC 7009, section 2.1, REQUIRED: the request has the parameter `token`.
    async fn a_revocation_has_a_token(server: Server) {
        for body in ["client_id=accord-cli", "client_id=accord-cli&token="] {
            let answer = post_raw(&server, REVOKE, body).await;
            assert_eq!(answer.error(), (400, "invalid_request"), "{body}");
        }
    }

    /// RFC 7009, section 2.1, MUST: the server finds the token despite a wrong hint.
    async fn a_wrong_hint_does_not_hide_a_token_from_revocation(server: Server) {
        for (name, hint) in [("access_token", "refresh_token"), ("refresh_token", "access_token")] {
            let answer = tokens(&server, "accounts.read offline_access").await;
            let form = [
                ("token", answer.text(name)),
                ("token_type_hint", hint),
                ("client_id", demo::PUBLIC),
            ];
            assert_eq!(post(&server, REVOKE, &form).await.status, 200);
            assert_eq!(organizations(&server, answer.text("access_token")).await, 401);
        }
    }

    /// RFC 7009, section 2.2, as defined: the server ignores an unknown hint.
    async fn an_unknown_hint_is_ignored(server: Server) {
        let answer = tokens(&server, "accounts.read").await;
        let token = answer.text("access_token");
        let form = [("token", token), ("token_type_hint", "pet"), ("client_id", demo::PUBLIC)];
        assert_eq!(post(&server, REVOKE, &form).await.status, 200);
        assert_eq!(organizations(&server, token).await, 401);
    }

    /// RFC 7009, section 2.2, as defined: the response is 200 with an empty body, for a
    /// revoked token and for an invalid one.
    async fn a_bad_token_is_no_error(server: Server) {
        let answer = tokens(&server, "accounts.read").await;
        let token = answer.text("access_token");
        for token in [token, token, "rt_unknown", "x", "a.b.c"] {
            let form = [("token", token), ("client_id", demo::PUBLIC)];
            let answer = post(&server, REVOKE, &form).await;
            assert_eq!((answer.status, answer.body), (200, Value::Null), "{token}");
        }
    }

    /// RFC 7009, section 2.2.1, as 6749: errors have the form of token errors.
    async fn an_error_of_a_revocation_has_the_form_of_token_errors(server: Server) {
        let answer = post(&server, REVOKE, &[("token", "x"), ("client_id", "nobody")]).await;
        assert_eq!(answer.error(), (401, "invalid_client"));
        assert_eq!(answer.header("cache-control"), "no-store");
    }
}
