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
async fn a_method_that_is_not_written_answers_501_with_the_operations_name() {
    let shop = Running::start().await;
    let answer = call(shop.request("GET", "/api/misbehave?how=unwritten")).await;
    assert_eq!(answer.status, 501);
    let detail = "the operation misbehave is not implemented yet";
    assert_eq!(answer.detail(), detail);
    assert_eq!(shop.violations().len(), 1, "the document lists no 501");
}

#[tokio::test]
async fn folded_routes_are_told_apart_and_unknown_ones_are_nothing() {
    let shop = Running::start().await;
    for (method, path, status, allow) in [
        ("POST", "/api/notes/archive", 204, None),
        // The path with the literal counts, also for methods that only the other one has.
        ("GET", "/api/notes/archive", 405, Some("POST")),
        ("POST", "/api/notes/other", 405, Some("GET, HEAD")),
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
