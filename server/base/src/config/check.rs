//! Checks that concern several values.

use std::collections::{HashMap, HashSet};
use std::net::SocketAddr;

use url::Url;

use super::{ClientAddressHeader, Config, ConfigError, ServerConfig, levels, normalize_host};

/// Checks values against each other.
pub(super) fn check(config: &Config) -> Result<(), ConfigError> {
    config.mail.check()?;
    config.telemetry.check()?;
    check_server(&config.server)?;
    check_listeners(&config.server)?;
    check_regions(config)?;
    if (1..62).contains(&config.retention.usage_days) {
        let message = "expected 0, or 62 or more: monthly budgets read the usage";
        return Err(ConfigError::refused("retention.usage_days", message));
    }
    config.inference.check()?;
    match levels::parse(&config.log.level) {
        Ok(_) => Ok(()),
        Err(message) => Err(ConfigError::refused("log.level", message)),
    }
}

/// Checks the section `[server]`, except for its listeners and regions.
fn check_server(server: &ServerConfig) -> Result<(), ConfigError> {
    server.tls.check()?;
    if server.redirect_http.is_some() && !server.tls.is_on() {
        let message = "expected a certificate in server.tls: there is nothing to redirect to";
        return Err(ConfigError::refused("server.redirect_http", message));
    }
    if server.key.is_some() && server.key_file.is_some() {
        let message =
            "expected no value, because server.key has the server keys: remove one of them";
        return Err(ConfigError::refused("server.key_file", message));
    }
    if server.client_address_header == ClientAddressHeader::Forwarded
        && !server.forwarded_headers.is_empty()
    {
        let message = "expected no value: the Forwarded header has scheme and host itself";
        return Err(ConfigError::refused("server.forwarded_headers", message));
    }
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
    let seconds = [
        ("server.head_seconds", server.head_seconds),
        ("server.idle_seconds", server.idle_seconds),
        ("server.body_seconds", server.body_seconds),
        ("server.unread_seconds", server.unread_seconds),
    ];
    if let Some((key, _)) = seconds.iter().find(|(_, seconds)| *seconds == 0) {
        return Err(ConfigError::refused(key, "expected 1 or more"));
    }
    Ok(())
}

/// Checks that no two listeners have one address.
fn check_listeners(server: &ServerConfig) -> Result<(), ConfigError> {
    let listeners = [
        ("server.accounts_listen", server.accounts_listen),
        ("server.identity_listen", server.identity_listen),
        ("server.inference_listen", server.inference_listen),
        ("server.patterns_listen", server.patterns_listen),
        ("server.ops_listen", server.ops_listen),
        ("server.redirect_http", server.redirect_http),
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
    Ok(())
}

/// Checks that names are valid in the id of a key, and that names and hosts are unique.
fn check_regions(config: &Config) -> Result<(), ConfigError> {
    let word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let others = &config.inference.regions;
    let names = others.iter().map(|one| ("inference.regions", &one.name));
    let mut seen = HashSet::new();
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
    let server = &config.server;
    let is_domain = |domain: &str| {
        let label = |label: &str| !label.is_empty() && label.chars().all(word);
        domain.split('.').all(label)
    };
    if let Some(domain) = &server.domain
        && !is_domain(domain)
    {
        let message = "expected a domain such as example.com, in lower case";
        return Err(ConfigError::refused("server.domain", message));
    }
    if let Some(region) = others.iter().find(|one| one.hosts.is_empty())
        && server.domain.is_none()
    {
        let message = format!("the region {} needs hosts, or server.domain", region.name);
        return Err(ConfigError::refused("inference.regions", message));
    }
    check_hosts(config)
}

/// Checks that hosts are valid, and that each belongs to one region. All spellings of a host are
/// the same host.
fn check_hosts(config: &Config) -> Result<(), ConfigError> {
    let (server, others) = (&config.server, &config.inference.regions);
    let refused = |message: String| Err(ConfigError::refused("inference.regions", message));
    let names = std::iter::once(&server.region).chain(others.iter().map(|one| &one.name));
    let derived: HashMap<String, &String> = names
        .filter_map(|name| Some((server.inference_host(name)?, name)))
        .collect();
    let mut hosts = HashSet::new();
    for region in others {
        for host in &region.hosts {
            let Some(normal) = normalize_host(host) else {
                return refused(format!(
                    "expected a host such as inference.example.com or 127.0.0.1:8082, found {host:?}"
                ));
            };
            if let Some(other) = derived.get(&normal)
                && **other != region.name
            {
                return refused(format!(
                    "the host {host} of the region {} belongs to the region {other} by \
                     server.domain",
                    region.name
                ));
            }
            if !hosts.insert(normal) {
                return refused(format!("the host {host} is listed for two regions"));
            }
        }
    }
    Ok(())
}

/// Checks that a public address has only a scheme and a host: the documents
/// have the paths.
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

/// The error of a configuration with one change.
#[cfg(test)]
pub(super) fn error_of(change: impl FnOnce(&mut super::Layer)) -> String {
    let mut layer = confique::Layer::empty();
    change(&mut layer);
    Config::from_layers(layer).unwrap_err().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_region_without_hosts_needs_a_domain() {
        let region = |layer: &mut super::super::Layer| {
            layer.inference.regions = Some(vec![crate::config::inference::RegionConfig {
                name: "eu-1".into(),
                hosts: Vec::new(),
            }]);
        };
        let text = error_of(region);
        assert_eq!(
            text,
            "inference.regions: the region eu-1 needs hosts, or server.domain"
        );
        for domain in ["", "example..com", "https://example.com", "Example.com"] {
            let text = error_of(|layer| layer.server.domain = Some(domain.into()));
            assert!(
                text.starts_with("server.domain: expected a domain"),
                "{text}"
            );
        }
    }

    #[test]
    fn a_host_that_no_request_can_name_is_refused() {
        for host in [
            "https://eu.example",
            "eu.example/",
            "a b",
            "a@eu.example",
            "",
        ] {
            let text = error_of(|layer| {
                layer.inference.regions = Some(vec![crate::config::inference::RegionConfig {
                    name: "eu-1".into(),
                    hosts: vec![host.into()],
                }]);
            });
            assert!(
                text.starts_with("inference.regions: expected a host such as "),
                "{text}"
            );
        }
    }

    /// The error of two regions with a host each, and this domain.
    fn error_of_hosts(one: &str, two: &str, domain: Option<&str>) -> String {
        let region = |name: &str, host: &str| crate::config::inference::RegionConfig {
            name: name.into(),
            hosts: vec![host.into()],
        };
        error_of(|layer| {
            layer.server.region = Some("own".into());
            layer.server.domain = domain.map(str::to_owned);
            layer.inference.regions = Some(vec![region("eu-1", one), region("us-1", two)]);
        })
    }

    #[test]
    fn a_host_belongs_to_one_region_in_all_its_spellings() {
        for (one, two) in [
            ("a.example", "a.example."),
            ("a.example", "A.Example"),
            ("a.example.:80", "a.example:80"),
            ("[::1]:80", "[0:0:0:0:0:0:0:1]:80"),
        ] {
            let text = error_of_hosts(one, two, None);
            let expected = format!("inference.regions: the host {two} is listed for two regions");
            assert_eq!(text, expected);
        }
    }

    #[test]
    fn a_host_that_the_domain_gives_to_another_region_is_refused() {
        for (name, host) in [
            ("eu-1", "inference.generativeai.eu-1.example.com"),
            ("own", "Inference.generativeai.own.example.com."),
        ] {
            let text = error_of_hosts("a.example", host, Some("example.com"));
            let expected = format!(
                "inference.regions: the host {host} of the region us-1 belongs to the region \
                 {name} by server.domain"
            );
            assert_eq!(text, expected);
        }
        // The region that the domain gives a host may list this host as well.
        let host = "inference.generativeai.us-1.example.com";
        let mut layer: crate::config::Layer = confique::Layer::empty();
        layer.server.domain = Some("example.com".into());
        layer.inference.regions = Some(vec![crate::config::inference::RegionConfig {
            name: "us-1".into(),
            hosts: vec![host.into()],
        }]);
        assert!(Config::from_layers(layer).is_ok());
    }

    #[test]
    fn a_public_address_with_a_path_is_refused() {
        let text = error_of(|layer| {
            layer.server.public_url = Some("https://example.com/accord".parse().unwrap());
        });
        assert_eq!(
            text,
            "server.public_url: expected an address without path and query"
        );
    }

    #[test]
    fn a_certificate_without_a_key_and_a_redirect_without_both_are_refused() {
        let text = error_of(|layer| layer.server.tls.certificate = Some("a.pem".into()));
        assert!(text.starts_with("server.tls.key: "), "{text}");
        let text = error_of(|layer| layer.server.tls.key = Some("a.pem".into()));
        assert!(text.starts_with("server.tls.certificate: "), "{text}");
        let text = error_of(|layer| {
            layer.server.redirect_http = Some("127.0.0.1:80".parse().unwrap());
        });
        assert!(text.starts_with("server.redirect_http: "), "{text}");
    }

    #[test]
    fn server_keys_have_one_source() {
        let text = error_of(|layer| {
            layer.server.key = Some(crate::config::Secret::new("key"));
            layer.server.key_file = Some("server.key".into());
        });
        assert!(text.starts_with("server.key_file: "), "{text}");
    }

    #[test]
    fn usage_is_kept_for_monthly_budgets() {
        let text = error_of(|layer| layer.retention.usage_days = Some(31));
        assert!(text.starts_with("retention.usage_days: "), "{text}");
    }

    #[test]
    fn a_time_of_no_seconds_is_refused() {
        let text = error_of(|layer| layer.server.body_seconds = Some(0));
        assert_eq!(text, "server.body_seconds: expected 1 or more");
    }

    #[test]
    fn two_listeners_on_one_address_are_refused() {
        let text = error_of(|layer| {
            layer.server.identity_listen = Some("127.0.0.1:8080".parse().unwrap());
        });
        assert_eq!(
            text,
            "server.identity_listen: 127.0.0.1:8080 is already server.listen; leave it out to share"
        );
    }
}
