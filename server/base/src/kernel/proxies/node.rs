//! Addresses as proxies write them, with or without a port.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// An element of `X-Forwarded-For`: `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`,
/// `[2001:db8::1]` or `[2001:db8::1]:80`.
pub(super) fn of_list(text: &str) -> Option<IpAddr> {
    let bare = || text.parse::<Ipv6Addr>().ok().map(IpAddr::V6);
    of_forwarded(text).or_else(bare)
}

/// A node (RFC 7239, section 6). `unknown` and obfuscated identifiers name no
/// address.
pub(super) fn of_forwarded(text: &str) -> Option<IpAddr> {
    if let Some(rest) = text.strip_prefix('[') {
        let (address, port) = rest.split_once(']')?;
        let is_port = port.is_empty() || port.strip_prefix(':').is_some_and(is_port);
        return is_port.then(|| address.parse().ok().map(IpAddr::V6))?;
    }
    let (address, is_whole) = match text.split_once(':') {
        Some((address, port)) => (address, is_port(port)),
        None => (text, true),
    };
    let address = address.parse::<Ipv4Addr>().ok().map(IpAddr::V4);
    address.filter(|_| is_whole)
}

/// Section 6.2: a number, or an obfuscated identifier (section 6.3).
fn is_port(text: &str) -> bool {
    let is_number = (1..=5).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    let of_obfuscated = |b: u8| b.is_ascii_alphanumeric() || b"._-".contains(&b);
    is_number
        || text
            .strip_prefix('_')
            .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(of_obfuscated))
}
