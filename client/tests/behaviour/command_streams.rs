//! Streams of the command: text for people, a line of JSON for each event for programs.

use crate::command::{accord, command, stderr, stdout};
use crate::script::{JSON, Script, read_request};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::TcpListener,
    sync::oneshot,
    time::timeout,
};

const STREAM: &str =
    "200 OK\r\ncontent-type: text/event-stream\r\naccord-request-id: 7c9e6679-7425-40de-944b";

fn chunk(text: &str) -> Value {
    json!({"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m",
           "choices": [{"index": 0, "delta": {"content": text}}]})
}

fn delta(text: &str) -> Value {
    json!({"type": "response.output_text.delta", "sequence_number": 1, "item_id": "i",
           "output_index": 0, "content_index": 0, "delta": text})
}

#[tokio::test]
async fn each_event_is_a_line_of_json_as_soon_as_it_arrives() {
    for (name, event, end) in [
        ("chat", chunk as fn(&str) -> Value, "data: [DONE]\n\n"),
        ("responses", delta as fn(&str) -> Value, ""),
    ] {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let (seen, first_seen) = oneshot::channel();
        let service = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.expect("a connection");
            read_request(&mut stream).await;
            let head = format!("HTTP/1.1 {STREAM}\r\nconnection: close\r\n\r\n");
            let first = format!("{head}data: {}\n\n", event("a"));
            stream.write_all(first.as_bytes()).await.expect("written");
            // The second event waits until the first one is printed.
            first_seen.await.expect("the first event is printed");
            let rest = format!("data: {}\n\n{end}", event("b"));
            stream.write_all(rest.as_bytes()).await.expect("written");
        });
        let mut command = command(&address);
        command.args(["--api-key", "sk", "--json", name, "-m", "m", "Hi"]);
        let mut running = command.spawn().expect("it runs");
        let mut lines = BufReader::new(running.stdout.take().expect("a pipe"));
        let mut line = String::new();
        let read = timeout(Duration::from_secs(60), lines.read_line(&mut line));
        read.await.expect("the first event").expect("a line");
        seen.send(()).expect("the service waits");
        let mut rest = String::new();
        lines.read_to_string(&mut rest).await.expect("the rest");
        let output = running.wait_with_output().await.expect("it runs");
        assert!(output.status.success(), "{name}: {}", stderr(&output));
        service.await.expect("no panic");
        let first: Value = serde_json::from_str(&line).expect("an object in a line");
        assert_eq!(first, event("a"));
        assert_eq!(rest.lines().count(), 1, "{name}: {rest}");
        let second: Value = serde_json::from_str(&rest).expect("an object in a line");
        assert_eq!(second, event("b"));
    }
}

#[tokio::test]
async fn a_whole_response_is_one_object_or_its_text() {
    let chat = json!({"id": "c", "object": "chat.completion", "created": 1, "model": "m",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": "a b", "refusal": null},
                     "finish_reason": "stop", "logprobs": null}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}});
    let part = json!({"type": "output_text", "text": "a b", "annotations": []});
    let response = json!({"id": "r", "object": "response", "created_at": 1, "model": "m",
        "status": "completed", "parallel_tool_calls": true, "tools": [], "tool_choice": "auto",
        "output": [{"type": "message", "id": "i", "role": "assistant", "status": "completed",
                    "content": [part]}]});
    let script = Script::serve(move |request| {
        let body = match request.contains("/chat/completions") {
            true => &chat,
            false => &response,
        };
        (Duration::ZERO, (JSON, body.to_string()))
    })
    .await;
    for name in ["chat", "responses"] {
        let ask = ["--api-key", "sk", name, "-m", "m", "--no-stream", "Hi"];
        let output = accord(&script, &ask).await;
        assert_eq!(stdout(&output), "a b\n", "{name}: {}", stderr(&output));
        let output = accord(&script, &[&ask[..], &["--json"]].concat()).await;
        let object: Value = serde_json::from_slice(&output.stdout).expect("an object");
        assert!(object["id"].is_string(), "{object}");
    }
    // No request asks for a stream.
    assert_eq!(script.count(r#""stream":true"#), 0);
}

#[tokio::test]
async fn an_error_in_a_stream_is_an_event_and_an_error_with_its_code_and_request() {
    let broken = json!({"error": {"message": "no GPU", "type": "server_error", "code": "server_error", "param": null}});
    let of_response = json!({"type": "error", "sequence_number": 2, "code": "server_error",
                             "message": "no GPU", "param": null});
    for (name, event, error) in [
        ("chat", chunk("a"), broken),
        ("responses", delta("a"), of_response),
    ] {
        let body = format!("data: {event}\n\ndata: {error}\n\n");
        let script = Script::start(vec![(STREAM, body.clone()), (STREAM, body)]).await;
        let ask = ["--api-key", "sk", name, "-m", "m", "Hi"];
        let said = stderr(&accord(&script, &ask).await);
        let expected = "error: the response was interrupted: no GPU (server_error)\n";
        assert!(said.starts_with(expected), "{name}: {said}");
        let ask = ["--api-key", "sk", "--json", name, "-m", "m", "Hi"];
        let output = accord(&script, &ask).await;
        let status = output.status.code();
        assert_eq!(status, Some(6), "{name}: {}", stderr(&output));
        let printed = stdout(&output);
        let last = printed.lines().last().expect("an event");
        assert!(last.contains("no GPU"), "{name}: {printed}");
        let reported: Value = serde_json::from_slice(&output.stderr).expect("JSON");
        let reported = &reported["error"];
        assert_eq!(reported["code"], "server_error", "{reported}");
        assert_eq!(reported["requestId"], "7c9e6679-7425-40de-944b");
        let message = "the response was interrupted: no GPU";
        assert_eq!(reported["message"], message);
    }
    let body = format!("data: {}\n\n", chunk("a"));
    let script = Script::start(vec![(STREAM, body)]).await;
    let ask = ["--api-key", "sk", "--json", "chat", "-m", "m", "Hi"];
    let output = accord(&script, &ask).await;
    let reported: Value = serde_json::from_slice(&output.stderr).expect("JSON");
    assert_eq!(reported["error"]["code"], "interrupted", "{reported}");
}
