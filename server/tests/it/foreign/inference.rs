//! Inference: without a grant a compartment and its keys do not exist, and a key calls nothing that no
//! policy permits.

use reqwest::Method;
use serde_json::json;

use accord_server::inference::demo::CLOSED_COMPARTMENT;

use super::{ALL_SCOPES, EVE, add_eve, send};
use crate::harness::both_databases;
use crate::inference::client::{COMPARTMENT, Key, Manager, accepted, two_secrets};

both_databases! {
    /// `listApiKeys` | users with `apikeys.read` | keys of a compartment | `rights::facts`: a grant of
    /// `inspect` on the compartment
    ///
    /// `listUsage` | users with `apikeys.read` | usage of a compartment's keys | `rights::facts`: a grant
    /// of `inspect` on the compartment
    ///
    /// `createApiKey` | users with `apikeys.write` | a compartment | `rights::facts`: a grant of `manage`
    /// on the compartment
    ///
    /// `getApiKey` | users with `apikeys.read` | a key | `rights::facts`: a grant of `read` on the key's
    /// compartment
    ///
    /// `updateApiKey` | users with `apikeys.write` | a key | `rights::facts`: a grant of `use` on the key's
    /// compartment
    ///
    /// `deleteApiKey` | users with `apikeys.write` | a key | `rights::facts`: a grant of `manage` on the
    /// key's compartment
    ///
    /// `setApiKeyState` | users with `apikeys.write` | a key | `rights::facts`: a grant of `manage` on the
    /// key's compartment
    ///
    /// `renewApiKey` | users with `apikeys.write` | a key | `rights::facts`: a grant of `manage` on the
    /// key's compartment
    ///
    /// `changeApiKeyCompartment` | users with `apikeys.write` | a key, and the other compartment |
    /// `rights::facts`: a grant of `manage` on both compartments
    async fn without_a_grant_no_key_and_no_compartment_exists(server: Server) {
        add_eve(&server).await;
        let key = Manager::of(&server).await.new_key().await;
        let eve = server.token(EVE, ALL_SCOPES).await;
        let renew = json!({"details": {"keyName": "one"}});
        let state = json!({"keyName": "one", "state": "REVOKED"});
        let moved = json!({"compartmentId": "compartment.none"});
        let requests = |id: &str, compartment: &str| {
            let base = "/20231130/apikeys";
            [
                (Method::GET, format!("{base}?compartmentId={compartment}"), None),
                (Method::GET, format!("/20231130/usage?compartmentId={compartment}"), None),
                (Method::POST, base.to_owned(), Some(two_secrets("x", compartment))),
                (Method::GET, format!("{base}/{id}"), None),
                (Method::PUT, format!("{base}/{id}"), Some(json!({"displayName": "y"}))),
                (Method::POST, format!("{base}/{id}/actions/setstate"), Some(state.clone())),
                (Method::POST, format!("{base}/{id}/actions/renew"), Some(renew.clone())),
                (Method::POST, format!("{base}/{id}/actions/changeCompartment"), Some(moved.clone())),
                (Method::DELETE, format!("{base}/{id}"), None),
            ]
        };
        let there = requests(&key.id, COMPARTMENT);
        let nowhere = requests("apikey.local.none", "compartment.none");
        for ((method, path, body), (_, other, other_body)) in there.into_iter().zip(nowhere) {
            let found = send(&server, &eve, method.clone(), &path, body.as_ref()).await;
            assert_eq!(found.0, 404, "{method} {path}: {}", found.1);
            // Exactly as what does not exist.
            assert_eq!(found, send(&server, &eve, method, &other, other_body.as_ref()).await);
        }
        assert!(accepted(&server, &key.one).await);
    }

    /// `createChatCompletion` | holders of a secret | models | policies: of the key, its compartment and
    /// the model
    ///
    /// `createResponse` | holders of a secret | models | policies: of the key, its compartment and the
    /// model
    ///
    /// `listModels` | holders of a secret | models | policies: only what they permit is listed
    ///
    /// `getModel` | holders of a secret | a model | policies: what they do not permit does not exist
    async fn a_key_calls_and_sees_no_model_that_its_policies_do_not_permit(server: Server) {
        let manager = Manager::of(&server).await;
        let body = two_secrets("x", CLOSED_COMPARTMENT);
        let key = Key::of(&manager.create(&body).await.ok());
        let base = "/20231130/actions/v1";
        let chat = json!({"model": "accord.echo", "messages": [{"role": "user", "content": "Hello"}]});
        let response = json!({"model": "accord.echo", "input": "Hello"});
        for (path, body) in [("chat/completions", &chat), ("responses", &response)] {
            let (status, answer) =
                send(&server, &key.one, Method::POST, &format!("{base}/{path}"), Some(body)).await;
            assert_eq!(status, 403, "{answer}");
        }
        let (status, models) = send(&server, &key.one, Method::GET, &format!("{base}/models"), None).await;
        assert_eq!((status, &models["data"]), (200, &json!([])), "{models}");
        let path = format!("{base}/models/accord.echo");
        let (status, model) = send(&server, &key.one, Method::GET, &path, None).await;
        assert_eq!(status, 404, "{model}");
    }
}
