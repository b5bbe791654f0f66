//! Errors keep the responses that the document does not describe.

use crate::script::{Script, client, organizations};
use accord_client::{
    Failure, HeaderMap, OperationError, ResponseValue, RetryPolicy, StatusCode,
    accounts::ListOrganizationsError, explain, inference::ListModelsErrorHeaders,
};

#[tokio::test]
async fn an_unlisted_status_keeps_its_body() {
    let head = "418 I'm a teapot\r\ncontent-type: text/plain\r\nx-request-id: r-7";
    let script = Script::start(vec![(head, "short and stout".to_owned())]).await;
    let accord = client(&script).access_token("t").build().expect("a client");
    let error = accord.accounts().list_organizations().call().await;
    let error = error.expect_err("a teapot");
    assert_eq!(error.status().map(|status| status.as_u16()), Some(418));
    assert_eq!(error.text().as_deref(), Some("short and stout"));
    assert_eq!(error.request_id(), Some("r-7"));
    assert!(!error.is_retryable());
    for said in [error.to_string(), explain(&error)] {
        assert!(
            said.contains("418") && said.contains("short and stout"),
            "{said}"
        );
    }
    let ListOrganizationsError::Other(Failure::Unlisted(response)) = error else {
        panic!("{error}")
    };
    assert_eq!(response.status.as_u16(), 418);
    assert_eq!(response.headers["content-type"], "text/plain");
    assert_eq!(response.body, "short and stout");
}

#[tokio::test]
async fn a_page_of_a_gateway_keeps_its_status() {
    let head = "500 Internal Server Error\r\ncontent-type: text/html\r\nretry-after: 3";
    let page = format!("<html>{}</html>", "busy ".repeat(1000));
    let script = Script::start(vec![(head, page)]).await;
    let accord = client(&script)
        .retry(RetryPolicy::never())
        .access_token("t")
        .build()
        .expect("a client");
    let error = accord.accounts().list_organizations().call().await;
    let error = error.expect_err("it is busy");
    assert_eq!(error.status().map(|status| status.as_u16()), Some(500));
    assert!(error.is_retryable());
    assert_eq!(error.retry_after().map(|wait| wait.as_secs()), Some(3));
    assert!(error.text().is_some_and(|text| text.ends_with("</html>")));
    let said = explain(&error);
    assert!(
        said.contains("<html>busy busy") && said.len() < 400,
        "{said}"
    );
}

#[tokio::test]
async fn the_headers_of_an_error_have_types() {
    let head = "429 Too Many Requests\r\ncontent-type: application/json\r\nretry-after: 7\r\nx-ratelimit-remaining-requests: 0";
    let body = r#"{"error":{"message":"Wait.","type":"rate_limit_error","param":null,"code":"rate_limit_exceeded"}}"#;
    let script = Script::start(vec![(head, body.to_owned())]).await;
    let accord = client(&script)
        .retry(RetryPolicy::never())
        .api_key("sk-1")
        .build()
        .expect("a client");
    let error = accord.inference().list_models().call().await;
    let error = error.expect_err("the limit is reached");
    let headers = error.headers().expect("a response");
    let headers = ListModelsErrorHeaders::try_from(headers).expect("headers");
    assert_eq!(headers.retry_after, Some(7));
    assert_eq!(headers.x_ratelimit_remaining_requests, Some(0));
    assert_eq!(headers.www_authenticate, None);
}

/// A function of a program, whose signature needs only the names of this crate.
fn taken_apart<T>(response: ResponseValue<Vec<T>>) -> (StatusCode, HeaderMap, usize) {
    let (status, headers) = (response.status(), response.headers().clone());
    (status, headers, response.into_inner().len())
}

#[tokio::test]
async fn a_program_can_name_the_parts_of_a_response() {
    let script = Script::start(vec![organizations()]).await;
    let accord = client(&script).access_token("t").build().expect("a client");
    let listed = accord.accounts().list_organizations().call().await;
    let (status, headers, number) = taken_apart(listed.expect("a list"));
    assert_eq!((status, number), (StatusCode::OK, 1));
    assert_eq!(headers["content-type"], "application/json");
}
