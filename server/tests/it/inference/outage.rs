//! While the database is away: nothing is believed for longer than is promised, and
//! callers do not queue for one timeout each.

use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::json;

use super::client::{Manager, Reply, call, chat};
use super::fake::model;
use super::heartbeat::{code, silent, stream};
use crate::harness::{Database, Server};

/// Ends every connection to the service's database and lets no other in, or lets them
/// in again.
pub async fn let_in(server: &Server, allowed: bool) {
    let url = server.app().config.database_url().expose().to_owned();
    tokio::task::spawn_blocking(move || {
        let (cluster, name) = url.rsplit_once('/').unwrap();
        let maintenance = format!("{cluster}/postgres");
        let mut client = postgres::Client::connect(&maintenance, postgres::NoTls).unwrap();
        let alter = format!("ALTER DATABASE {name} ALLOW_CONNECTIONS {allowed}");
        client.batch_execute(&alter).unwrap();
        if !allowed {
            let end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1";
            client.query(end, &[&name]).unwrap();
        }
    })
    .await
    .unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn api_keys_do_not_outlive_an_outage_for_longer_than_is_promised() {
    let server = Server::start_with(Database::Postgres, |layer| {
        layer.inference.offline_seconds = Some(15);
    })
    .await;
    let secret = Manager::of(&server).await.new_key().await.one;
    chat(&server, &secret, "accord.echo").await.ok();
    let_in(&server, false).await;
    chat(&server, &secret, "accord.echo").await.ok();
    tokio::time::sleep(Duration::from_secs(16)).await;
    let refused = chat(&server, &secret, "accord.echo").await;
    refused.is_inference(503, "server_error", "service_unavailable");
    assert_eq!(refused.header("retry-after"), Some("1"));
    let models = Reply::of(call(&server, &secret, Method::GET, "/models")).await;
    models.is_inference(503, "server_error", "service_unavailable");
    let_in(&server, true).await;
    let since = Instant::now();
    while chat(&server, &secret, "accord.echo").await.status != 200 {
        assert!(since.elapsed() < Duration::from_secs(60), "no recovery");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(server.stop().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn streams_do_not_outlive_an_outage_for_longer_than_is_promised() {
    let fake = silent().await;
    let url = format!("http://{}/v1", fake.address);
    let acme = model(json!({"name": "acme.chat", "family": "acme", "url": url}));
    let server = Server::start_with(Database::Postgres, |layer| {
        layer.inference.models = Some(vec![acme]);
        layer.inference.offline_seconds = Some(2);
    })
    .await;
    let key = Manager::of(&server).await.new_key().await;
    let request = stream(&server, &key, "/chat/completions", "acme.chat");
    let response = request.send().await.unwrap();
    assert_eq!(response.status(), 200);
    let_in(&server, false).await;
    let text = tokio::time::timeout(Duration::from_secs(60), response.text()).await;
    let text = text.expect("an end").unwrap();
    assert_eq!(code(&text), "service_unavailable");
    let_in(&server, true).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_hundred_callers_share_one_failed_look_up() {
    let server = Server::start(Database::Postgres).await;
    let manager = Manager::of(&server).await;
    let list = "?compartmentId=compartment.demo";
    manager.get(list).await.ok();
    let_in(&server, false).await;
    // What was known of tokens is good for a second at most.
    tokio::time::sleep(Duration::from_secs(1)).await;
    let since = Instant::now();
    let replies = futures::future::join_all((0..200).map(|_| manager.get(list)));
    let mut replies = std::pin::pin!(replies);
    let mut most_waiting = 0;
    let replies = loop {
        let waiting = server.app().store.loads()[0].1.waiting;
        most_waiting = most_waiting.max(waiting);
        let turn = Duration::from_millis(20);
        if let Ok(replies) = tokio::time::timeout(turn, &mut replies).await {
            break replies;
        }
    };
    for reply in replies {
        reply.is(503, "ServiceUnavailable");
        assert_eq!(reply.header("retry-after"), Some("1"));
    }
    // Those of background tasks wait, too.
    assert!(most_waiting < 50, "{most_waiting}");
    // An attempt takes ten seconds, and may wait for those of background tasks.
    assert!(
        since.elapsed() < Duration::from_secs(60),
        "{:?}",
        since.elapsed()
    );
    let_in(&server, true).await;
    assert_eq!(server.stop().await, Vec::<String>::new());
}
