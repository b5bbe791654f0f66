//! Tests that every route is an operation of a document, or has a row in the table of access.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use dropforge_runtime::METHODS;
use http::Method;

use super::{Api, redirect, with_areas};
use crate::area::Area;
use crate::contract;
use crate::ops;
use crate::pages;

/// `cargo xtask regenerate` writes it from the tests of foreign callers.
const TABLE: &str = include_str!("../../ACCESS.md");

/// The routes of a listener that no document has, by their names in the table: method and path, or
/// an asterisk for all methods of the redirect. The pages for people share one route. A page cannot
/// share the path of an operation, because an area registers every method of its paths.
fn routes(api: Api) -> BTreeSet<String> {
    let operations = |area: Area| {
        let table = contract::table(area);
        table.operations.iter().chain(table.not_found)
    };
    let operations = Area::ALL.into_iter().flat_map(operations);
    let generated: HashSet<&str> = operations.map(|operation| operation.route).collect();
    let mut paths = BTreeMap::<String, Vec<Method>>::new();
    for (_, _, endpoint) in api.into_router().endpoints(None) {
        if !generated.contains(endpoint.path.as_str()) {
            let methods = paths.entry(endpoint.path.clone()).or_default();
            methods.push(endpoint.method.clone());
        }
    }
    let names = |(path, methods): (String, Vec<Method>)| {
        let has = |method: &Method| methods.contains(method);
        match METHODS.iter().all(has) {
            true if path == pages::PATTERN => pages::names().collect(),
            true => vec![format!("* {path}")],
            false => {
                let is_of_get = |one: &&Method| *one == Method::HEAD && has(&Method::GET);
                let methods = methods.iter().filter(|one| !is_of_get(one));
                methods.map(|one| format!("{one} {path}")).collect()
            }
        }
    };
    paths.into_iter().flat_map(names).collect()
}

#[test]
fn every_route_is_an_operation_or_has_a_row() {
    let mut main = Api::new();
    ops::register(&mut main).unwrap();
    let mut all = routes(with_areas(main, &Area::ALL).unwrap());
    let mut redirecting = Api::new();
    redirect::register(&mut redirecting).unwrap();
    all.append(&mut routes(redirecting));

    let (_, table) = TABLE.split_once("\n## pages\n").unwrap();
    let rows: BTreeSet<_> = table
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split('`').next())
        .map(str::to_owned)
        .collect();
    let explain = "write the test of the foreign caller in server/tests/it/foreign, and run `cargo xtask regenerate`";
    assert_eq!(all, rows, "{explain}");
}
