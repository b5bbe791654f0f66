//! The HTTP client: connections, proxies and certificates.

use crate::{address::is_local, build_error::BuildError};
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

    /// The HTTP client for addresses of this machine, or for all others. It has no timeout for responses: every call has a
    /// deadline of its own.
    fn client(&self, is_local: bool) -> Result<Client, BuildError> {
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
        // The proxies of the environment are on other machines, which would get the credentials.
        let builder = match is_local && self.proxies.is_empty() {
            true => builder.no_proxy(),
            false => builder,
        };
        let proxies = self.proxies.iter().cloned();
        proxies
            .fold(builder, |builder, proxy| builder.proxy(proxy))
            .build()
            .map_err(BuildError::Http)
    }
}

/// The HTTP clients of the areas. Each is created for its first address.
#[derive(Debug)]
pub(crate) struct HttpClients {
    network: Network,
    /// For addresses of this machine.
    local: Option<Client>,
    /// For all other addresses.
    remote: Option<Client>,
}

impl HttpClients {
    pub(crate) fn new(network: Network) -> Self {
        Self {
            network,
            local: None,
            remote: None,
        }
    }

    /// The HTTP client for this address.
    pub(crate) fn of(&mut self, address: &str) -> Result<Client, BuildError> {
        let is_local = is_local(address);
        let known = match is_local {
            true => &mut self.local,
            false => &mut self.remote,
        };
        match known {
            Some(client) => Ok(client.clone()),
            None => Ok(known.insert(self.network.client(is_local)?).clone()),
        }
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
