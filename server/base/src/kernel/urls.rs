//! The addresses that clients use.
//!
//! A token's issuer, the page where a device is approved and the `servers` of a published document
//! all name this service by its public address. Without a configured address it is the listener's,
//! which is known once the service listens.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use url::Url;

use crate::area::Area;
use crate::config::ServerConfig;

/// The address that `accord` uses without options.
const DEFAULT_OF_CLIENTS: &str = "http://127.0.0.1:8080";

/// The public address of each area, without a path and without a trailing slash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Urls {
    main: String,
    /// In the order of [`Area::ALL`], as the next field.
    areas: [String; 4],
    listeners: [SocketAddr; 4],
    /// Whether browsers reach the pages at the listener directly.
    pages_are_direct: bool,
}

impl Urls {
    /// Uses the configured addresses, and those of the listeners for the rest.
    pub fn new(
        config: &ServerConfig,
        main: SocketAddr,
        listener: impl Fn(Area) -> SocketAddr,
    ) -> Self {
        let text = |url: &Url| url.as_str().trim_end_matches('/').to_owned();
        let shared = config.public_url.as_ref();
        let from_address = |address| from_address(config.tls.scheme(), address);
        let pages = config.public_url(Area::Identity);
        Urls {
            pages_are_direct: pages
                .is_none_or(|url| is_of(url, config.tls.scheme(), listener(Area::Identity))),
            listeners: Area::ALL.map(&listener),
            main: shared.map_or_else(|| from_address(main), text),
            areas: Area::ALL.map(|area| match config.inference_host(&config.region) {
                Some(host) if area == Area::Inference && config.inference_url.is_none() => {
                    format!("https://{host}")
                }
                _ => {
                    let configured = config.public_url(area);
                    configured.map_or_else(|| from_address(listener(area)), text)
                }
            }),
        }
    }

    /// The addresses before the service listens. A port that the operating system chooses is 0.
    pub fn planned(config: &ServerConfig) -> Self {
        let listener = |area| config.listener(area).unwrap_or(config.listen);
        Urls::new(config, config.listen, listener)
    }

    /// Whether browsers reach the pages at the listener directly, by the configuration. Otherwise
    /// there is a proxy between them.
    pub fn pages_are_direct(&self) -> bool {
        self.pages_are_direct
    }

    /// The address of the listener with the published documents, health and metrics.
    pub fn main(&self) -> &str {
        &self.main
    }

    /// The address of one area: `http://127.0.0.1:8080`.
    pub fn of(&self, area: Area) -> &str {
        &self.areas[area as usize]
    }

    /// The options of the command `accord` for this service, each with a space before it. If areas have
    /// several addresses, each needs an option of its own.
    pub fn client_options(&self) -> String {
        if self.main == DEFAULT_OF_CLIENTS {
            return String::new();
        }
        let is_local = |url: &Url| url.scheme() == "https" || is_loopback(url);
        let consent = match Url::parse(&self.main).is_ok_and(|url| !is_local(&url)) {
            true => " --allow-http",
            false => "",
        };
        format!(" --url {}{consent}", self.main)
    }

    /// Whether an area is served by the listener with this address.
    pub fn is_served_by(&self, listener: SocketAddr, area: Area) -> bool {
        self.listeners[area as usize] == listener
    }
}

/// Whether an address that clients use is the listener's own.
fn is_of(url: &Url, scheme: &str, listener: SocketAddr) -> bool {
    if url.scheme() != scheme || url.port_or_known_default() != Some(listener.port()) {
        return false;
    }
    let ip = listener.ip();
    match url.host() {
        _ if ip.is_unspecified() => true,
        Some(_) if ip.is_loopback() => is_loopback(url),
        Some(url::Host::Domain(_)) => true,
        Some(url::Host::Ipv4(host)) => ip == IpAddr::V4(host),
        Some(url::Host::Ipv6(host)) => ip == IpAddr::V6(host),
        None => false,
    }
}

/// Whether an address is reachable on this machine only (RFC 6761, section 6.3).
pub fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(url::Host::Domain(name)) => {
            let name = name.strip_suffix('.').unwrap_or(name);
            name == "localhost" || name.ends_with(".localhost")
        }
        Some(url::Host::Ipv4(host)) => host.is_loopback(),
        Some(url::Host::Ipv6(host)) => IpAddr::V6(host).to_canonical().is_loopback(),
        None => false,
    }
}

/// On this machine, a listener on all addresses is reachable at the loopback address.
fn from_address(scheme: &str, mut address: SocketAddr) -> String {
    if address.ip().is_unspecified() {
        address.set_ip(match address.ip() {
            IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
        });
    }
    format!("{scheme}://{address}")
}

#[cfg(test)]
mod tests {
    use confique::Layer as _;

    use super::*;
    use crate::config::{Config, Layer};

    const MAIN: &str = "127.0.0.1:8080";

    fn urls(change: impl FnOnce(&mut Layer)) -> Urls {
        let mut layer = Layer::empty();
        change(&mut layer);
        let config = Config::from_layers(layer).unwrap();
        Urls::new(&config.server, MAIN.parse().unwrap(), |area| {
            config
                .server
                .listener(area)
                .unwrap_or(MAIN.parse().unwrap())
        })
    }

    #[test]
    fn an_area_is_named_by_its_listener_unless_an_address_is_configured() {
        let urls = urls(|layer| {
            layer.server.inference_listen = Some("0.0.0.0:8081".parse().unwrap());
            layer.server.identity_url = Some("https://id.example".parse().unwrap());
        });
        assert_eq!(urls.of(Area::Accounts), "http://127.0.0.1:8080");
        assert_eq!(urls.of(Area::Inference), "http://127.0.0.1:8081");
        assert_eq!(urls.of(Area::Identity), "https://id.example");
        assert_eq!(urls.main(), "http://127.0.0.1:8080");
    }

    #[test]
    fn a_client_learns_the_address_and_whether_it_is_unencrypted() {
        for (url, options) in [
            (None, ""),
            (Some("http://localhost:9"), " --url http://localhost:9"),
            (Some("https://a.example"), " --url https://a.example"),
            (
                Some("http://a.example"),
                " --url http://a.example --allow-http",
            ),
        ] {
            let urls = urls(|layer| layer.server.public_url = url.map(|url| url.parse().unwrap()));
            assert_eq!(urls.client_options(), options);
        }
    }

    #[test]
    fn the_pages_are_direct_where_browsers_reach_the_listener() {
        for (listener, url, direct) in [
            ("127.0.0.1:8080", None, true),
            ("127.0.0.1:8080", Some("http://localhost:8080"), true),
            ("127.0.0.1:8080", Some("http://127.0.0.1:8080"), true),
            ("127.0.0.1:8080", Some("http://accord.example:8080"), false),
            ("127.0.0.1:8080", Some("http://localhost:9090"), false),
            ("127.0.0.1:8080", Some("https://localhost:8080"), false),
            ("0.0.0.0:8080", Some("http://accord.example:8080"), true),
            ("0.0.0.0:8080", Some("https://accord.example"), false),
            ("192.0.2.1:80", Some("http://192.0.2.1"), true),
            ("192.0.2.1:80", Some("http://192.0.2.2"), false),
        ] {
            let mut layer = Layer::empty();
            layer.server.public_url = url.map(|url| url.parse().unwrap());
            let config = Config::from_layers(layer).unwrap();
            let listener = listener.parse().unwrap();
            let urls = Urls::new(&config.server, listener, |_| listener);
            assert_eq!(urls.pages_are_direct(), direct, "{listener} {url:?}");
        }
    }

    #[test]
    fn the_public_address_is_that_of_the_shared_listener_only() {
        let urls = urls(|layer| {
            layer.server.public_url = Some("https://accord.example".parse().unwrap());
            layer.server.inference_listen = Some("127.0.0.1:8081".parse().unwrap());
        });
        assert_eq!(urls.of(Area::Accounts), "https://accord.example");
        assert_eq!(urls.of(Area::Inference), "http://127.0.0.1:8081");
    }
}
