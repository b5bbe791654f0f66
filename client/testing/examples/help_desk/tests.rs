// The help desk answers with the fake in place of Accord.
use crate::service::serve;
use accord_testing::{FakeAccord, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// The answer of a help desk that calls the fake.
async fn ask(fake: &FakeAccord, lines: &str) -> String {
    let accord = fake.client().client_credentials("help-desk", "secret");
    let port = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = port.local_addr().expect("an address");
    tokio::spawn(serve(accord.build().expect("a client"), port));
    let (mut desk, mut answer) = (
        TcpStream::connect(address).await.expect("a desk"),
        String::new(),
    );
    desk.write_all(lines.as_bytes()).await.expect("it listens");
    desk.read_to_string(&mut answer).await.expect("an answer");
    answer
}

#[tokio::test]
async fn a_caller_with_a_valid_token_gets_an_answer() {
    let fake = FakeAccord::start().await;
    fake.on("createChatCompletion")
        .fails(429)
        .header("Retry-After", 1)
        .once()
        .expect("429");

    let answer = ask(&fake, "a-token\nWho are we?\n").await;

    assert_eq!(answer, "Hello");
    assert_eq!(
        fake.requests_of("introspectToken")[0].body["token"],
        json!("a-token")
    );
    let chats = fake.requests_of("createChatCompletion");
    assert_eq!(chats.len(), 2, "the client repeats a rejected chat");
    assert_eq!(
        chats[1].body["messages"][1]["content"],
        json!("Who are we?")
    );
}

#[tokio::test]
async fn a_caller_with_an_expired_token_is_asked_to_log_in() {
    let fake = FakeAccord::start().await;
    let inactive = fake
        .on("introspectToken")
        .returns(200, json!({"active": false}));
    inactive.always().expect("the document has it");

    assert_eq!(ask(&fake, "old\nWho are we?\n").await, "log in first");
    assert!(fake.requests_of("createChatCompletion").is_empty());
}
