//! The four clients.

#[cfg(feature = "accounts")]
use crate::areas::accounts;
#[cfg(feature = "inference")]
use crate::areas::inference;
#[cfg(feature = "patterns")]
use crate::areas::patterns;
use crate::{
    areas::identity, logins::Logins, store::LoginStoreError, tokens::Login, transport::Transport,
};
use reqwest::Client;
use std::sync::Arc;

/// The four clients, with one set of credentials. Clones share it.
#[derive(Debug, Clone)]
pub struct Accord {
    #[cfg(feature = "accounts")]
    pub(crate) accounts: accounts::Client,
    pub(crate) identity: identity::Client,
    #[cfg(feature = "inference")]
    pub(crate) inference: inference::Client,
    #[cfg(feature = "patterns")]
    pub(crate) patterns: patterns::Client,
    pub(crate) logins: Arc<Logins>,
    pub(crate) transport: Transport,
    endpoints: Arc<Endpoints>,
}

/// The endpoints of the areas.
#[derive(Debug)]
pub(crate) struct Endpoints {
    #[cfg(feature = "accounts")]
    pub(crate) accounts: Endpoint,
    pub(crate) identity: Endpoint,
    #[cfg(feature = "inference")]
    pub(crate) inference: Endpoint,
    #[cfg(feature = "patterns")]
    pub(crate) patterns: Endpoint,
}

/// The address of an area, with its path, and the HTTP client for it.
#[derive(Debug)]
pub(crate) struct Endpoint {
    pub(crate) url: String,
    pub(crate) http: Client,
}

impl Accord {
    /// The clients of these endpoints, which send with this transport.
    pub(crate) fn new(
        endpoints: Arc<Endpoints>,
        logins: Arc<Logins>,
        transport: Transport,
    ) -> Self {
        let session = transport.session();
        macro_rules! client {
            ($area:ident) => {{
                let Endpoint { url, http } = &endpoints.$area;
                $area::Client::new_with_client(url, http.clone(), session.clone())
            }};
        }
        Self {
            #[cfg(feature = "accounts")]
            accounts: client!(accounts),
            identity: client!(identity),
            #[cfg(feature = "inference")]
            inference: client!(inference),
            #[cfg(feature = "patterns")]
            patterns: client!(patterns),
            logins,
            transport,
            endpoints,
        }
    }

    /// The same clients with another transport.
    pub(crate) fn with_transport(&self, transport: Transport) -> Self {
        let (endpoints, logins) = (Arc::clone(&self.endpoints), Arc::clone(&self.logins));
        Self::new(endpoints, logins, transport)
    }

    /// Users, organizations and application instances. A call of each operation:
    ///
    /// ```no_run
    #[doc = include_str!("../examples/operations/accounts.rs")]
    /// ```
    #[cfg(feature = "accounts")]
    pub fn accounts(&self) -> &accounts::Client {
        &self.accounts
    }

    /// Device authorization and tokens. [`Accord::login`] covers the usual case. A call of each operation:
    ///
    /// ```no_run
    #[doc = include_str!("../examples/operations/identity.rs")]
    /// ```
    pub fn identity(&self) -> &identity::Client {
        &self.identity
    }

    /// API keys, chat completions and responses. A call of each operation:
    ///
    /// ```no_run
    #[doc = include_str!("../examples/operations/keys.rs")]
    /// ```
    /// ```no_run
    #[doc = include_str!("../examples/operations/models.rs")]
    /// ```
    #[cfg(feature = "inference")]
    pub fn inference(&self) -> &inference::Client {
        &self.inference
    }

    /// Agent patterns of a project. A call of each operation:
    ///
    /// ```no_run
    #[doc = include_str!("../examples/operations/patterns.rs")]
    /// ```
    #[cfg(feature = "patterns")]
    pub fn patterns(&self) -> &patterns::Client {
        &self.patterns
    }

    /// The login that is remembered, if there is one of this profile for this identity service.
    ///
    /// # Errors
    ///
    /// When the store of the login cannot be read.
    pub async fn remembered_login(&self) -> Result<Option<Login>, LoginStoreError> {
        self.logins.login().await
    }

    /// Waits until a login that is being refreshed in the background is remembered.
    ///
    /// A program that ends, and with it the runtime, calls this last: a refresh token works once, and an interrupted
    /// refresh may lose the login.
    pub async fn settle(&self) {
        self.logins.settle().await;
    }
}
