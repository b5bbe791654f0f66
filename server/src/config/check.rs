//! What one value cannot say about itself.

use std::net::SocketAddr;

use url::Url;

use super::{Config, ConfigError, levels};

/// Checks values against each other.
pub(super) fn check(config: &Config) -> Result<(), ConfigError> {
    config.mail.check()?;
    config.telemetry.check()?;
    let server = &config.server;
    let urls = [
        ("server.public_url", &server.public_url),
        ("server.accounts_url", &server.accounts_url),
        ("server.identity_url", &server.identity_url),
        ("server.inference_url", &server.inference_url),
        ("server.patterns_url", &server.patterns_url),
    ];
    for (key, url) in urls {
        if let Some(url) = url {
            check_url(key, url)?;
        }
    }
    let listeners = [
        ("server.accounts_listen", server.accounts_listen),
        ("server.identity_listen", server.identity_listen),
        ("server.inference_listen", server.inference_listen),
        ("server.patterns_listen", server.patterns_listen),
    ];
    let mut taken = vec![("server.listen", server.listen)];
    for (key, address) in listeners {
        let Some(address) = address else { continue };
        let clash = |(_, other): &&(_, SocketAddr)| address.port() != 0 && *other == address;
        if let Some((other, _)) = taken.iter().find(clash) {
            let message = format!("{address} is already {other}; leave it out to share");
            return Err(ConfigError::refused(key, message));
        }
        taken.push((key, address));
    }
    check_regions(config)?;
    if config.inference.offline_seconds == 0 {
        let message = "expected 1 or more: 0 would refuse every model call".to_owned();
        return Err(ConfigError::refused("inference.offline_seconds", message));
    }
    match levels::parse(&config.log.level) {
        Ok(_) => Ok(()),
        Err(message) => Err(ConfigError::refused("log.level", message)),
    }
}

/// Names that can stand in the id of a key; no name and no host twice.
fn check_regions(config: &Config) -> Result<(), ConfigError> {
    let word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let others = &config.inference.regions;
    let names = others.iter().map(|one| ("inference.regions", &one.name));
    let mut seen = std::collections::HashSet::new();
    for (key, name) in std::iter::once(("server.region", &config.server.region)).chain(names) {
        if name.is_empty() || !name.chars().all(word) {
            let message = "expected lower-case letters, digits and hyphens";
            return Err(ConfigError::refused(key, message));
        }
        if !seen.insert(name.to_ascii_lowercase()) {
            let message = format!("there are two regions {name}");
            return Err(ConfigError::refused(key, message));
        }
    }
    let mut hosts = std::collections::HashSet::new();
    for host in others.iter().flat_map(|one| &one.hosts) {
        if !hosts.insert(host.to_ascii_lowercase()) {
            let message = format!("the host {host} stands for two regions");
            return Err(ConfigError::refused("inference.regions", message));
        }
    }
    Ok(())
}

/// A public address is a scheme and a host: the documents hold the paths.
fn check_url(key: &'static str, url: &Url) -> Result<(), ConfigError> {
    let problem = if !matches!(url.scheme(), "http" | "https") {
        "expected http:// or https://"
    } else if url.path() != "/" || url.query().is_some() || url.fragment().is_some() {
        "expected an address without path and query"
    } else if !url.username().is_empty() || url.password().is_some() {
        "expected an address without user and password"
    } else {
        return Ok(());
    };
    Err(ConfigError::refused(key, problem))
}

/// What is said of a configuration with one change.
#[cfg(test)]
pub(super) fn complaint(change: impl FnOnce(&mut super::Layer)) -> String {
    let mut layer = confique::Layer::empty();
    change(&mut layer);
    Config::from_layers(layer).unwrap_err().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_public_address_with_a_path_is_refused() {
        let text = complaint(|layer| {
            layer.server.public_url = Some("https://example.com/accord".parse().unwrap());
        });
        assert_eq!(
            text,
            "server.public_url: expected an address without path and query"
        );
    }

    #[test]
    fn two_listeners_on_one_address_are_refused() {
        let text = complaint(|layer| {
            layer.server.identity_listen = Some("127.0.0.1:8080".parse().unwrap());
        });
        assert_eq!(
            text,
            "server.identity_listen: 127.0.0.1:8080 is already server.listen; leave it out to share"
        );
    }
}
