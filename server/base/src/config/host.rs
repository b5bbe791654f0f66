//! The normal form of host names.

use std::net::Ipv6Addr;

use http::uri::Authority;

/// A host with its port, if it has one, in the form in which hosts are compared. It is in lower case,
/// without the dot that ends an absolute name, and with an IPv6 address in its short form (RFC
/// 5952). `None` if the text is not a host.
pub fn normalize(host: &str) -> Option<String> {
    let authority: Authority = host.parse().ok()?;
    if authority.as_str().contains('@') {
        return None;
    }
    let name = authority.host();
    let name = match name
        .strip_prefix('[')
        .and_then(|name| name.strip_suffix(']'))
    {
        Some(address) => format!("[{}]", address.parse::<Ipv6Addr>().ok()?),
        None => name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase(),
    };
    if name.is_empty() {
        return None;
    }
    Some(match authority.port() {
        Some(port) => format!("{name}:{port}"),
        None => name,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_spellings_of_a_host_are_one() {
        for (host, normal) in [
            ("EU.example", "eu.example"),
            ("eu.example.", "eu.example"),
            ("eu.example.:8080", "eu.example:8080"),
            ("[0:0:0:0:0:0:0:1]:8297", "[::1]:8297"),
            ("[::1]", "[::1]"),
            ("127.0.0.1:80", "127.0.0.1:80"),
        ] {
            assert_eq!(normalize(host).as_deref(), Some(normal), "{host}");
        }
        for host in ["", ".", "a@b", "a b", "[1::2::3]", "a/b", "[::1"] {
            assert_eq!(normalize(host), None, "{host}");
        }
    }
}
