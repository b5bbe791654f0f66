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
//! | [`Accord::accounts`] | creates users; lists the organizations and application instances of the caller | an access token |
//! | [`Accord::patterns`] | agent patterns of a project | an access token |
//! | [`Accord::identity`] | tokens, device authorization | [`Builder::client_credentials`], or none |
//!
//! The API does not list users or accelerators: operators do that in the console and with `accord-server`. The documentation of
//! these four methods has an example for each operation. An access token is that of the login ([`Accord::login`]), a given one
//! ([`Builder::access_token`]), or that of a source ([`Builder::token_source`]).
//!
//! # First calls
//!
//! A chat, whose text arrives as a stream of events. `collect_text()` of [`ReplyEvents`] returns it as a whole:
//!
//! ```no_run
#![doc = include_str!("../examples/first_calls/inference.rs")]
//! ```
//!
//! A list, page by page. [`Items::collect_all`] returns all items at once:
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
//! | `tower` | no | [`TowerTransport`](struct.TowerTransport.html) |
//! | `keyring` | no | [`KeyringStore`](struct.KeyringStore.html) |
//!
//! Without HTTPS, [`Builder::build`] refuses such addresses. Addresses of HTTP on another machine need
//! [`Builder::allow_http`]. Types of `reqwest`, `http`, `chrono`, `uuid`, `secrecy`,
//! `serde_json` and `progenitor-client` are part of the API.
//!
//! The library needs Rust 1.92 or later, and a runtime of `tokio` with its timers. A blocking interface and WebAssembly are
//! absent.
//!
//! # Requests
//!
//! Types of requests have `new`, which takes their required members in the order of their names. If two of them have one
//! type, `new` takes a struct with their names, such as `HubUserRequestRequired`. Each other member has a setter, and all
//! fields are public.
//!
//! An operation that returns a list page by page has two more methods. `pages()` is a stream of its responses ([`Pages`]), and
//! `items()` of their items ([`Items`]).
//!
//! The response headers that a document lists have types: `ListApiKeysHeaders::try_from(response.headers())`, in the module
//! of the area. Those of an error are `ListApiKeysErrorHeaders`, from [`OperationError::headers`].
//!
//! [`ChatMessageExt`] writes the messages of a chat, and [`ReplyEvents`] reads the text and the tool calls of a stream.
//!
//! # Errors
//!
//! [`OperationError`] is common to the errors of all operations: `status()`, `headers()`, `text()`, `request_id()`,
//! `retry_after()`, `is_retryable()`. [`explain()`] writes an error as a sentence. [`Failure`] holds what the document does
//! not describe, with status, headers and body: a status that it does not list ([`Failure::Unlisted`]), a body that
//! does not match it ([`Failure::Unreadable`]), such as the page of a proxy, and a response that was interrupted
//! ([`Failure::Interrupted`]). [`CredentialsError::of`] says why a call was not sent: nobody is logged in, for example.
//!
//! Match the errors that the program handles, and explain the others:
//!
//! ```no_run
//! use accord_client::{Accord, OperationError, explain, inference::GetModelError};
//!
//! async fn owner(accord: &Accord, model: &str) -> Result<Option<String>, String> {
//!     match accord.inference().get_model().model(model).call().await {
//!         Ok(model) => Ok(Some(model.owned_by.clone())),
//!         Err(GetModelError::NotFound(_)) => Ok(None),
//!         Err(error) => {
//!             let id = error.request_id().unwrap_or("none");
//!             Err(format!("{} (request {id})", explain(&error)))
//!         }
//!     }
//! }
//! ```
//!
//! # Retries and deadlines
//!
//! The client repeats a request ([`RetryPolicy`]) if that can help, and has no further effect:
//!
//! | failure | repeated |
//! |---|---|
//! | no connection, 429 | any request, such as a chat or a stream before its first byte |
//! | 503 with `Retry-After` | the same, but operations with an idempotency key only with the key |
//! | reset, also within the body; timeout (once); 408, 500, 502, 503, 504 | GET, HEAD, PUT, DELETE, and changes with an idempotency key |
//!
//! The client generates the idempotency key of a call where the document has one. Waits grow exponentially with jitter,
//! and follow `Retry-After` (seconds or a date). A refresh of the login is repeated as well, as long as the service accepts
//! the old refresh token. All calls share a budget ([`Builder::retry_budget`]), so that an outage
//! does not multiply the load. [`Builder::deadline`] limits all attempts and waits of a call together.
//! [`Accord::with_options`] changes deadlines, retries, headers and credentials for some calls:
//!
//! ```no_run
//! use accord_client::{Accord, BuildError, CallOptions, RetryPolicy};
//! use std::time::Duration;
//!
//! fn build(url: &str) -> Result<(Accord, Accord), BuildError> {
//!     let retry = RetryPolicy::default().attempts(6).max_wait(Duration::from_secs(10));
//!     let accord = Accord::builder().base_url(url).retry(retry).deadline(Duration::from_secs(60)).build()?;
//!     // The same connections and credentials, for calls that somebody waits for.
//!     let hurry = CallOptions::new().retry(RetryPolicy::never()).deadline(Duration::from_secs(2));
//!     let hurried = accord.with_options(&hurry);
//!     Ok((accord, hurried))
//! }
//! ```
//!
//! # Streams
//!
//! An operation with an event stream has a second method that ends with `_stream`. Its `call()` returns an [`EventStream`] of
//! typed events, after the service has accepted the request: a retry happens before the first event, and never after it.
//!
//! [`EventStream::next_event`] returns `None` after the end mark. A stream that ends without it is
//! [`StreamError::Truncated`], so that a program never takes a part for the whole. Of a chat, [`ReplyError::is_retryable`]
//! tells an overload from a refusal, also if the service reports it in the stream. A stream that is silent for too long
//! ([`Builder::stream_timeout`]) ends with [`StreamError::Silent`]. [`Builder::stream_deadline`] limits the whole stream.
//! Dropping a stream cancels it.
//!
//! ```no_run
//! use accord_client::inference::types::{ModelResponseEvent, ModelResponseRequest};
//! use accord_client::{Accord, StreamError};
//!
//! async fn print(accord: &Accord, text: &str) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
//!     let respond = accord.inference().create_response_stream();
//!     let mut events = respond.body(ModelResponseRequest::new(text, "accord.echo")).call().await?;
//!     loop {
//!         match events.next_event().await {
//!             Ok(Some(ModelResponseEvent::ResponseOutputTextDeltaEvent(piece))) => print!("{}", piece.delta),
//!             // Other events, among them those of a later service.
//!             Ok(Some(_)) => {}
//!             Ok(None) => return Ok(()),
//!             Err(StreamError::Silent(time)) => return Err(format!("no event for {time:?}").into()),
//!             Err(error) => return Err(error.into()),
//!         }
//!     }
//! }
//! ```
//!
//! # Logins
//!
//! [`Accord::login`] shows a code, and waits until the user has approved it in a browser. [`Accord::start_login`] returns
//! between the two, for a program with a window: [`PendingLogin::prompt`] is the code, [`PendingLogin::wait`] ends with the
//! login, and dropping it cancels. The client renews the login by itself. [`Accord::logout`] revokes and forgets it.
//!
//! A [`LoginStore`] remembers logins: [`TokenFile`], [`MemoryStore`], the keyring of the system
//! ([`KeyringStore`](struct.KeyringStore.html), feature `keyring`), or one of your own. It has a login for each identity
//! service and each profile ([`Builder::profile`]).
//!
//! ```no_run
//! use accord_client::{Accord, TokenFile};
//!
//! async fn log_in(url: &str) -> Result<Accord, Box<dyn std::error::Error>> {
//!     // A file of the program's own: `TokenFile::of_user()` is that of the command `accord`.
//!     let file = TokenFile::at("/var/lib/my-program/login.json");
//!     let accord = Accord::builder().base_url(url).token_file(file).build()?;
//!     if accord.remembered_login().await?.is_none() {
//!         let login = accord.start_login("accord-cli", &["accounts.read", "offline_access"]).await?;
//!         println!("Open {} and enter {}", login.prompt().verification_uri, login.prompt().user_code);
//!         login.wait().await?;
//!     }
//!     Ok(accord)
//! }
//! ```
//!
//! # Testing
//!
//! The crate `accord-testing` has `FakeAccord`: a fake service in the process of your tests, made from the same
//! documents. It validates requests as the service does, and responds with the examples of the
//! documents, or as a test scripts. It refuses a scripted response that the service could not send.
//! `FakeAccord::client` is a [`Builder`]. `ScriptedResponse::example` lists the names of the examples.
//!
//! ```no_run
//! use accord_client::OperationError;
//! use accord_testing::FakeAccord;
//!
//! async fn test() -> Result<(), Box<dyn std::error::Error>> {
//!     let fake = FakeAccord::start().await;
//!     fake.on("listModels").fails(500).always()?;
//!     let accord = fake.client().build()?;
//!     let error = accord.inference().list_models().call().await.unwrap_err();
//!     assert_eq!(error.status().map(|status| status.as_u16()), Some(500));
//!     Ok(())
//! }
//! ```
//!
//! The client repeats a 429, and a 500, 502, 503 or 504 of a request that it may repeat. A test that wants to see one builds
//! the client with [`RetryPolicy::never`].
//!
//! A [`Transport`] of the program's own ([`Builder::transport`]) needs no port, but checks nothing.
//!
//! # Versions
//!
//! The service may be newer than the client: a later document may add members, values, statuses, events and operations.
//! The client ignores further members, keeps unknown values in `Unknown`, and reports further statuses as
//! [`Failure::Unlisted`]. [`Accord::request`] calls operations that this version does not have.
//!
//! A later version of the client has such additions, too, without a break: structs and enums of the documents are
//! `#[non_exhaustive]`. So a match needs an arm for what is new, and `new` and setters create requests:
//!
//! ```no_run
//! use accord_client::identity::types::IntrospectionRequest;
//! use accord_client::{Accord, Area, CredentialKind, Failure, reqwest::Method};
//!
//! // A struct expression would not compile.
//! fn introspection(token: &str) -> IntrospectionRequest {
//!     IntrospectionRequest::new(token).token_type_hint("access_token")
//! }
//!
//! // An operation that this version does not have.
//! async fn quotas(accord: &Accord) -> Result<String, Failure> {
//!     let request = accord.request(Method::GET, Area::Accounts, "/quotas");
//!     let response = request.credential(CredentialKind::AccessToken).send().await?;
//!     Ok(response.text().await.unwrap_or_default())
//! }
//! ```
//!
//! The changelog names the changes that break callers, and a test compares it with the API.
//!
//! # The rest of your program
//!
//! - [`Builder::http`], [`Builder::proxy`] and [`Builder::root_certificate`]: how requests are sent. [`reqwest`] is
//!   re-exported. [`Builder::transport`] replaces the HTTP client, as by a service of tower
//!   ([`TowerTransport`](struct.TowerTransport.html), feature `tower`).
//! - [`Builder::layer`]: code around each call ([`Layer`]), as to count calls or to add a header.
//! - Each call has a span of the crate `tracing`, `accord_call`: the operation, the status, the request's ID and the number
//!   of attempts. Events at the level DEBUG tell of retries and renewals. Nothing has credentials.
//! - [`Accord::request`]: any path, with the same credentials, deadlines and retries.
//! - Dropping a future cancels its call, but never a refresh of the login. Call [`Accord::settle`] before the runtime ends.
//!
//! The loss reports beside the released documents list the parts that a client does not implement.
#![deny(missing_docs)]
// Errors have progenitor's type, which is large.
#![allow(clippy::result_large_err)]

mod address;
mod areas;
mod budget;
mod build_error;
mod builder;
mod challenge;
#[cfg(feature = "inference")]
mod chat;
mod clients;
mod credentials;
mod credentials_error;
mod exchange;
mod explain;
mod login;
mod login_state;
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
pub use chat::{ChatMessageExt, ChatReply, ReplyError, ReplyEvent, ReplyEvents};
pub use clients::Accord;
pub use credentials_error::CredentialsError;
pub use dropforge_client::{
    Buffered, EventStream, EventTooLarge, Failure, HeaderError, Items, Operation, OperationError,
    Pages, Pending, Secret, StreamError, Transport, reqwest, transport_error,
};
pub use explain::explain;
pub use http::{HeaderMap, StatusCode};
#[cfg(feature = "keyring")]
pub use keyring_core;
pub use login::{LoginError, PendingLogin, Prompt};
pub use middleware::Layer;
pub use options::CallOptions;
pub use progenitor_client::{Error as ClientError, ResponseValue};
pub use raw::{Area, CredentialKind, RawRequest};
pub use retry::RetryPolicy;
pub use secrecy::{ExposeSecret, SecretString};
#[cfg(feature = "keyring")]
pub use store::KeyringStore;
/// For the command `accord`.
#[doc(hidden)]
pub use store::PrivateFile;
pub use store::{
    BoxError, LoginKey, LoginLock, LoginStore, LoginStoreError, MemoryStore, TokenFile,
    TokenFileError,
};
pub use token_source::TokenSource;
pub use tokens::Login;
#[cfg(feature = "tower")]
pub use tower::TowerTransport;

// Types of these crates are in the types of the documents.
pub use {chrono, serde_json, uuid};

// The code of the README is a test.
#[cfg(all(doctest, feature = "accounts"))]
#[doc = include_str!("../README.md")]
struct Readme;
