//! The `[server]` section of the configuration.

use std::net::SocketAddr;
use std::path::PathBuf;

use super::network::Network;
use super::{Secret, TlsConfig};
use crate::area::Area;

/// The `[server]` section.
#[derive(Debug, Clone, confique::Config)]
#[config(layer_attr(derive(serde::Serialize)))]
pub struct ServerConfig {
    /// Address of the listener that serves every area without one of its own,
    /// the published documents, health and metrics unless `ops_listen` is set.
    #[config(default = "127.0.0.1:8080", env = "ACCORD_LISTEN")]
    pub listen: SocketAddr,
    /// A listener of its own for accounts.
    #[config(env = "ACCORD_ACCOUNTS_LISTEN")]
    pub accounts_listen: Option<SocketAddr>,
    /// A listener of its own for identity.
    #[config(env = "ACCORD_IDENTITY_LISTEN")]
    pub identity_listen: Option<SocketAddr>,
    /// A listener of its own for inference.
    #[config(env = "ACCORD_INFERENCE_LISTEN")]
    pub inference_listen: Option<SocketAddr>,
    /// A listener of its own for patterns.
    #[config(env = "ACCORD_PATTERNS_LISTEN")]
    pub patterns_listen: Option<SocketAddr>,

    /// The address that clients use, if it is not the listener's: behind a proxy, in a
    /// container, with TLS. Without a path.
    #[config(env = "ACCORD_PUBLIC_URL")]
    pub public_url: Option<url::Url>,
    /// The address that clients use for accounts.
    #[config(env = "ACCORD_ACCOUNTS_URL")]
    pub accounts_url: Option<url::Url>,
    /// The address that clients use for identity. It is the issuer of all tokens, so do
    /// not change it later.
    #[config(env = "ACCORD_IDENTITY_URL")]
    pub identity_url: Option<url::Url>,
    /// The address that clients use for inference.
    #[config(env = "ACCORD_INFERENCE_URL")]
    pub inference_url: Option<url::Url>,
    /// The address that clients use for patterns.
    #[config(env = "ACCORD_PATTERNS_URL")]
    pub patterns_url: Option<url::Url>,

    /// A listener of its own for health and metrics, which only operators should reach. It
    /// serves `/healthz`, `/readyz` and `/metrics`, and no other listener does.
    #[config(env = "ACCORD_OPS_LISTEN")]
    pub ops_listen: Option<SocketAddr>,

    /// A listener for plain HTTP beside listeners with TLS: it redirects pages to them,
    /// and rejects all other requests.
    #[config(env = "ACCORD_REDIRECT_HTTP")]
    pub redirect_http: Option<SocketAddr>,

    /// Networks of the proxies in front of the service: `["10.0.0.0/8"]`, in the
    /// variable separated by commas. The service accepts the callers' addresses that
    /// these proxies send, and ignores those that other peers send.
    #[config(
        default = [],
        env = "ACCORD_TRUSTED_PROXIES",
        parse_env = confique::env::parse::list_by_comma
    )]
    pub trusted_proxies: Vec<Network>,
    /// The header in which the proxies send the caller's address: `X-Forwarded-For`, or
    /// `Forwarded` (RFC 7239), which can also have scheme and host. The service ignores
    /// the other header, because proxies pass it on from callers.
    #[config(default = "X-Forwarded-For", env = "ACCORD_CLIENT_ADDRESS_HEADER")]
    pub client_address_header: ClientAddressHeader,
    /// The headers beside `X-Forwarded-For` that every trusted proxy sets itself:
    /// `["X-Forwarded-Proto", "X-Forwarded-Host"]`. The service ignores the others,
    /// because proxies pass them on from callers.
    #[config(
        default = [],
        env = "ACCORD_FORWARDED_HEADERS",
        parse_env = confique::env::parse::list_by_comma
    )]
    pub forwarded_headers: Vec<ForwardedHeader>,

    /// Directory of the database file and the server's key. It is created for its owner
    /// only if it does not exist.
    #[config(default = "data", env = "ACCORD_DATA_DIR")]
    pub data_dir: PathBuf,
    /// The key that hashes secrets at rest: 32 bytes in base64. All replicas need the
    /// same. By default, the service uses the file `server.key` in the data directory,
    /// and creates it if it does not exist. To replace the key, add another one after a
    /// comma, and see `accord-server server-keys`.
    #[config(env = "ACCORD_SERVER_KEY")]
    pub key: Option<Secret>,
    /// The file of the server keys, such as a mounted secret, in place of `server.key` in the data
    /// directory. Each line has one key. The service reads the file again while it runs, and
    /// never creates or changes it. Only its owner and its group may have the right to read it.
    #[config(env = "ACCORD_SERVER_KEY_FILE")]
    pub key_file: Option<PathBuf>,
    /// The region of this service. API keys work only in their region.
    #[config(default = "local", env = "ACCORD_REGION")]
    pub region: String,
    /// The domain of the inference hosts: with `example.com`, clients reach the region
    /// `eu-1` at `https://inference.generativeai.eu-1.example.com`.
    #[config(env = "ACCORD_DOMAIN")]
    pub domain: Option<String>,
    /// The service compares one response in this many with its document, and counts
    /// violations: 1 compares all, 0 none [default: 1 in debug builds, 0 in others].
    #[config(env = "ACCORD_COMPARE_ONE_IN")]
    pub compare_one_in: Option<u32>,
    /// Seconds from the beginning of a connection to the end of the headers of its
    /// first request. A TLS handshake and the wait for the first byte are part of it.
    #[config(default = 30, env = "ACCORD_HEAD_SECONDS")]
    pub head_seconds: u32,
    /// Seconds that a connection stays open between two requests. 30 is the most
    /// that has an effect.
    #[config(default = 30, env = "ACCORD_IDLE_SECONDS")]
    pub idle_seconds: u32,
    /// Seconds that the whole body of a request may take, and one more for each 16 KiB
    /// that have arrived.
    #[config(default = 30, env = "ACCORD_BODY_SECONDS")]
    pub body_seconds: u32,
    /// Seconds that a client may leave a response, or a part of a stream, unread
    /// before its connection ends. On HTTP/2, a stream is also unread while its client
    /// gives it no window.
    #[config(default = 120, env = "ACCORD_UNREAD_SECONDS")]
    pub unread_seconds: u32,
    /// Maximum number of connections from one address (one /64 of IPv6); 0 for no limit.
    /// Further ones are closed.
    #[config(default = 1024, env = "ACCORD_CONNECTIONS_PER_ADDRESS")]
    pub connections_per_address: u32,
    /// Seconds for which the service still accepts requests after a signal to stop, while `/readyz`
    /// already returns 503. Set it above the time after which a balancer notices the 503: the
    /// interval of its checks times the number that have to fail.
    #[config(default = 0, env = "ACCORD_DRAIN_DELAY_SECONDS")]
    pub drain_delay_seconds: u32,
    /// Seconds that requests in flight may still take when the service stops. Its last writes have
    /// the rest of this time, and at least 5 seconds. Traces and log lines may take 2 more.
    #[config(default = 20, env = "ACCORD_DRAIN_SECONDS")]
    pub drain_seconds: u32,
    /// TLS of every listener.
    #[config(nested)]
    pub tls: TlsConfig,
}

/// The header in which trusted proxies send the address of their caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
pub enum ClientAddressHeader {
    /// `X-Forwarded-For`.
    #[serde(rename = "X-Forwarded-For", alias = "x-forwarded-for")]
    XForwardedFor,
    /// `Forwarded` (RFC 7239).
    #[serde(alias = "forwarded")]
    Forwarded,
}

/// A header beside `X-Forwarded-For`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
pub enum ForwardedHeader {
    /// `X-Forwarded-Proto`: the scheme that the caller used.
    #[serde(rename = "X-Forwarded-Proto", alias = "x-forwarded-proto")]
    Proto,
    /// `X-Forwarded-Host`: the host that the caller named.
    #[serde(rename = "X-Forwarded-Host", alias = "x-forwarded-host")]
    Host,
}

impl std::str::FromStr for ForwardedHeader {
    type Err = serde::de::value::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        use serde::de::{Deserialize, IntoDeserializer};
        Self::deserialize(text.trim().into_deserializer())
    }
}

impl ServerConfig {
    /// The addresses of all listeners with operations or pages.
    pub fn listeners(&self) -> impl Iterator<Item = SocketAddr> {
        let own = Area::ALL.into_iter().filter_map(|area| self.listener(area));
        std::iter::once(self.listen).chain(own)
    }

    /// All configured public addresses.
    pub fn public_urls(&self) -> impl Iterator<Item = &url::Url> {
        let own = [
            &self.accounts_url,
            &self.identity_url,
            &self.inference_url,
            &self.patterns_url,
        ];
        self.public_url.iter().chain(own.into_iter().flatten())
    }

    /// The inference host of a region, if a domain is configured.
    pub fn inference_host(&self, region: &str) -> Option<String> {
        let domain = self.domain.as_ref()?;
        Some(format!("inference.generativeai.{region}.{domain}"))
    }

    /// The separate listener of an area, if it has one.
    pub fn listener(&self, area: Area) -> Option<SocketAddr> {
        match area {
            Area::Accounts => self.accounts_listen,
            Area::Identity => self.identity_listen,
            Area::Inference => self.inference_listen,
            Area::Patterns => self.patterns_listen,
        }
    }

    /// The configured public address of an area: its own, or the common one if it uses
    /// the shared listener.
    pub fn public_url(&self, area: Area) -> Option<&url::Url> {
        let own = match area {
            Area::Accounts => &self.accounts_url,
            Area::Identity => &self.identity_url,
            Area::Inference => &self.inference_url,
            Area::Patterns => &self.patterns_url,
        };
        match self.listener(area) {
            Some(_) => own.as_ref(),
            None => own.as_ref().or(self.public_url.as_ref()),
        }
    }
}
