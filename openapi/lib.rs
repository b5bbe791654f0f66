//! The contract: four OpenAPI documents, and what is made of them.
//!
//! Each area has a module with its published document as text and, by feature, its two
//! sides: `server` holds the traits to implement and `register`, `client` the
//! generated client. The two are generated apart and share no types: a client
//! must accept tomorrow's server.
//!
//! Nothing in here is written by hand but this file; change a document under
//! `openapi/` and build.

/// One published document.
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
pub const DOCUMENTS: [Document; 4] = [
    accounts::DOCUMENT,
    identity::DOCUMENT,
    inference::DOCUMENT,
    patterns::DOCUMENT,
];

macro_rules! area {
    ($(#[$doc:meta])* $area:ident, $yaml:literal, $json:literal, $server:literal, $client:literal) => {
        $(#[$doc])*
        pub mod $area {
            /// The document.
            pub const DOCUMENT: crate::Document = crate::Document {
                area: stringify!($area),
                yaml: include_str!(concat!(env!("OUT_DIR"), $yaml)),
                json: include_str!(concat!(env!("OUT_DIR"), $json)),
            };

            /// The server's side: traits to implement, types, `register`.
            #[cfg(feature = "server")]
            #[allow(clippy::all, rustdoc::all, unused)]
            pub mod server {
                include!(concat!(env!("OUT_DIR"), $server));
            }

            /// The client: builders of requests, types, errors by status.
            #[cfg(feature = "client")]
            #[allow(clippy::all, missing_docs, rustdoc::all, unused)]
            pub mod client {
                include!(concat!(env!("OUT_DIR"), $client));
            }
        }
    };
}

area!(
    /// Users, organizations and application instances.
    accounts, "/accounts.yaml", "/accounts.json", "/accounts_server.rs", "/accounts_client.rs"
);
area!(
    /// OAuth 2.0 device authorization and tokens.
    identity, "/identity.yaml", "/identity.json", "/identity_server.rs", "/identity_client.rs"
);
area!(
    /// API keys, chat completions and responses.
    inference, "/inference.yaml", "/inference.json", "/inference_server.rs", "/inference_client.rs"
);
area!(
    /// Agent patterns of a project.
    patterns, "/patterns.yaml", "/patterns.json", "/patterns_server.rs", "/patterns_client.rs"
);
