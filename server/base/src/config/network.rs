//! A network of the configuration: `10.0.0.0/8`, or one address.

use std::net::IpAddr;
use std::str::FromStr;

use ipnet::IpNet;

/// A range of addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network(IpNet);

impl Network {
    /// Whether an address is in the range. An IPv4-mapped IPv6 address counts as
    /// IPv4.
    pub fn contains(&self, address: IpAddr) -> bool {
        self.0.contains(&address.to_canonical())
    }
}

impl std::fmt::Display for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0.prefix_len() == self.0.max_prefix_len() {
            true => self.0.addr().fmt(f),
            false => self.0.fmt(f),
        }
    }
}

/// The error for a text that is not a network.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text}: {problem}")]
pub struct NetworkError {
    text: String,
    problem: String,
}

impl FromStr for Network {
    type Err = NetworkError;

    fn from_str(text: &str) -> Result<Self, NetworkError> {
        let refused = |problem: String| NetworkError {
            text: text.to_owned(),
            problem,
        };
        let network = match text.trim().parse::<IpAddr>() {
            Ok(address) => IpNet::from(address),
            Err(_) => text.trim().parse::<IpNet>().map_err(|_| {
                refused("expected a network such as 10.0.0.0/8, or an address".to_owned())
            })?,
        };
        if network.prefix_len() == 0 {
            let problem = "this includes every address: any caller could claim to be any other";
            return Err(refused(problem.to_owned()));
        }
        if network != network.trunc() {
            return Err(refused(format!("did you mean {}?", network.trunc())));
        }
        match network {
            IpNet::V6(v6) if v6.network().to_ipv4_mapped().is_some() => {
                Err(refused("write an IPv4 network as IPv4".to_owned()))
            }
            _ => Ok(Network(network)),
        }
    }
}

impl<'de> serde::Deserialize<'de> for Network {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <String as serde::Deserialize>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

impl serde::Serialize for Network {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(text: &str) -> Network {
        text.parse().unwrap()
    }

    #[test]
    fn an_address_alone_is_a_network_of_one() {
        assert!(network("10.1.2.3").contains("10.1.2.3".parse().unwrap()));
        assert!(!network("10.1.2.3").contains("10.1.2.4".parse().unwrap()));
        assert!(network("2001:db8::/32").contains("2001:db8:1::7".parse().unwrap()));
    }

    #[test]
    fn a_mapped_address_is_in_the_network_of_its_ipv4_address() {
        assert!(network("10.0.0.0/8").contains("::ffff:10.1.2.3".parse().unwrap()));
    }

    #[test]
    fn a_mistaken_network_is_refused_with_a_proposal() {
        for (text, problem) in [
            ("10.0.0.1/8", "did you mean 10.0.0.0/8?"),
            ("0.0.0.0/0", "any caller could claim"),
            ("::/0", "any caller could claim"),
            ("::ffff:10.0.0.0/104", "as IPv4"),
            ("proxy.example", "expected a network"),
            ("", "expected a network"),
        ] {
            let error = text.parse::<Network>().unwrap_err().to_string();
            assert!(error.contains(problem), "{error}");
        }
    }
}
