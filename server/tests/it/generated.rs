//! Clients that foreign generators make of the documents that the service publishes. Each signs
//! in by the device flow and calls all four areas, given nothing but its token: what it does with
//! that follows from the document. It answers the tool call of a model by its generated types, and
//! accepts a response with a value that its document does not know.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use serde_json::json;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Command;

use crate::harness::{Server, built, run_with, tools};
use crate::identity::browser::Browser;
use crate::identity::client::{ANA, PASSWORD};
use crate::inference::client::Manager;
use crate::inference::fake::{Exchange, Fake};

/// To generate, compile and run the clients takes less than this on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(900);

/// A value of `lifecycleState` that no document knows.
const UNKNOWN_STATE: &str = "HIBERNATING";

#[test]
fn clients_of_openapi_generator_for_python_call_all_areas() {
    called(async |setting| python(setting, "openapi_generator.py", &[]).await);
}

#[test]
fn clients_of_openapi_python_client_call_all_areas() {
    called(async |setting| python(setting, "openapi_python_client.py", &[]).await);
}

#[test]
fn clients_of_openapi_generator_for_typescript_call_all_areas() {
    called(async |setting| typescript(setting, "openapi_generator").await);
}

#[test]
fn clients_of_hey_api_call_all_areas() {
    called(async |setting| typescript(setting, "hey_api").await);
}

#[test]
fn clients_of_openapi_generator_for_go_call_all_areas() {
    called(async |setting| python(setting, "go_program.py", &[]).await);
}

/// It is made of the released documents, when it is compiled.
#[test]
fn clients_of_progenitor_call_all_areas() {
    called(async |setting| {
        let mut program = Command::new(built::program("accord-stock").await);
        program.arg(setting.server.url("")).arg(&setting.stand_in);
        drive(&setting.server, program).await;
    });
}

/// What a program calls.
struct Setting {
    /// A service with the model `acme.chat`, which calls the tool that it is offered.
    server: Server,
    /// The address of a later service: its API key has a state that no document knows.
    stand_in: String,
}

fn called(program: impl AsyncFnOnce(&Setting)) {
    run_with(async || {
        let model = Fake::start(call_a_tool).await;
        let server = model.behind().await;
        let manager = Manager::of(&server).await;
        let id = manager.new_key().await.id;
        let mut key = manager.get(&format!("/{id}")).await.ok();
        key["lifecycleState"] = UNKNOWN_STATE.into();
        let key = key.to_string();
        let later = Fake::start(move |mut exchange| {
            let key = key.clone();
            async move {
                let headers = "accord-request-id: 1\r\netag: \"1\"\r\n";
                exchange
                    .answer("200 OK", "application/json", headers, &key)
                    .await;
            }
        })
        .await;
        let setting = Setting {
            server,
            stand_in: format!("http://{}", later.address),
        };
        program(&setting).await;
        setting.server
    });
}

/// A model that asks `get_weather` about Lyon, and repeats the result.
async fn call_a_tool(mut exchange: Exchange) {
    let request = exchange.json();
    let last = request["messages"].as_array().unwrap().last().unwrap();
    let (message, reason) = match last["role"].as_str() {
        Some("tool") => (
            json!({"role": "assistant", "content": last["content"], "refusal": null}),
            "stop",
        ),
        _ => {
            let function = json!({"name": "get_weather", "arguments": "{\"city\":\"Lyon\"}"});
            let call = json!({"id": "call_1", "type": "function", "function": function});
            (
                json!({"role": "assistant", "content": null, "refusal": null, "tool_calls": [call]}),
                "tool_calls",
            )
        }
    };
    let response = json!({
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_770_000_000,
        "model": "acme.chat",
        "choices": [{"index": 0, "message": message, "finish_reason": reason, "logprobs": null}],
        "usage": {"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7},
    });
    exchange
        .answer("200 OK", "application/json", "", &response.to_string())
        .await;
}

async fn typescript(setting: &Setting, program: &str) {
    let modules = tools::folder("generators-node").join("node_modules");
    assert!(
        modules.is_dir(),
        "the generators for Node are not installed: cargo xtask test --only tools"
    );
    let modules = modules.canonicalize().unwrap();
    python(
        setting,
        "typescript.py",
        &[program, modules.to_str().unwrap()],
    )
    .await;
}

/// Runs `server/tests/generators/{script}` with the service's address, an empty folder, the address of the stand-in and
/// these arguments.
async fn python(setting: &Setting, script: &str, arguments: &[&str]) {
    let interpreter: PathBuf = tools::folder("generators-python").join("bin/python");
    assert!(
        interpreter.exists(),
        "the generators for Python are not installed: cargo xtask test --only tools"
    );
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/generators");
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(interpreter);
    command
        .arg(scripts.join(script))
        .arg(setting.server.url(""))
        .arg(folder.path())
        .arg(&setting.stand_in)
        .args(arguments)
        .env("PYTHONDONTWRITEBYTECODE", "1");
    drive(&setting.server, command).await;
}

/// Runs a program, approves the device that it asks for, and waits for `success`.
async fn drive(server: &Server, mut command: Command) {
    let mut program = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let mut lines = BufReader::new(program.stdout.take().unwrap()).lines();
    let ended = async {
        let mut last = String::new();
        while let Some(line) = lines.next_line().await.unwrap() {
            if let Some(user_code) = line.strip_prefix("approve ") {
                let mut browser = Browser::signed_in(server, ANA, PASSWORD).await;
                browser.decide(user_code, "approve").await;
            }
            last = line;
        }
        (last, program.wait_with_output().await.unwrap())
    };
    let (last, output) = tokio::time::timeout(TIMEOUT, ended)
        .await
        .unwrap_or_else(|_| panic!("{command:?} does not end"));
    let problem = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{last}\n{problem}");
    assert_eq!(last, "success", "{problem}");
}
