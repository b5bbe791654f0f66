//! The caller of a request that arrives through proxies.
//!
//! The peer of a connection is the caller, unless the peer is a trusted proxy
//! (`server.trusted_proxies`). A trusted proxy writes the address that sent it the request into one
//! header (`server.client_address_header`). The service reads this header alone: proxies forward a
//! caller's other one.
//!
//! All lines of the header count as one list. The service reads the list from the right, where the
//! nearest proxy wrote. It skips trusted proxies and stops at the first other address. A malformed
//! element also ends the search: the address before it is the last known one. The elements further
//! left come from the caller and are never read.
//!
//! Scheme and host of the request are read from the same place. The service reads
//! `X-Forwarded-Proto` and `X-Forwarded-Host` only if the configuration names them
//! (`server.forwarded_headers`), because a proxy that does not write a header forwards the
//! caller's.

mod forwarded;
mod node;

use std::borrow::Cow;
use std::net::IpAddr;

use http::header::{FORWARDED, HOST};
use http::{HeaderMap, HeaderName, Uri};

use crate::config::network::Network;
use crate::config::{ClientAddressHeader, ForwardedHeader, ServerConfig};

pub use crate::config::normalize_host;

static X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
static X_FORWARDED_HOST: HeaderName = HeaderName::from_static("x-forwarded-host");
static X_FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// The trusted proxies, and the header that they write.
#[derive(Debug, Clone)]
pub struct Proxies {
    trusted: Vec<Network>,
    header: ClientAddressHeader,
    /// The headers that they write beside `X-Forwarded-For`.
    forwarded: Vec<ForwardedHeader>,
}

/// The known facts about the caller of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller<'h> {
    /// The caller's address. An IPv4-mapped IPv6 address is converted to IPv4.
    pub address: IpAddr,
    /// Whether this is the address of a trusted proxy that did not name its caller.
    pub is_proxy: bool,
    /// The scheme that the caller used, if a trusted proxy names it.
    pub scheme: Option<&'static str>,
    /// The host that the caller named, if a trusted proxy names it.
    pub host: Option<Cow<'h, str>>,
}

impl Proxies {
    /// The proxies of the configuration.
    pub fn new(config: &ServerConfig) -> Proxies {
        Proxies {
            trusted: config.trusted_proxies.clone(),
            header: config.client_address_header,
            forwarded: config.forwarded_headers.clone(),
        }
    }

    /// Whether no proxy is trusted, so that every peer is the caller.
    pub fn is_empty(&self) -> bool {
        self.trusted.is_empty()
    }

    /// Whether an address is that of a trusted proxy.
    pub fn trusts(&self, address: IpAddr) -> bool {
        self.trusted.iter().any(|network| network.contains(address))
    }

    /// The caller of a request with these headers from `peer`.
    pub fn caller<'h>(&self, peer: IpAddr, headers: &'h HeaderMap) -> Caller<'h> {
        let address = peer.to_canonical();
        let mut caller = Caller {
            address,
            is_proxy: self.trusts(address),
            scheme: None,
            host: None,
        };
        if caller.is_proxy {
            match self.header {
                ClientAddressHeader::XForwardedFor => self.read_x_forwarded(headers, &mut caller),
                ClientAddressHeader::Forwarded => self.read_forwarded(headers, &mut caller),
            }
        }
        caller
    }

    fn read_x_forwarded<'h>(&self, headers: &'h HeaderMap, caller: &mut Caller<'h>) {
        // The number of proxies between the caller and the nearest proxy.
        let mut hops = 0;
        for (at, element) in elements(headers, &X_FORWARDED_FOR).enumerate() {
            let Some(address) = text(element).and_then(node::of_list) else {
                break;
            };
            hops = at;
            self.go_on(caller, address);
            if !caller.is_proxy {
                break;
            }
        }
        let value = |header, name| {
            let is_written = self.forwarded.contains(&header);
            is_written.then(|| value_at(headers, name, hops)).flatten()
        };
        caller.scheme = value(ForwardedHeader::Proto, &X_FORWARDED_PROTO).and_then(scheme);
        caller.host = value(ForwardedHeader::Host, &X_FORWARDED_HOST)
            .filter(|host| normalize_host(host).is_some())
            .map(Cow::Borrowed);
    }

    /// RFC 7239, section 4.
    fn read_forwarded<'h>(&self, headers: &'h HeaderMap, caller: &mut Caller<'h>) {
        let lines = headers.get_all(FORWARDED).iter().rev();
        for element in lines.flat_map(|line| forwarded::elements(line.as_bytes())) {
            let Some(element) = forwarded::Element::parse(element) else {
                return;
            };
            caller.scheme = element.proto.and_then(|proto| scheme(&proto));
            caller.host = element.host.filter(|host| normalize_host(host).is_some());
            let Some(address) = element.node.and_then(|node| node::of_forwarded(&node)) else {
                return;
            };
            self.go_on(caller, address);
            if !caller.is_proxy {
                return;
            }
        }
    }

    fn go_on(&self, caller: &mut Caller<'_>, address: IpAddr) {
        caller.address = address.to_canonical();
        caller.is_proxy = self.trusts(caller.address);
    }

    /// The host that the caller named, in its normal form ([`normalize_host`]): from a trusted
    /// proxy, else from the request's target, else from its `Host` (RFC 9112, section 3.2.2).
    pub fn host(&self, peer: IpAddr, headers: &HeaderMap, uri: &Uri) -> Option<String> {
        if let Some(host) = self.caller(peer, headers).host {
            return normalize_host(&host);
        }
        let target = uri.authority().map(|authority| authority.as_str());
        let host = || headers.get(HOST).and_then(|host| host.to_str().ok());
        normalize_host(target.or_else(host)?)
    }

    /// The headers that [`host`](Self::host) and the scheme depend on, for
    /// `Vary`.
    pub fn vary(&self) -> &'static str {
        let writes = |header| self.forwarded.contains(&header);
        let (host, proto) = (
            writes(ForwardedHeader::Host),
            writes(ForwardedHeader::Proto),
        );
        match (self.header, host, proto) {
            _ if self.is_empty() => "Host",
            (ClientAddressHeader::Forwarded, ..) => "Host, Forwarded",
            (_, false, false) => "Host",
            (_, true, false) => "Host, X-Forwarded-Host",
            (_, false, true) => "Host, X-Forwarded-Proto",
            (_, true, true) => "Host, X-Forwarded-Host, X-Forwarded-Proto",
        }
    }
}

/// The address that limits apply to: an IPv4 address itself, or the 64 bits of an IPv6 network, which
/// one customer has at least.
pub fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6((address.to_bits() >> 64 << 64).into()),
        address => address,
    }
}

/// That address or network as a text.
pub fn counted_as(address: IpAddr) -> String {
    match network(address) {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(network) => format!("{network}/64"),
    }
}

/// The elements of a list in all lines of a header, the last one first.
fn elements<'h>(headers: &'h HeaderMap, name: &HeaderName) -> impl Iterator<Item = &'h [u8]> {
    let lines = headers.get_all(name).iter().rev();
    lines.flat_map(|line| line.as_bytes().rsplit(|byte| *byte == b','))
}

/// The element of the proxy that is this many before the nearest one. A shorter list was replaced
/// by a proxy, and not extended by every one.
fn value_at<'h>(headers: &'h HeaderMap, name: &HeaderName, hops: usize) -> Option<&'h str> {
    elements(headers, name).take(hops + 1).last().and_then(text)
}

fn text(element: &[u8]) -> Option<&str> {
    std::str::from_utf8(element).ok().map(str::trim)
}

fn scheme(name: &str) -> Option<&'static str> {
    ["http", "https"]
        .into_iter()
        .find(|known| known.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests;
