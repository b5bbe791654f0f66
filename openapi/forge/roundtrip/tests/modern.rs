//! A document of OpenAPI 3.1: both sides compile, the server registers and starts, and mutual TLS stays closed.

use bytes::Bytes;
use dropforge_roundtrip::modern::{client, server};
use dropforge_runtime::contract::LocalServer;
use dropforge_runtime::{Bearer, Call, Denied, MutualTls, Observe, Rejection, Reply};
use http::{Request, StatusCode};

#[derive(Default)]
struct Context;

impl Observe for Context {}

struct Service;

impl server::Security for Service {
    type Context = Context;
    type Certificate = ();
    type Token = ();

    /// The proxy of this test names the certificate in a header.
    async fn certificate(
        call: &Call<Context>,
        _: MutualTls,
        _: &'static [&'static str],
    ) -> Result<(), Denied> {
        match call.header("x-certificate") {
            Some("known") => Ok(()),
            Some("revoked") => Err(Denied::forbidden("a revoked certificate")),
            _ => Err(Denied::unauthenticated("no certificate")),
        }
    }

    async fn token(
        _: &Call<Context>,
        credentials: Bearer,
        _: &'static [&'static str],
    ) -> Result<(), Denied> {
        match credentials.expose() {
            "known" => Ok(()),
            _ => Err(Denied::unauthenticated("unknown token")),
        }
    }

    fn reject(_: &Call<Context>, rejection: Rejection) -> Reply {
        Reply::json(rejection.status(), &rejection.to_string())
    }
}

impl server::Modern for Service {}

fn start() -> LocalServer {
    let mut api = dropshot::ApiDescription::new();
    server::register::<Service>(&mut api).expect("the operations register");
    LocalServer::start(api, Context).expect("the server starts")
}

#[test]
fn a_scheme_of_mutual_tls_admits_only_whom_the_implementer_admits() {
    let server = start();
    let status = |path: &str, header: Option<(&str, &str)>| {
        let mut request = Request::get(path);
        if let Some((name, value)) = header {
            request = request.header(name, value);
        }
        let request = request.body(Bytes::new()).expect("a request");
        server.send(request).expect("a response").status()
    };
    assert_eq!(status("/open", None), StatusCode::UNAUTHORIZED);
    for header in [
        ("x-certificate", "wrong"),
        ("authorization", "Bearer wrong"),
    ] {
        assert_eq!(status("/open", Some(header)), StatusCode::UNAUTHORIZED);
    }
    for header in [
        ("x-certificate", "known"),
        ("authorization", "Bearer known"),
    ] {
        assert_eq!(status("/open", Some(header)), StatusCode::NOT_IMPLEMENTED);
    }
}

/// OpenAPI 3.1, "Security Requirement Object": an empty object makes security optional.
#[test]
fn a_caller_without_a_certificate_is_nobody_where_anybody_may_call() {
    let server = start();
    let status = |certificate: &str| {
        let request = Request::get("/either").header("x-certificate", certificate);
        let request = request.body(Bytes::new()).expect("a request");
        server.send(request).expect("a response").status()
    };
    assert_eq!(status(""), StatusCode::NOT_IMPLEMENTED);
    assert_eq!(status("known"), StatusCode::NOT_IMPLEMENTED);
    assert_eq!(status("revoked"), StatusCode::FORBIDDEN);
}

#[test]
fn the_client_has_every_operation_of_a_path() {
    let ids: Vec<_> = client::OPERATIONS.iter().map(|one| one.id).collect();
    for id in [
        "getThing",
        "putThing",
        "getOpen",
        "sendFile",
        "getReferenced",
    ] {
        assert!(ids.contains(&id), "{id} is missing in {ids:?}");
    }
}
