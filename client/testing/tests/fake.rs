//! The fake as a consumer's test uses it: through the client of the four areas.

use std::time::Duration;

use accord_client::{
    Accord, OperationError, ReplyEvents, RetryPolicy,
    accounts::{
        CreateUserError,
        types::{CreateUserRequest, HubUserRequest, HubUserRequestRequired},
    },
    explain,
    identity::types::IntrospectionRequest,
    inference::types::{ChatCompletionEvent, ChatCompletionRequest, ChatMessage},
};
use accord_testing::{FakeAccord, ScriptError, json};
use futures::StreamExt;

async fn start() -> (FakeAccord, Accord) {
    let fake = FakeAccord::start().await;
    let accord = fake.client().build().expect("a client");
    (fake, accord)
}

fn user(email: &str) -> CreateUserRequest {
    let user = HubUserRequest::new(HubUserRequestRequired {
        email_address: email.to_owned(),
        first_name: "Mira".to_owned(),
        hub_organization_id: 3104,
        language: "en-GB".to_owned(),
        last_name: "Lund".to_owned(),
        set_password: false,
    });
    CreateUserRequest::new().hub_user(user)
}

fn question() -> ChatCompletionRequest {
    ChatCompletionRequest::new([ChatMessage::new("user").content("Hi")], "accord.echo")
}

/// The number of organizations that the client receives.
async fn organizations(accord: &Accord) -> usize {
    let list = accord.accounts().list_organizations().call().await;
    list.expect("a list").len()
}

#[tokio::test]
async fn each_area_responds_with_the_examples_of_its_document() {
    let (fake, accord) = start().await;
    let created = accord.accounts().create_user();
    let created = created.body(user("mira.lund@north.example")).call().await;
    assert!(!created.expect("a user").hub_user.display_name.is_empty());

    let request = IntrospectionRequest::new("a-token");
    let token = accord.identity().introspect_token().body(request).call();
    assert!(token.await.expect("an introspection").active);

    let models = accord.inference().list_models().call().await;
    assert!(!models.expect("a list").data.is_empty());

    let patterns = accord.patterns().list_patterns();
    let patterns = patterns.project_id("RETAIL").integration_instance("i-1");
    patterns.call().await.expect("a list");

    let operations: Vec<_> = fake.requests().iter().map(|one| one.operation).collect();
    assert_eq!(
        operations,
        [
            Some("createUser"),
            Some("introspectToken"),
            Some("listModels"),
            Some("listPatterns")
        ]
    );
}

#[tokio::test]
async fn requests_are_remembered_as_they_were_sent() {
    let (fake, accord) = start().await;
    let created = accord.accounts().create_user().idempotency_key("k-1");
    let created = created.body(user("mira.lund@north.example")).call().await;
    created.expect("a user");
    let request = IntrospectionRequest::new("a-token");
    let token = accord.identity().introspect_token().body(request).call();
    token.await.expect("an introspection");
    let patterns = accord.patterns().list_patterns().project_id("RETAIL");
    let patterns = patterns.integration_instance("i-1").limit(7).call().await;
    patterns.expect("a list");

    let created = &fake.requests_of("createUser")[0];
    assert_eq!(
        (created.method.as_str(), &*created.path),
        ("POST", "/api/user")
    );
    assert_eq!(created.header("idempotency-key"), Some("k-1"));
    assert_eq!(created.body["hubUser"]["language"], "en-GB");
    assert_eq!(created.status, 200);
    assert!(!format!("{created:?} {:?}", created.headers).contains("fake-access-token"));

    let token = &fake.requests_of("introspectToken")[0];
    assert_eq!(token.body, json!({"token": "a-token"}));

    let listed = &fake.requests_of("listPatterns")[0];
    assert_eq!(
        listed.path,
        "/ic/api/integration/v1/projects/RETAIL/ai/patterns"
    );
    assert_eq!(listed.query_value("limit"), Some("7"));
    assert_eq!(listed.body, json!(null));
}

#[tokio::test]
async fn a_request_that_violates_the_document_gets_its_400() {
    let (fake, accord) = start().await;
    // The fake rejects it before it looks at scripts.
    let script = fake.on("createUser").fails(500).once();
    script.expect("a script");
    let created = accord.accounts().create_user().body(user("no address"));
    match created.call().await {
        Err(CreateUserError::BadRequest(rejected)) => {
            let text = &rejected.error_description;
            assert!(text.contains("hubUser.emailAddress"), "{text}");
            assert_eq!(rejected.error.to_string(), "invalid_request");
        }
        other => panic!("not a 400: {other:?}"),
    }
    let received = &fake.requests_of("createUser")[0];
    assert_eq!(received.status, 400);
    assert_eq!(received.body["hubUser"]["emailAddress"], "no address");
}

#[tokio::test]
async fn a_request_without_credentials_gets_the_401_of_the_document() {
    let fake = FakeAccord::start().await;
    let http = accord_client::reqwest::Client::new();
    let url = format!("{}/api/user/organizations", fake.url());
    let response = http.get(url).send().await.expect("a response");
    assert_eq!(response.status(), 401);
    assert_eq!(
        response.headers()["www-authenticate"],
        "Bearer realm=\"accord\""
    );
    let unknown = format!("{}/api/unknown", fake.url());
    let response = http.get(unknown).send().await.expect("a response");
    assert_eq!(response.status(), 404);
    let statuses: Vec<_> = fake.requests().iter().map(|one| one.status).collect();
    assert_eq!(statuses, [401, 404]);
    assert_eq!(fake.requests()[1].operation, None);
}

#[tokio::test]
async fn the_client_repeats_a_call_after_a_429() {
    let (fake, accord) = start().await;
    let busy = fake.on("createChatCompletion").fails(429);
    busy.header("Retry-After", 1).once().expect("a script");
    let chat = accord.inference().create_chat_completion().body(question());
    let chat = chat.call().await.expect("a completion");
    assert!(!chat.choices.is_empty());
    let statuses: Vec<_> = fake.requests().iter().map(|one| one.status).collect();
    assert_eq!(statuses, [429, 200]);
}

#[tokio::test]
async fn the_examples_of_a_429_and_of_its_header_name_the_same_seconds() {
    let fake = FakeAccord::start().await;
    let accord = fake.client().retry(RetryPolicy::never()).build();
    let accord = accord.expect("a client");
    let busy = fake.on("createChatCompletion").fails(429);
    busy.once().expect("a script");
    let chat = accord.inference().create_chat_completion().body(question());
    let error = chat.call().await.expect_err("a refusal");
    let seconds = error.retry_after().expect("a header").as_secs();
    let text = explain(&error);
    let again = format!("Try again in {seconds} seconds.");
    assert!(text.contains(&again), "{text}");
}

#[tokio::test]
async fn scripted_responses_are_sent_in_turn_and_then_the_default() {
    let (fake, accord) = start().await;
    let default = organizations(&accord).await;
    assert!(default > 0);
    let one = json!([{"id": 1, "name": "North", "tradingName": "North"}]);
    let list = || fake.on("listOrganizations");
    list().returns(200, json!([])).once().expect("a script");
    list().returns(200, one).times(2).expect("a script");
    let mut sizes = Vec::new();
    for _ in 0..4 {
        sizes.push(organizations(&accord).await);
    }
    assert_eq!(sizes, [0, 1, 1, default]);

    list().returns(200, json!([])).always().expect("a script");
    list().fails(400).once().expect("a script");
    let failed = accord.accounts().list_organizations().call().await;
    let status = failed.expect_err("a 400").status();
    assert_eq!(status.map(|status| status.as_u16()), Some(400));
    assert_eq!(organizations(&accord).await, 0);
    assert_eq!(organizations(&accord).await, 0);
}

#[tokio::test]
async fn an_error_has_the_example_that_the_test_names() {
    let (fake, accord) = start().await;
    let failure = fake.on("introspectToken").fails(400);
    let failure = failure.example("unauthorizedClient").once();
    failure.expect("a script");
    let request = IntrospectionRequest::new("a-token");
    let token = accord.identity().introspect_token().body(request).call();
    let text = token.await.expect_err("a 400").text();
    assert!(text.is_some_and(|text| text.contains("unauthorized_client")));
}

/// The texts of a streamed chat.
async fn chat(accord: &Accord) -> Vec<String> {
    let chat = accord.inference().create_chat_completion_stream();
    let events = chat.body(question()).call().await.expect("a stream");
    let events: Vec<_> = events.collect().await;
    let texts = events.into_iter().flat_map(|event| match event {
        Ok(ChatCompletionEvent::ChatCompletionChunk(chunk)) => chunk.choices,
        other => panic!("not a chunk: {other:?}"),
    });
    texts.filter_map(|choice| choice.delta.content).collect()
}

#[tokio::test]
async fn a_stream_has_the_scripted_events_and_otherwise_the_example() {
    let (fake, accord) = start().await;
    let chunk = |text: &str| {
        json!({
            "id": "c-1", "object": "chat.completion.chunk", "created": 1, "model": "m",
            "choices": [{"index": 0, "delta": {"content": text}, "finish_reason": null}],
        })
    };
    let script = fake.on("createChatCompletion");
    let script = script.streams([chunk("Good"), chunk(" day")]).once();
    script.expect("a script");
    assert_eq!(chat(&accord).await, ["Good", " day"]);
    assert_eq!(chat(&accord).await.concat(), "Hello");
    assert_eq!(fake.requests()[0].body["stream"], true);
}

#[tokio::test]
async fn a_stream_is_cut_after_its_last_event() {
    let (fake, accord) = start().await;
    let event = json!({
        "id": "chat-1", "object": "chat.completion.chunk", "created": 1_767_225_600, "model": "accord.echo",
        "choices": [{"index": 0, "delta": {"content": "Good"}, "finish_reason": null}],
    });
    let script = fake.on("createChatCompletion").streams([event]).cut();
    script.once().expect("the document has it");
    let stream = accord.inference().create_chat_completion_stream();
    let events = stream.body(question()).call().await.expect("a stream");
    let error = events.collect_text().await.expect_err("no end");
    assert!(error.is_retryable(), "{error}");
}

#[tokio::test]
async fn a_script_that_violates_the_document_is_refused_with_the_place_and_the_cause() {
    let (fake, accord) = start().await;
    let refused = |outcome: Result<(), ScriptError>| outcome.expect_err("refused").to_string();

    let text = refused(fake.on("createUsr").fails(400).once());
    assert!(
        text.starts_with("no document has the operation \"createUsr\""),
        "{text}"
    );
    assert!(text.contains("createUser"), "{text}");

    let text = refused(fake.on("createUser").returns(201, json!({})).always());
    assert_eq!(
        text,
        "createUser (accounts.yaml#/paths/~1user/post): the status 201 is not listed; \
         use one of 200, 400, 401, 500, 503"
    );

    let one = json!([{"id": "1", "name": "North", "tradingName": "North"}]);
    let text = refused(fake.on("listOrganizations").returns(200, one).once());
    assert!(text.contains("0.id must be an integer"), "{text}");

    let failure = fake.on("createChatCompletion").fails(429);
    let text = refused(failure.header("Retry-After", "soon").once());
    assert!(
        text.contains("header Retry-After must be an integer"),
        "{text}"
    );

    let stream = fake.on("createChatCompletion").streams([json!({"id": 5})]);
    let text = refused(stream.once());
    assert!(text.contains("event 0: "), "{text}");

    let text = refused(fake.on("listModels").fails(500).cut().once());
    assert!(text.contains("only an event stream can be cut"), "{text}");
    let text = refused(fake.on("listModels").streams([json!({})]).once());
    assert!(text.contains("the response has no event stream"), "{text}");

    let text = refused(fake.on("revokeToken").returns(200, json!({})).once());
    assert!(text.contains("the response has no JSON body"), "{text}");

    let text = refused(fake.on("createToken").fails(400).example("slowdown").once());
    assert!(
        text.contains("no example \"slowdown\"; use one of authorizationPending, slowDown"),
        "{text}"
    );

    let text = refused(fake.on("createUser").fails(400).header("a b", "c").once());
    assert!(text.contains("the header \"a b\" cannot be sent"), "{text}");

    // Nothing of it is sent.
    assert!(organizations(&accord).await > 0);
}

#[tokio::test]
async fn two_fakes_know_nothing_of_each_other() {
    let (one, first) = start().await;
    let (other, second) = start().await;
    assert_ne!(one.url(), other.url());
    let script = one.on("listOrganizations").returns(200, json!([]));
    script.always().expect("a script");
    assert_eq!(organizations(&first).await, 0);
    assert!(organizations(&second).await > 0);
    assert_eq!((one.requests().len(), other.requests().len()), (1, 1));
}

#[tokio::test]
async fn a_fake_stops_when_it_is_dropped() {
    let fake = FakeAccord::start().await;
    let address = fake.url().trim_start_matches("http://").to_owned();
    let connect = async || tokio::net::TcpStream::connect(&address).await;
    connect().await.expect("it listens");
    drop(fake);
    // Its threads end soon after.
    for _ in 0..3_000 {
        if connect().await.is_err() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("it still listens at {address}");
}

#[tokio::test]
#[should_panic(expected = "no document has the operation \"listOrganisations\"")]
async fn requests_of_an_unknown_operation_are_not_an_empty_list() {
    FakeAccord::start().await.requests_of("listOrganisations");
}
