//! A fake Accord service for the tests of programs that use `accord-client`.
//!
//! [`FakeAccord`] serves all four areas at a free port of this machine, from the documents that the real
//! service implements. It needs no configuration and no database. A test can have several fakes, and each one
//! stops when it is dropped.
//!
//! Put this crate into `[dev-dependencies]`. Tests like the one below also need
//! `tokio = { version = "1", features = ["macros", "rt"] }`. This crate has no features.
//!
//! ```
//! use accord_client::ChatMessageExt;
//! use accord_client::inference::types::{ChatCompletionRequest, ChatMessage};
//! use accord_testing::{FakeAccord, json};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let fake = FakeAccord::start().await;
//! let accord = fake.client().build()?;
//!
//! // Without a script, an operation responds with the example of its document.
//! let organizations = accord.accounts().list_organizations().limit(10).call().await?;
//! assert!(!organizations.is_empty());
//! assert_eq!(fake.requests()[0].query_value("limit"), Some("10"));
//!
//! // The first attempt fails, and the client retries.
//! fake.on("createChatCompletion").fails(429).header("Retry-After", 1).once()?;
//! let question = ChatCompletionRequest::new([ChatMessage::user("Hi")], "accord.echo");
//! accord.inference().create_chat_completion().body(question).call().await?;
//! let requests = fake.requests_of("createChatCompletion");
//! assert_eq!(requests.len(), 2);
//! assert_eq!(requests[1].body["messages"][0]["content"], json!("Hi"));
//! # Ok(())
//! # }
//! ```
//!
//! # Requests
//!
//! The fake validates requests as the service does: it rejects one that violates the document, with the status and the
//! error of the document. It accepts any credentials of the right kind. Without them, the response is 401 where the
//! document requires them. Use a script for an invalid token, a missing right, or an object that does not exist.
//!
//! [`FakeAccord::requests`] has every request in the order of the responses: method, path, query, headers and body.
//!
//! # Responses
//!
//! | call | response |
//! |---|---|
//! | none | the example of the document; if the body has `"stream": true`, the example of the stream |
//! | [`Script::returns`] | a status and a JSON body |
//! | [`Script::fails`] | a status, and the example of the document for it, which can be chosen by name |
//! | [`Script::streams`] | an event stream |
//! | [`ScriptedResponse::after`], [`ScriptedResponse::cut`] | a late response, a stream without its end |
//!
//! [`once`](ScriptedResponse::once), [`times`](ScriptedResponse::times) and [`always`](ScriptedResponse::always) script
//! the response. Responses of `once` and `times` are sent in turn. After them, the operation sends the response of
//! `always`, or the default.
//!
//! A response that the document does not allow is a [`ScriptError`] at once: an unknown operation, an unlisted status, or
//! an invalid header, body or event. So a test never relies on a response that the service cannot send.
//!
//! ```
//! # use accord_testing::{FakeAccord, json};
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! let fake = FakeAccord::start().await;
//! let refused = fake.on("listModels").returns(200, json!({"object": "list"})).once();
//! assert!(refused.unwrap_err().to_string().contains("data is required"));
//! # }
//! ```
//!
//! A list has another page as long as a response has its header, `accord-next-page` or that of its document. To see an
//! error after which the client would retry, use a client without retries:
//!
//! ```
//! # use accord_client::{OperationError, RetryPolicy};
//! # use accord_testing::{FakeAccord, json};
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let fake = FakeAccord::start().await;
//! let accord = fake.client().retry(RetryPolicy::never()).build()?;
//!
//! let one = |id, name| json!([{"id": id, "name": name, "tradingName": name}]);
//! fake.on("listOrganizations").returns(200, one(1, "North")).header("accord-next-page", "2").once()?;
//! fake.on("listOrganizations").returns(200, one(2, "South")).once()?;
//! let organizations = accord.accounts().list_organizations().items().collect_all().await?;
//! assert_eq!(organizations.len(), 2);
//!
//! fake.on("listModels").fails(503).once()?;
//! let error = accord.inference().list_models().call().await.unwrap_err();
//! assert!(error.is_retryable());
//! # Ok(())
//! # }
//! ```
//!
//! # A service and its tests
//!
//! The example `help_desk` is a service that uses three areas:
//!
//! ```no_run
#![doc = include_str!("../examples/help_desk/service.rs")]
//! ```
//!
//! Its tests call it at its port, and the fake is in place of Accord:
//!
//! ```text
#![doc = include_str!("../examples/help_desk/tests.rs")]
//! ```
//!
//! # What the fake does not do
//!
//! It has no state: a created object does not appear in a list. It implements no rule that a document only describes in
//! words. For tests of whole flows, start the real service with a new store.
#![deny(missing_docs)]

mod catalog;
mod error;
mod fake;
mod received;
mod reject;
mod response;
mod script;
mod servers;
mod service;
mod state;

pub use error::ScriptError;
pub use fake::FakeAccord;
pub use received::ReceivedRequest;
pub use script::{Script, ScriptedResponse};
pub use serde_json::{Value, json};

// The code of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
