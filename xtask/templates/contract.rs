//! Tests that follow from the document: one for each operation and each case that applies to it. While the server is
//! generated as a prototype, methods that are not written pass, and the format of errors is not checked.

use std::sync::LazyLock;

use ::@NAME@::server;
use ::@NAME@::service::{Context, Service};
use dropforge_runtime::bytes::Bytes;
use dropforge_runtime::contract::{LocalServer, Secret, Subject};
use dropforge_runtime::dropshot::ApiDescription;
use dropforge_runtime::http::{Request, Response, StatusCode};
use dropforge_runtime::table::{Operation, Scheme, SchemeUse};

/// The credential that the tests present.
const CREDENTIAL: &str = "credential-of-the-tests";

/// The server under test.
struct Server(LocalServer);

fn subject() -> &'static Server {
    static SERVER: LazyLock<Server> = LazyLock::new(|| {
        let mut api = ApiDescription::new();
        server::register::<Service>(&mut api).expect("every operation has a route");
        let context = @CONTEXT@;
        Server(LocalServer::start(api, context).expect("the server starts"))
    });
    &SERVER
}

impl Subject for Server {
    fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, String> {
        self.0.send(request)
    }

    fn credentials(&self, _: &Operation, used: &SchemeUse) -> Secret {
        let credential = CREDENTIAL.to_owned();
        match used.scheme {
            Scheme::Bearer => Secret::Bearer(credential),
            Scheme::Basic => Secret::Basic("tests".to_owned(), credential),
            Scheme::ApiKey { .. } => Secret::ApiKey(credential),
            Scheme::MutualTls => Secret::MutualTls,
        }
    }

    /// The runtime refuses requests with these statuses. Remove the method once the document lists them: the tests then
    /// also compare the bodies of refusals with it.
    fn accepts_unlisted(&self, _: &Operation, status: StatusCode) -> bool {
        matches!(status.as_u16(), 400 | 401 | 403 | 405 | 406 | 413 | 415)
    }

    /// The service does not check scopes yet.
    fn insufficient(&self, _: &SchemeUse) -> Option<Secret> {
        None
    }
}

/// The tests, in a module of their own: an operation may be called as an item above.
mod operations {
    ::@NAME@::@NAME@_contract_tests!(@NAME@::server, crate::subject);
}
