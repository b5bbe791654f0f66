//! RFC 6749: the token endpoint, what it answers, and refreshing.

use accord_server::identity::clients::Kind;
use accord_server::identity::demo;
use serde_json::json;

use super::super::client::{
    DEVICE_CODE, Device, JWT_BEARER, WEB, answer, organizations, post, post_as, register, tokens,
};
use super::super::tokens::{part, refresh};
use super::{DEVICE, INTROSPECT, REVOKE, TOKEN, clauses, post_raw};
use crate::harness::both_databases;

clauses! {
    /// RFC 6749, section 2.2, MUST NOT: the identifier of a client is no secret, and
    /// does not authenticate it.
    async fn a_client_identifier_authenticates_nobody(server: Server) {
        for (id, path) in [(demo::CONFIDENTIAL, REVOKE), (demo::ASSERTION, REVOKE),
            (demo::PUBLIC, INTROSPECT), (demo::CONFIDENTIAL, INTROSPECT)] {
            let answer = post(&server, path, &[("token", "x"), ("client_id", id)]).await;
            assert_eq!(answer.error(), (401, "invalid_client"), "{id} {path}");
        }
    }

    /// RFC 6749, section 2.3, MUST NOT: nothing that asks for authentication relies on a
    /// public client.
    async fn a_public_client_is_relied_on_for_nothing(server: Server) {
        let form = [("token", "x"), ("client_id", demo::PUBLIC)];
        assert_eq!(post(&server, INTROSPECT, &form).await.error(), (401, "invalid_client"));
        let made_up = (demo::PUBLIC, "a secret");
        let answer = post_as(&server, made_up, INTROSPECT, &form[..1]).await;
        assert_eq!(answer.error(), (401, "invalid_client"));
    }

    /// RFC 6749, section 2.3, MUST NOT: a request authenticates its client in one way.
    async fn a_request_authenticates_in_one_way(server: Server) {
        let assertion = [("client_assertion_type", JWT_BEARER), ("client_assertion", "a.b.c")];
        let secret = ("client_secret", demo::SECRET);
        for path in [DEVICE, TOKEN, REVOKE, INTROSPECT] {
            let common = [("grant_type", DEVICE_CODE), ("device_code", "x"), ("token", "x")];
            let with = |more: &[(&'static str, &'static str)]| [&common, more].concat();
            let answer = post_as(&server, WEB, path, &with(&assertion)).await;
            assert_eq!(answer.error(), (400, "invalid_request"), "{path}");
            let answer = post_as(&server, WEB, path, &with(&[secret])).await;
            assert_eq!(answer.error(), (400, "invalid_request"), "{path}");
            let answer = post(&server, path, &with(&[assertion[0], assertion[1], secret])).await;
            assert_eq!(answer.error(), (400, "invalid_request"), "{path}");
        }
    }

    /// RFC 6749, section 2.3.1, MUST: a client with a password can authenticate with
    /// HTTP Basic.
    async fn a_secret_is_taken_with_basic(server: Server) {
        assert_eq!(post_as(&server, WEB, REVOKE, &[("token", "x")]).await.status, 200);
    }

    /// RFC 6749, section 2.3.1, as defined: identifier and secret are form-encoded
    /// before they become Basic credentials.
    async fn basic_credentials_are_form_encoded(server: Server) {
        let encoded = ("accord%2Dweb", "accord%2Dweb%2Ddemo%2Dsecret");
        assert_eq!(post_as(&server, encoded, REVOKE, &[("token", "x")]).await.status, 200);
    }

    /// RFC 6749, section 2.3.1, MAY: a confidential client can send its secret in the
    /// form, which is verified like that of Basic credentials.
    async fn a_secret_in_the_form_authenticates(server: Server) {
        let common = [("grant_type", DEVICE_CODE), ("device_code", "x"), ("token", "x")];
        let with = |id, secret| {
            [&common[..], &[("client_id", id), ("client_secret", secret)]].concat()
        };
        for (path, status) in [(DEVICE, 200), (TOKEN, 400), (REVOKE, 200), (INTROSPECT, 200)] {
            let answer = post(&server, path, &with(demo::CONFIDENTIAL, demo::SECRET)).await;
            assert_eq!(answer.status, status, "{path}: {answer:?}");
            for (id, secret) in [
                (demo::CONFIDENTIAL, "wrong"), (demo::PUBLIC, demo::SECRET), ("nobody", "x"),
            ] {
                let answer = post(&server, path, &with(id, secret)).await;
                assert_eq!(answer.error(), (401, "invalid_client"), "{path} {id}");
            }
            let nameless = [&common[..], &[("client_secret", demo::SECRET)]].concat();
            let answer = post(&server, path, &nameless).await;
            assert_eq!(answer.error(), (400, "invalid_request"), "{path}");
        }
        let device = Device::ask_as(&server, demo::CONFIDENTIAL, "accounts.read").await;
        device.approve(&server).await;
        let client = [("client_id", demo::CONFIDENTIAL), ("client_secret", demo::SECRET)];
        assert_eq!(device.poll_with(&server, &client).await.status, 200);
    }

    /// RFC 6749, section 2.3.1, MUST NOT: a secret in the address is not taken.
    async fn a_secret_in_the_address_is_not_taken(server: Server) {
        let query = format!("?client_id={}&client_secret={}", demo::CONFIDENTIAL, demo::SECRET);
        let answer = post_raw(&server, &format!("{REVOKE}{query}"), "token=x").await;
        assert_eq!(answer.error(), (401, "invalid_client"));
    }

    /// RFC 6749, section 3.2, MUST NOT: the address of the token endpoint has no
    /// fragment.
    async fn the_token_endpoint_has_no_fragment(server: Server) {
        let metadata = server.get("/.well-known/oauth-authorization-server").await;
        let metadata: serde_json::Value = metadata.json().await.unwrap();
        assert!(!metadata["token_endpoint"].as_str().unwrap().contains('#'));
    }

    /// RFC 6749, section 3.2, MUST: tokens are asked for with POST.
    async fn tokens_are_asked_for_with_post(server: Server) {
        for method in ["GET", "PUT", "DELETE"] {
            let url = server.url("/oauth2/v1/token?grant_type=refresh_token&refresh_token=x");
            let request = server.http().request(method.parse().unwrap(), url);
            let answer = answer(request).await;
            assert_eq!((answer.status, answer.header("allow")), (405, "POST"));
        }
    }

    /// RFC 6749, section 3.2, MUST: a parameter without a value counts as one that was
    /// left out.
    async fn an_empty_parameter_of_a_token_request_is_none(server: Server) {
        let device = Device::ask(&server, "accounts.read").await;
        let mut form = device.form(&[("client_id", demo::PUBLIC)]);
        form.extend([("scope", ""), ("client_assertion", ""), ("client_assertion_type", "")]);
        form.push(("client_secret", ""));
        let answer = post(&server, TOKEN, &form).await;
        assert_eq!(answer.error(), (400, "authorization_pending"));
        let form = [("grant_type", DEVICE_CODE), ("device_code", ""), ("client_id", demo::PUBLIC)];
        assert_eq!(post(&server, TOKEN, &form).await.error(), (400, "invalid_request"));
    }

    /// RFC 6749, section 3.2, MUST: parameters that the server does not know are
    /// ignored.
    async fn an_unknown_parameter_of_a_token_request_is_ignored(server: Server) {
        let device = Device::ask(&server, "accounts.read").await;
        let form = device.form(&[("client_id", demo::PUBLIC), ("resource", "x"), ("pet", "cat")]);
        let answer = post(&server, TOKEN, &form).await;
        assert_eq!(answer.error(), (400, "authorization_pending"));
    }

    /// RFC 6749, section 3.2, MUST NOT: no parameter of a request stands in it twice.
    async fn a_token_request_has_each_parameter_once(server: Server) {
        for twice in ["grant_type=refresh_token", "refresh_token=rt_x", "client_id=accord-cli"] {
            let body = format!("grant_type=refresh_token&refresh_token=rt_x&client_id=accord-cli\
                &{twice}");
            let answer = post_raw(&server, TOKEN, &body).await;
            assert_eq!(answer.error(), (400, "invalid_request"), "{twice}");
        }
    }

    /// RFC 6749, section 3.2.1, MUST: a client with credentials authenticates at the
    /// token endpoint, whatever its kind.
    async fn clients_with_credentials_authenticate(server: Server) {
        register(&server, |client| {
            client.id = "clauses-saml".into();
            client.kind = Kind::Saml;
        })
        .await;
        for id in [demo::CONFIDENTIAL, demo::ASSERTION, "clauses-saml"] {
            let device = Device::ask_as(&server, id, "accounts.read").await;
            assert_eq!(device.poll(&server).await.error(), (401, "invalid_client"), "{id}");
        }
    }

    /// RFC 6749, section 3.3, as defined: a scope is a list of case-sensitive names with
    /// single spaces between them, in any order.
    async fn a_scope_is_a_list_of_names(server: Server) {
        let ask = async |scope: &str| {
            post(&server, DEVICE, &[("client_id", demo::PUBLIC), ("scope", scope)]).await
        };
        for scope in ["patterns.read accounts.read", "accounts.read patterns.read"] {
            assert_eq!(ask(scope).await.status, 200, "{scope}");
        }
        for scope in ["accounts.read  patterns.read", " accounts.read", "a\"b", "a\\b", "Accounts.Read"] {
            assert_eq!(ask(scope).await.error(), (400, "invalid_scope"), "{scope}");
        }
    }

    /// RFC 6749, section 3.3, MUST: when less is granted than was asked for, the answer
    /// says what.
    async fn a_smaller_scope_is_told(server: Server) {
        register(&server, |client| client.id = "clauses-reader".into()).await;
        let scope = "accounts.read accounts.write unknown";
        let device = Device::ask_as(&server, "clauses-reader", scope).await;
        device.approve(&server).await;
        assert_eq!(device.poll(&server).await.text("scope"), "accounts.read");
    }

    /// RFC 6749, section 3.3, MUST: without a scope the request has a default, or fails.
    async fn without_a_scope_there_is_a_default(server: Server) {
        register(&server, |client| client.id = "clauses-default".into()).await;
        let device = Device::ask_as(&server, "clauses-default", "").await;
        device.approve(&server).await;
        assert_eq!(device.poll(&server).await.text("scope"), "accounts.read");
    }

    /// RFC 6749, section 4.5, as defined: an extension grant is named by its absolute
    /// URI; grants that are not here are told from malformed requests.
    async fn grants_that_are_not_here_are_not_supported(server: Server) {
        for grant in ["password", "client_credentials", "authorization_code",
            "urn:ietf:params:oauth:grant-type:jwt-bearer",
            "urn:ietf:params:oauth:grant-type:saml2-bearer"] {
            let form = [("grant_type", grant), ("client_id", demo::PUBLIC)];
            let answer = post(&server, TOKEN, &form).await;
            assert_eq!(answer.error(), (400, "unsupported_grant_type"), "{grant}");
        }
    }

    /// RFC 6749, section 5.1, REQUIRED: a token answer is JSON with `access_token`,
    /// `token_type` and, where it differs from the request's, `scope`.
    async fn a_token_answer_has_the_required_members(server: Server) {
        let answer = tokens(&server, "accounts.read").await;
        assert!(answer.header("content-type").starts_with("application/json"));
        for name in ["access_token", "token_type", "scope"] {
            assert!(!answer.text(name).is_empty(), "{name}");
        }
        assert!(answer.body["expires_in"].as_i64().unwrap() > 0);
    }

    /// RFC 6749, section 5.1, MUST: an answer with tokens or other secrets forbids
    /// storing, with Cache-Control and with Pragma.
    async fn answers_with_secrets_are_not_stored(server: Server) {
        let device = post(&server, DEVICE, &[("client_id", demo::PUBLIC)]).await;
        let first = tokens(&server, "accounts.read offline_access").await;
        let second = refresh(&server, first.text("refresh_token"), &[]).await;
        for answer in [device, first, second] {
            assert_eq!(answer.status, 200);
            assert_eq!(answer.header("cache-control"), "no-store");
            assert_eq!(answer.header("pragma"), "no-cache");
        }
    }

    /// RFC 6749, section 5.2, as defined: an error is 400, as JSON with `error` and, for
    /// developers, `error_description`.
    async fn an_error_is_json_with_its_code(server: Server) {
        let form = [("grant_type", "password"), ("client_id", demo::PUBLIC)];
        let answer = post(&server, TOKEN, &form).await;
        assert_eq!(answer.error(), (400, "unsupported_grant_type"));
        assert!(answer.header("content-type").starts_with("application/json"));
        assert!(!answer.text("error_description").is_empty());
    }

    /// RFC 6749, section 5.2, MUST: a client that has tried the Authorization header
    /// gets 401 with WWW-Authenticate for the scheme it used.
    async fn wrong_basic_credentials_are_challenged(server: Server) {
        for credentials in [(demo::CONFIDENTIAL, "wrong"), ("nobody", "x"), (demo::PUBLIC, "")] {
            for path in [TOKEN, REVOKE, INTROSPECT] {
                let form = [("grant_type", "refresh_token"), ("refresh_token", "x"), ("token", "x")];
                let answer = post_as(&server, credentials, path, &form).await;
                assert_eq!(answer.error(), (401, "invalid_client"));
                assert!(answer.header("www-authenticate").starts_with("Basic realm="));
            }
        }
    }

    /// RFC 6749, section 5.2, MUST NOT: `error` and `error_description` have printable
    /// ASCII only, without quotation marks and backslashes, whatever was sent.
    async fn errors_are_told_in_plain_characters(server: Server) {
        let odd = "\u{7f}\"\\ä\u{1f980}\t\r\n\0";
        let mut bodies = vec!["%".to_owned(), "a=%ff".to_owned(), format!("{odd}={odd}")];
        for name in ["grant_type", "client_id", "scope", "token", "response_type", "refresh_token"] {
            let value: String = url::form_urlencoded::byte_serialize(odd.as_bytes()).collect();
            bodies.push(format!("{name}={value}"));
            bodies.push(format!("{name}={value}&{name}={value}"));
            bodies.push(format!("{name}={}", value.repeat(600)));
        }
        for path in [DEVICE, TOKEN, REVOKE, INTROSPECT] {
            for body in &bodies {
                let answer = post_raw(&server, path, body).await;
                assert!((400..500).contains(&answer.status), "{path} {body}: {answer:?}");
                for name in ["error", "error_description"] {
                    let text = answer.text(name);
                    let allowed = |c| matches!(c, ' '..='!' | '#'..='[' | ']'..='~');
                    assert!(!text.is_empty() && text.chars().all(allowed), "{path} {body}: {text}");
                }
            }
        }
    }

    /// RFC 6749, section 5.2, as defined: a client that is not registered for a grant is
    /// told `unauthorized_client`.
    async fn a_grant_that_a_client_may_not_use_is_refused(server: Server) {
        register(&server, |client| client.id = "clauses-no-refresh".into()).await;
        let form = [
            ("grant_type", "refresh_token"),
            ("refresh_token", "rt_x"),
            ("client_id", "clauses-no-refresh"),
        ];
        assert_eq!(post(&server, TOKEN, &form).await.error(), (400, "unauthorized_client"));
    }

    /// RFC 6749, section 6, REQUIRED: a refresh has its `grant_type` and the
    /// `refresh_token`.
    async fn a_refresh_has_its_token(server: Server) {
        let form = [("grant_type", "refresh_token"), ("client_id", demo::PUBLIC)];
        assert_eq!(post(&server, TOKEN, &form).await.error(), (400, "invalid_request"));
    }

    /// RFC 6749, section 6, MUST: a client with credentials authenticates to refresh.
    async fn a_client_with_credentials_authenticates_to_refresh(server: Server) {
        let device = Device::ask_as(&server, demo::CONFIDENTIAL, "accounts.read offline_access").await;
        device.approve(&server).await;
        let answer = post_as(&server, WEB, TOKEN, &device.form(&[])).await;
        let form = [("grant_type", "refresh_token"), ("refresh_token", answer.text("refresh_token"))];
        let named = [form[0], form[1], ("client_id", demo::CONFIDENTIAL)];
        assert_eq!(post(&server, TOKEN, &named).await.error(), (401, "invalid_client"));
        assert_eq!(post_as(&server, WEB, TOKEN, &form).await.status, 200);
    }

    /// RFC 6749, section 6, MUST: a refresh token is good for the client that it was
    /// issued to.
    async fn a_refresh_token_is_bound_to_its_client(server: Server) {
        let answer = tokens(&server, "accounts.read offline_access").await;
        let token = answer.text("refresh_token");
        let form = [("grant_type", "refresh_token"), ("refresh_token", token)];
        let foreign = post_as(&server, WEB, TOKEN, &form).await;
        assert_eq!(foreign.error(), (400, "invalid_grant"));
        assert_eq!(refresh(&server, token, &[]).await.status, 200);
    }

    /// RFC 6749, section 6, MUST: a refresh token is validated.
    async fn a_made_up_refresh_token_is_refused(server: Server) {
        let answer = tokens(&server, "accounts.read offline_access").await;
        let token = answer.text("refresh_token");
        for bad in [&token[..token.len() - 1], "rt_", "x", &answer.text("access_token")[..200]] {
            let refused = refresh(&server, bad, &[]).await;
            assert_eq!(refused.error(), (400, "invalid_grant"), "{bad}");
        }
    }

    /// RFC 6749, section 6, MUST NOT: a refresh does not get a scope that the user has
    /// not granted; without one it gets what was granted.
    async fn a_refresh_gets_no_more_than_was_granted(server: Server) {
        let first = tokens(&server, "accounts.read offline_access").await;
        let token = first.text("refresh_token");
        for scope in ["accounts.write", "accounts.read patterns.read", "openid"] {
            let answer = refresh(&server, token, &[("scope", scope)]).await;
            assert_eq!(answer.error(), (400, "invalid_scope"), "{scope}");
        }
        let second = refresh(&server, token, &[]).await;
        assert_eq!(second.text("scope"), first.text("scope"));
    }

    /// RFC 6749, section 6, MUST: a new refresh token has the scope of the one before,
    /// also when its access token has a smaller one.
    async fn a_new_refresh_token_has_the_scope_of_the_old_one(server: Server) {
        let first = tokens(&server, "accounts.read patterns.read offline_access").await;
        let less = [("scope", "accounts.read")];
        let second = refresh(&server, first.text("refresh_token"), &less).await;
        assert_eq!(second.text("scope"), "accounts.read");
        let third = refresh(&server, second.text("refresh_token"), &[]).await;
        assert_eq!(third.text("scope"), first.text("scope"));
    }

    /// RFC 6749, section 7, MUST: whoever takes an access token makes sure that its scope
    /// covers what is asked for.
    async fn a_token_opens_what_its_scope_covers(server: Server) {
        let answer = tokens(&server, "accounts.read").await;
        let token = answer.text("access_token");
        assert_eq!(organizations(&server, token).await, 200);
        let write = server.http().post(server.url("/api/user")).bearer_auth(token);
        let write = write.json(&json!({})).send().await.unwrap();
        assert_eq!(write.status(), 401, "the document of accounts has 401 for privileges");
        let elsewhere = server.http().get(server.url("/20231130/apikeys?compartmentId=compartment.demo"));
        let elsewhere = elsewhere.bearer_auth(token).send().await.unwrap();
        assert_eq!(elsewhere.status(), 403);
    }

    /// RFC 6749, appendix A, as defined: tokens, codes and scopes have printable ASCII
    /// only.
    async fn tokens_are_printable(server: Server) {
        let answer = tokens(&server, "accounts.read offline_access").await;
        for name in ["access_token", "refresh_token", "token_type", "scope"] {
            assert!(answer.text(name).bytes().all(|byte| (0x20..0x7f).contains(&byte)), "{name}");
        }
    }

    /// RFC 6749, appendix B, MUST: names and values are UTF-8 in the form's encoding.
    async fn a_form_is_utf_8(server: Server) {
        let answer = post_raw(&server, DEVICE, "client_id=accord%2Dcli&scope=accounts%2Eread").await;
        assert_eq!(answer.status, 200);
        let answer = post_raw(&server, DEVICE, "client_id=accord-cli&scope=%E4").await;
        assert_eq!(answer.status, 400);
    }

    /// RFC 6749, section 10.4, as defined: a refresh token belongs to the approval it
    /// came from, and so does each access token, by name of user and client.
    async fn a_token_says_whose_it_is(server: Server) {
        let answer = tokens(&server, "accounts.read").await;
        let claims = part(answer.text("access_token"), 1);
        assert_eq!((&claims["sub"], &claims["client_id"]), (&json!("ana"), &json!(demo::PUBLIC)));
    }
}

both_databases! {
    /// RFC 6749, section 7, MUST: whoever takes an access token makes sure that it has
    /// not expired.
    async fn an_expired_token_opens_nothing(server: Server) {
        let answer = tokens(&server, "accounts.read").await;
        assert_eq!(organizations(&server, answer.text("access_token")).await, 200);
        server.advance(answer.body["expires_in"].as_i64().unwrap());
        assert_eq!(organizations(&server, answer.text("access_token")).await, 401);
    }

    /// RFC 6749, section 6, as 5.2: a refresh token that has expired is refused.
    async fn an_expired_refresh_token_is_refused(server: Server) {
        let answer = tokens(&server, "accounts.read offline_access").await;
        server.advance(604_800);
        let refused = refresh(&server, answer.text("refresh_token"), &[]).await;
        assert_eq!(refused.error(), (400, "invalid_grant"));
    }
}
