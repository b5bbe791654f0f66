//! What dropshot says that it serves.

use dropforge_runtime::dropshot::{ApiDescription, semver::Version};
use serde_json::{Value, json};

use crate::api;
use crate::shop::Service;

fn description() -> Value {
    let mut api = ApiDescription::new();
    api::describe::<Service>(&mut api).unwrap();
    api.openapi("Shop", Version::new(1, 0, 0)).json().unwrap()
}

#[test]
fn operations_are_described_in_the_documents_words() {
    let description = description();
    let create = &description["paths"]["/api/items"]["post"];
    assert_eq!(create["operationId"], "createItem");
    assert_eq!(create["summary"], "Create an item");
    assert_eq!(create["tags"], json!(["items"]));
    let item = json!({"$ref": "#/components/schemas/Item"});
    assert_eq!(
        create["requestBody"]["content"]["application/json"]["schema"],
        item
    );
    let created = &create["responses"]["201"];
    assert_eq!(created["description"], "The item.");
    assert_eq!(created["content"]["application/json"]["schema"], item);
    assert_eq!(created["headers"]["Location"]["required"], true);
    let document: Value = serde_json::from_str(include_str!("shop.json")).unwrap();
    assert_eq!(
        description["components"]["schemas"]["Item"],
        document["components"]["schemas"]["Item"]
    );
}

#[test]
fn parameters_are_described_as_far_as_dropshot_has_words() {
    let description = description();
    let parameters = &description["paths"]["/api/notes/{id}"]["get"]["parameters"];
    let find = |name: &str| {
        let mut parameters = parameters.as_array().unwrap().iter();
        parameters
            .find(|parameter| parameter["name"] == name)
            .unwrap()
    };
    assert_eq!(find("id")["description"], "Which note.");
    assert_eq!(
        find("id")["schema"],
        json!({"type": "string", "maxLength": 20})
    );
    assert_eq!(
        find("limit")["schema"],
        json!({"type": "integer", "minimum": 1, "exclusiveMinimum": true})
    );
    // Dropshot takes no arrays here.
    assert_eq!(find("fields")["schema"], json!({"type": "string"}));
    assert_eq!(find("If-Match")["in"], "header");
}

#[test]
fn only_operations_that_have_a_route_of_their_own_are_described() {
    let description = description();
    let paths = description["paths"].as_object().unwrap();
    assert!(paths["/api/notes/{id}"].get("post").is_none());
    assert!(paths["/api/items"].get("get").is_none());
    assert!(!paths.contains_key("/api/notes/{id}/{p4}"));
}

#[test]
fn what_is_below_a_prefix_has_one_route_and_no_description() {
    let mut api = ApiDescription::new();
    api::register::<Service>(&mut api).unwrap();
    let description = api.openapi("Shop", Version::new(1, 0, 0)).json().unwrap();
    assert_eq!(description["paths"], json!({}));
}

#[test]
fn a_route_that_is_taken_is_an_error_that_names_the_operation() {
    let mut api = ApiDescription::new();
    api::describe::<Service>(&mut api).unwrap();
    let error = api::describe::<Service>(&mut api).unwrap_err().to_string();
    assert!(
        error.starts_with("operation createItem (POST /api/items)"),
        "{error}"
    );
}
