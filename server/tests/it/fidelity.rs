//! What dropshot says it serves, beside the documents.

use std::sync::Arc;

use accord_server::app::App;
use dropforge::check::fidelity;
use dropforge_runtime::RegisterError;
use dropshot::ApiDescription;

type Register = fn(&mut ApiDescription<Arc<App>>) -> Result<(), RegisterError>;

/// Registers an area alone, and compares. `folded` are the operations that
/// dropshot's document cannot have.
fn check(register: Register, document: &accord::Document, folded: &[&str]) {
    let mut api = ApiDescription::new();
    register(&mut api).unwrap();
    let version = semver::Version::new(1, 0, 0);
    let served = api.openapi(document.area, version).json().unwrap();
    let document = crate::harness::source(document.area);
    let comparison = fidelity::compare(&served, &document);
    let told: Vec<_> = comparison
        .infidelities
        .iter()
        .map(ToString::to_string)
        .collect();
    assert!(told.is_empty(), "{}", told.join("\n"));
    assert_eq!(comparison.folded, folded);
    assert!(comparison.compared > 0);
}

#[test]
fn accounts_are_served_as_their_document_says() {
    let register = accord::accounts::server::describe::<accord_server::api::accounts::Service>;
    check(register, &accord::accounts::DOCUMENT, &[]);
}

#[test]
fn identity_is_served_as_its_document_says() {
    let register = accord::identity::server::describe::<accord_server::api::identity::Service>;
    check(register, &accord::identity::DOCUMENT, &[]);
}

#[test]
fn inference_is_served_as_its_document_says() {
    let register = accord::inference::server::describe::<accord_server::api::inference::Service>;
    check(register, &accord::inference::DOCUMENT, &[]);
}

#[test]
fn patterns_are_served_as_their_document_says() {
    let register = accord::patterns::server::describe::<accord_server::api::patterns::Service>;
    let patterns = "/ic/api/integration/v1/projects/{projectId}/ai/patterns";
    let folded = format!("POST {patterns}/accelerators/archive");
    check(register, &accord::patterns::DOCUMENT, &[&folded]);
}
