//! Both sides of `styles.yaml`, as the generator writes them.

/// The server.
#[allow(clippy::all, rustdoc::all, unused, missing_docs)]
pub mod server {
    include!(concat!(env!("OUT_DIR"), "/server.rs"));
}

/// The client.
#[allow(clippy::all, rustdoc::all, unused, missing_docs)]
pub mod client {
    include!(concat!(env!("OUT_DIR"), "/client.rs"));
}

/// What the client does not have.
pub const LOSSES: &str = include_str!(concat!(env!("OUT_DIR"), "/loss.md"));
