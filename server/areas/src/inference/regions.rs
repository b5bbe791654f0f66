//! The regions that this process serves, chosen by the host that a caller names.
//!
//! One process can serve several regions, each under its own host names. A key is valid only in the
//! region in which it was created, so a caller gains nothing by naming another host.

use std::collections::HashMap;

use crate::config::Config;
use crate::config::inference::ModelConfig;
use crate::kernel::proxies::normalize_host;

/// The regions, and the hosts of each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Regions {
    own: String,
    others: Vec<String>,
    by_host: HashMap<String, String>,
}

impl Regions {
    /// The regions of the configuration.
    pub fn new(config: &Config) -> Regions {
        let others = &config.inference.regions;
        let own = &config.server.region;
        let mut by_host = HashMap::new();
        let mut add = |host: String, region: &str| {
            let normal = normalize_host(&host).unwrap_or(host);
            by_host.insert(normal, region.to_owned());
        };
        // The own region needs no entry: every host without an entry belongs to it.
        for region in others {
            let derived = config.server.inference_host(&region.name);
            for host in region.hosts.iter().cloned().chain(derived) {
                add(host, &region.name);
            }
        }
        Regions {
            own: own.clone(),
            others: others.iter().map(|region| region.name.clone()).collect(),
            by_host,
        }
    }

    /// All regions, the service's own first.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.own)
            .chain(&self.others)
            .map(String::as_str)
    }

    /// Warns of configured models whose region this process does not serve: no call can name them.
    pub fn warn_of_unserved(&self, models: &[ModelConfig]) {
        let unserved = self.unserved(models);
        if !unserved.is_empty() {
            tracing::warn!(
                models = unserved.join(", "),
                "left out models of regions that this process does not serve: check their region, \
                 server.region and inference.regions"
            );
        }
    }

    /// The names of these models, with their regions.
    fn unserved(&self, models: &[ModelConfig]) -> Vec<String> {
        let mut unserved = Vec::new();
        for model in models {
            if let Some(region) = &model.region
                && !self.all().any(|served| served == region)
            {
                unserved.push(format!("{} ({region})", model.name));
            }
        }
        unserved
    }

    /// The region in the id of a key. `None` if this process does not serve it.
    pub fn of_key(&self, key_id: &str) -> Option<&str> {
        let id = key_id.strip_prefix("apikey.")?;
        let is_named = |region: &&str| {
            let rest = id.strip_prefix(region);
            rest.is_some_and(|rest| rest.starts_with('.'))
        };
        self.all()
            .filter(is_named)
            .max_by_key(|region| region.len())
    }

    /// The region of a call: that of its host, with or without the port, and the service's own for
    /// every other host. `host` returns it in the form of [`normalize_host`].
    pub fn of(&self, host: impl FnOnce() -> Option<String>) -> &str {
        if self.by_host.is_empty() {
            return &self.own;
        }
        let host = host().unwrap_or_default();
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
    fn the_id_of_a_key_names_the_longest_region_that_matches() {
        let regions = Regions {
            own: "eu".into(),
            others: vec!["eu.1".into()],
            by_host: HashMap::new(),
        };
        for (id, region) in [
            ("apikey.eu.x", Some("eu")),
            ("apikey.eu.1.x", Some("eu.1")),
            ("apikey.eu1.x", None),
            ("apikey.eu", None),
            ("eu.1.x", None),
        ] {
            assert_eq!(regions.of_key(id), region, "{id}");
        }
    }

    #[test]
    fn a_model_of_a_region_that_is_not_served_is_named() {
        let regions = Regions {
            own: "local".to_owned(),
            others: vec!["eu-1".to_owned()],
            by_host: HashMap::new(),
        };
        let model = |region: &str| -> ModelConfig {
            toml::from_str(&format!("name = \"m\"\nfamily = \"f\"\n{region}")).unwrap()
        };
        let models = [
            "",
            "region = \"local\"",
            "region = \"eu-1\"",
            "region = \"eu1\"",
        ];
        assert_eq!(regions.unserved(&models.map(model)), ["m (eu1)"]);
    }

    #[test]
    fn a_host_stands_for_its_region_with_its_port_or_without() {
        let regions = Regions {
            own: "local".into(),
            others: vec!["eu-1".into(), "us-1".into()],
            by_host: HashMap::from([
                ("inference.eu-1.example".to_owned(), "eu-1".to_owned()),
                ("127.0.0.1:8082".to_owned(), "us-1".to_owned()),
                ("[::7]".to_owned(), "us-1".to_owned()),
            ]),
        };
        for (host, region) in [
            ("inference.eu-1.example", "eu-1"),
            ("Inference.EU-1.example:8080", "eu-1"),
            ("inference.eu-1.example.", "eu-1"),
            ("[0:0:0:0:0:0:0:7]:8080", "us-1"),
            ("127.0.0.1:8082", "us-1"),
            ("127.0.0.1:8081", "local"),
            ("127.0.0.1", "local"),
            ("[::1]:8080", "local"),
            ("", "local"),
        ] {
            assert_eq!(regions.of(|| normalize_host(host)), region, "{host}");
        }
        assert_eq!(regions.of(|| None), "local");
    }
}
