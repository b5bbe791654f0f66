//! The HTTP client: connections, proxies and certificates.

use reqwest::{Certificate, Client, Proxy, redirect::Policy};
use std::{fmt, time::Duration};

/// The options of the HTTP client, or one that the program has configured.
#[derive(Clone)]
pub(crate) struct Network {
    pub(crate) connect_timeout: Duration,
    pub(crate) user_agent: String,
    pub(crate) proxies: Vec<Proxy>,
    pub(crate) certificates: Vec<Certificate>,
    pub(crate) client: Option<Client>,
}

impl Default for Network {
    fn default() -> Self {
        Self {
            connect_timeout: Duration::from_secs(10),
            user_agent: concat!("accord-client/", env!("CARGO_PKG_VERSION")).to_owned(),
            proxies: Vec::new(),
            certificates: Vec::new(),
            client: None,
        }
    }
}

impl Network {
    /// The HTTP client. It has no timeout for responses: every call has a deadline of its own.
    pub(crate) fn client(&self) -> reqwest::Result<Client> {
        if let Some(client) = &self.client {
            return Ok(client.clone());
        }
        let builder = Client::builder()
            .connect_timeout(self.connect_timeout)
            .tcp_nodelay(true)
            .user_agent(self.user_agent.as_str())
            .tls_certs_merge(self.certificates.iter().cloned())
            // The documents have no redirects, and following one would send credentials elsewhere.
            .redirect(Policy::none());
        let proxies = self.proxies.iter().cloned();
        proxies
            .fold(builder, |builder, proxy| builder.proxy(proxy))
            .build()
    }
}

/// Proxies may have credentials.
impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Network")
            .field("connect_timeout", &self.connect_timeout)
            .field("user_agent", &self.user_agent)
            .field("proxies", &self.proxies.len())
            .field("certificates", &self.certificates.len())
            .field("has_client", &self.client.is_some())
            .finish()
    }
}
