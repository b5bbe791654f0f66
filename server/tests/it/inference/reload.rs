//! Models and limits that change while the service runs.

use std::sync::Arc;

use accord_server::config::Config;
use accord_server::config::inference::ModelConfig;
use accord_server::inference::admission::policies::statement::{self, Statement};
use accord_server::inference::gateway::models::Backend;
use accord_server::inference::gateway::pool::Pool;
use accord_server::inference::keys::rows::announce_change;
use accord_server::store::StoreError;
use serde_json::json;

use super::client::{Manager, chat};
use super::fake::{Fake, model, serving};
use crate::harness::{Server, both_databases};

const ANSWER: &str =
    r#"{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[]}"#;

async fn upstream() -> Fake {
    Fake::always("200 OK", ANSWER).await
}

/// Applies the configuration of the service with a change.
async fn reload(server: &Server, change: impl FnOnce(&mut Config)) -> Result<(), String> {
    let mut config = Config::clone(&server.app().config);
    change(&mut config);
    let applied = server.app().inference.reload(&config).await;
    applied.map(drop).map_err(|error| error.to_string())
}

/// The upstreams of a model.
fn pool(server: &Server, name: &str) -> Arc<Pool> {
    let settings = server.app().inference.settings();
    match &settings.models.find(name).unwrap().backend {
        Backend::Servers(pool) => Arc::clone(pool),
        Backend::Builtin(_) => panic!("{name} has no upstreams"),
    }
}

both_databases! {
    async fn a_decision_about_one_model_is_never_used_for_another(server: Server) {
        let fake = upstream().await;
        let url = format!("http://{}/v1", fake.address);
        let named = |name: &str| model(json!({"name": name, "family": "acme", "url": url}));
        let in_order = |names: [&str; 2]| -> Vec<ModelConfig> { names.map(named).into() };
        let key = Manager::of(&server).await.new_key().await;
        let forbid = Statement {
            id: "p.two".into(),
            text: "forbid (principal, action, resource == Model::\"acme.two\");".into(),
        };
        let now = server.app().clock.now();
        let written = server.app().store.write(move |tx| {
            statement::insert(tx, &forbid, now)?;
            announce_change(tx)
        });
        let written: Result<(), StoreError> = written.await;
        written.unwrap();
        server.app().inference.admission.invalidate();
        // The second order gives each model the place of the other one.
        for names in [["acme.one", "acme.two"], ["acme.two", "acme.one"]] {
            reload(&server, |config| config.inference.models = in_order(names)).await.unwrap();
            for _ in 0..2 {
                assert_eq!(chat(&server, &key.one, "acme.one").await.status, 200);
                assert_eq!(chat(&server, &key.one, "acme.two").await.status, 403);
            }
        }
    }

    async fn the_limits_of_keys_without_their_own_follow_the_configuration(server: Server) {
        let manager = Manager::of(&server).await;
        let key = manager.new_key().await;
        let remaining = async || {
            let reply = chat(&server, &key.one, "accord.echo").await;
            let header = reply.header("x-ratelimit-remaining-requests").map(str::to_owned);
            (reply.status, header)
        };
        assert_eq!(remaining().await, (200, None));
        let limit = |count| move |config: &mut Config| {
            config.inference.requests_per_minute = count;
            config.inference.management_requests_per_minute = count;
        };
        reload(&server, limit(Some(2))).await.unwrap();
        assert_eq!(remaining().await, (200, Some("1".into())));
        assert_eq!(remaining().await, (200, Some("0".into())));
        assert_eq!(remaining().await.0, 429);
        let list = async || manager.get("?compartmentId=compartment.demo").await.status;
        assert_eq!([list().await, list().await, list().await], [200, 200, 429]);
        reload(&server, limit(None)).await.unwrap();
        assert_eq!(remaining().await, (200, None));
        assert_eq!(list().await, 200);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_in_progress_count_for_the_same_upstream_after_a_reload() {
    let with = |most: usize, timeout: u64| {
        let upstream = json!({"url": "http://127.0.0.1:9/v1", "max_concurrent": most});
        let members = json!({"name": "acme.chat", "family": "acme", "upstreams": [upstream],
            "timeout_seconds": timeout, "queue": 0});
        vec![model(members)]
    };
    let server = serving(with(1, 600)).await;
    let former = pool(&server, "acme.chat");
    let call = former.try_slot(1, &[]).unwrap();
    reload(&server, |config| config.inference.models = with(1, 300))
        .await
        .unwrap();
    let current = pool(&server, "acme.chat");
    assert_eq!(current.targets[0].timeout.as_secs(), 300);
    assert!(
        current.try_slot(1, &[]).is_err(),
        "the upstream has a call already"
    );
    drop(call);
    let call = current.try_slot(1, &[]).unwrap();
    // A refused configuration changes no limit.
    let bad = |config: &mut Config| {
        config.inference.models = with(9, 300);
        config.inference.models.extend(with(9, 300));
    };
    let refused = reload(&server, bad).await.unwrap_err();
    assert_eq!(refused, "inference.models: there are two models acme.chat");
    assert!(pool(&server, "acme.chat").try_slot(1, &[]).is_err());
    // Two more calls beside the one in progress.
    reload(&server, |config| config.inference.models = with(3, 300))
        .await
        .unwrap();
    let current = pool(&server, "acme.chat");
    let more = [(); 2].map(|()| current.try_slot(1, &[]).unwrap());
    assert!(current.try_slot(1, &[]).is_err());
    // With a lower limit, calls have to end first.
    reload(&server, |config| config.inference.models = with(1, 300))
        .await
        .unwrap();
    let current = pool(&server, "acme.chat");
    drop(more);
    assert!(current.try_slot(1, &[]).is_err());
    drop(call);
    current.try_slot(1, &[]).unwrap();
}
