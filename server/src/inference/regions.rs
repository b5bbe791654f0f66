//! The regions that this process serves, told apart by the host that a caller
//! names.
//!
//! One process can serve several regions, each under host names of its own. A
//! key belongs to the region that it was made in and opens nothing elsewhere, so
//! a caller gains nothing by naming another host.

use std::collections::HashMap;

use http::header::HOST;
use http::{HeaderMap, Uri};

use crate::config::Config;

/// The regions, and which host stands for which.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Regions {
    own: String,
    others: Vec<String>,
    by_host: HashMap<String, String>,
}

impl Regions {
    /// Those of the configuration.
    pub fn new(config: &Config) -> Regions {
        let others = &config.inference.regions;
        let hosts = others.iter().flat_map(|region| {
            let hosts = region.hosts.iter();
            hosts.map(|host| (host.to_ascii_lowercase(), region.name.clone()))
        });
        Regions {
            own: config.server.region.clone(),
            others: others.iter().map(|region| region.name.clone()).collect(),
            by_host: hosts.collect(),
        }
    }

    /// The service's own first.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.own)
            .chain(&self.others)
            .map(String::as_str)
    }

    /// The region of a call: that of its host, with the port or without, and the
    /// service's own for every other host.
    pub fn of(&self, headers: &HeaderMap, uri: &Uri) -> &str {
        if self.by_host.is_empty() {
            return &self.own;
        }
        let header = headers.get(HOST).and_then(|host| host.to_str().ok());
        let host = header.or_else(|| uri.authority().map(|authority| authority.as_str()));
        let host = host.unwrap_or_default().to_ascii_lowercase();
        let name: &str = match host.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
            _ => &host,
        };
        let region = self.by_host.get(&host).or_else(|| self.by_host.get(name));
        region.unwrap_or(&self.own)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_stands_for_its_region_with_its_port_or_without() {
        let regions = Regions {
            own: "local".into(),
            others: vec!["eu-1".into(), "us-1".into()],
            by_host: HashMap::from([
                ("inference.eu-1.example".to_owned(), "eu-1".to_owned()),
                ("127.0.0.1:8082".to_owned(), "us-1".to_owned()),
            ]),
        };
        for (host, region) in [
            ("inference.eu-1.example", "eu-1"),
            ("Inference.EU-1.example:8080", "eu-1"),
            ("127.0.0.1:8082", "us-1"),
            ("127.0.0.1:8081", "local"),
            ("127.0.0.1", "local"),
            ("[::1]:8080", "local"),
            ("", "local"),
        ] {
            let headers = HeaderMap::from_iter([(HOST, host.parse().unwrap())]);
            assert_eq!(
                regions.of(&headers, &Uri::from_static("/x")),
                region,
                "{host}"
            );
        }
        let absolute = Uri::from_static("http://inference.eu-1.example/x");
        assert_eq!(regions.of(&HeaderMap::new(), &absolute), "eu-1");
        assert_eq!(
            regions.of(&HeaderMap::new(), &Uri::from_static("/x")),
            "local"
        );
    }
}
