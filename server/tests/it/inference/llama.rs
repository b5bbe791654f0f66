//! A model server of others behind the gateway: llama.cpp, with a model of noise.

use std::time::Duration;

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::calls::events;
use super::client::{Manager, Reply, call};
use super::fake::{model, models_check, serving};
use crate::harness::tools::Beside;
use crate::harness::{Server, http};

/// The model server, while it runs, and where it listens.
async fn program() -> ((Beside, TempDir), String) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().display().to_string();
    let mut program = Beside::start("llama_server.py", &[&path]);
    let url = format!("http://127.0.0.1:{}/v1", program.line().await);
    let (http, models) = (http().build().unwrap(), format!("{url}/models"));
    while http.get(&models).send().await.is_err() {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    ((program, directory), url)
}

/// The model server, and a service in front of it.
struct Llama {
    url: String,
    server: Server,
    secret: String,
    http: reqwest::Client,
    _program: (Beside, TempDir),
}

impl Llama {
    async fn start() -> Llama {
        let (program, url) = program().await;
        let upstream = json!({"url": url, "api": "chat"});
        let config = json!({"name": "noise", "family": "acme", "upstreams": [upstream]});
        let server = serving(vec![model(config)]).await;
        let secret = Manager::of(&server).await.new_key().await.one;
        Llama {
            url,
            server,
            secret,
            http: http().build().unwrap(),
            _program: program,
        }
    }

    /// The same request to the model server itself, and through the service.
    fn both(&self, body: &Value) -> [RequestBuilder; 2] {
        let path = "/chat/completions";
        let direct = self.http.post(format!("{}{path}", self.url));
        [direct, self.post(path)].map(|request| request.json(body))
    }

    fn post(&self, path: &str) -> RequestBuilder {
        call(&self.server, &self.secret, Method::POST, path)
    }
}

/// A question whose answer is always the same.
fn question(text: &str) -> Value {
    let messages = json!([{"role": "user", "content": text}]);
    json!({"model": "noise", "messages": messages, "max_tokens": 24, "temperature": 0})
}

/// Without what no two answers have in common.
fn timeless(mut answer: Value) -> Value {
    assert!(answer["created"].is_u64(), "{answer}");
    for name in ["id", "created"] {
        answer[name] = Value::Null;
    }
    answer
}

async fn chunks(request: RequestBuilder) -> Vec<Value> {
    let text = request.send().await.unwrap().text().await.unwrap();
    let mut events = events(&text);
    assert_eq!(events.pop().unwrap().1, "[DONE]");
    let parse = |(_, data): (_, String)| timeless(serde_json::from_str(&data).unwrap());
    events.into_iter().map(parse).collect()
}

fn said(chunks: &[Value]) -> String {
    let pieces = chunks.iter();
    pieces
        .filter_map(|chunk| chunk["choices"][0]["delta"]["content"].as_str())
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_llama_cpp_says_arrives_as_it_says_it() {
    let llama = Llama::start().await;
    let mut body = question("Hello");
    let [direct, through] = llama.both(&body);
    let direct = timeless(Reply::of(direct).await.ok());
    let through = Reply::of(through).await;
    assert_eq!(timeless(through.clone().ok()), direct);
    assert_eq!(direct["usage"]["completion_tokens"], 24);
    let text = direct["choices"][0]["message"]["content"].as_str().unwrap();

    body["stream"] = true.into();
    let [direct, through] = llama.both(&body);
    let direct = chunks(direct).await;
    assert!(direct.len() > 20, "{direct:?}");
    assert_eq!(chunks(through).await, direct);
    // A character whose last bytes do not come any more is only in the whole answer.
    let streamed_text = said(&direct);
    assert!(text.starts_with(&streamed_text), "{text}");

    // It has no responses: they are made of its chats.
    let mut body = json!({"model": "noise", "input": "Hello", "max_output_tokens": 24,
        "temperature": 0});
    let answer = Reply::of(llama.post("/responses").json(&body)).await.ok();
    assert_eq!(answer["output"][0]["content"][0]["text"], text);
    assert_eq!(answer["usage"]["output_tokens"], 24);
    assert_eq!(answer["status"], "incomplete");
    body["stream"] = true.into();
    let streamed = llama.post("/responses").json(&body).send().await.unwrap();
    let events = events(&streamed.text().await.unwrap());
    let (name, data) = events.last().unwrap();
    assert_eq!(name.as_deref(), Some("response.incomplete"));
    let last: Value = serde_json::from_str(data).unwrap();
    let output = &last["response"]["output"];
    assert_eq!(output[0]["content"][0]["text"], streamed_text);
    assert_eq!(llama.server.stop().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_llama_cpp_refuses_is_refused_in_its_words() {
    let llama = Llama::start().await;
    // This release does not answer any more after it has refused, so it is asked once.
    let [_, through] = llama.both(&question(&"too long ".repeat(200)));
    let refused = Reply::of(through).await;
    refused.is_inference(400, "invalid_request_error", "context_length_exceeded");
    let message = refused.body["error"]["message"].as_str().unwrap();
    assert!(
        message.contains("maximum context length is 512 tokens"),
        "{message}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn models_check_finds_llama_cpp() {
    let (_program, url) = program().await;
    let (success, found, complaint) = models_check(&[url]).await;
    assert!(success, "{complaint}");
    // It answers by the name that it is asked for.
    assert_eq!(found[0]["found"], "m0", "{found}");
}
