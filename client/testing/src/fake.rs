//! The fake: its start, its client and its end.

use std::fmt;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use accord_client::{Accord, Builder};
use dropforge_runtime::dropshot::{ConfigDropshot, ServerBuilder};
use dropforge_runtime::set_nodelay;
use tokio::runtime::Runtime;

use crate::catalog;
use crate::received::ReceivedRequest;
use crate::script::Script;
use crate::service;
use crate::state::State;

/// The credentials of [`FakeAccord::client`]. The fake accepts all others, too.
const ACCESS_TOKEN: &str = "fake-access-token";
const API_KEY: &str = "sk-fake-api-key";

/// A fake Accord service at a free port of this machine. It stops when it is dropped.
pub struct FakeAccord {
    url: String,
    state: Arc<State>,
    /// Threads of its own: a test that blocks its thread does not block the fake. Only `drop` takes
    /// it.
    runtime: Option<Runtime>,
}

impl FakeAccord {
    /// Starts a fake of all four areas at one loopback address.
    ///
    /// # Panics
    ///
    /// If the machine has no free port or thread for it.
    pub async fn start() -> Self {
        let state = Arc::new(State::default());
        match serve(Arc::clone(&state)) {
            Ok((runtime, address)) => FakeAccord {
                url: format!("http://{address}"),
                state,
                runtime: Some(runtime),
            },
            Err(error) => panic!("the fake service cannot start: {error}"),
        }
    }

    /// The address of all areas, without a path: `http://127.0.0.1:40123`.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The builder of a client that calls the fake, with an access token and an API key.
    pub fn client(&self) -> Builder {
        Accord::builder()
            .base_url(&self.url)
            .access_token(ACCESS_TOKEN)
            .api_key(API_KEY)
    }

    /// Scripts a response of an operation, such as `createUser`. Responses that are scripted one
    /// after the other are sent in this order.
    pub fn on(&self, operation: &str) -> Script<'_> {
        Script::new(&self.state, operation)
    }

    /// The requests so far, in the order of their responses. Invalid requests are included, with the
    /// status of their rejection.
    pub fn requests(&self) -> Vec<ReceivedRequest> {
        self.state.received()
    }

    /// The requests of one operation so far.
    ///
    /// # Panics
    ///
    /// If no document has the operation: an assertion about it would prove nothing.
    #[track_caller]
    pub fn requests_of(&self, operation: &str) -> Vec<ReceivedRequest> {
        assert!(
            catalog::find(operation).is_some(),
            "no document has the operation {operation:?}"
        );
        let mut requests = self.requests();
        requests.retain(|request| request.operation == Some(operation));
        requests
    }
}

/// Starts the server, and the runtime that it runs in.
fn serve(state: Arc<State>) -> Result<(Runtime, SocketAddr), Box<dyn std::error::Error>> {
    let description = service::description()?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .thread_name("fake-accord")
        .enable_all()
        .build()?;
    let config = ConfigDropshot {
        bind_address: (Ipv4Addr::LOCALHOST, 0).into(),
        ..ConfigDropshot::default()
    };
    let log = slog::Logger::root(slog::Discard, slog::o!());
    let server = ServerBuilder::new(description, state, log).config(config);
    let entered = runtime.enter();
    let started = server.start();
    drop(entered);
    match started {
        Ok(server) => {
            let address = server.local_addr();
            // Without it streams are slower, and nothing else changes.
            let _ = set_nodelay(address);
            runtime.spawn(server);
            Ok((runtime, address))
        }
        Err(error) => {
            runtime.shutdown_background();
            Err(error.into())
        }
    }
}

impl Drop for FakeAccord {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            // A runtime that waits for its end must not be dropped within another one.
            runtime.shutdown_background();
        }
    }
}

impl fmt::Debug for FakeAccord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FakeAccord")
            .field("url", &self.url)
            .finish_non_exhaustive()
    }
}
