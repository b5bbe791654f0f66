//! The operations of the documents, as the service has registered them.

use std::collections::{BTreeMap, BTreeSet};

use accord_server::area::Area;
use accord_server::contract;

use crate::harness::{Database, Server, run, source};

/// The requests that the service has counted, by their area and operation.
async fn counts(server: &Server) -> BTreeMap<(String, String), u64> {
    let metrics = server.get("/metrics").await.text().await.unwrap();
    let mut counts = BTreeMap::new();
    let lines = metrics.lines();
    for line in lines.filter(|line| line.starts_with("accord_requests_total{")) {
        let label = |name: &str| {
            let (_, value) = line.split_once(&format!("{name}=\"")).unwrap();
            value.split('"').next().unwrap().to_owned()
        };
        let (_, count) = line.rsplit_once(' ').unwrap();
        let operation = (label("area"), label("operation"));
        *counts.entry(operation).or_default() += count.parse::<u64>().unwrap();
    }
    counts
}

/// A path of the document with text in place of its variables.
fn sample(path: &str) -> String {
    let segments = path.split('/').map(|segment| match segment.contains('{') {
        true => "x",
        false => segment,
    });
    segments.collect::<Vec<_>>().join("/")
}

async fn each_operation_is_registered(server: Server) {
    for area in Area::ALL {
        let document = source(area.name());
        let (_, base) = document["servers"][0]["url"]
            .as_str()
            .and_then(|url| url.split_once('}'))
            .unwrap();
        let mut ids = BTreeSet::new();
        for (path, item) in document["paths"].as_object().unwrap() {
            for (method, operation) in item.as_object().unwrap() {
                let Some(id) = operation["operationId"].as_str() else {
                    continue;
                };
                ids.insert(id.to_owned());
                let mut before = counts(&server).await;
                let url = server.url(&format!("{base}{}", sample(path)));
                let method = method.to_uppercase().parse().unwrap();
                server.http().request(method, url).send().await.unwrap();
                let mut after = counts(&server).await;
                after.retain(|operation, count| before.remove(operation) != Some(*count));
                let reached: Vec<_> = after.into_keys().collect();
                let expected = (area.name().to_owned(), id.to_owned());
                assert_eq!(reached, [expected], "{path}");
            }
        }
        let registered = contract::table(area).operations.iter();
        let registered: BTreeSet<_> = registered.map(|one| one.id.to_owned()).collect();
        assert_eq!(registered, ids, "{}", area.name());
    }
}

#[test]
fn each_operation_is_registered_with_its_method_path_and_id_and_no_other_is() {
    run(Database::Sqlite, each_operation_is_registered);
}
