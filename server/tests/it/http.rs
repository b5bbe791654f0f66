//! Requests that HTTP does not allow, and paths that no document has.

use reqwest::Method;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::harness::{Database, Server};

/// The head of the answer to the text of a request.
async fn send(server: &Server, request: &str) -> String {
    let mut stream = TcpStream::connect(server.address()).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    // hyper gives up a request whose client closes its half of the connection.
    let mut text = Vec::new();
    while !text.windows(4).any(|end| end == b"\r\n\r\n") {
        assert_ne!(stream.read_buf(&mut text).await.unwrap(), 0, "{request}");
    }
    String::from_utf8(text).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_method_is_in_upper_case_and_a_request_names_one_host() {
    let server = Server::start(Database::Sqlite).await;
    let host = server.address().to_string();
    // A bar ends a line of the head.
    for line in [
        "200 GET /healthz HTTP/1.1|host: HOST",
        "501 get /healthz HTTP/1.1|host: HOST",
        "501 Get /api/user/organizations HTTP/1.1|host: HOST",
        "405 PROPFIND /healthz HTTP/1.1|host: HOST",
        "405 CONNECT /healthz HTTP/1.1|host: HOST",
        "405 PATCH /healthz HTTP/1.1|host: HOST",
        "405 PROPFIND /api/user/organizations HTTP/1.1|host: HOST",
        "405 CONNECT /api/user/organizations HTTP/1.1|host: HOST",
        "405 DELETE /api/user/organizations HTTP/1.1|host: HOST",
        "400 GET /healthz HTTP/1.1",
        "400 GET /healthz HTTP/1.1|host: HOST|host: HOST",
        "400 GET /healthz HTTP/1.1|host: HOST|Host: other.example",
        "400 GET /healthz HTTP/1.1|host: a b",
        "200 GET http://HOST/healthz HTTP/1.1|host: HOST",
        "400 GET http://other.example/healthz HTTP/1.1|host: HOST",
        "200 GET /healthz HTTP/1.0",
    ] {
        let (status, request) = line.split_once(' ').unwrap();
        let request = format!("{request}||").replace('|', "\r\n");
        let answer = send(&server, &request.replace("HOST", &host)).await;
        let expected = format!(" {status} ");
        assert!(answer.starts_with("HTTP/1."), "{request:?}: {answer}");
        assert_eq!(&answer[8..13], expected, "{request:?}: {answer}");
        match status {
            "405" => assert!(
                answer.contains("allow: GET\r\n") || answer.contains("allow: GET, HEAD\r\n"),
                "{answer}"
            ),
            "400" | "501" => assert!(answer.contains("connection: close"), "{answer}"),
            _ => {}
        }
    }
    assert_eq!(server.stop().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_path_is_answered_in_the_shape_of_its_area() {
    let server = Server::start(Database::Sqlite).await;
    for line in [
        "/api/nowhere /error invalid_request accord-request-id",
        "/api /error invalid_request accord-request-id",
        "/oauth2/v1/authorize /error invalid_request accord-request-id",
        "/.well-known/openid-configuration /error invalid_request accord-request-id",
        "/admin/v1/Users /error invalid_request accord-request-id",
        "/20231130/nowhere /code NotFound accord-request-id",
        "/20231130/actions/v2/models /code NotFound accord-request-id x-request-id",
        "/20231130//%61ctions/v1/embeddings /error/code not_found accord-request-id x-request-id",
        "/20231130/actions/v1/embeddings /error/code not_found accord-request-id x-request-id",
        "/20231130/actions/v1/responses/resp_1 /error/type invalid_request_error \
         accord-request-id x-request-id",
        "/ic/api/integration/v1/projects /errorCode REQUEST-404 accord-request-id x-request-id",
    ] {
        let words: Vec<&str> = line.split(' ').collect();
        let [path, pointer, expected, ids @ ..] = &words[..] else {
            panic!("{line}");
        };
        for method in [Method::GET, Method::POST, Method::DELETE, Method::PATCH] {
            let request = server.http().request(method.clone(), server.url(path));
            let request = request.header("x-request-id", "mine-1").body("{}");
            let response = request.send().await.unwrap();
            assert_eq!(response.status(), 404, "{method} {path}");
            assert_eq!(
                response.headers()["content-type"],
                "application/json",
                "{path}"
            );
            for id in ids {
                assert!(response.headers().contains_key(*id), "{path}: {id}");
            }
            let body: Value = response.json().await.unwrap();
            assert_eq!(
                body.pointer(pointer),
                Some(&Value::from(*expected)),
                "{path}: {body}"
            );
        }
    }
    // Under no area there is no shape to keep.
    let nowhere = server.get("/nowhere").await;
    assert_eq!(nowhere.status(), 404);
    assert_eq!(server.stop().await, Vec::<String>::new());
}
