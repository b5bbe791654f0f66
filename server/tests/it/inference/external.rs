//! Models that their provider serves outside the region.

use accord_server::inference::admission::policies::statement::{self, Statement};
use accord_server::inference::keys::rows::announce_change;
use reqwest::Method;
use serde_json::json;

use super::client::{Manager, Reply, call, chat};
use super::fake::{Fake, model, serving};

const ANSWER: &str = r#"{"id":"c","object":"chat.completion","created":1,"model":"m",
 "choices":[{"index":0,"message":{"role":"assistant","content":"x"},"finish_reason":"stop"}]}"#;
const LOCATION: &str = "eu-central (acme)";

#[tokio::test(flavor = "multi_thread")]
async fn where_a_call_goes_is_told_and_a_policy_can_forbid_it() {
    let fake = Fake::always("200 OK", ANSWER).await;
    let url = format!("http://{}/v1", fake.address);
    let server = serving(vec![
        model(json!({"name": "acme.own", "family": "acme", "url": url})),
        model(json!({
            "name": "acme.far", "family": "acme", "url": url, "external_location": LOCATION,
        })),
    ])
    .await;
    let key = Manager::of(&server).await.new_key().await;
    let own = chat(&server, &key.one, "acme.own").await;
    assert_eq!(
        (own.status, own.header("accord-model-location")),
        (200, None)
    );
    let far = chat(&server, &key.one, "acme.far").await;
    assert_eq!(
        (far.status, far.header("accord-model-location")),
        (200, Some(LOCATION))
    );
    let list = || async {
        let models = Reply::of(call(&server, &key.one, Method::GET, "/models"))
            .await
            .ok();
        let data = models["data"].as_array().unwrap().clone();
        data.into_iter().skip(4).collect::<Vec<_>>()
    };
    let models = list().await;
    assert_eq!(
        (&models[0]["external"], models[0].get("location")),
        (&false.into(), None)
    );
    assert_eq!(
        (&models[1]["external"], &models[1]["location"]),
        (&true.into(), &LOCATION.into())
    );

    let forbid = Statement {
        id: "stay".into(),
        text: "forbid (principal, action, resource) when { resource.external };".into(),
    };
    let now = server.app().clock.now();
    server
        .write(move |tx| {
            statement::insert(tx, &forbid, now)?;
            announce_change(tx)
        })
        .await;
    server.app().inference.admission.invalidate();
    let before = fake.seen().len();
    chat(&server, &key.one, "acme.far").await.is_inference(
        403,
        "invalid_request_error",
        "insufficient_permissions",
    );
    assert_eq!(fake.seen().len(), before);
    chat(&server, &key.one, "acme.own").await.ok();
    assert_eq!(list().await.len(), 1);
    assert_eq!(server.stop().await, Vec::<String>::new());
}
