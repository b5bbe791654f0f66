//! Routes that are taken.

use dropforge_runtime as rt;
use rt::dropshot::ApiDescription;
use rt::table::Api;

use crate::api::{self, CreateItem, Security};
use crate::shop::Service;
use crate::tables::API;

/// The document without its responses to unknown paths, so that each operation has a route.
static WITHOUT_PREFIXES: Api = Api {
    not_found: &[],
    ..API
};

#[test]
fn a_route_that_is_taken_is_an_error_that_names_the_operation() {
    let mut description = ApiDescription::new();
    let mut routes = rt::Routes::new(&mut description, &WITHOUT_PREFIXES, Service::reject);
    routes.handle::<Service, CreateItem>().unwrap();
    let error = routes.handle::<Service, CreateItem>().unwrap_err();
    let text = error.to_string();
    assert!(
        text.starts_with("operation createItem (POST /api/items) cannot be registered: "),
        "{text}"
    );
}

#[test]
fn a_prefix_that_is_taken_is_an_error_that_names_the_prefix() {
    let mut description = ApiDescription::new();
    api::register::<Service>(&mut description).unwrap();
    let error = api::register::<Service>(&mut description).unwrap_err();
    assert_eq!(error.route, "/api/{path:.*}");
    assert_eq!(error.operation, "get /api/{path:.*}");
}
