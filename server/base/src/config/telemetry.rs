//! The `[telemetry]` section of the configuration.

use std::path::PathBuf;

use url::Url;

use super::{ConfigError, Secret};

/// The sampling of traces, and their collector.
#[derive(Debug, Clone, confique::Config)]
#[config(layer_attr(derive(serde::Serialize)))]
pub struct TelemetryConfig {
    /// The collector (OTLP over HTTP): traces are sent to `v1/traces` below
    /// this address. By default, there are no traces.
    #[config(env = "OTEL_EXPORTER_OTLP_ENDPOINT")]
    pub endpoint: Option<Url>,
    /// The complete address for traces, which replaces the one below
    /// `endpoint`.
    #[config(env = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")]
    pub traces_endpoint: Option<Url>,
    /// Disables traces.
    #[config(default = false, env = "OTEL_SDK_DISABLED")]
    pub disabled: bool,
    /// Headers for the collector, percent-encoded:
    /// `authorization=Bearer%20abc,x-team=a`.
    #[config(env = "OTEL_EXPORTER_OTLP_HEADERS")]
    pub headers: Option<Secret>,
    /// A file with these headers, instead of `headers`.
    #[config(env = "ACCORD_TELEMETRY_HEADERS_FILE")]
    pub headers_file: Option<PathBuf>,
    /// Certificates (PEM) of authorities to trust for the collector, beside the
    /// public authorities.
    #[config(env = "OTEL_EXPORTER_OTLP_CERTIFICATE")]
    pub ca_file: Option<PathBuf>,
    /// The name of this service in traces.
    #[config(default = "accord", env = "OTEL_SERVICE_NAME")]
    pub service_name: String,
    /// Which requests are traced: `always_on`, `always_off` or `traceidratio`;
    /// or one of them with the prefix `parentbased_`, which follows the
    /// caller's `traceparent` and decides only for requests without one.
    #[config(default = "parentbased_traceidratio", env = "OTEL_TRACES_SAMPLER")]
    pub sampler: Sampler,
    /// The share of requests that `traceidratio` traces, from 0 to 1.
    #[config(default = 1.0, env = "OTEL_TRACES_SAMPLER_ARG")]
    pub sample_ratio: f64,
}

/// Which requests are traced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Sampler {
    /// All.
    AlwaysOn,
    /// None.
    AlwaysOff,
    /// A share.
    #[serde(rename = "traceidratio")]
    Ratio,
    /// The requests that callers trace, and all requests without `traceparent`.
    #[serde(rename = "parentbased_always_on")]
    ParentOrOn,
    /// Only the requests that callers trace.
    #[serde(rename = "parentbased_always_off")]
    ParentOrOff,
    /// The requests that callers trace, and a share of those without
    /// `traceparent`.
    #[serde(rename = "parentbased_traceidratio")]
    ParentOrRatio,
}

impl TelemetryConfig {
    /// The complete address for traces, if they are enabled (OpenTelemetry
    /// Protocol Exporter, "Endpoint URLs for OTLP/HTTP").
    pub fn traces_address(&self) -> Option<String> {
        if self.disabled {
            return None;
        }
        let whole = self.traces_endpoint.as_ref().map(Url::to_string);
        let below = |base: &Url| format!("{}/v1/traces", base.as_str().trim_end_matches('/'));
        whole.or_else(|| self.endpoint.as_ref().map(below))
    }

    pub(super) fn check(&self) -> Result<(), ConfigError> {
        let addresses = [
            ("telemetry.endpoint", &self.endpoint),
            ("telemetry.traces_endpoint", &self.traces_endpoint),
        ];
        for (key, address) in addresses {
            if let Some(problem) = address.as_ref().and_then(problem) {
                return Err(ConfigError::refused(key, problem));
            }
        }
        if self.headers.is_some() && self.headers_file.is_some() {
            let problem = "telemetry.headers_file is set as well; expected one of them";
            return Err(ConfigError::refused("telemetry.headers", problem));
        }
        if !(0.0..=1.0).contains(&self.sample_ratio) {
            let problem = "expected a number from 0 to 1";
            return Err(ConfigError::refused("telemetry.sample_ratio", problem));
        }
        Ok(())
    }
}

/// Why an address is not valid for a collector.
fn problem(endpoint: &Url) -> Option<&'static str> {
    if !matches!(endpoint.scheme(), "http" | "https") {
        Some("expected http:// or https://")
    } else if endpoint.query().is_some() || endpoint.fragment().is_some() {
        Some("expected an address without query")
    } else if !endpoint.username().is_empty() || endpoint.password().is_some() {
        Some("expected an address without user and password; use telemetry.headers")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use confique::Layer as _;

    use super::super::Layer;
    use super::super::check::error_of;
    use super::TelemetryConfig;

    #[test]
    fn traces_go_below_the_collectors_address_unless_they_have_one_of_their_own() {
        let address = |endpoint: Option<&str>, traces: Option<&str>, disabled| {
            let mut layer = Layer::default_values().telemetry;
            layer.endpoint = endpoint.and_then(|text| text.parse().ok());
            layer.traces_endpoint = traces.and_then(|text| text.parse().ok());
            layer.disabled = Some(disabled);
            <TelemetryConfig as confique::Config>::from_layer(layer)
                .unwrap()
                .traces_address()
        };
        assert_eq!(address(None, None, false), None);
        let below = address(Some("http://c:4318/"), None, false);
        assert_eq!(below.as_deref(), Some("http://c:4318/v1/traces"));
        for endpoint in [None, Some("http://c:4318")] {
            let own = address(endpoint, Some("http://t:4318/in"), false);
            assert_eq!(own.as_deref(), Some("http://t:4318/in"));
            assert_eq!(address(endpoint, Some("http://t:4318/in"), true), None);
        }
    }

    #[test]
    fn an_invalid_address_of_a_collector_is_refused() {
        for (address, problem) in [
            ("grpc://collector:4317", "expected http:// or https://"),
            ("http://collector/?a=b", "expected an address without query"),
            (
                "http://a:b@collector/",
                "expected an address without user and password; use telemetry.headers",
            ),
        ] {
            let text = error_of(|layer| layer.telemetry.endpoint = address.parse().ok());
            assert_eq!(text, format!("telemetry.endpoint: {problem}"));
            let text = error_of(|layer| layer.telemetry.traces_endpoint = address.parse().ok());
            assert_eq!(text, format!("telemetry.traces_endpoint: {problem}"));
        }
    }

    #[test]
    fn a_share_is_a_number_from_0_to_1() {
        for share in [-0.1, 1.5, f64::NAN] {
            let text = error_of(|layer| layer.telemetry.sample_ratio = Some(share));
            assert_eq!(
                text,
                "telemetry.sample_ratio: expected a number from 0 to 1"
            );
        }
    }
}
