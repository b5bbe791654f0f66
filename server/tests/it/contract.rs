//! The contract tests that are generated from the documents, against one service
//! with the demo catalog. They leave things behind and do not care: what they
//! ask holds whatever is there.

use std::sync::OnceLock;

use accord_server::accounts::demo::ADMINISTRATOR;
use accord_server::identity::demo::{CONFIDENTIAL, SECRET};
use accord_server::patterns::demo::INSTANCE;
use bytes::Bytes;
use dropforge_runtime::contract::{Secret, Subject};
use dropforge_runtime::table::{Operation, Parameter, Scheme, SchemeUse};
use http::{Request, Response};
use tokio::runtime::Runtime;

use crate::harness::{Database, Server};
use crate::inference::client::Manager;

mod accounts {
    accord::accounts::server::accounts_contract_tests!(
        accord::accounts::server,
        crate::contract::subject
    );
}
mod identity {
    accord::identity::server::identity_contract_tests!(
        accord::identity::server,
        crate::contract::subject
    );
}
mod inference {
    accord::inference::server::inference_contract_tests!(
        accord::inference::server,
        crate::contract::subject
    );
}
mod patterns {
    accord::patterns::server::patterns_contract_tests!(
        accord::patterns::server,
        crate::contract::subject
    );
}

/// The service, and credentials for everything.
struct Accord {
    runtime: Runtime,
    server: Server,
    token: String,
    powerless: String,
    secret: String,
}

fn subject() -> &'static impl Subject {
    static ACCORD: OnceLock<Accord> = OnceLock::new();
    ACCORD.get_or_init(|| {
        let runtime = Runtime::new().unwrap();
        let (server, token, powerless, secret) = runtime.block_on(async {
            let server = Server::start(Database::Sqlite).await;
            let all = "accounts.read accounts.write apikeys.read apikeys.write \
                       patterns.read patterns.write";
            let token = server.token(ADMINISTRATOR, all).await;
            let powerless = server.token(ADMINISTRATOR, "").await;
            let secret = Manager::of(&server).await.new_key().await.one;
            (server, token, powerless, secret)
        });
        Accord {
            runtime,
            server,
            token,
            powerless,
            secret,
        }
    })
}

#[test]
fn answers_that_are_compared_with_their_document_are_counted() {
    let get = |path: &str| {
        let request = Request::get(path).body(Bytes::new()).unwrap();
        let answer = subject().send(request).unwrap();
        String::from_utf8(answer.into_body().to_vec()).unwrap()
    };
    get("/api/user/organizations");
    let figures = get("/metrics");
    let line = "accord_contract_compared_total{operation=\"listOrganizations\"}";
    assert!(figures.contains(line), "{figures}");
}

impl Subject for Accord {
    fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, String> {
        let (parts, body) = request.into_parts();
        let http = self.server.http();
        let request = http
            .request(parts.method, self.server.url(&parts.uri.to_string()))
            .headers(parts.headers)
            .body(body);
        self.runtime.block_on(async {
            let response = request.send().await.map_err(|error| error.to_string())?;
            let mut answer = Response::new(Bytes::new());
            *answer.status_mut() = response.status();
            *answer.headers_mut() = response.headers().clone();
            *answer.body_mut() = response.bytes().await.map_err(|error| error.to_string())?;
            Ok(answer)
        })
    }

    fn credentials(&self, _: &Operation, used: &SchemeUse) -> Secret {
        match (used.scheme, used.name) {
            (Scheme::Basic, _) => Secret::Basic(CONFIDENTIAL.to_owned(), SECRET.to_owned()),
            (_, "apiKeySecret") => Secret::Bearer(self.secret.clone()),
            _ => Secret::Bearer(self.token.clone()),
        }
    }

    fn insufficient(&self, used: &SchemeUse) -> Option<Secret> {
        (!used.scopes.is_empty()).then(|| Secret::Bearer(self.powerless.clone()))
    }

    fn parameter(&self, _: &Operation, parameter: &Parameter) -> Option<String> {
        match parameter.name {
            "projectId" => Some("RETAIL".to_owned()),
            "integrationInstance" => Some(INSTANCE.to_owned()),
            _ => None,
        }
    }
}
