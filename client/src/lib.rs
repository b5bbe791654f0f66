//! A client of Accord.
//!
//! The four areas have generated clients, one for each document. [`Accord`] combines them behind
//! one builder and handles their common concerns: addresses, credentials and their renewal,
//! deadlines, and retries.
//!
//! ```no_run
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use accord_client::Accord;
//!
//! let accord = Accord::builder().base_url("http://127.0.0.1:8080").access_token("…").build()?;
//! for organization in accord.accounts().list_organizations().call().await?.into_inner() {
//!     println!("{} {}", organization.id, organization.name);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! A request is a builder: its parameters and its body by name, then `call()`, which returns the document's success or
//! an enum with a variant for each of its errors. Where a document has an event stream, there is a second method whose
//! `call()` returns the events.
//!
//! The loss reports beside the released documents list the parts that a client does not implement.
#![deny(missing_docs)]
// Errors have progenitor's type, which is large.
#![allow(clippy::result_large_err)]

mod builder;
mod challenge;
mod clients;
mod credentials;
mod explain;
mod login;
mod logins;
mod retry;
mod tokens;
mod transport;

pub use accord::{
    accounts::client as accounts, identity::client as identity, inference::client as inference,
    patterns::client as patterns,
};
pub use builder::{BuildError, Builder};
pub use challenge::concerns_credentials;
pub use clients::Accord;
pub use dropforge_client::{EventStream, Failure, OperationError, Secret, StreamError};
pub use explain::explain;
pub use login::{LoginError, Prompt};
pub use retry::RetryPolicy;
pub use secrecy::SecretString;
pub use tokens::{Login, TokenFile, TokenFileError};
