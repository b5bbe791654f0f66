//! The client's golden code compiles, and does what its document says against a
//! service that is a script.

use dropforge_client::{OperationError, Session, Transport};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

/// The generated code of `golden/counter.yaml`, compiled.
#[allow(clippy::all, rustdoc::all, unused, missing_docs)]
mod counter {
    include!("../../tests/golden/counter_client.rs");
}

use counter::{ClientInfo, types};

/// A client of a service that takes one request, and what it was asked.
async fn script(answer: &'static str) -> (counter::Client, tokio::task::JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = format!(
        "http://{}{}",
        listener.local_addr().expect("an address"),
        counter::BASE_PATH
    );
    let asked = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.expect("a connection");
        let mut bytes = vec![0; 8192];
        let mut length = 0;
        loop {
            length += stream.read(&mut bytes[length..]).await.expect("a request");
            let text = String::from_utf8_lossy(&bytes[..length]).into_owned();
            let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
            let wanted = head.to_ascii_lowercase();
            let wanted = wanted
                .split("content-length: ")
                .nth(1)
                .and_then(|rest| rest.lines().next()?.parse().ok());
            if text.contains("\r\n\r\n") && body.len() >= wanted.unwrap_or(0) {
                stream.write_all(answer.as_bytes()).await.expect("a reader");
                return text;
            }
        }
    });
    (counter::Client::new(&address, Session::default()), asked)
}

#[tokio::test]
async fn errors_have_their_own_types_and_media_types() {
    let (client, _) =
        script("HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").await;
    let error = client
        .get_counter()
        .name("a")
        .call()
        .await
        .expect_err("404");
    assert!(
        matches!(error, counter::GetCounterError::NotFound(_)),
        "{error}"
    );

    let (client, _) =
        script("HTTP/1.1 409 Conflict\r\nconnection: close\r\n\r\n{\"seconds\":3}").await;
    match client.get_counter().name("a").call().await {
        Err(counter::GetCounterError::Conflict(busy)) => assert_eq!(busy.seconds, 3),
        other => panic!("{other:?}"),
    }

    let (client, _) = script(
        "HTTP/1.1 418 X\r\ncontent-type: application/problem+json\r\nconnection: close\r\n\r\n{\"title\":\"a title of tomorrow\",\"more\":1}",
    )
    .await;
    let error = client
        .get_counter()
        .name("a")
        .call()
        .await
        .expect_err("418");
    assert_eq!(error.status().map(|status| status.as_u16()), Some(418));
    assert!(
        matches!(&error, counter::GetCounterError::Default(problem) if problem.title.starts_with("a title")),
        "{error}"
    );
}

#[tokio::test]
async fn a_request_that_cannot_be_sent_names_its_parameter() {
    let client = counter::Client::new("http://127.0.0.1:9", Session::default());
    let error = client.get_counter().call().await.expect_err("no name");
    assert_eq!(
        error.to_string(),
        "Invalid Request: the value of `name` is missing"
    );
    let request = client.list_counters().offset(u64::MAX);
    let error = request.call().await.expect_err("too large");
    assert_eq!(
        error.to_string(),
        "Invalid Request: the value of `offset` cannot be converted to `i64`: out of range integral type conversion attempted"
    );
}

/// Reads only short bodies.
#[derive(Debug)]
struct Short;

impl Transport for Short {
    fn max_body_bytes(&self) -> usize {
        10
    }
}

#[tokio::test]
async fn the_transport_limits_bodies() {
    let client = async |answer| {
        let (client, _) = script(answer).await;
        counter::Client::new(client.baseurl(), Session::new(Short))
    };
    let large = "the body is larger than 10 bytes";
    // One type for all successes, several types, and an error.
    let body = "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{\"value\":1111111111}";
    let error = client(body).await.get_counter().name("a").call().await;
    let error = error.expect_err("a large body").to_string();
    assert!(error.starts_with("200") && error.contains(large), "{error}");
    let error = client(body).await.set_counter().name("a").call().await;
    let error = error.expect_err("a large body").to_string();
    assert!(error.contains(large), "{error}");
    let body = "HTTP/1.1 409 X\r\nconnection: close\r\n\r\n{\"seconds\":1111111111}";
    let error = client(body).await.get_counter().name("a").call().await;
    let error = error.expect_err("a large body").to_string();
    assert!(error.starts_with("409") && error.contains(large), "{error}");
}

#[test]
fn an_operation_with_an_optional_body_is_listed_once() {
    let named = |id: &str| {
        let all = counter::OPERATIONS.iter();
        let named = all.filter(|operation| operation.id == id);
        named.map(|one| one.streams).collect::<Vec<_>>()
    };
    assert_eq!(named("setCounter"), [false]);
    assert_eq!(named("watch"), [false, true]);
}

#[tokio::test]
async fn parameters_go_where_they_belong() {
    let (client, asked) =
        script("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{\"value\":1,\"mode\":\"sideways\"}")
            .await;
    let vendor = types::GetCounterAccept::ApplicationVndCounterJson;
    let request = client.get_counter().name("a/../b|c").new2(true);
    let answer = request.session("s-1").accept(vendor).call().await;
    let answer = answer.expect("a counter");
    assert_eq!(
        answer.mode,
        Some(types::CounterMode::Unknown("sideways".to_owned()))
    );
    let asked = asked.await.expect("a request");
    assert!(
        asked.starts_with("GET /v1/counters/a%2F..%2Fb%7Cc?new=true HTTP/1.1"),
        "{asked}"
    );
    assert!(asked.contains("cookie: session=s-1\r\n"), "{asked}");
    assert!(
        asked.contains("accept: application/vnd.counter+json\r\n"),
        "{asked}"
    );
}

#[tokio::test]
async fn a_body_may_be_left_out_and_successes_differ() {
    let (client, asked) = script("HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n").await;
    let answer = client
        .set_counter()
        .name("a")
        .call()
        .await
        .expect("a success");
    assert_eq!(*answer, counter::SetCounterSuccess::NoContent);
    let asked = asked.await.expect("a request");
    assert!(!asked.contains("content-type"), "{asked}");

    let (client, asked) = script("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{\"value\":7}").await;
    let body = types::Counter {
        labels: Some(Default::default()),
        mode: None,
        self_: None,
        value: 7,
    };
    let answer = client.set_counter().name("a").body(body).call().await;
    let answer = answer.expect("a success").into_inner();
    assert!(matches!(answer, counter::SetCounterSuccess::Ok(counter) if counter.value == 7));
    // No labels is something else than labels that are left as they are.
    let asked = asked.await.expect("a request");
    assert!(asked.ends_with("{\"labels\":{},\"value\":7}"), "{asked}");
}

#[tokio::test]
async fn forms_of_an_operation_share_the_type_of_its_errors() {
    let answer = "HTTP/1.1 422 X\r\nconnection: close\r\n\r\n{\"why\":{\"text\":\"no\"}}";
    let body = types::Counter {
        labels: None,
        mode: None,
        self_: None,
        value: 7,
    };
    let (client, _) = script(answer).await;
    let without = client.set_counter().name("a").call().await;
    let (client, _) = script(answer).await;
    let with = client.set_counter().name("a").body(body).call().await;
    for error in [without, with].map(|answer| answer.expect_err("422")) {
        let counter::SetCounterError::UnprocessableContent(problem) = error else {
            panic!("{error}")
        };
        let problem: types::SetCounterUnprocessableContent = problem.into_inner();
        let why = problem.why.expect("a reason");
        assert_eq!(why.text.as_deref(), Some("no"));
    }
}

#[tokio::test]
async fn events_are_told_apart_by_their_name() {
    use futures::StreamExt;
    let (client, asked) = script(
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n\
         event: raised\ndata: {\"by\":2}\n\nevent: reset\ndata: {}\n\n\
         event: melted\ndata: {\"x\":1}\n\ndata: [DONE]\n\n",
    )
    .await;
    let events = client.watch_stream().body(types::Watch::new("a"));
    let events = events.call().await.expect("a stream");
    let events: Vec<types::Change> = events
        .map(|event| event.expect("a good event"))
        .collect()
        .await;
    assert!(matches!(&events[0], types::Change::Raised(raised) if raised.by == 2));
    assert!(matches!(&events[1], types::Change::Reset(_)));
    assert!(matches!(&events[2], types::Change::Unknown(value) if value["kind"] == "melted"));
    assert_eq!(events.len(), 3);
    let asked = asked.await.expect("a request");
    assert!(asked.contains("\"stream\":true"), "{asked}");
}

#[test]
fn operations_say_what_they_ask_for() {
    let get = counter::OPERATIONS
        .iter()
        .find(|operation| operation.id == "getCounter")
        .expect("the operation");
    assert!(get.is_public());
    assert_eq!(get.security[0][0].scheme.name, "token");
    assert_eq!(get.security[0][0].scopes, ["read"]);
}

#[tokio::test]
async fn a_list_has_its_items() {
    let (client, asked) = script(
        "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{\"counters\":[{\"value\":1},{\"value\":2}]}",
    )
    .await;
    let list = client.list_counters().page("b");
    let items = list.items().collect_all().await.expect("a list");
    let values: Vec<i64> = items.iter().map(|counter| counter.value).collect();
    assert_eq!(values, [1, 2]);
    let asked = asked.await.expect("a request");
    assert!(asked.starts_with("GET /v1/counters?page=b "), "{asked}");
}

#[test]
fn operations_have_the_idempotency_keys_of_the_document() {
    let keys = |id: &str| {
        let mut operations = counter::OPERATIONS.iter();
        let operation = operations.find(|operation| operation.id == id);
        operation.expect("the operation").idempotency_keys
    };
    assert_eq!(keys("resetCounters"), ["idempotency-key"]);
    assert!(keys("setCounter").is_empty());
}

#[test]
fn a_member_of_a_union_is_chosen_by_its_values() {
    use types::Note;
    let read = |json: serde_json::Value| serde_json::from_value::<Note>(json);
    let note = |json| read(json).expect("a note");
    assert_eq!(note("a".into()), Note::from("a"));
    let pinned = note(serde_json::json!({"kind": "pinned", "text": "a"}));
    assert!(matches!(&pinned, Note::Pinned(one) if one.text.as_deref() == Some("a")));
    let sketch = note(serde_json::json!({"kind": "sketch"}));
    assert!(matches!(&sketch, Note::Draft(one) if one.kind == types::DraftKind::Sketch));
    // No member lists this value, so that the member without a list has it.
    let other = note(serde_json::json!({"kind": "doodle"}));
    assert!(matches!(&other, Note::NoteOfLater(one) if one.kind == "doodle"));
    let many = note(serde_json::json!(["a", {"reply": "b"}]));
    let Note::Many(many) = many else {
        panic!("{many:?}")
    };
    let Note::Object(reply) = &many[1] else {
        panic!("{many:?}")
    };
    assert_eq!(reply.reply, Note::String("b".to_owned()));
    assert!(matches!(note(serde_json::json!([true])), Note::Array(all) if all == [true]));
    for one in [&pinned, &sketch, &many[1]] {
        let json = serde_json::to_value(one).expect("JSON");
        assert_eq!(note(json), *one);
    }
    let error = read(serde_json::json!({"kind": 3})).expect_err("a number");
    assert!(
        error.to_string().starts_with("not a member of Note: "),
        "{error}"
    );
}

#[test]
fn a_single_value_is_open_as_well() {
    let kind = types::PinnedKind::from("later");
    assert_eq!(kind, types::PinnedKind::Unknown("later".to_owned()));
    assert_eq!(types::PinnedKind::VALUES, ["pinned"]);
}
