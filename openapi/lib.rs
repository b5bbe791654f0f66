//! The contract: four OpenAPI documents, and what is made of them.
//!
//! Each area has a module with, by feature, its two sides: `server` holds the traits to
//! implement and `register`, `client` the generated client. The two are generated apart and share no types: a client
//! must accept tomorrow's server. Each side of each area is a crate of its own, so that an edit of a document compiles
//! two of eight.
//!
//! Nothing in here is written by hand but this file, `server.rs` and `client.rs`; change a document under `openapi/`
//! and build.

/// One published document.
#[cfg(feature = "server")]
#[derive(Debug, Clone, Copy)]
pub struct Document {
    /// The area's name, as in `accounts`.
    pub area: &'static str,
    /// The published form as YAML.
    pub yaml: &'static str,
    /// The published form as compact JSON.
    pub json: &'static str,
}

/// Every document, in alphabetical order.
#[cfg(feature = "server")]
pub const DOCUMENTS: [Document; 4] = [
    accounts::DOCUMENT,
    identity::DOCUMENT,
    inference::DOCUMENT,
    patterns::DOCUMENT,
];

macro_rules! area {
    ($(#[$doc:meta])* $area:ident, $server:ident, $client:ident) => {
        $(#[$doc])*
        pub mod $area {
            /// The document.
            #[cfg(feature = "server")]
            pub const DOCUMENT: crate::Document = crate::Document {
                area: stringify!($area),
                yaml: $server::PUBLISHED_YAML,
                json: $server::PUBLISHED_JSON,
            };

            #[cfg(feature = "client")]
            pub use $client as client;
            #[cfg(feature = "server")]
            pub use $server as server;
        }
    };
}

area!(
    /// Users, organizations and application instances.
    accounts, accord_accounts_server, accord_accounts_client
);
area!(
    /// OAuth 2.0 device authorization and tokens.
    identity, accord_identity_server, accord_identity_client
);
area!(
    /// API keys, chat completions and responses.
    inference, accord_inference_server, accord_inference_client
);
area!(
    /// Agent patterns of a project.
    patterns, accord_patterns_server, accord_patterns_client
);
