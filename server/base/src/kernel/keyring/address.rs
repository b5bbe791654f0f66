//! The public address of identity, which is the same for all replicas of a database.
//!
//! This address is the issuer of tokens, and links in mail lead to it. A replica with another address
//! would reject the tokens of the others. The addresses of other areas may differ between regions.

use crate::area::Area;
use crate::config::ServerConfig;
use crate::kernel::Urls;

/// The public address of identity. If it is not configured, a second line has the host name:
/// `http://127.0.0.1:8080` on another machine is another service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::kernel) struct Address(pub(super) String);

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
        let url = urls.of(Area::Identity);
        Address(match config.public_url(Area::Identity) {
            Some(_) => url.to_owned(),
            None => format!("{url}\n{}", machine()),
        })
    }

    /// The URL, and the host name.
    fn parts(&self) -> (&str, Option<&str>) {
        match self.0.split_once('\n') {
            None => (self.0.as_str(), None),
            Some((url, machine)) => (url, Some(machine)),
        }
    }

    /// Checks that both are addresses of one service.
    pub(super) fn check(&self, other: &Address) -> Result<(), OtherAddress> {
        let ((ours, here), (theirs, there)) = (self.parts(), other.parts());
        let is_elsewhere = here.zip(there).is_some_and(|(here, there)| here != there);
        // Versions without this check announce no address.
        if theirs.is_empty() || (ours == theirs && !is_elsewhere) {
            return Ok(());
        }
        Err(OtherAddress {
            theirs: other.description(),
            ours: self.description(),
        })
    }

    fn description(&self) -> String {
        match self.parts() {
            (url, None) => url.to_owned(),
            (url, Some(machine)) => format!("{url} (not configured, on {machine})"),
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

    #[test]
    fn an_address_that_is_not_configured_is_the_same_on_one_machine_only() {
        let here = Address("http://127.0.0.1:8080\none".to_owned());
        for (text, is_same) in [
            ("http://127.0.0.1:8080\none", true),
            ("http://127.0.0.1:8080\ntwo", false),
            ("http://127.0.0.1:8081\none", false),
            ("http://127.0.0.1:8080", true),
            ("https://accord.example.com", false),
            ("", true),
        ] {
            let other = Address(text.to_owned());
            assert_eq!(here.check(&other).is_ok(), is_same, "{other:?}");
        }
        let other = Address("http://127.0.0.1:8080\ntwo".to_owned());
        let error = here.check(&other).unwrap_err().to_string();
        assert!(
            error.contains("http://127.0.0.1:8080 (not configured, on two)"),
            "{error}"
        );
    }
}
