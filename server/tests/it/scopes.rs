//! The scopes that the documents require: each operation under `accessToken`, with a token that
//! lacks one of them, and with a token that has them and nothing else. The operations come from
//! the generated tables, and are compared with the documents, so that none can be left out.

use accord_server::accounts::demo::ADMINISTRATOR;
use accord_server::area::Area;
use accord_server::contract;
use dropforge_runtime::table::Operation;
use reqwest::Response;
use serde_json::Value;

use crate::harness::{Database, Server, run};

const SCOPES: [&str; 6] = [
    "accounts.read",
    "accounts.write",
    "apikeys.read",
    "apikeys.write",
    "patterns.read",
    "patterns.write",
];

/// The status of a missing scope.
fn status(area: Area) -> u16 {
    match area {
        Area::Accounts | Area::Identity => 401,
        Area::Inference | Area::Patterns => 403,
    }
}

/// The scopes that an operation requires, by its table.
fn required(operation: &Operation) -> Vec<&'static str> {
    let uses = operation.security.iter().flat_map(|one| one.all);
    uses.flat_map(|used| used.scopes).copied().collect()
}

/// The operations that require scopes, by the document: each with its scopes.
fn documented(area: Area) -> Vec<(String, Vec<String>)> {
    let document: Value = serde_json::from_str(contract::document(area).json).unwrap();
    let items = document["paths"].as_object().unwrap().values();
    let operations = items.flat_map(|item| item.as_object().unwrap().values());
    operations
        .filter_map(|operation| {
            let scopes = operation["x-required-scopes"].as_array()?.iter();
            let scopes = scopes.map(|scope| scope.as_str().unwrap().to_owned());
            Some((
                operation["operationId"].as_str()?.to_owned(),
                scopes.collect(),
            ))
        })
        .collect()
}

/// The operation, without body and with any value for each variable of its path. The token comes
/// first, so that is all it takes.
async fn call(server: &Server, operation: &Operation, scopes: &[&str]) -> Response {
    let token = server.token(ADMINISTRATOR, &scopes.join(" ")).await;
    let path = operation.path.replace(['{', '}'], "");
    let request = server
        .http()
        .request(operation.method.clone(), server.url(&path));
    request.bearer_auth(token).send().await.unwrap()
}

fn challenge(response: &Response) -> Option<String> {
    let value = response.headers().get("www-authenticate")?;
    Some(value.to_str().unwrap().to_owned())
}

#[test]
fn each_operation_refuses_a_token_that_lacks_one_of_its_scopes() {
    run(Database::Sqlite, |server: Server| async move {
        let mut tried = 0;
        for area in Area::ALL {
            let operations = contract::table(area).operations.iter();
            let scoped = operations.filter(|one| !required(one).is_empty());
            let scoped: Vec<_> = scoped.collect();
            let mut by_table: Vec<(String, Vec<String>)> = scoped
                .iter()
                .map(|operation| {
                    let scopes = required(operation).into_iter().map(str::to_owned);
                    (operation.id.to_owned(), scopes.collect())
                })
                .collect();
            let mut by_document: Vec<(String, Vec<String>)> = documented(area);
            by_document.retain(|(_, scopes)| !scopes.is_empty());
            by_table.sort();
            by_document.sort();
            assert_eq!(by_table, by_document);
            for operation in scoped {
                let required = required(operation);
                for missing in &required {
                    let rest = SCOPES.iter().filter(|scope| *scope != missing).copied();
                    let rest: Vec<&str> = rest.collect();
                    let refused = call(&server, operation, &rest).await;
                    assert_eq!(
                        refused.status(),
                        status(area),
                        "{} without {missing}",
                        operation.id
                    );
                    let challenge = challenge(&refused);
                    let text = refused.text().await.unwrap();
                    let expected = format!(
                        r#"Bearer realm="accord", error="insufficient_scope", scope="{}""#,
                        required.join(" ")
                    );
                    assert_eq!(challenge, Some(expected), "{}", operation.id);
                    // Errors of key management name the scope as well.
                    if area == Area::Inference {
                        assert!(text.contains(missing), "{}: {text}", operation.id);
                    }
                    tried += 1;
                }
                let taken = call(&server, operation, &required).await;
                let challenge = challenge(&taken).unwrap_or_default();
                assert!(
                    !challenge.contains("insufficient_scope"),
                    "{}: {challenge}",
                    operation.id
                );
                let text = taken.text().await.unwrap();
                let named = required.iter().any(|scope| text.contains(scope));
                assert!(!named, "{}: {text}", operation.id);
            }
        }
        assert!(tried >= 17, "{tried}");
    });
}
