//! Bodies of requests against the small server: their media types, forms, parts and limits.

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::shop::{Running, call};

#[tokio::test]
async fn a_body_that_cannot_be_read_is_told_apart_from_one_that_breaks_rules() {
    let shop = Running::start().await;
    let deep = "[".repeat(10_000);
    for (content_type, body, status, detail) in [
        (
            Some("application/json"),
            "{",
            400,
            "the request body cannot be read: it is not JSON: ",
        ),
        (
            Some("application/json"),
            deep.as_str(),
            413,
            "the request body is larger than 1024 bytes",
        ),
        (
            Some("application/json"),
            &deep[..1000],
            400,
            "the request body cannot be read: it is not JSON: recursion limit",
        ),
        (
            Some("application/json"),
            r#"{"name": "lamp", "name": "table"}"#,
            400,
            "the request body cannot be read: the member \"name\" occurs more than once at line 1",
        ),
        (Some("application/json"), "", 400, "The body is required"),
        (None, "", 400, "The body is required"),
        (
            Some("text/plain"),
            "{}",
            415,
            "the request body has a media type that is not accepted; accepted: application/json",
        ),
        (
            Some("application/json;charset=utf-16"),
            "{}",
            415,
            "the request body has a media type",
        ),
        (
            Some("nonsense"),
            "{}",
            415,
            "the request body has a media type",
        ),
    ] {
        let mut request = shop
            .request("POST", "/api/items")
            .bearer_auth("good")
            .body(body.to_owned());
        if let Some(content_type) = content_type {
            request = request.header("content-type", content_type);
        }
        let answer = call(request).await;
        assert_eq!(answer.status, status, "{content_type:?} {}", answer.text);
        assert!(answer.detail().starts_with(detail), "{}", answer.detail());
    }
    assert_eq!(shop.violations(), [""; 0]);
}

#[tokio::test]
async fn a_body_without_content_type_is_json() {
    let shop = Running::start().await;
    let request = shop
        .request("POST", "/api/items")
        .bearer_auth("good")
        .body("{\"name\": \"a\"}");
    assert_eq!(call(request).await.status, 201);
}

#[tokio::test]
async fn a_body_with_a_content_coding_is_unsupported() {
    let shop = Running::start().await;
    for (coding, status) in [("gzip", 415), ("identity, br", 415), ("Identity", 201)] {
        let request = shop
            .request("POST", "/api/items")
            .bearer_auth("good")
            .header("content-encoding", coding)
            .body("{\"name\": \"a\"}");
        assert_eq!(call(request).await.status, status, "{coding}");
    }
    assert_eq!(shop.violations(), [""; 0]);
}

#[tokio::test]
async fn a_large_body_is_refused_with_an_answer_that_arrives() {
    let shop = Running::start().await;
    // A caller that reads nothing before it has sent everything.
    let body = vec![b' '; 20 << 20];
    for (token, length, status) in [
        ("good", "content-length: 20971520", 413),
        ("bad", "content-length: 20971520", 401),
        ("good", "transfer-encoding: chunked", 413),
        ("bad", "transfer-encoding: chunked", 401),
    ] {
        let mut socket = TcpStream::connect(shop.server.local_addr()).await.unwrap();
        let head = format!(
            "POST /api/items HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\n\
             content-type: application/json\r\n{length}\r\n\r\n"
        );
        socket.write_all(head.as_bytes()).await.unwrap();
        if length.contains("chunked") {
            for chunk in body.chunks(1 << 16) {
                socket.write_all(b"10000\r\n").await.unwrap();
                socket.write_all(chunk).await.unwrap();
                socket.write_all(b"\r\n").await.unwrap();
            }
            socket.write_all(b"0\r\n\r\n").await.unwrap();
        } else {
            socket.write_all(&body).await.unwrap();
        }
        let mut answer = [0; 12];
        socket.read_exact(&mut answer).await.unwrap();
        let expected = format!("HTTP/1.1 {status}");
        assert_eq!(
            String::from_utf8_lossy(&answer),
            expected,
            "{token} {length}"
        );
    }
}

#[tokio::test]
async fn a_lenient_body_counts_as_absent_when_it_cannot_be_read() {
    let shop = Running::start().await;
    let long = format!("{{\"a\": \"{}\"}}", "x".repeat(2000));
    for (content_type, body, expected) in [
        (None, "", json!(null)),
        (Some("application/json"), "", json!(null)),
        (Some("application/json"), "{", json!(null)),
        (Some("text/plain"), "hello", json!(null)),
        (Some("application/json"), long.as_str(), json!(null)),
        (None, "{\"a\": 1}", json!({"a": 1})),
    ] {
        let mut request = shop.request("GET", "/api/search").body(body.to_owned());
        if let Some(content_type) = content_type {
            request = request.header("content-type", content_type);
        }
        let answer = call(request).await;
        assert_eq!((answer.status, answer.json()), (200, expected), "{body}");
    }
}

#[tokio::test]
async fn an_optional_body_may_be_absent_and_keeps_its_bytes_when_it_is_there() {
    let shop = Running::start().await;
    let answer = call(shop.request("PUT", "/api/kept")).await;
    assert_eq!(answer.json(), json!({"text": null, "size": null}));
    let text = "{ \"name\":\"a\",  \"size\": 1.0, \"other\": 1e2 }";
    let request = shop
        .request("PUT", "/api/kept")
        .header("content-type", "application/json");
    let answer = call(request.body(text)).await;
    assert_eq!(answer.json(), json!({"text": text, "size": 1}));
    let request = shop
        .request("PUT", "/api/kept")
        .header("content-type", "application/json");
    assert_eq!(call(request.body("{}")).await.status, 400);
    let request = shop
        .request("PUT", "/api/kept")
        .header("content-type", "text/plain");
    assert_eq!(call(request.body("{}")).await.status, 415);
}

#[tokio::test]
async fn forms_become_typed_values() {
    let shop = Running::start().await;
    let form = [
        ("name", "a b"),
        ("count", "3"),
        ("tags", "x"),
        ("tags", "y"),
        ("more", "1"),
    ];
    let answer = call(shop.request("POST", "/api/form").form(&form)).await;
    assert_eq!(
        answer.json(),
        json!({"name": "a b", "count": 3, "tags": ["x", "y"], "file": null, "item": null})
    );
    for (form, detail) in [
        (&[("name", "a"), ("name", "b")][..], "name is repeated"),
        (
            &[("name", "a"), ("count", "x")][..],
            "count must be an integer, and is a string",
        ),
        (&[][..], "name is required"),
    ] {
        let answer = call(shop.request("POST", "/api/form").form(form)).await;
        assert_eq!((answer.status, answer.detail().as_str()), (400, detail));
    }
    let request = shop
        .request("POST", "/api/form")
        .body("{}")
        .header("content-type", "application/json");
    assert_eq!(call(request).await.status, 415);
}

#[tokio::test]
async fn multipart_parts_are_text_json_or_bytes_by_their_schema() {
    let shop = Running::start().await;
    let multipart = |boundary: &str, parts: &[(&str, &str)]| {
        let mut body = String::new();
        for (disposition, content) in parts {
            body += &format!(
                "--{boundary}\r\nContent-Disposition: form-data; {disposition}\r\n\r\n{content}\r\n"
            );
        }
        body + &format!("--{boundary}--\r\n")
    };
    let send = |body: String, content_type: &str| {
        call(
            shop.request("POST", "/api/form")
                .header("content-type", content_type)
                .body(body),
        )
    };
    let parts = [
        ("name=\"name\"", "ä"),
        ("name=\"count\"", "3"),
        ("name=\"tags\"", "x"),
        (
            "name=\"file\"; filename=\"f\"\r\nContent-Type: application/octet-stream",
            "\u{0}12",
        ),
        ("name=\"item\"", "{\"name\": \"i\"}"),
    ];
    let answer = send(
        multipart("b,1", &parts),
        "multipart/form-data; boundary=\"b,1\"",
    )
    .await;
    let expected =
        json!({"name": "ä", "count": 3, "tags": ["x"], "file": "ADEy", "item": {"name": "i"}});
    assert_eq!(answer.json(), expected);
    let parts = [
        ("name=\"name\"", "a"),
        ("name=\"file\"", "123456789"),
        ("name=\"name\"", "b"),
    ];
    let answer = send(multipart("b", &parts), "multipart/form-data; boundary=b").await;
    assert_eq!(
        answer.detail(),
        "name is repeated; file must have at most 8 bytes, and has 9"
    );
    for (body, content_type) in [
        (multipart("b", &parts), "multipart/form-data"),
        (multipart("b", &parts), "multipart/form-data; boundary=c"),
        (
            multipart("b", &[("name=\"item\"", "{")]),
            "multipart/form-data; boundary=b",
        ),
        ("--b\r\n".to_owned(), "multipart/form-data; boundary=b"),
    ] {
        let answer = send(body, content_type).await;
        assert_eq!(answer.status, 400);
        assert!(
            answer
                .detail()
                .starts_with("the request body cannot be read"),
            "{}",
            answer.detail()
        );
    }
}

#[tokio::test]
async fn file_names_and_media_types_of_parts_reach_the_operation() {
    let shop = Running::start().await;
    let body = "--b\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\nheads\r\n\
                --b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.png\"\r\n\
                Content-Type: image/png\r\n\r\n12\r\n--b--\r\n";
    let request = shop
        .request("POST", "/api/form")
        .header("content-type", "multipart/form-data; boundary=b");
    let answer = call(request.body(body)).await;
    let expected = json!({"heads": [["name", null, null], ["file", "a.png", "image/png"]]});
    assert_eq!(answer.json(), expected);
}

#[tokio::test]
async fn the_context_may_set_another_limit_of_a_body() {
    let shop = Running::start().await;
    for (length, status) in [(4096, 200), (4097, 413)] {
        let request = shop
            .request("POST", "/api/upload")
            .header("content-type", "text/plain");
        assert_eq!(call(request.body("x".repeat(length))).await.status, status);
    }
    assert_eq!(shop.violations(), [""; 0]);
}

#[tokio::test]
async fn the_media_type_sent_decides_how_a_body_is_read() {
    let shop = Running::start().await;
    for (content_type, body, expected) in [
        ("text/plain", "ü", "text ü"),
        ("Text/Plain; charset=UTF-8", "", "text "),
        ("application/octet-stream", "ü", "bytes 2"),
    ] {
        let request = shop
            .request("POST", "/api/upload")
            .header("content-type", content_type);
        assert_eq!(
            call(request.body(body)).await.text,
            expected,
            "{content_type}"
        );
    }
    let request = shop
        .request("POST", "/api/upload")
        .header("content-type", "text/plain");
    assert_eq!(call(request.body(&b"\xff"[..])).await.status, 400);
    let request = shop.request("POST", "/api/upload");
    assert_eq!(call(request.body("x")).await.status, 415);
}
