//! Whole requests against the small server.

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::shop::{Luggage, Running, call};

#[tokio::test]
async fn a_good_request_reaches_the_operation_and_its_answer_keeps_the_document() {
    let shop = Running::start().await;
    let request = shop.request("POST", "/api/items").bearer_auth("good");
    let answer = call(request.json(&json!({"name": "lamp", "size": 3.0}))).await;
    assert_eq!(answer.status, 201, "{}", answer.text);
    assert_eq!(answer.json(), json!({"name": "lamp", "size": 3}));
    assert_eq!(answer.headers["location"], "/api/items/lamp");
    assert_eq!(shop.violations(), [""; 0]);
}

#[tokio::test]
async fn credentials_are_judged_before_anything_of_the_request_is_read() {
    let shop = Running::start().await;
    for (token, status, detail) in [
        (None, 401, "credentials are required"),
        (Some("bad"), 401, "not authenticated: the token is unknown"),
        (
            Some("narrow"),
            403,
            "forbidden: scope items.write is missing",
        ),
    ] {
        let mut request = shop.request("POST", "/api/items").body("{broken");
        if let Some(token) = token {
            request = request.bearer_auth(token);
        }
        let answer = call(request).await;
        assert_eq!(answer.status, status);
        assert_eq!(answer.detail(), detail);
    }
    assert_eq!(shop.violations(), [""; 0]);
}

#[tokio::test]
async fn all_violations_of_parameters_and_body_are_told_at_once() {
    let shop = Running::start().await;
    let request = shop.request("POST", "/api/items").bearer_auth("good");
    let body = json!({"size": 10, "parts": [{"name": ""}, 5]});
    let answer = call(request.json(&body)).await;
    assert_eq!(answer.status, 400);
    assert_eq!(
        answer.detail(),
        "name is required; size must be at most 9; parts[0].name must not be empty; \
         parts[1] must be an object, and is a number"
    );
    let answer =
        call(shop.request("GET", "/api/notes/012345678901234567890?limit=1&limit=2")).await;
    assert_eq!(answer.status, 400);
    assert_eq!(
        answer.detail(),
        "path parameter id must have at most 20 characters, and has 21; \
         query parameter limit is repeated"
    );
    assert_eq!(shop.violations(), [""; 0]);
}

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
async fn parameters_arrive_in_their_types() {
    let shop = Running::start().await;
    let request = shop.request(
        "GET",
        "/api//notes/a%2Fb%7C/?fields=x,y%2Cz&limit=2&unknown=1",
    );
    let answer = call(request.header("if-match", "\"7\"")).await;
    assert_eq!(
        answer.json(),
        json!({"id": "a/b|", "limit": 2, "fields": ["x", "y,z"], "If-Match": "\"7\""})
    );
}

#[tokio::test]
async fn the_form_of_the_answer_follows_accept() {
    let shop = Running::start().await;
    for (accept, status, content_type) in [
        ("*/*", 200, "application/json"),
        (
            "application/vnd.shop+json",
            200,
            "application/vnd.shop+json",
        ),
        (
            "application/json;q=0.1, application/vnd.shop+json;q=0.2",
            200,
            "application/vnd.shop+json",
        ),
        ("text/html", 406, "application/problem+json"),
    ] {
        let answer = call(shop.request("GET", "/api/notes/1").header("accept", accept)).await;
        assert_eq!(answer.status, status, "{accept}");
        assert_eq!(answer.headers["content-type"], content_type, "{accept}");
    }
    // The document lists no 406 here, so `Accept` is only a wish.
    let answer = call(
        shop.request("GET", "/api/search")
            .header("accept", "text/html"),
    )
    .await;
    assert_eq!(answer.status, 200);
    assert_eq!(shop.violations(), [""; 0]);
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
async fn a_method_that_is_not_written_answers_501_with_the_operations_name() {
    let shop = Running::start().await;
    let answer = call(shop.request("GET", "/api/misbehave?how=unwritten")).await;
    assert_eq!(answer.status, 501);
    let detail = "the operation misbehave is not implemented yet";
    assert_eq!(answer.detail(), detail);
    assert_eq!(shop.violations().len(), 1, "the document lists no 501");
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

#[tokio::test]
async fn folded_routes_are_told_apart_and_unknown_ones_are_nothing() {
    let shop = Running::start().await;
    for (method, path, status, allow) in [
        ("POST", "/api/notes/archive", 204, None),
        // The path with the literal counts, also for methods that only the other one has.
        ("GET", "/api/notes/archive", 405, Some("POST")),
        ("POST", "/api/notes/other", 405, Some("GET")),
        ("PUT", "/api/notes/archive", 405, Some("POST")),
        ("DELETE", "/api/notes/archive/a%7Cb", 204, None),
        ("DELETE", "/api/notes/archive/other", 404, None),
        ("GET", "/api/notes/archive/other", 404, None),
        ("GET", "/api/notes/archive/a|b", 405, Some("DELETE")),
        ("DELETE", "/api/items", 405, Some("POST")),
        ("OPTIONS", "/api/items", 405, Some("POST")),
    ] {
        let answer = call(shop.request(method, path)).await;
        assert_eq!(answer.status, status, "{method} {path} {}", answer.text);
        let sent = answer
            .headers
            .get("allow")
            .map(|allow| allow.to_str().unwrap());
        assert_eq!(sent, allow, "{method} {path}");
        if status > 299 {
            answer.detail();
            assert!(answer.headers.contains_key("accord-request-id"));
        }
    }
}

#[tokio::test]
async fn head_is_served_as_get_without_its_body() {
    let shop = Running::start().await;
    let get = call(shop.request("GET", "/api/notes/other")).await;
    let head = call(shop.request("HEAD", "/api/notes/other")).await;
    assert_eq!((get.status, head.status), (200, 200));
    assert_eq!(
        head.headers.get("content-type"),
        get.headers.get("content-type")
    );
    assert_eq!(head.text, "");
    for path in ["/api/items", "/api/notes/archive"] {
        assert_eq!(call(shop.request("HEAD", path)).await.status, 405, "{path}");
    }
}

#[tokio::test]
async fn what_a_path_answers_to_other_methods_is_compared_as_well() {
    let shop = Running::start().await;
    assert_eq!(call(shop.request("DELETE", "/api/items")).await.status, 405);
    assert_eq!(shop.violations(), [""; 0]);
    assert_eq!(call(shop.request("DELETE", "/api/kept")).await.status, 405);
    assert_eq!(
        shop.violations(),
        ["keep 405: header x-reason is missing".to_owned()]
    );
}

#[tokio::test]
async fn what_unknown_paths_are_answered_with_stands_at_the_longest_prefix() {
    let shop = Running::start().await;
    for (method, path) in [
        ("GET", "/api"),
        ("GET", "/api/"),
        ("POST", "/api/nowhere"),
        ("PATCH", "/api/nowhere/at/all?x=1"),
        ("GET", "/api//%6Eowhere"),
    ] {
        let answer = call(shop.request(method, path)).await;
        assert_eq!(answer.status, 404, "{method} {path}");
        assert!(answer.headers.contains_key("accord-request-id"), "{path}");
        assert!(!answer.detail().is_empty());
    }
    assert_eq!(shop.violations(), [""; 0]);
    let answer = call(shop.request("GET", "/api/odd/x")).await;
    assert_eq!(answer.status, 404);
    assert_eq!(shop.violations().len(), 1);
    // Outside of the prefixes it is dropshot that answers.
    let answer = call(shop.request("GET", "/apis")).await;
    assert_eq!(answer.status, 404);
    assert_eq!(answer.json()["message"], "Not Found");
}

#[tokio::test]
async fn the_callers_request_id_comes_back_unless_it_is_harmful() {
    let shop = Running::start().await;
    let request = shop
        .request("GET", "/api/search")
        .header("accord-request-id", "abc_1-2");
    assert_eq!(call(request).await.headers["accord-request-id"], "abc_1-2");
    let request = shop
        .request("GET", "/api/search")
        .header("x-request-id", "x");
    assert_eq!(call(request).await.headers["accord-request-id"], "x");
    let request = shop
        .request("GET", "/api/search")
        .header("accord-request-id", "a b");
    let answer = call(request).await;
    // Dropshot sets its own in `x-request-id`, whatever is there.
    assert_eq!(
        answer.headers["accord-request-id"],
        answer.headers["x-request-id"]
    );
    let finished = shop.told.finished.lock().unwrap();
    let ids: Vec<&str> = finished.iter().map(|(_, _, id, _)| id.as_str()).collect();
    assert_eq!(ids[..2], ["abc_1-2", "x"]);
}

#[tokio::test]
async fn what_a_call_is_given_when_it_arrives_is_there_until_it_is_finished() {
    let shop = Running::start().await;
    for (method, path) in [
        ("POST", "/api/notes/archive"),
        ("GET", "/api/events"),
        ("PATCH", "/api/search"),
    ] {
        call(shop.request(method, path).header("x-request-id", "n-1")).await;
    }
    shop.finished(3).await;
    let luggage = shop.told.luggage.lock().unwrap();
    for operation in [Some("archiveNotes"), Some("follow"), None] {
        let expected = Some(Luggage(operation, "n-1".to_owned()));
        assert!(luggage.contains(&expected), "{luggage:?}");
    }
}

#[tokio::test]
async fn the_context_sees_each_decision_about_a_request() {
    let shop = Running::start().await;
    let item = || shop.request("POST", "/api/items").bearer_auth("good");
    call(item().json(&json!({"name": "lamp", "size": 3.0}))).await;
    call(item().json(&json!({"name": 1}))).await;
    call(item()).await;
    call(shop.request("POST", "/api/items").bearer_auth("narrow")).await;
    call(shop.request("GET", "/api/notes/a?limit=0")).await;
    assert_eq!(
        *shop.told.decisions.lock().unwrap(),
        [
            "admitted",
            r#"application/json: {"name":"lamp","size":3}, true"#,
            "admitted",
            r#"application/json: {"name":1}, false"#,
            "rejected: 400 Bad Request",
            "admitted",
            "no body, false",
            "rejected: 400 Bad Request",
            "rejected: 403 Forbidden",
            "admitted",
            r#"id: "a", true"#,
            "limit: 0, false",
            "fields: null, true",
            "If-Match: null, true",
            "rejected: 400 Bad Request",
        ]
    );
}

#[tokio::test]
async fn the_guard_tells_what_an_answer_gets_wrong_and_sends_it_all_the_same() {
    let shop = Running::start().await;
    for (how, status, told) in [
        ("well", 200, None),
        (
            "status",
            204,
            Some("misbehave 204: the status is not listed"),
        ),
        // That is for its path to say, of other methods.
        (
            "method",
            405,
            Some("misbehave 405: the status is not listed"),
        ),
        (
            "body",
            200,
            Some("misbehave 200: name must not be empty (minLength)"),
        ),
        // These become the document's own 500.
        ("panic", 500, None),
        ("header", 500, None),
    ] {
        let answer = call(shop.request("GET", &format!("/api/misbehave?how={how}"))).await;
        assert_eq!(answer.status, status, "{how}");
        assert_eq!(shop.violations(), Vec::from_iter(told), "{how}");
    }
    // The server has survived all of it.
    assert_eq!(call(shop.request("GET", "/api/search")).await.status, 200);
}

#[tokio::test]
async fn a_head_that_expects_100_continue_gets_its_refusal_at_once() {
    let shop = Running::start().await;
    let mut socket = TcpStream::connect(shop.server.local_addr()).await.unwrap();
    let head = "POST /api/items HTTP/1.1\r\nhost: x\r\nauthorization: Bearer good\r\n\
                content-type: application/json\r\ncontent-length: 5000\r\nexpect: 100-continue\r\n\r\n";
    socket.write_all(head.as_bytes()).await.unwrap();
    let mut answer = vec![0; 12];
    socket.read_exact(&mut answer).await.unwrap();
    assert_eq!(answer, b"HTTP/1.1 413");
}
