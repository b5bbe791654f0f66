//! A service for each test, on each database.
//!
//! [`both_databases!`] makes two tests of one body: one on SQLite in a directory
//! of its own, one on a database of its own in a PostgreSQL cluster that the
//! test process starts for itself. [`on_sqlite!`] makes only the first. Tests reach the service as clients do, over
//! HTTP, and own its time through [`Server::clock`].
//!
//! At the end of each test every answer that did not keep its document is a
//! failure, whatever the test itself looked at.

pub mod built;
pub mod commands;
pub mod contents;
pub mod plan;
pub mod postgres;
pub mod recorder;
pub mod redis;
mod server;
pub mod shared;
mod tokens;
pub mod tools;
pub mod walk;

pub use server::{Database, Server, run, run_with};

/// A builder of clients that follow no redirects. They call without TLS: the certificates of the system take long to
/// read.
pub fn http() -> reqwest::ClientBuilder {
    reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .timeout(std::time::Duration::from_secs(120))
        .tls_certs_only([])
}

/// A document of the repository as JSON, with the keys that speak to the generator.
pub fn source(area: &str) -> serde_json::Value {
    let openapi = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../openapi");
    let document = dropforge::document::Document::load_file(openapi.join(format!("{area}.yaml")));
    document
        .unwrap_or_else(|refused| panic!("{refused}"))
        .to_json()
}

/// Makes each `async fn name(server: Server)` into two tests, `name::sqlite` and
/// `name::postgres`.
macro_rules! both_databases {
    ($($(#[$attribute:meta])* async fn $name:ident($server:ident: Server) $body:block)*) => {$(
        $(#[$attribute])*
        mod $name {
            #[allow(unused_imports)]
            use super::*;

            async fn body($server: $crate::harness::Server) $body

            #[test]
            fn sqlite() {
                $crate::harness::run($crate::harness::Database::Sqlite, body);
            }

            #[test]
            fn postgres() {
                $crate::harness::run($crate::harness::Database::Postgres, body);
            }
        }
    )*};
}
pub(crate) use both_databases;

/// Makes each `async fn name(server: Server)` into one test on SQLite, for behavior that does not depend on the
/// database.
macro_rules! on_sqlite {
    ($(async fn $name:ident($server:ident: Server) $body:block)*) => {$(
        #[test]
        fn $name() {
            async fn body($server: $crate::harness::Server) $body

            $crate::harness::run($crate::harness::Database::Sqlite, body);
        }
    )*};
}
pub(crate) use on_sqlite;
