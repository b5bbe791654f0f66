//! The HTTP client: connections, proxies and certificates.

use crate::build_error::BuildError;
#[cfg(any(feature = "rustls", feature = "rustls-no-provider"))]
use reqwest::Certificate;
use reqwest::{Client, Proxy, redirect::Policy};
use std::{fmt, time::Duration};

/// The options of the HTTP client, or one that the program has configured.
#[derive(Clone)]
pub(crate) struct Network {
    pub(crate) connect_timeout: Duration,
    pub(crate) user_agent: String,
    pub(crate) proxies: Vec<Proxy>,
    #[cfg(any(feature = "rustls", feature = "rustls-no-provider"))]
    pub(crate) certificates: Vec<Certificate>,
    pub(crate) client: Option<Client>,
    /// The program sends requests itself, and this client does not.
    pub(crate) is_replaced: bool,
}

impl Default for Network {
    fn default() -> Self {
        Self {
            connect_timeout: Duration::from_secs(10),
            user_agent: concat!("accord-client/", env!("CARGO_PKG_VERSION")).to_owned(),
            proxies: Vec::new(),
            #[cfg(any(feature = "rustls", feature = "rustls-no-provider"))]
            certificates: Vec::new(),
            client: None,
            is_replaced: false,
        }
    }
}

impl Network {
    /// Whether requests may go to addresses of HTTPS, as far as this crate knows.
    pub(crate) fn can_use_https(&self) -> bool {
        cfg!(any(feature = "rustls", feature = "rustls-no-provider"))
            || self.client.is_some()
            || self.is_replaced
    }

    /// The HTTP client. It has no timeout for responses: every call has a deadline of its own.
    pub(crate) fn client(&self) -> Result<Client, BuildError> {
        if let Some(client) = &self.client {
            return Ok(client.clone());
        }
        // reqwest would panic.
        #[cfg(all(feature = "rustls-no-provider", not(feature = "rustls")))]
        if rustls::crypto::CryptoProvider::get_default().is_none() {
            return Err(BuildError::Provider);
        }
        let builder = Client::builder()
            .connect_timeout(self.connect_timeout)
            .tcp_nodelay(true)
            .user_agent(self.user_agent.as_str())
            // The documents have no redirects, and following one would send credentials elsewhere.
            .redirect(Policy::none());
        #[cfg(any(feature = "rustls", feature = "rustls-no-provider"))]
        let builder = builder.tls_certs_merge(self.certificates.iter().cloned());
        let proxies = self.proxies.iter().cloned();
        proxies
            .fold(builder, |builder, proxy| builder.proxy(proxy))
            .build()
            .map_err(BuildError::Http)
    }
}

/// Proxies may have credentials.
impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Network")
            .field("connect_timeout", &self.connect_timeout)
            .field("user_agent", &self.user_agent)
            .field("proxies", &self.proxies.len())
            .field("has_client", &self.client.is_some())
            .finish_non_exhaustive()
    }
}
