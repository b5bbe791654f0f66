//! Requests and their retries.

use crate::script::{Script, client, list, organizations};
use accord_client::{Accord, RetryPolicy, accounts, explain};

fn user() -> accounts::types::CreateUserRequest {
    accounts::types::CreateUserRequest::new()
}

#[tokio::test]
async fn the_request_for_a_list_has_the_token_and_nothing_else() {
    let script = Script::start(vec![organizations()]).await;
    let accord = client(&script)
        .access_token("token-1")
        .build()
        .expect("a client");
    let all = accord
        .accounts()
        .list_organizations()
        .call()
        .await
        .expect("a list");
    assert_eq!(all[0].trading_name, "North Works");
    let request = &script.requests()[0];
    assert!(
        request.starts_with("get /api/user/organizations http/1.1"),
        "{request}"
    );
    assert!(
        request.contains("authorization: bearer token-1"),
        "{request}"
    );
    for absent in ["api-version", "content-type", "content-length"] {
        assert!(!request.contains(absent), "{absent} in {request}");
    }
}

#[tokio::test]
async fn an_optional_body_is_sent_when_it_is_given() {
    let script = Script::start(vec![organizations()]).await;
    let accord = client(&script).access_token("t").build().expect("a client");
    let body: serde_json::Map<_, _> = [("reason".to_owned(), "audit".into())]
        .into_iter()
        .collect();
    accord
        .accounts()
        .list_organizations()
        .body(body)
        .call()
        .await
        .expect("a list");
    let request = &script.requests()[0];
    assert!(
        request.contains("content-type: application/json"),
        "{request}"
    );
    assert!(request.ends_with(r#"{"reason":"audit"}"#), "{request}");
}

#[tokio::test]
async fn without_credentials_nothing_is_sent() {
    let script = Script::start(vec![organizations()]).await;
    let accord = client(&script).build().expect("a client");
    let error = list(&accord).await.expect_err("nobody is logged in");
    assert!(
        explain(&error).contains("nobody is logged in"),
        "{}",
        explain(&error)
    );
    let error = accord
        .inference()
        .list_models()
        .call()
        .await
        .expect_err("no key");
    assert!(
        explain(&error).contains("secret of an API key"),
        "{}",
        explain(&error)
    );
    assert!(script.requests().is_empty());
}

#[tokio::test]
async fn a_transient_failure_is_retried() {
    let busy = ("503 Service Unavailable\r\nretry-after: 0", String::new());
    let script = Script::start(vec![busy.clone(), busy, organizations()]).await;
    let accord = client(&script).access_token("t").build().expect("a client");
    list(&accord).await.expect("the third attempt succeeds");
    assert_eq!(script.requests().len(), 3);
}

#[tokio::test]
async fn a_retry_token_makes_a_post_repeatable() {
    let done = ("204 No Content", String::new());
    let script = Script::start(vec![("502 Bad Gateway", String::new()), done]).await;
    let accord = client(&script).access_token("t").build().expect("a client");
    let request = accord
        .inference()
        .change_api_key_compartment()
        .api_key_id("apikey.x.1")
        .accord_retry_token("r-1");
    let body = accord_client::inference::types::ChangeApiKeyCompartmentDetails::new("c");
    request
        .body(body)
        .call()
        .await
        .expect("the second attempt succeeds");
    let requests = script.requests();
    assert_eq!(requests.len(), 2);
    assert!(
        requests
            .iter()
            .all(|request| request.contains("accord-retry-token: r-1")),
        "{requests:?}"
    );
}

#[tokio::test]
async fn errors_have_the_type_of_their_status() {
    let refused = r#"{"error":"invalid_request","error_description":"no name"}"#.to_owned();
    let script = Script::start(vec![(
        "400 Bad Request\r\ncontent-type: application/json",
        refused,
    )])
    .await;
    let accord = client(&script).access_token("t").build().expect("a client");
    let error = accord
        .accounts()
        .create_user()
        .body(user())
        .call()
        .await
        .expect_err("it is refused");
    let expected = "no name (400 Bad Request, invalid_request)";
    assert_eq!(explain(&error), expected);
    let accounts::CreateUserError::BadRequest(body) = error else {
        panic!("{error}")
    };
    assert_eq!(body.error_description, "no name");
}

#[tokio::test]
async fn a_caller_chooses_the_media_type() {
    let missing = ("500 Internal Server Error", String::new());
    let script = Script::start(vec![missing.clone(), missing]).await;
    let accord = client(&script)
        .retry(RetryPolicy::never())
        .access_token("t")
        .build()
        .expect("a client");
    let request = || {
        accord
            .patterns()
            .get_pattern()
            .project_id("P")
            .id("A|1")
            .integration_instance("i")
    };
    let vendor =
        accord_client::patterns::types::GetPatternAccept::ApplicationVndAccordModelJsonTypeSingular;
    request().call().await.expect_err("500");
    request().accept(vendor).call().await.expect_err("500");
    let requests = script.requests();
    assert!(
        requests[0].contains("accept: application/json\n")
            || requests[0].contains("accept: application/json\r")
    );
    assert!(
        requests[1].contains("accept: application/vnd.accord.model+json;type=singular"),
        "{}",
        requests[1]
    );
    assert!(
        requests[0].starts_with(
            "get /ic/api/integration/v1/projects/p/ai/patterns/a%7c1?integrationinstance=i "
        ),
        "{}",
        requests[0]
    );
}

#[tokio::test]
async fn the_request_accepts_events_and_they_arrive_typed() {
    use accord_client::inference::types::{
        ChatCompletionEvent, ChatCompletionRequest, ChatMessage,
    };
    use futures::StreamExt;
    let chunk = |text: &str| {
        format!(
            r#"data: {{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{{"index":0,"delta":{{"content":"{text}"}},"finish_reason":null}}]}}"#
        )
    };
    let body = format!("{}\n\n{}\n\ndata: [DONE]\n\n", chunk("Hel"), chunk("lo"));
    let script = Script::start(vec![("200 OK\r\ncontent-type: text/event-stream", body)]).await;
    let accord = client(&script).api_key("sk-1").build().expect("a client");
    let message = ChatMessage::new("user").content("Hi");
    let request = ChatCompletionRequest::new([message], "m");
    let events = accord
        .inference()
        .create_chat_completion_stream()
        .body(request)
        .call()
        .await
        .expect("a stream");
    let texts: Vec<String> = events
        .map(|event| match event.expect("a good event") {
            ChatCompletionEvent::ChatCompletionChunk(chunk) => {
                chunk.choices[0].delta.content.clone().unwrap_or_default()
            }
            other => panic!("{other:?}"),
        })
        .collect()
        .await;
    assert_eq!(texts, ["Hel", "lo"]);
    let request = &script.requests()[0];
    assert!(request.contains("accept: text/event-stream"), "{request}");
    assert!(request.contains(r#""stream":true"#), "{request}");
    assert!(request.contains("authorization: bearer sk-1"), "{request}");
}

#[tokio::test]
async fn the_error_for_an_unreachable_service_says_what_to_check() {
    // No service listens at the discard port.
    let accord = Accord::builder()
        .base_url("http://127.0.0.1:9")
        .retry(RetryPolicy::never())
        .access_token("t")
        .build();
    let error = accord
        .expect("a client")
        .accounts()
        .list_organizations()
        .call()
        .await
        .expect_err("nobody is there");
    assert!(
        explain(&error).contains("cannot be reached; is the service running"),
        "{}",
        explain(&error)
    );
}
