//! A service that the tests of a file share, on each database.
//!
//! It is for tests that send a request or two. Tests that move the clock, use up a limit, or change what others
//! rely on have a service of their own.

use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use futures::FutureExt as _;
use futures::future::BoxFuture;

use super::{Database, Server};

/// A service that runs for as long as tests use it.
pub struct Shared {
    database: Database,
    running: Mutex<Weak<Running>>,
}

struct Running {
    runtime: tokio::runtime::Runtime,
    server: Server,
}

impl Shared {
    /// A service on this database, which starts with the first test.
    pub const fn new(database: Database) -> Shared {
        Shared {
            database,
            running: Mutex::new(Weak::new()),
        }
    }

    /// Runs a test's body, and fails if the contract guard has found a violation.
    pub fn run<Fut>(&self, body: impl FnOnce(Server) -> Fut)
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
macro_rules! on_shared_service {
    ($($(#[$attribute:meta])* async fn $name:ident($server:ident: Server) $body:block)*) => {
        static SHARED: [$crate::harness::shared::Shared; 2] = [
            $crate::harness::shared::Shared::new($crate::harness::Database::Sqlite),
            $crate::harness::shared::Shared::new($crate::harness::Database::Postgres),
        ];
        $(
            $(#[$attribute])*
            mod $name {
                #[allow(unused_imports)]
                use super::*;

                async fn body($server: $crate::harness::Server) $body

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
pub(crate) use on_shared_service;
