//! A client of Accord.
//!
//! The four areas have generated clients, one for each document. [`Accord`] puts them behind one builder and does what
//! they have in common: addresses, credentials, refreshing them, deadlines, repeated attempts.
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
//! A request is a builder: its parameters and its body by name, then `call()`, which answers the document's success or
//! an enum with a variant for each of its errors. Where a document has an event stream, there is a second method whose
//! `call()` answers the events.
//!
//! What a client leaves out of its document is in the loss reports beside the released documents.
#![deny(missing_docs)]
// Errors are progenitor's, as they come out of its calls.
#![allow(clippy::result_large_err)]

mod builder;
mod challenge;
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
pub use dropforge_client::{EventStream, Failure, OperationError, Secret, StreamError};
pub use explain::explain;
pub use login::{LoginError, Prompt};
pub use retry::RetryPolicy;
pub use secrecy::SecretString;
pub use tokens::{Login, TokenFile, TokenFileError};

use logins::Logins;
use std::sync::Arc;

/// The four clients, with one set of credentials. Clones share it.
#[derive(Debug, Clone)]
pub struct Accord {
    accounts: accounts::Client,
    identity: identity::Client,
    inference: inference::Client,
    patterns: patterns::Client,
    logins: Arc<Logins>,
}

impl Accord {
    /// Starts a client.
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// Users, organizations and application instances.
    pub fn accounts(&self) -> &accounts::Client {
        &self.accounts
    }

    /// Device authorization and tokens. [`Accord::login`] does what is usually wanted of it.
    pub fn identity(&self) -> &identity::Client {
        &self.identity
    }

    /// API keys, chat completions and responses.
    pub fn inference(&self) -> &inference::Client {
        &self.inference
    }

    /// Agent patterns of a project.
    pub fn patterns(&self) -> &patterns::Client {
        &self.patterns
    }

    /// The login that is remembered, if there is one for this identity service.
    ///
    /// # Errors
    ///
    /// When the file of the login cannot be read.
    pub async fn remembered_login(&self) -> Result<Option<Login>, TokenFileError> {
        self.logins.login().await
    }

    /// Waits until a login that is being refreshed in the background is remembered.
    ///
    /// A program that ends, and with it the runtime, calls this last: a refresh token works once, and a refresh that is
    /// cut off may lose the login.
    pub async fn settle(&self) {
        self.logins.settle().await;
    }
}
