//! The RFCs, clause by clause: a test for each demand that they make on an
//! authorization server with the grants of this one.
//!
//! Every test's documentation begins with the RFC, the section and the strength
//! of the demand, and says in a sentence what is demanded. `cargo xtask
//! regenerate` makes the table `server/CLAUSES.md` of these sentences, and refuses
//! a test without one. Demands that are not tested here are in `others.txt`, with
//! the reason.
//!
//! Tests of a file share a running service, on each database, since most of them
//! send a request or two. Those that move its clock or use up its patience have
//! one of their own.

mod rfc6749;
mod rfc6749_secrets;
mod rfc7009;
mod rfc7521;
mod rfc7522;
mod rfc7523;
mod rfc7662;
mod rfc8414;
mod rfc8628;

use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use futures::FutureExt as _;
use futures::future::BoxFuture;

use super::client::{Answer, answer};
use crate::harness::{Database, Server};

const DEVICE: &str = "/oauth2/v1/device";
const TOKEN: &str = "/oauth2/v1/token";
const INTROSPECT: &str = "/oauth2/v1/introspect";
const REVOKE: &str = "/oauth2/v1/revoke";

/// A service that runs for as long as tests use it.
struct Shared {
    database: Database,
    running: Mutex<Weak<Running>>,
}

struct Running {
    runtime: tokio::runtime::Runtime,
    server: Server,
}

impl Shared {
    const fn new(database: Database) -> Shared {
        Shared {
            database,
            running: Mutex::new(Weak::new()),
        }
    }

    /// Runs a test's body, and looks at what the contract guard saw.
    fn run<Fut>(&self, body: impl FnOnce(Server) -> Fut)
    where
        Fut: Future<Output = ()> + Send + 'static,
    {
        self.run_boxed(Box::new(|server| body(server).boxed()));
    }

    /// `run`, compiled once for all tests.
    fn run_boxed(&self, body: Box<dyn FnOnce(Server) -> BoxFuture<'static, ()> + '_>) {
        let running = self.running();
        let server = running.server.clone();
        let outcome = running
            .runtime
            .block_on(async { tokio::spawn(body(server)).await });
        if let Err(panic) = outcome {
            std::panic::resume_unwind(panic.into_panic());
        }
        let violations = running.server.app().observer.violations();
        assert!(
            violations.is_empty(),
            "answers that do not keep their document:\n{}",
            violations.join("\n")
        );
    }

    fn running(&self) -> Arc<Running> {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(running) = running.upgrade() {
            return running;
        }
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap();
        let server = runtime.block_on(Server::start_with(self.database, |layer| {
            layer.identity.device_requests_per_address = Some(0);
        }));
        let new = Arc::new(Running { runtime, server });
        *running = Arc::downgrade(&new);
        new
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.runtime.block_on(self.server.stop());
    }
}

/// Makes each `async fn name(server: Server)` into two tests, `name::sqlite` and
/// `name::postgres`, that share a service with the others of the file.
macro_rules! clauses {
    ($($(#[$attribute:meta])* async fn $name:ident($server:ident: Server) $body:block)*) => {
        static SHARED: [super::Shared; 2] = [
            super::Shared::new(crate::harness::Database::Sqlite),
            super::Shared::new(crate::harness::Database::Postgres),
        ];
        $(
            $(#[$attribute])*
            mod $name {
                #[allow(unused_imports)]
                use super::*;

                async fn body($server: crate::harness::Server) $body

                #[test]
                fn sqlite() {
                    SHARED[0].run(body);
                }

                #[test]
                fn postgres() {
                    SHARED[1].run(body);
                }
            }
        )*
    };
}
use clauses;

/// Sends a body as a form, whatever it is.
async fn post_raw(server: &Server, path: &str, body: &str) -> Answer {
    let request = server.http().post(server.url(path)).body(body.to_owned());
    answer(request.header("content-type", "application/x-www-form-urlencoded")).await
}
