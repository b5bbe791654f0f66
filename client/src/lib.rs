//! A client of Accord: API keys and model calls, users and organizations, tokens, agent patterns.
//!
//! The four areas of the service have generated clients, one for each OpenAPI document. [`Accord`] combines them behind
//! one [`Builder`], and handles their common concerns: addresses, credentials and their renewal, deadlines, retries.
//!
//! ```no_run
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use accord_client::Accord;
//!
//! let accord = Accord::builder().base_url("http://127.0.0.1:8080").access_token("…").build()?;
//! let organizations = accord.accounts().list_organizations().call().await?;
//! println!("{}", organizations.len());
//! # Ok(())
//! # }
//! ```
//!
//! A request is a builder: its parameters and its body by name, then `call()`. The response is the document's success, or
//! an enum with a variant for each of its errors.
//!
//! | area | what it has | credential |
//! |---|---|---|
//! | [`Accord::inference`] | chat completions and responses of models | [`Builder::api_key`] |
//! | | API keys and their usage | an access token |
//! | [`Accord::accounts`] | users, organizations, application instances | an access token |
//! | [`Accord::patterns`] | agent patterns of a project | an access token |
//! | [`Accord::identity`] | tokens, device authorization | [`Builder::client_credentials`], or none |
//!
//! These four have an example for each operation. An access token is that of the login ([`Accord::login`]), a given one
//! ([`Builder::access_token`]), or that of a source ([`Builder::token_source`]).
//!
//! # First calls
//!
//! A chat, whose text arrives as a stream of events:
//!
//! ```no_run
#![doc = include_str!("../examples/first_calls/inference.rs")]
//! ```
//!
//! A list, page by page:
//!
//! ```no_run
#![doc = include_str!("../examples/first_calls/accounts.rs")]
//! ```
//!
//! A change, and its errors:
//!
//! ```no_run
#![doc = include_str!("../examples/first_calls/patterns.rs")]
//! ```
//!
//! A token that a service of yours has received:
//!
//! ```no_run
#![doc = include_str!("../examples/first_calls/identity.rs")]
//! ```
//!
//! # Features
//!
//! | feature | default | what it adds |
//! |---|---|---|
//! | `accounts`, `inference`, `patterns` | yes | an area; identity is always there |
//! | `rustls` | yes | HTTPS, with the default provider of cryptography |
//! | `rustls-no-provider` | no | HTTPS, with the provider that the program installs |
//! | `preserve_order` | yes | JSON objects keep the order of their members, as in the schemas of tools |
//! | `cli` | no | the command line `accord` |
//! | `tower` | no | `TowerTransport` |
//!
//! Without HTTPS, [`Builder::build`] refuses such addresses. Types of `reqwest`, `http`, `chrono`, `uuid`, `secrecy`,
//! `serde_json` and `progenitor-client` are part of the API.
//!
//! # Requests
//!
//! Types of requests have `new` with their required members, in the order of their names, and a setter for each other
//! member. All fields are public. A later version may add members, values, statuses and events. So structs and enums are
//! `#[non_exhaustive]`: a match needs an arm for what is new, and enumerations have `Unknown`.
//!
//! An operation that returns a list page by page has two more methods. `pages()` is a stream of its responses ([`Pages`]), and
//! `items()` of their items ([`Items`]). An operation with an event stream has a second method that ends with `_stream`;
//! its `call()` returns an [`EventStream`].
//!
//! The response headers that a document lists have types: `ListApiKeysHeaders::try_from(response.headers())`, in the module
//! of the area. [`OperationError::headers`] has those of an error, by name.
//!
//! [`ChatMessageExt`] writes the messages of a chat, and [`ReplyEvents`] reads the text and the tool calls of a stream.
//!
//! # Errors
//!
//! [`OperationError`] is common to the errors of all operations: `status()`, `headers()`, `text()`, `request_id()`,
//! `retry_after()`, `is_retryable()`. [`explain()`] writes an error as a sentence. [`Failure`] holds what the document does
//! not describe, with status, headers and body: a status that it does not list ([`Failure::Unlisted`]) and a body that
//! does not match it ([`Failure::Unreadable`]), such as the page of a proxy.
//!
//! # Retries and deadlines
//!
//! The client repeats a request ([`RetryPolicy`]) if that can help, and has no further effect:
//!
//! | failure | repeated |
//! |---|---|
//! | no connection, 429 | any request, such as a chat or a stream before its first byte |
//! | 503 with `Retry-After` | the same, but operations with an idempotency key only with the key |
//! | reset, timeout (once), 408, 502, 503, 504 | GET, HEAD, PUT, DELETE, and changes with an idempotency key |
//!
//! The client generates the idempotency key of a call where the document has one. Waits grow exponentially with jitter,
//! and follow `Retry-After` (seconds or a date). All calls share a budget ([`Builder::retry_budget`]), so that an outage
//! does not multiply the load. [`Builder::deadline`] limits all attempts and waits of a call together.
//! [`Accord::with_options`] changes deadlines, retries and headers for some calls.
//!
//! # Logins
//!
//! [`Accord::login`] shows a code, and waits until the user has approved it in a browser. [`Accord::start_login`] returns
//! between the two, for a program with a window: [`PendingLogin::prompt`] is the code, [`PendingLogin::wait`] ends with the
//! login, and dropping it cancels. The client renews the login by itself.
//!
//! A [`LoginStore`] remembers logins: [`TokenFile`], [`MemoryStore`], or one of your own, such as the keyring of the
//! system. It has a login for each identity service and each profile ([`Builder::profile`]).
//!
//! # The rest of your program
//!
//! - [`Builder::http`], [`Builder::proxy`] and [`Builder::root_certificate`]: how requests are sent. [`reqwest`] is
//!   re-exported. [`Builder::transport`] replaces the HTTP client, as by a service
//!   of tower (feature `tower`).
//! - [`Builder::layer`]: code around each call ([`Layer`]), as to count calls or to add a header.
//! - Each call has a span of the crate `tracing`, `accord_call`: the operation, the status, the request's ID and the number
//!   of attempts. Events at the level DEBUG tell of retries and renewals. Nothing has credentials.
//! - [`Accord::request`]: any path, with the same credentials, deadlines and retries.
//! - Dropping a future cancels its call, but never a refresh of the login. Call [`Accord::settle`] before the runtime ends.
//! - A blocking interface and WebAssembly are absent.
//!
//! The loss reports beside the released documents list the parts that a client does not implement.
#![deny(missing_docs)]
// Errors have progenitor's type, which is large.
#![allow(clippy::result_large_err)]

mod areas;
mod budget;
mod build_error;
mod builder;
mod challenge;
#[cfg(feature = "inference")]
mod chat;
mod clients;
mod credentials;
mod explain;
mod login;
mod logins;
mod middleware;
mod network;
mod options;
mod raw;
mod retry;
mod store;
mod token_source;
mod tokens;
#[cfg(feature = "tower")]
mod tower;
mod transport;

pub use areas::*;
pub use build_error::BuildError;
pub use builder::Builder;
pub use challenge::concerns_credentials;
#[cfg(feature = "inference")]
pub use chat::{ChatMessageExt, ChatReply, ReplyError, ReplyEvents};
pub use clients::Accord;
pub use dropforge_client::{
    Buffered, EventStream, Failure, Items, Operation, OperationError, Pages, Pending, Secret,
    StreamError, Transport, reqwest,
};
pub use explain::explain;
pub use login::{LoginError, PendingLogin, Prompt};
pub use middleware::Layer;
pub use options::CallOptions;
pub use raw::{Area, CredentialKind, RawRequest};
pub use retry::RetryPolicy;
pub use secrecy::{ExposeSecret, SecretString};
pub use store::{
    BoxError, LoginKey, LoginLock, LoginStore, LoginStoreError, MemoryStore, TokenFile,
    TokenFileError,
};
pub use token_source::TokenSource;
pub use tokens::Login;
#[cfg(feature = "tower")]
pub use tower::TowerTransport;
