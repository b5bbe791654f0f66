//! The first minutes of someone who has only the README: `cargo run`, an API key and an answer in the browser, and the
//! same call from the OpenAI SDKs. Everything after the first command uses what the service has printed.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;

use crate::harness::tools;
use crate::inference::readme;
use crate::serving::{free_address, program};

/// A service as `cargo run` starts it. Only the port differs.
struct Started {
    child: std::process::Child,
    address: SocketAddr,
    console: String,
    username: String,
    password: String,
}

impl Started {
    fn new(directory: &std::path::Path) -> Started {
        let address = free_address();
        let mut child = program(directory)
            .env("ACCORD_LISTEN", address.to_string())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let (mut console, mut sign_in) = (None, None);
        for line in lines.map_while(Result::ok) {
            console = console.or(line
                .trim()
                .strip_prefix("console")
                .map(|url| url.trim().to_owned()));
            let words = line
                .strip_prefix("Try it, as ")
                .and_then(|line| line.strip_suffix(':'));
            if let Some((username, password)) =
                words.and_then(|it| it.split_once(" with the password "))
            {
                sign_in = Some((username.to_owned(), password.to_owned()));
                break;
            }
        }
        let (username, password) = sign_in.expect("the service prints how to sign in");
        let console = console.expect("the service prints the address of the console");
        Started {
            child,
            address,
            console,
            username,
            password,
        }
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

#[test]
fn a_newcomer_creates_a_key_in_the_browser_and_calls_a_model_with_it() {
    let directory = tempfile::tempdir().unwrap();
    let started = Started::new(directory.path());
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let printed = tools::node(
            "newcomer.mjs",
            &[
                tools::browser().to_str().unwrap(),
                &started.console,
                &started.username,
                &started.password,
            ],
        )
        .await;
        let secret = printed.lines().last().unwrap();
        readme::run_snippets(&format!("http://{}", started.address), secret).await;
    });
}
