//! Lists, page by page.

use crate::script::{Response, Script, client};
use accord_client::{OperationError, RetryPolicy, accounts::ListOrganizationsHeaders};
use futures::StreamExt;
use std::time::Duration;

/// The pages of organizations: one on each, named after the page.
fn organizations(request: &str) -> (Duration, Response) {
    let (head, id) = match () {
        () if request.contains("page=third") => (
            "200 OK\r\ncontent-type: application/json\r\naccord-request-id: 7",
            3,
        ),
        () if request.contains("page=second") => (
            "200 OK\r\ncontent-type: application/json\r\naccord-request-id: 7\r\naccord-next-page: third",
            2,
        ),
        () => (
            "200 OK\r\ncontent-type: application/json\r\naccord-request-id: 7\r\naccord-next-page: second",
            1,
        ),
    };
    let body = format!(r#"[{{"id":{id},"name":"N","tradingName":"N"}}]"#);
    (Duration::ZERO, (head, body))
}

#[tokio::test]
async fn a_list_is_a_stream_of_its_items() {
    let script = Script::serve(organizations).await;
    let accord = client(&script).access_token("t").build().expect("a client");
    let list = || accord.accounts().list_organizations().limit(1);
    let all = list().items().collect_all().await.expect("a list");
    let ids: Vec<i64> = all.iter().map(|organization| organization.id).collect();
    assert_eq!(ids, [1, 2, 3]);
    // Each request has the other parameters as well.
    assert_eq!(script.count("limit=1"), 3);
    // A page is requested only when it is needed.
    let first = list().items().next().await.expect("one").expect("good");
    assert_eq!(first.id, 1);
    assert_eq!(script.requests().len(), 4);
}

#[tokio::test]
async fn pages_have_their_headers() {
    let script = Script::serve(organizations).await;
    let accord = client(&script).access_token("t").build().expect("a client");
    let mut pages = accord.accounts().list_organizations().pages();
    let mut next = Vec::new();
    while let Some(page) = pages.next_page().await.expect("a page") {
        let headers = ListOrganizationsHeaders::try_from(page.headers()).expect("headers");
        assert_eq!(headers.accord_request_id, "7");
        next.push(headers.accord_next_page);
    }
    assert_eq!(
        next,
        [Some("second".to_owned()), Some("third".to_owned()), None]
    );
}

#[tokio::test]
async fn the_failure_of_a_page_ends_the_list() {
    let script = Script::serve(|request| match request.contains("page=") {
        true => (Duration::ZERO, ("418 I'm a teapot", "no".to_owned())),
        false => organizations(request),
    })
    .await;
    let accord = client(&script)
        .retry(RetryPolicy::never())
        .access_token("t")
        .build()
        .expect("a client");
    let mut items = accord.accounts().list_organizations().items();
    assert!(items.next_item().await.is_ok_and(|item| item.is_some()));
    let error = items.next_item().await.expect_err("the second page fails");
    assert_eq!(error.text().as_deref(), Some("no"));
    assert!(items.next_item().await.is_ok_and(|item| item.is_none()));
}
