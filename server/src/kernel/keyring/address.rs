//! The public address of identity, which is the same for all replicas of a database.
//!
//! This address is the issuer of tokens, and links in mail lead to it. A replica with another address
//! would reject the tokens of the others. The addresses of other areas may differ between regions.

use crate::area::Area;
use crate::config::ServerConfig;
use crate::kernel::Urls;

/// The public address of identity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::kernel) struct Address {
    url: String,
    /// The host name, unless the address is configured: `http://127.0.0.1:8080` on another machine is
    /// another service.
    machine: Option<String>,
}

/// Why a replica does not start.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "another running replica of this database has the public address {theirs}, and this one has \
     {ours}: set server.public_url or server.identity_url of all replicas to the address that \
     clients use"
)]
pub struct OtherAddress {
    theirs: String,
    ours: String,
}

impl Address {
    /// The address of a service that listens, or will listen, at these addresses.
    pub(in crate::kernel) fn new(config: &ServerConfig, urls: &Urls) -> Address {
        let is_configured = config.public_url(Area::Identity).is_some();
        Address {
            url: urls.of(Area::Identity).to_owned(),
            machine: (!is_configured).then(machine),
        }
    }

    /// The text in the database.
    pub(in crate::kernel) fn to_text(&self) -> String {
        match &self.machine {
            None => self.url.clone(),
            Some(machine) => format!("{}\n{machine}", self.url),
        }
    }

    /// Parses the text in the database.
    pub(in crate::kernel) fn of_text(text: &str) -> Address {
        let (url, machine) = match text.split_once('\n') {
            None => (text, None),
            Some((url, machine)) => (url, Some(machine.to_owned())),
        };
        let url = url.to_owned();
        Address { url, machine }
    }

    /// Checks that both are addresses of one service.
    pub(in crate::kernel) fn check(&self, other: &Address) -> Result<(), OtherAddress> {
        let is_elsewhere = match (&self.machine, &other.machine) {
            (Some(here), Some(there)) => here != there,
            _ => false,
        };
        // Versions without this check announce no address.
        if other.url.is_empty() || (self.url == other.url && !is_elsewhere) {
            return Ok(());
        }
        Err(OtherAddress {
            theirs: other.description(),
            ours: self.description(),
        })
    }

    fn description(&self) -> String {
        match &self.machine {
            None => self.url.clone(),
            Some(machine) => format!("{} (not configured, on {machine})", self.url),
        }
    }
}

#[cfg(target_os = "linux")]
fn machine() -> String {
    rustix::system::uname()
        .nodename()
        .to_string_lossy()
        .into_owned()
}

#[cfg(not(target_os = "linux"))]
fn machine() -> String {
    std::env::var("HOSTNAME").unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(url: &str, machine: Option<&str>) -> Address {
        Address {
            url: url.to_owned(),
            machine: machine.map(str::to_owned),
        }
    }

    #[test]
    fn an_address_that_is_not_configured_is_the_same_on_one_machine_only() {
        let here = address("http://127.0.0.1:8080", Some("one"));
        for (url, machine, is_same) in [
            ("http://127.0.0.1:8080", Some("one"), true),
            ("http://127.0.0.1:8080", Some("two"), false),
            ("http://127.0.0.1:8081", Some("one"), false),
            ("http://127.0.0.1:8080", None, true),
            ("https://accord.example.com", None, false),
            ("", None, true),
        ] {
            let other = address(url, machine);
            assert_eq!(here.check(&other).is_ok(), is_same, "{other:?}");
        }
    }

    #[test]
    fn the_text_of_an_address_parses_to_the_same_address() {
        for machine in [None, Some("one")] {
            let address = address("http://a", machine);
            assert_eq!(Address::of_text(&address.to_text()), address);
        }
    }
}
