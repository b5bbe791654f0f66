//! `HEAD` has the headers of `GET` and no body (RFC 9110, section 9.3.2), over HTTP/1.1 and HTTP/2.

use std::path::Path;

use bytes::Bytes;
use http_body_util::{BodyExt, Empty};
use hyper::client::conn::{http1, http2};
use hyper::{HeaderMap, Method, Request, StatusCode, header};
use hyper_util::rt::{TokioExecutor, TokioIo};

use crate::harness::Server;
use crate::tls;

/// The table of all hand-written routes, which a test in `server/src/serve` compares with the code.
const ACCESS: &str = include_str!("../../ACCESS.md");

/// Operations, whose `HEAD` the runtime of generated servers adds: 200 and 401.
const OPERATIONS: [&str; 2] = [
    "/.well-known/oauth-authorization-server",
    "/api/user/organizations",
];

/// Headers whose values differ from one request to the next.
const OF_A_REQUEST: [&str; 4] = ["accord-request-id", "date", "set-cookie", "x-request-id"];

/// Sends a request on a connection of its own. hyper's client fails if a response to `HEAD` has a
/// body.
async fn send(
    server: &Server,
    directory: &Path,
    protocol: &str,
    method: Method,
    path: &str,
) -> (StatusCode, HeaderMap, Bytes) {
    let io = TokioIo::new(tls::connect(server, directory, protocol).await);
    let authority = format!("localhost:{}", server.address().port());
    let request = Request::builder().method(method);
    let response = if protocol == "h2" {
        let (mut sender, connection) = http2::handshake(TokioExecutor::new(), io).await.unwrap();
        tokio::spawn(connection);
        let request = request.uri(format!("https://{authority}{path}"));
        let request = request.body(Empty::<Bytes>::new()).unwrap();
        sender.send_request(request).await.unwrap()
    } else {
        let (mut sender, connection) = http1::handshake(io).await.unwrap();
        tokio::spawn(connection);
        let request = request.uri(path).header(header::HOST, authority);
        let request = request.body(Empty::<Bytes>::new()).unwrap();
        sender.send_request(request).await.unwrap()
    };
    let (head, body) = response.into_parts();
    let body = body.collect().await;
    let body = body.unwrap_or_else(|error| panic!("{path} over {protocol}: {error:?}"));
    (head.status, head.headers, body.to_bytes())
}

/// The paths of all hand-written routes of `GET`, with values for their variables.
async fn hand_written(server: &Server, directory: &Path) -> Vec<String> {
    let (_, _, page) = send(server, directory, "http/1.1", Method::GET, "/docs").await;
    let page = String::from_utf8(page.to_vec()).unwrap();
    let mut values = page.split('"');
    let asset = values.find(|value| value.starts_with("/docs/"));
    let asset = asset.expect("the page has files");
    let rows = ACCESS
        .lines()
        .filter_map(|line| line.strip_prefix("| `GET /"));
    rows.map(|row| {
        let (path, _) = row.split_once('`').unwrap();
        format!("/{path}")
            .replace("/docs/{hash}/{file}", asset)
            .replace("{file}", "identity.json")
            .replace("{id}", "unknown")
    })
    .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn head_has_the_headers_of_get_on_every_path() {
    let (server, directory) = tls::start(|_| {}).await;
    let directory = directory.path();
    let mut paths = hand_written(&server, directory).await;
    assert!(paths.iter().any(|path| path == "/") && paths.iter().any(|path| path == "/metrics"));
    paths.extend(OPERATIONS.map(str::to_owned));
    // An error of a hand-written route.
    paths.push("/openapi/nothing.json".to_owned());
    for protocol in ["http/1.1", "h2"] {
        for path in &paths {
            let (status, mut expected, body) =
                send(&server, directory, protocol, Method::GET, path).await;
            let (head_status, mut headers, nothing) =
                send(&server, directory, protocol, Method::HEAD, path).await;
            assert_eq!(head_status, status, "{path} over {protocol}");
            assert_eq!(nothing, "", "{path} over {protocol}");
            for name in OF_A_REQUEST {
                let has = headers.remove(name).is_some();
                assert_eq!(has, expected.remove(name).is_some(), "{path}: {name}");
            }
            for headers in [&mut headers, &mut expected] {
                // The figures of the metrics and the tokens of forms change. A body that is always
                // empty needs no length.
                let length = headers.remove(header::CONTENT_LENGTH);
                let is_stated = length.is_some_and(|length| length != "0");
                assert_eq!(is_stated, !body.is_empty(), "{path} over {protocol}");
            }
            assert_eq!(headers, expected, "{path} over {protocol}");
        }
    }
    assert_eq!(server.stop().await, Vec::<String>::new());
}
