//! What a collector is told of requests, and what it is not.

mod calls;
mod collector;
mod requests;

use accord_server::config::inference::ModelConfig;
use accord_server::config::telemetry::Sampler;
use accord_server::config::{Layer, Secret};
use serde_json::json;

use crate::harness::{Database, Server};
use crate::inference::fake::{Fake, model};
use collector::Collector;

/// A caller's trace.
const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
/// The caller's span.
const SPAN: &str = "b7ad6b7169203331";

/// A `traceparent` of that caller.
fn traceparent(flags: &str) -> String {
    format!("00-{TRACE}-{SPAN}-{flags}")
}

/// A service that traces for a collector.
async fn traced(collector: &Collector, change: impl FnOnce(&mut Layer) + Send) -> Server {
    Server::start_with(Database::Sqlite, |layer| {
        layer.telemetry.endpoint = Some(collector.url().parse().unwrap());
        layer.telemetry.headers = Some(Secret::new("authorization=Bearer%20for-the-collector"));
        change(layer);
    })
    .await
}

/// The model `acme.chat` on a model server.
fn model_of(fake: &Fake) -> Vec<ModelConfig> {
    let url = format!("http://{}/v1", fake.address);
    vec![model(
        json!({"name": "acme.chat", "family": "acme", "url": url}),
    )]
}

/// Stops a service, which sends what it has to tell.
async fn stop(server: &Server) {
    assert_eq!(server.stop().await, Vec::<String>::new());
}

fn sampler(sampler: Sampler) -> impl FnOnce(&mut Layer) + Send {
    move |layer| layer.telemetry.sampler = Some(sampler)
}
