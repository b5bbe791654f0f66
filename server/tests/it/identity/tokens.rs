//! Tokens after they have been issued: used, refreshed, inspected, revoked.

use std::sync::Arc;

use accord_server::identity::demo;
use accord_server::identity::keys::{KeyError, NewKey, SigningKey};
use accord_server::identity::passkeys::{self, Ceremony};
use accord_server::store::{StoreError, Tx};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

use super::client::{ANA, Answer, WEB, organizations, post, post_as, register, tokens};
use super::replicas::is_refused_within_a_second;
use super::signing::{Robot, authenticate};
use crate::accounts::count;
use crate::harness::{Server, both_databases};

pub(super) async fn refresh(server: &Server, token: &str, more: &[(&str, &str)]) -> Answer {
    let mut form = vec![
        ("grant_type", "refresh_token"),
        ("refresh_token", token),
        ("client_id", demo::PUBLIC),
    ];
    form.extend(more);
    post(server, "/oauth2/v1/token", &form).await
}

pub(super) async fn introspect(server: &Server, token: &str) -> Value {
    let answer = post_as(server, WEB, "/oauth2/v1/introspect", &[("token", token)]).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(answer.header("cache-control"), "no-store");
    answer.body
}

pub(super) async fn revoke(server: &Server, token: &str) {
    let form = [("token", token), ("client_id", demo::PUBLIC)];
    let answer = post(server, "/oauth2/v1/revoke", &form).await;
    assert_eq!((answer.status, answer.body), (200, Value::Null));
}

pub(super) fn part(token: &str, index: usize) -> Value {
    let part = token.split('.').nth(index).unwrap();
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap()
}

both_databases! {
    async fn an_access_token_is_a_jwt_with_the_claims_of_the_document(server: Server) {
        let answer = tokens(&server, "accounts.read").await;
        let token = answer.text("access_token");
        let header = part(token, 0);
        assert_eq!((&header["alg"], &header["typ"]), (&json!("RS256"), &json!("at+jwt")));

        let claims = part(token, 1);
        assert_eq!(claims["iss"], server.url(""));
        assert_eq!(claims["sub"], "ana");
        assert_eq!(claims["user_id"], "ana");
        assert_eq!(claims["user_displayname"], "Ana North");
        assert_eq!(claims["client_id"], demo::PUBLIC);
        assert_eq!(claims["scope"], "accounts.read");
        assert_eq!(claims["tok_type"], "AT");
        assert_eq!(claims["sub_type"], "user");
        assert_eq!(claims["nbf"], claims["iat"]);
        let (issued, expires) = (claims["iat"].as_i64().unwrap(), claims["exp"].as_i64().unwrap());
        assert_eq!(expires - issued, 3600);
        assert!(claims["jti"].is_string() && claims["aud"].is_string());
    }

    async fn a_token_that_is_tampered_with_or_foreign_is_refused(server: Server) {
        let answer = tokens(&server, "accounts.read").await;
        let token = answer.text("access_token");
        let parts: Vec<&str> = token.split('.').collect();
        let encode = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let (mut header, mut claims) = (part(token, 0), part(token, 1));

        claims["scope"] = json!("accounts.read accounts.write");
        let more_scopes = format!("{}.{}.{}", parts[0], encode(&claims), parts[2]);
        header["alg"] = json!("none");
        let unsigned = format!("{}.{}.", encode(&header), parts[1]);
        header["alg"] = json!("RS256");
        header["kid"] = json!("a\u{0}b");
        let odd_key = format!("{}.{}.{}", encode(&header), parts[1], parts[2]);
        let swapped = format!("{}.{}.{}", parts[0], parts[1], parts[2].chars().rev().collect::<String>());
        for bad in [more_scopes, unsigned, odd_key, swapped, "x".into(), "a.b.c".into()] {
            assert_eq!(organizations(&server, &bad).await, 401, "{bad}");
            assert_eq!(introspect(&server, &bad).await, json!({"active": false}));
        }
        assert_eq!(organizations(&server, token).await, 200);
    }

    /// RFC 9068, section 4: the server does not accept everything that it has signed.
    async fn a_signed_token_with_a_wrong_header_or_claim_is_refused(server: Server) {
        let answer = tokens(&server, "accounts.read").await;
        let token = answer.text("access_token");
        let (header, claims) = (part(token, 0), part(token, 1));
        let key = signing_key(&server).await;
        for kind in ["at+jwt", "AT+JWT", "application/at+jwt"] {
            let mut header = header.clone();
            header["typ"] = json!(kind);
            assert_eq!(organizations(&server, &signed(&key, &header, &claims)).await, 200, "{kind}");
        }
        let issued = claims["iat"].as_i64().unwrap();
        let headers = [
            ("typ", json!("JWT")),
            ("typ", json!("client-authentication+jwt")),
            ("typ", Value::Null),
            ("kid", json!("another")),
            ("kid", Value::Null),
            ("crit", json!(["exp"])),
        ];
        let values = [
            ("iss", json!("https://other.example")),
            ("aud", json!("https://other.example")),
            ("aud", Value::Null),
            ("tok_type", json!("RT")),
            ("exp", json!(issued - 1)),
            ("exp", Value::Null),
            ("nbf", json!(issued + 3000)),
        ];
        let of_header = headers.into_iter().map(|(name, value)| {
            let mut header = header.clone();
            header[name] = value;
            (name, signed(&key, &header, &claims))
        });
        let of_claims = values.into_iter().map(|(name, value)| {
            let mut claims = claims.clone();
            claims[name] = value;
            (name, signed(&key, &header, &claims))
        });
        for (name, bad) in of_header.chain(of_claims) {
            assert_eq!(organizations(&server, &bad).await, 401, "{name}: {bad}");
            assert_eq!(introspect(&server, &bad).await, json!({"active": false}), "{name}: {bad}");
        }
    }

    async fn a_token_of_another_server_is_refused(server: Server) {
        let other = Server::start(crate::harness::Database::Sqlite).await;
        let answer = tokens(&other, "accounts.read").await;
        assert_eq!(organizations(&other, answer.text("access_token")).await, 200);
        assert_eq!(organizations(&server, answer.text("access_token")).await, 401);
        assert!(other.stop().await.is_empty());
    }

    async fn a_token_expires(server: Server) {
        let answer = tokens(&server, "accounts.read").await;
        let token = answer.text("access_token");
        server.advance(3590);
        assert_eq!(organizations(&server, token).await, 200);
        server.advance(10);
        assert_eq!(organizations(&server, token).await, 401);
        assert_eq!(introspect(&server, token).await, json!({"active": false}));
    }

    async fn a_refresh_token_gets_the_next_pair_once(server: Server) {
        let first = tokens(&server, "accounts.read offline_access").await;
        let second = refresh(&server, first.text("refresh_token"), &[]).await;
        assert_eq!(second.status, 200);
        assert_eq!(second.text("scope"), "accounts.read offline_access");
        assert_ne!(first.text("refresh_token"), second.text("refresh_token"));
        for answer in [&first, &second] {
            assert_eq!(organizations(&server, answer.text("access_token")).await, 200);
        }
    }

    async fn a_refresh_whose_response_was_lost_can_be_repeated(server: Server) {
        let first = tokens(&server, "accounts.read offline_access").await;
        let lost = refresh(&server, first.text("refresh_token"), &[]).await;
        assert_eq!(lost.status, 200);
        server.advance(20);
        let beyond = [("scope", "accounts.write")];
        let refused = refresh(&server, first.text("refresh_token"), &beyond).await;
        assert_eq!(refused.error(), (400, "invalid_scope"));
        let again = refresh(&server, first.text("refresh_token"), &[]).await;
        assert_eq!(again.status, 200, "{again:?}");
        assert_ne!(again.text("refresh_token"), lost.text("refresh_token"));
        let next = refresh(&server, again.text("refresh_token"), &[]).await;
        assert_eq!(next.status, 200, "{next:?}");
        assert_eq!(organizations(&server, next.text("access_token")).await, 200);
        // The one that was lost turns up after all: one of the two holders is a thief.
        let found = refresh(&server, lost.text("refresh_token"), &[]).await;
        assert_eq!(found.error(), (400, "invalid_grant"));
        let last = refresh(&server, next.text("refresh_token"), &[]).await;
        assert_eq!(last.error(), (400, "invalid_grant"));
        assert_eq!(organizations(&server, next.text("access_token")).await, 401);
    }

    async fn a_refresh_is_not_repeated_once_its_successor_was_used(server: Server) {
        let first = tokens(&server, "accounts.read offline_access").await;
        let second = refresh(&server, first.text("refresh_token"), &[]).await;
        let third = refresh(&server, second.text("refresh_token"), &[]).await;
        let stolen = refresh(&server, first.text("refresh_token"), &[]).await;
        assert_eq!(stolen.error(), (400, "invalid_grant"));
        assert_eq!(refresh(&server, third.text("refresh_token"), &[]).await.status, 400);
        assert_eq!(organizations(&server, third.text("access_token")).await, 401);
    }

    async fn a_refresh_is_repeated_by_its_own_client_only(server: Server) {
        let first = tokens(&server, "accounts.read offline_access").await;
        let second = refresh(&server, first.text("refresh_token"), &[]).await;
        let form = [
            ("grant_type", "refresh_token"),
            ("refresh_token", first.text("refresh_token")),
        ];
        let foreign = post_as(&server, WEB, "/oauth2/v1/token", &form).await;
        assert_eq!(foreign.error(), (400, "invalid_grant"));
        assert_eq!(refresh(&server, second.text("refresh_token"), &[]).await.status, 200);
    }

    async fn a_refresh_token_that_is_used_twice_revokes_all_that_came_of_it(server: Server) {
        let first = tokens(&server, "accounts.read offline_access").await;
        let second = refresh(&server, first.text("refresh_token"), &[]).await;
        server.advance(30);
        let stolen = refresh(&server, first.text("refresh_token"), &[]).await;
        assert_eq!(stolen.error(), (400, "invalid_grant"));
        let next = refresh(&server, second.text("refresh_token"), &[]).await;
        assert_eq!(next.error(), (400, "invalid_grant"));
        for answer in [&first, &second] {
            assert_eq!(organizations(&server, answer.text("access_token")).await, 401);
        }
    }

    async fn a_refresh_can_ask_for_less_and_not_for_more(server: Server) {
        let first = tokens(&server, "accounts.read patterns.read offline_access").await;
        let token = first.text("refresh_token");
        for scope in ["accounts.write", "accounts.read openid", "a  b"] {
            let answer = refresh(&server, token, &[("scope", scope)]).await;
            assert_eq!(answer.error(), (400, "invalid_scope"), "{scope}");
        }
        let second = refresh(&server, token, &[("scope", "accounts.read")]).await;
        assert_eq!(second.text("scope"), "accounts.read");
        let third = refresh(&server, second.text("refresh_token"), &[]).await;
        assert_eq!(third.text("scope"), "accounts.read patterns.read offline_access");
    }

    async fn a_refresh_without_a_permitted_scope_leaves_the_token_valid(server: Server) {
        let first = tokens(&server, "accounts.read patterns.read offline_access").await;
        let token = first.text("refresh_token");
        let fewer = "UPDATE oauth_clients SET roles = 'accounts_reader' WHERE id = 'accord-cli'";
        let changed = server.app().store.write(move |tx: &mut Tx<'_>| tx.execute(fewer, &[])).await;
        assert_eq!(changed.unwrap_or_else(|error: StoreError| panic!("{error}")), 1);
        let refused = refresh(&server, token, &[("scope", "patterns.read")]).await;
        assert_eq!(refused.error(), (400, "invalid_scope"));
        let second = refresh(&server, token, &[]).await;
        assert_eq!(second.status, 200, "{second:?}");
        assert_eq!(second.text("scope"), "accounts.read offline_access");
    }

    async fn a_refresh_token_is_of_use_to_its_own_client_and_for_a_week(server: Server) {
        let answer = tokens(&server, "accounts.read offline_access").await;
        let token = answer.text("refresh_token");
        let form = [("grant_type", "refresh_token"), ("refresh_token", token)];
        let foreign = post_as(&server, WEB, "/oauth2/v1/token", &form).await;
        assert_eq!(foreign.error(), (400, "invalid_grant"));
        assert_eq!(refresh(&server, "rt_unknown", &[]).await.error(), (400, "invalid_grant"));
        assert_eq!(refresh(&server, "unknown", &[]).await.error(), (400, "invalid_grant"));
        server.advance(604_800);
        assert_eq!(refresh(&server, token, &[]).await.error(), (400, "invalid_grant"));
    }

    async fn introspection_tells_what_a_token_stands_for(server: Server) {
        let answer = tokens(&server, "accounts.read offline_access").await;
        let access = introspect(&server, answer.text("access_token")).await;
        let claims = part(answer.text("access_token"), 1);
        assert_eq!(access["active"], true);
        assert_eq!(access["username"], ANA);
        assert_eq!(access["token_type"], "Bearer");
        for name in ["scope", "client_id", "exp", "iat", "nbf", "sub", "aud", "iss", "jti"] {
            assert_eq!(access[name], claims[name], "{name}");
        }
        let refresh = introspect(&server, answer.text("refresh_token")).await;
        assert_eq!((&refresh["active"], &refresh["sub"]), (&json!(true), &json!("ana")));
        assert_eq!(refresh["token_type"], Value::Null);
    }

    async fn introspection_is_for_clients_that_are_registered_for_it(server: Server) {
        let path = "/oauth2/v1/introspect";
        let form = [("token", "x"), ("client_id", demo::PUBLIC)];
        assert_eq!(post(&server, path, &form).await.error(), (401, "invalid_client"));
        assert_eq!(post(&server, path, &form[..1]).await.error(), (401, "invalid_client"));
        register(&server, |client| {
            client.id = demo::CONFIDENTIAL.into();
            client.kind = accord_server::identity::clients::Kind::Confidential;
        })
        .await;
        let answer = post_as(&server, WEB, path, &form[..1]).await;
        assert_eq!(answer.error(), (400, "unauthorized_client"));
    }

    async fn a_revoked_access_token_is_refused_and_the_others_are_not(server: Server) {
        let first = tokens(&server, "accounts.read offline_access").await;
        let second = refresh(&server, first.text("refresh_token"), &[]).await;
        revoke(&server, first.text("access_token")).await;
        assert_eq!(organizations(&server, first.text("access_token")).await, 401);
        assert_eq!(introspect(&server, first.text("access_token")).await, json!({"active": false}));
        assert_eq!(organizations(&server, second.text("access_token")).await, 200);
    }

    async fn revoking_a_refresh_token_revokes_all_that_came_with_it(server: Server) {
        let answer = tokens(&server, "accounts.read offline_access").await;
        revoke(&server, answer.text("refresh_token")).await;
        assert_eq!(organizations(&server, answer.text("access_token")).await, 401);
        let next = refresh(&server, answer.text("refresh_token"), &[]).await;
        assert_eq!(next.error(), (400, "invalid_grant"));
        assert_eq!(introspect(&server, answer.text("refresh_token")).await, json!({"active": false}));
    }

    async fn nobody_can_revoke_the_token_of_another_client(server: Server) {
        let answer = tokens(&server, "accounts.read offline_access").await;
        for token in [answer.text("access_token"), answer.text("refresh_token")] {
            let refused = post_as(&server, WEB, "/oauth2/v1/revoke", &[("token", token)]).await;
            assert_eq!(refused.error(), (400, "invalid_grant"));
        }
        for token in ["x", "a.b.c"] {
            let form = [("token", token)];
            assert_eq!(post_as(&server, WEB, "/oauth2/v1/revoke", &form).await.status, 200);
        }
        assert_eq!(organizations(&server, answer.text("access_token")).await, 200);
        assert_eq!(refresh(&server, answer.text("refresh_token"), &[]).await.status, 200);
    }

    async fn a_new_key_is_published_before_it_signs_and_the_old_one_stays(server: Server) {
        let kid = |answer: &Answer| part(answer.text("access_token"), 0)["kid"].clone();
        let before = tokens(&server, "accounts.read offline_access").await;
        accord_server::identity::rotate_key(&server.app().identity, false, None).await.unwrap();
        let published: Value = server.get("/admin/v1/SigningCert/jwk").await.json().await.unwrap();
        assert_eq!(published["keys"].as_array().unwrap().len(), 2);
        assert_eq!(published["keys"][0]["kid"], kid(&before));

        let same = refresh(&server, before.text("refresh_token"), &[]).await;
        assert_eq!(kid(&same), kid(&before));
        server.advance(300);
        let after = refresh(&server, same.text("refresh_token"), &[]).await;
        assert_eq!(kid(&after), published["keys"][1]["kid"]);
        for answer in [&before, &after] {
            assert_eq!(organizations(&server, answer.text("access_token")).await, 200);
        }

        server.advance(3600 + 300);
        let published: Value = server.get("/admin/v1/SigningCert/jwk").await.json().await.unwrap();
        assert_eq!(published["keys"].as_array().unwrap().len(), 1);
        assert_eq!(published["keys"][0]["kid"], kid(&after));
    }

    async fn a_key_that_signs_at_once_replaces_one_that_was_to_sign_later(server: Server) {
        let kid = |answer: &Answer| part(answer.text("access_token"), 0)["kid"].clone();
        let before = tokens(&server, "accounts.read offline_access").await;
        accord_server::identity::rotate_key(&server.app().identity, false, None).await.unwrap();
        let now = accord_server::identity::rotate_key(&server.app().identity, true, None).await.unwrap();
        let mut answer = refresh(&server, before.text("refresh_token"), &[]).await;
        assert_eq!(kid(&answer), now.key.kid);
        server.advance(600);
        answer = refresh(&server, answer.text("refresh_token"), &[]).await;
        assert_eq!(kid(&answer), now.key.kid);
        assert_eq!(organizations(&server, before.text("access_token")).await, 200);
    }

    async fn tokens_under_a_key_that_leaked_are_invalid_at_once(server: Server) {
        let there = server.replica().await;
        let before = tokens(&server, "accounts.read offline_access").await;
        let leaked = before.text("access_token");
        let new = accord_server::identity::replace_keys(&server.app().identity, None).await.unwrap();
        assert_eq!(organizations(&server, leaked).await, 401);
        assert_eq!(introspect(&server, leaked).await["active"], false);
        is_refused_within_a_second(&there, leaked).await;
        let published: Value = server.get("/admin/v1/SigningCert/jwk").await.json().await.unwrap();
        assert_eq!(published["keys"].as_array().unwrap().len(), 1);
        assert_eq!(published["keys"][0]["kid"], new.key.kid);
        let after = refresh(&server, before.text("refresh_token"), &[]).await;
        assert_eq!(organizations(&server, after.text("access_token")).await, 200);
        assert_eq!(there.stop().await, Vec::<String>::new());
    }

    async fn a_replica_whose_clock_is_ahead_forgets_nothing_that_another_still_needs(server: Server) {
        let now = server.app().clock.now().timestamp_millis();
        let revoked = tokens(&server, "accounts.read").await;
        let late = tokens(&server, "accounts.read").await;
        revoke(&server, revoked.text("access_token")).await;
        let ceremony = Ceremony(vec![7; 40]);
        let used = ceremony.clone();
        let store = &server.app().store;
        let use_up = move |tx: &mut Tx<'_>| passkeys::use_up(tx, &used, now);
        assert!(store.write::<_, StoreError, _>(use_up).await.unwrap());
        let assertion = Robot::new(&server).await.assertion();
        assert_eq!(authenticate(&server, &assertion).await.status, 200);

        // By the clock here each has expired a moment ago, by the other one it has not.
        let other = server.replica().await;
        server.first_upkeep().await;
        other.first_upkeep().await;
        for ahead in [305, 3605] {
            server.advance(ahead - server_ahead(&server));
            accord_server::identity::sweep(&server.app().identity).await.unwrap();
            let used = ceremony.clone();
            let again = move |tx: &mut Tx<'_>| passkeys::use_up(tx, &used, now);
            let is_new = store.write::<_, StoreError, _>(again).await.unwrap();
            assert_eq!(is_new, ahead == 3605, "the ceremony after {ahead} seconds");
        }
        revoke(&server, late.text("access_token")).await;
        for answer in [&late, &revoked] {
            is_refused_within_a_second(&other, answer.text("access_token")).await;
        }
        server.advance(-server_ahead(&server));
        assert_eq!(authenticate(&server, &assertion).await.status, 401);
        assert_eq!(other.stop().await, Vec::<String>::new());
    }

    async fn a_token_of_a_replica_whose_clock_is_ahead_can_be_revoked(server: Server) {
        server.advance(30);
        let issued = tokens(&server, "accounts.read").await;
        server.advance(-30);
        assert_eq!(organizations(&server, issued.text("access_token")).await, 200);
        revoke(&server, issued.text("access_token")).await;
        assert_eq!(organizations(&server, issued.text("access_token")).await, 401);
    }

    async fn more_tokens_than_a_transaction_deletes_are_swept_out_with_their_approvals(server: Server) {
        server.first_upkeep().await;
        let tokens = tokens(&server, "accounts.read offline_access").await;
        let app = server.app();
        let now = app.clock.now().timestamp_millis();
        let written = app.store.write(move |tx| {
            let number = "WITH RECURSIVE numbers (number) AS \
                          (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 2500)";
            let approvals = "INSERT INTO approvals (id, client_id, user_id, scopes, created_at) \
                             SELECT 'approval-' || number, (SELECT MIN(client_id) FROM approvals), 'u', '', 0 \
                             FROM numbers";
            // One in 100 has a token that has not expired.
            let access = "INSERT INTO access_tokens (jti, approval_id, expires_at) \
                          SELECT 'jti-' || number, 'approval-' || number, \
                          CASE WHEN number % 100 = 0 THEN CAST($1 AS BIGINT) ELSE 0 END FROM numbers";
            tx.execute(&format!("{number} {approvals}"), &[])?;
            tx.execute(&format!("{number} {access}"), accord_server::params![now])
        });
        written.await.unwrap_or_else(|error: StoreError| panic!("{error}"));
        accord_server::identity::sweep(&app.identity).await.unwrap();
        let left = app.store.read(|tx| {
            let count = |table| format!("SELECT COUNT(*) FROM {table}");
            let mut count = |table| tx.query(&count(table), &[])?[0].get::<i64>(0);
            Ok::<_, StoreError>([count("approvals")?, count("access_tokens")?])
        });
        assert_eq!(left.await.unwrap(), [26, 26]);
        assert_eq!(refresh(&server, tokens.text("refresh_token"), &[]).await.status, 200);
    }

    async fn what_has_expired_is_swept_out_and_what_has_not_stays(server: Server) {
        let old = tokens(&server, "accounts.read").await;
        server.advance(3000);
        let fresh = tokens(&server, "accounts.read offline_access").await;
        server.advance(700);
        server.first_upkeep().await;
        accord_server::identity::sweep(&server.app().identity).await.unwrap();
        for table in ["access_tokens", "refresh_tokens", "approvals"] {
            assert_eq!(count(&server, table).await, 1, "{table}");
        }
        assert_eq!(organizations(&server, old.text("access_token")).await, 401);
        assert_eq!(organizations(&server, fresh.text("access_token")).await, 200);
        assert_eq!(refresh(&server, fresh.text("refresh_token"), &[]).await.status, 200);
    }
}

/// The key that signs access tokens now.
async fn signing_key(server: &Server) -> Arc<SigningKey> {
    let keys = Arc::clone(&server.app().identity.keys);
    let now = server.app().clock.now().timestamp_millis();
    let current = move |tx: &mut Tx<'_>| keys.current(tx, now);
    let store = &server.app().store;
    store.read::<_, KeyError, _>(current).await.unwrap()
}

fn signed(key: &SigningKey, header: &Value, claims: &Value) -> String {
    let encode = |part: &Value| URL_SAFE_NO_PAD.encode(part.to_string());
    let message = format!("{}.{}", encode(header), encode(claims));
    let signature = key.sign(message.as_bytes()).unwrap();
    format!("{message}.{}", URL_SAFE_NO_PAD.encode(signature))
}

/// Seconds by which the server's clock is ahead of this machine's.
fn server_ahead(server: &Server) -> i64 {
    let ahead = server.app().clock.now() - chrono::Utc::now();
    (ahead.num_milliseconds() + 500).div_euclid(1000)
}

#[test]
fn two_keys_are_never_the_same() {
    let (one, other) = (NewKey::generate().unwrap(), NewKey::generate().unwrap());
    assert_ne!(one.public().kid, other.public().kid);
}
