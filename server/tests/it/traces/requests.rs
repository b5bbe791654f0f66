//! Requests of all areas in a trace, and the way to the collector.

use accord_server::area::Area;
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use reqwest::Method;

use super::collector::{Collector, map};
use super::{TRACE, stop, traced, traceparent};
use crate::inference::client::Manager;

#[tokio::test(flavor = "multi_thread")]
async fn every_operation_has_a_span_that_names_no_more_than_its_pattern() {
    let collector = Collector::start().await;
    let server = traced(&collector, |_| {}).await;
    let manager = Manager::of(&server).await;
    let get = manager.get("/CANARY-PATH?CANARY=QUERY").await;
    assert!((400..500).contains(&get.status), "{get:?}");
    let ask = async |area, method: Method, path: &str| {
        let url = format!("{}{path}", server.area(area));
        let request = server.http().request(method, url);
        let request = request.header("traceparent", traceparent("01"));
        request.send().await.unwrap().status().as_u16()
    };
    let organizations = "/api/user/organizations";
    assert_eq!(ask(Area::Accounts, Method::GET, organizations).await, 401);
    assert_eq!(ask(Area::Accounts, Method::PATCH, organizations).await, 405);
    let metadata = "/.well-known/oauth-authorization-server";
    assert_eq!(ask(Area::Identity, Method::GET, metadata).await, 200);
    let pattern = "/ic/api/integration/v1/projects/CANARY/ai/patterns/CANARY";
    assert_eq!(ask(Area::Patterns, Method::GET, pattern).await, 401);
    stop(&server).await;

    let span = collector.span("GET /20231130/apikeys/{apiKeyId}");
    assert!(span.is(SpanKind::Server));
    assert_eq!(span.parent(), "");
    assert_ne!(span.trace_id(), TRACE);
    assert_eq!(span.error(), None);
    let attributes = span.attributes();
    assert_eq!(attributes["http.response.status_code"], get.status);
    assert_eq!(attributes["url.path"], "/20231130/apikeys/{apiKeyId}");
    assert_eq!(attributes["accord.operation"], "getApiKey");
    let pattern =
        collector.span("GET /ic/api/integration/v1/projects/{projectId}/ai/patterns/{id}");
    assert_eq!(pattern.attributes()["accord.area"], "patterns");
    let metadata = collector.span(&format!("GET {metadata}"));
    assert_eq!(metadata.attributes()["accord.area"], "identity");
    let organizations = collector.span(&format!("GET {organizations}"));
    assert_eq!(organizations.attributes()["accord.area"], "accounts");
    // What reaches no operation has no more of a name.
    let refused = collector.span("PATCH");
    assert!(!refused.attributes().contains_key("url.path"));
    assert_eq!(refused.attributes()["http.response.status_code"], 405);
    for span in [&pattern, &metadata, &organizations, &refused] {
        assert_eq!(span.trace_id(), TRACE);
    }
    assert!(!collector.holds("CANARY"));
    assert!(!collector.holds(&manager.token));
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_and_published_documents_have_spans_and_probes_have_none() {
    let collector = Collector::start().await;
    let server = traced(&collector, |_| {}).await;
    for path in [
        "/healthz",
        "/metrics",
        "/openapi/accounts.json",
        "/docs",
        "/ui/v1/signin?next=CANARY",
    ] {
        let request = server.http().get(server.url(path));
        let request = request.header("traceparent", traceparent("01"));
        assert_eq!(request.send().await.unwrap().status(), 200, "{path}");
    }
    stop(&server).await;
    for (name, area) in [
        ("GET /openapi/{file}", "publish"),
        ("GET /docs", "publish"),
        ("GET /ui/v1/signin", "pages"),
    ] {
        let span = collector.span(name);
        assert!(span.is(SpanKind::Server));
        assert_eq!(span.trace_id(), TRACE);
        let attributes = span.attributes();
        assert_eq!(attributes["accord.area"], area);
        assert_eq!(attributes["http.response.status_code"], 200);
        assert!(!attributes.contains_key("accord.operation"));
    }
    assert_eq!(collector.spans().len(), 3);
    assert!(!collector.holds("CANARY"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_collector_is_told_who_tells_it_and_gets_its_headers() {
    let collector = Collector::start().await;
    let server = traced(&collector, |layer| {
        layer.telemetry.service_name = Some("accord-eu".to_owned());
    })
    .await;
    Manager::of(&server).await.get("").await;
    stop(&server).await;
    for head in collector.heads() {
        assert!(head.starts_with("post /v1/traces http/1.1\r\n"), "{head}");
        assert!(
            head.contains("authorization: bearer for-the-collector\r\n"),
            "{head}"
        );
        assert!(
            head.contains("content-type: application/x-protobuf\r\n"),
            "{head}"
        );
    }
    let requests = collector.requests();
    assert!(!requests.is_empty());
    for resource in requests.iter().flat_map(|request| &request.resource_spans) {
        let attributes = map(&resource.resource.as_ref().unwrap().attributes);
        assert_eq!(attributes["service.name"], "accord-eu");
        assert_eq!(attributes["service.version"], env!("CARGO_PKG_VERSION"));
        assert!(attributes["service.instance.id"].is_string());
    }
    let spans = collector.spans().len();
    let line = format!("accord_trace_spans_total{{outcome=\"exported\"}} {spans}\n");
    let metrics = server.app().metrics.render();
    assert!(metrics.contains(&line), "{line}{metrics}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_that_refuses_hinders_nobody_and_is_counted() {
    let collector = Collector::answering("400 Bad Request").await;
    let server = traced(&collector, |_| {}).await;
    Manager::of(&server).await.get("").await;
    stop(&server).await;
    let lost = collector.spans().len();
    assert!(lost > 0);
    let metrics = server.app().metrics.render();
    for (outcome, count) in [("failed", lost), ("exported", 0), ("dropped", 0)] {
        let line = format!("accord_trace_spans_total{{outcome=\"{outcome}\"}} {count}\n");
        assert!(metrics.contains(&line), "{line}{metrics}");
    }
}
