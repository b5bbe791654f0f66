//! The builder of clients.

use crate::{
    Accord,
    address::Address,
    areas::{self, identity},
    budget::RetryBudget,
    build_error::{BuildError, DEFAULT},
    clients::{Endpoint, Endpoints},
    credentials::{ClientCredentials, Credentials},
    logins::{IdentityClients, Logins},
    middleware::{Layer, Middleware},
    network::{HttpClients, Network},
    retry::RetryPolicy,
    store::{LoginKey, LoginStore, SharedStore, TokenFile, is_profile},
    token_source::{SharedSource, TokenSource},
    transport::{Deadlines, Transport},
};
use dropforge_client::STREAM_DEADLINE;
use reqwest::redirect::Policy;
use secrecy::SecretString;
use std::{sync::Arc, time::Duration};

/// The number of retries that all calls of a client may make without any success.
const RETRIES: u32 = 200;

/// The options of a client. All have defaults: the service of this machine, and no credentials.
#[derive(Debug, Clone)]
pub struct Builder {
    base: Address,
    #[cfg(feature = "accounts")]
    accounts: Option<Address>,
    identity: Option<Address>,
    #[cfg(feature = "inference")]
    inference: Option<Address>,
    #[cfg(feature = "patterns")]
    patterns: Option<Address>,
    allow_http: bool,
    tokens: Option<SharedSource>,
    api_key: Option<SecretString>,
    client: Option<ClientCredentials>,
    store: Option<SharedStore>,
    profile: Option<String>,
    network: Network,
    middleware: Middleware,
    deadlines: Deadlines,
    retry: RetryPolicy,
    retry_budget: u32,
}

impl Default for Builder {
    fn default() -> Self {
        Self {
            base: Address(DEFAULT.to_owned()),
            #[cfg(feature = "accounts")]
            accounts: None,
            identity: None,
            #[cfg(feature = "inference")]
            inference: None,
            #[cfg(feature = "patterns")]
            patterns: None,
            allow_http: false,
            tokens: None,
            api_key: None,
            client: None,
            store: None,
            profile: None,
            network: Network::default(),
            middleware: Middleware::default(),
            deadlines: Deadlines {
                attempt: Duration::from_secs(120),
                call: Duration::from_secs(300),
                silence: Duration::from_secs(120),
                stream: STREAM_DEADLINE,
            },
            retry: RetryPolicy::default(),
            retry_budget: RETRIES,
        }
    }
}

impl Accord {
    /// The builder of a client, with the defaults of all options.
    pub fn builder() -> Builder {
        Builder::default()
    }
}

impl Builder {
    /// The address of all four areas, without a path: `https://accord.example`.
    #[must_use]
    pub fn base_url(mut self, address: impl Into<String>) -> Self {
        self.base = Address(address.into());
        self
    }

    /// The address of the accounts area, if it has one of its own.
    #[cfg(feature = "accounts")]
    #[must_use]
    pub fn accounts_url(mut self, address: impl Into<String>) -> Self {
        self.accounts = Some(Address(address.into()));
        self
    }

    /// The address of the identity area, if it has one of its own.
    #[must_use]
    pub fn identity_url(mut self, address: impl Into<String>) -> Self {
        self.identity = Some(Address(address.into()));
        self
    }

    /// The address of the inference area, if it has one of its own.
    #[cfg(feature = "inference")]
    #[must_use]
    pub fn inference_url(mut self, address: impl Into<String>) -> Self {
        self.inference = Some(Address(address.into()));
        self
    }

    /// The address of the patterns area, if it has one of its own.
    #[cfg(feature = "patterns")]
    #[must_use]
    pub fn patterns_url(mut self, address: impl Into<String>) -> Self {
        self.patterns = Some(Address(address.into()));
        self
    }

    /// Allows addresses of `http` on other machines, which get credentials unencrypted: for networks that encrypt, such as
    /// a service mesh. This machine (`localhost`, `127.0.0.1`, `::1`) needs no permission.
    #[must_use]
    pub fn allow_http(mut self) -> Self {
        self.allow_http = true;
        self
    }

    /// An access token that the program has. The client prefers it to a login, and does not refresh it.
    #[must_use]
    pub fn access_token(mut self, token: impl Into<String>) -> Self {
        self.tokens = Some(SharedSource::fixed(token.into().into()));
        self
    }

    /// A source of access tokens, in place of a fixed one ([`Builder::access_token`]). The client prefers it to a login.
    #[must_use]
    pub fn token_source(mut self, source: impl TokenSource) -> Self {
        self.tokens = Some(SharedSource::new(source));
        self
    }

    /// A secret of an API key, for calls of models.
    #[must_use]
    pub fn api_key(mut self, secret: impl Into<String>) -> Self {
        self.api_key = Some(secret.into().into());
        self
    }

    /// Identifier and secret of a confidential client, for the operations of the identity area that take them:
    /// introspection, tokens, revocation. A login as another client does not use them.
    #[must_use]
    pub fn client_credentials(mut self, id: impl Into<String>, secret: impl Into<String>) -> Self {
        self.client = Some(ClientCredentials {
            id: id.into(),
            secret: secret.into().into(),
        });
        self
    }

    /// The file that remembers the login: [`Builder::login_store`] with a file.
    #[must_use]
    pub fn token_file(self, file: TokenFile) -> Self {
        self.login_store(file)
    }

    /// The store that remembers the login. Without it, [`Accord::login`] lasts as long as the client and its clones.
    #[must_use]
    pub fn login_store(mut self, store: impl LoginStore) -> Self {
        self.store = Some(SharedStore(Arc::new(store)));
        self
    }

    /// The profile whose login is used, `default` by default: a store has one login of each profile for each identity
    /// service.
    #[must_use]
    pub fn profile(mut self, name: impl Into<String>) -> Self {
        self.profile = Some(name.into());
        self
    }

    /// The timeout for opening a connection; 10 seconds by default.
    #[must_use]
    pub fn connect_timeout(mut self, timeout: Duration) -> Self {
        self.network.connect_timeout = timeout;
        self
    }

    /// The timeout of one attempt, its response included; 2 minutes by default, and never longer than the rest of
    /// [`Builder::deadline`]. It does not limit event streams.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.deadlines.attempt = timeout;
        self
    }

    /// The deadline of a call: its attempts, the waits between them, and the refreshes of the login that they need; 5
    /// minutes by default. No attempt begins after the deadline. An event stream must begin before it.
    #[must_use]
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.deadlines.call = deadline;
        self
    }

    /// How long an event stream may be silent; 2 minutes by default. After that it ends with [`StreamError::Silent`].
    ///
    /// The response must begin within this time or [`Builder::timeout`], whichever is longer.
    ///
    /// [`StreamError::Silent`]: crate::StreamError::Silent
    #[must_use]
    pub fn stream_timeout(mut self, timeout: Duration) -> Self {
        self.deadlines.silence = timeout;
        self
    }

    /// How long an event stream may last, from its request on; 24 hours by default. After that it ends with
    /// [`StreamError::Connection`], whose error is a timeout.
    ///
    /// [`StreamError::Connection`]: crate::StreamError::Connection
    #[must_use]
    pub fn stream_deadline(mut self, deadline: Duration) -> Self {
        self.deadlines.stream = deadline;
        self
    }

    /// The number of retries that all calls of the client, together, may make without any success; 200 by default. Five
    /// successful calls pay for one more retry. So an outage of the service does not multiply its load.
    #[must_use]
    pub fn retry_budget(mut self, retries: u32) -> Self {
        self.retry_budget = retries;
        self
    }

    /// The retry policy for failed attempts.
    #[must_use]
    pub fn retry(mut self, policy: RetryPolicy) -> Self {
        self.retry = policy;
        self
    }

    /// The `User-Agent` of the client.
    #[must_use]
    pub fn user_agent(mut self, name: impl Into<String>) -> Self {
        self.network.user_agent = name.into();
        self
    }

    /// Sends through a proxy, in place of those of the environment variables `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`.
    /// May be called several times; the first proxy that applies to an address is used. Unlike the proxies of the
    /// environment, it also gets requests to addresses of this machine.
    #[must_use]
    pub fn proxy(mut self, proxy: reqwest::Proxy) -> Self {
        self.network.proxies.push(proxy);
        self
    }

    /// Trusts a certificate authority, besides those of the system.
    #[cfg(any(feature = "rustls", feature = "rustls-no-provider"))]
    #[must_use]
    pub fn root_certificate(mut self, certificate: reqwest::Certificate) -> Self {
        self.network.certificates.push(certificate);
        self
    }

    /// Sends with an HTTP client that the program has configured: its connections, proxies, certificates, timeout for
    /// connecting and `User-Agent` apply, and those of this builder do not.
    ///
    /// It follows no redirects, even if it was configured to: a redirected refresh of the login would send the refresh
    /// token elsewhere. The method takes a builder, because the redirects of a finished client cannot be changed. To
    /// share the connections of a client, send its requests by [`Builder::transport`].
    ///
    /// # Errors
    ///
    /// When the HTTP client cannot be created.
    pub fn http(mut self, client: reqwest::ClientBuilder) -> Result<Self, BuildError> {
        let client = client.redirect(Policy::none()).build();
        self.network.client = Some(client.map_err(BuildError::Http)?);
        Ok(self)
    }

    /// Adds code around each call. A later layer surrounds the earlier ones. Layers also surround the requests of a login
    /// and of its refresh.
    #[must_use]
    pub fn layer(mut self, layer: impl Layer) -> Self {
        self.middleware.layers.push(Arc::new(layer));
        self
    }

    /// Sends single attempts, in place of the HTTP client: [`Transport::send`](crate::Transport::send) gets each request
    /// with its credentials, and its timeout (`Request::timeout`), which it must obey. `prepare` is called once for each
    /// call. Retries and deadlines of this builder apply; `stream_timeout` of the transport does not.
    #[must_use]
    pub fn transport(mut self, transport: impl dropforge_client::Transport) -> Self {
        self.middleware.sender = Arc::new(transport);
        self.network.is_replaced = true;
        self
    }

    /// The maximum size in bytes of a response that the client reads as a whole; 64 MiB by default, or that of the
    /// transport ([`Transport::max_body_bytes`](crate::Transport::max_body_bytes)). A larger one is
    /// [`Failure::Unreadable`](crate::Failure::Unreadable). It does not limit event streams: each of their events has at
    /// most 16 MiB ([`EventStream::limit`](crate::EventStream::limit)).
    #[must_use]
    pub fn max_body_bytes(mut self, bytes: usize) -> Self {
        self.middleware.max_body = Some(bytes);
        self
    }

    /// Creates the client.
    ///
    /// # Errors
    ///
    /// When an address or the name of the profile is invalid, or the HTTP client cannot be created. Addresses of HTTP on
    /// another machine need [`Builder::allow_http`]. Without the features `rustls` and `rustls-no-provider`, addresses of
    /// HTTPS need [`Builder::http`] or [`Builder::transport`].
    pub fn build(self) -> Result<Accord, BuildError> {
        let of = |own: &Option<Address>| {
            let address = own.as_ref().unwrap_or(&self.base).parse(self.allow_http)?;
            match address.starts_with("https:") && !self.network.can_use_https() {
                true => Err(BuildError::Https { address }),
                false => Ok(address),
            }
        };
        let identity = of(&self.identity)?;
        let mut http_clients = HttpClients::new(self.network.clone());
        let identity_http = http_clients.of(&identity)?;
        let mut key = LoginKey::new(identity.clone());
        if let Some(name) = self.profile {
            if !is_profile(&name) {
                return Err(BuildError::Profile { name });
            }
            key = key.profile(name);
        }
        let once = Transport::once(self.deadlines, self.middleware.clone());
        let clients = identity_clients(&identity, &identity_http, &once, self.client.as_ref());
        let logins = Arc::new(Logins::new(
            key,
            self.store.unwrap_or_default(),
            clients,
            self.retry.clone(),
        ));
        let transport = Transport {
            credentials: Arc::new(Credentials {
                api_key: self.api_key,
                tokens: self.tokens,
                client: self.client,
                logins: Some(Arc::clone(&logins)),
            }),
            retry: self.retry,
            budget: Arc::new(RetryBudget::new(self.retry_budget)),
            ..once
        };
        macro_rules! endpoint {
            ($area:ident) => {{
                let address = of(&self.$area)?;
                let http = http_clients.of(&address)?;
                let url = address + areas::$area::BASE_PATH;
                Endpoint { url, http }
            }};
        }
        let endpoints = Endpoints {
            #[cfg(feature = "accounts")]
            accounts: endpoint!(accounts),
            identity: endpoint!(identity),
            #[cfg(feature = "inference")]
            inference: endpoint!(inference),
            #[cfg(feature = "patterns")]
            patterns: endpoint!(patterns),
        };
        Ok(Accord::new(Arc::new(endpoints), logins, transport))
    }
}

/// The clients for creating and refreshing logins: without a login, and without retries.
pub(crate) fn identity_clients(
    address: &str,
    http: &reqwest::Client,
    transport: &Transport,
    confidential: Option<&ClientCredentials>,
) -> IdentityClients {
    let with = |client: Option<ClientCredentials>| {
        let transport = Transport {
            credentials: Arc::new(Credentials {
                client,
                ..Credentials::default()
            }),
            ..transport.clone()
        };
        let address = format!("{address}{}", identity::BASE_PATH);
        identity::Client::new_with_client(&address, http.clone(), transport.session())
    };
    IdentityClients {
        public: with(None),
        confidential: confidential.map(|client| (client.id.clone(), with(Some(client.clone())))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_with_an_invalid_name_is_an_error() {
        for name in ["", "a b"] {
            let built = Accord::builder().profile(name).build();
            let error = built.expect_err(name).to_string();
            assert!(error.contains("letters, digits"), "{error}");
        }
    }

    #[test]
    fn a_client_does_not_print_its_secrets() {
        let builder = Accord::builder()
            .api_key("sk-very-secret")
            .access_token("very-secret-too")
            .client_credentials("robot", "very-secret-as-well");
        let printed = format!(
            "{builder:?} {:?}",
            builder.clone().build().expect("a client")
        );
        assert!(!printed.contains("very-secret"), "{printed}");
    }
}
