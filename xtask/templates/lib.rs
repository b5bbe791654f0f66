//! The code that the build script generates from `@DOCUMENT@`. Change the document and build.
@server(
pub mod service;

/// The server's side: traits to implement, types, responses, and `register`.
#[allow(clippy::all, rustdoc::all, unused)]
pub mod server {
    include!(concat!(env!("OUT_DIR"), "/server.rs"));
}
)server@@client(
/// The client: a builder for each operation, types, and errors by status.
#[allow(clippy::all, missing_docs, rustdoc::all, unused)]
pub mod client {
    include!(concat!(env!("OUT_DIR"), "/client.rs"));
}
)client@