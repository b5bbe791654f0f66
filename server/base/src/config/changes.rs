//! The differences between two configurations, by key.
//!
//! A reload applies some keys, and reports the others. A new key of a section does not compile until
//! it is listed here.

use super::identity::IdentityConfig;
use super::inference::InferenceConfig;
use super::limits::LimitsConfig;
use super::mail::MailConfig;
use super::telemetry::TelemetryConfig;
use super::{
    Config, DatabaseConfig, DemoConfig, LogConfig, RetentionConfig, ServerConfig, TlsConfig,
};

/// The keys of `[inference]` that only a restart applies.
const FIXED: [&str; 2] = ["inference.ca_file", "inference.regions"];

/// The changed keys, with their sections: `inference.models`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes {
    /// The keys that a running service can apply.
    pub reloadable: Vec<&'static str>,
    /// The keys that only a restart applies.
    pub fixed: Vec<&'static str>,
}

impl Config {
    /// The keys whose values differ in `new`.
    pub fn changes(&self, new: &Config) -> Changes {
        let (reloadable, fixed) = changed(self, new).into_iter().partition(is_reloadable);
        Changes { reloadable, fixed }
    }

    /// This configuration with the values of the reloadable keys of `new`.
    pub fn reloaded(&self, new: Config) -> Config {
        let mut next = self.clone();
        next.inference = InferenceConfig {
            ca_file: next.inference.ca_file,
            regions: next.inference.regions,
            ..new.inference
        };
        next.log.level = new.log.level;
        next
    }
}

fn is_reloadable(key: &&'static str) -> bool {
    *key == "log.level" || key.starts_with("inference.") && !FIXED.contains(key)
}

fn changed(old: &Config, new: &Config) -> Vec<&'static str> {
    let mut keys = Vec::new();
    // Adds the fields that differ. The pattern has all fields of the section.
    macro_rules! compare {
        ($prefix:literal, $($section:ident).+: $type:ident { $($field:ident),* } $($nested:ident)*) => {
            let (old, new) = (&old.$($section).+, &new.$($section).+);
            let $type { $($field: _,)* $($nested: _,)* } = old;
            $(if old.$field != new.$field {
                keys.push(concat!($prefix, stringify!($field)));
            })*
        };
    }
    let Config {
        server: _,
        database: _,
        log: _,
        telemetry: _,
        demo: _,
        identity: _,
        inference: _,
        limits: _,
        mail: _,
        retention: _,
    } = old;
    compare! { "server.", server: ServerConfig {
        listen, accounts_listen, identity_listen, inference_listen, patterns_listen, public_url,
        accounts_url, identity_url, inference_url, patterns_url, ops_listen, redirect_http,
        trusted_proxies, client_address_header, forwarded_headers, data_dir, key, key_file,
        region, domain, compare_one_in, head_seconds, idle_seconds, body_seconds,
        unread_seconds, connections_per_address, drain_delay_seconds, drain_seconds
    } tls }
    compare! { "server.tls.", server.tls: TlsConfig { certificate, key } }
    compare! { "database.", database: DatabaseConfig {
        url, migrate, connections, connect_seconds, statement_seconds, unacknowledged_seconds,
        keepalive_seconds
    } }
    compare! { "log.", log: LogConfig { format, level, contents } }
    compare! { "telemetry.", telemetry: TelemetryConfig {
        endpoint, traces_endpoint, disabled, headers, headers_file, ca_file, service_name,
        sampler, sample_ratio
    } }
    compare! { "demo.", demo: DemoConfig { enabled, anywhere } }
    compare! { "identity.", identity: IdentityConfig {
        device_code_seconds, poll_seconds, access_token_seconds, refresh_token_seconds,
        session_seconds, signing_key_days, device_requests_per_address,
        device_requests_per_client, password_failures, password_window_seconds,
        password_wait_seconds, password_delay_seconds, device_cookie_days, code_failures,
        code_failures_per_address, code_failures_of_all, code_window_seconds, code_wait_seconds
    } }
    compare! { "inference.", inference: InferenceConfig {
        key_limit, second_secret_active, propagation_seconds, offline_seconds,
        requests_per_minute, tokens_per_minute, reserved_output_tokens, concurrent_calls,
        concurrent_streams, management_requests_per_minute, builtin_models,
        builtin_pace_milliseconds, heartbeat_seconds, ca_file, models, regions
    } }
    compare! { "limits.", limits: LimitsConfig { url } }
    compare! { "mail.", mail: MailConfig { host, port, security, user, password, ca_file, from } }
    compare! { "retention.", retention: RetentionConfig {
        mail_days, link_days, deleted_keys_days, usage_days, audit_days
    } }
    keys
}

#[cfg(test)]
mod tests {
    use confique::Layer as _;

    use super::*;
    use crate::config::{Layer, Secret};

    fn config(change: impl FnOnce(&mut Layer)) -> Config {
        let mut layer = Layer::empty();
        change(&mut layer);
        Config::from_layers(layer).unwrap()
    }

    #[test]
    fn a_changed_key_is_named_and_only_reloadable_ones_are_applied() {
        let old = config(|_| {});
        let new = config(|layer| {
            layer.server.region = Some("eu-1".into());
            layer.database.url = Some(Secret::new("sqlite:other.db"));
            layer.inference.requests_per_minute = Some(7);
            layer.inference.ca_file = Some("ca.pem".into());
            layer.limits.url = Some("redis://:hidden@127.0.0.1:6379".parse().unwrap());
            layer.log.level = Some("debug".into());
        });
        let fixed = [
            "server.region",
            "database.url",
            "inference.ca_file",
            "limits.url",
        ];
        let changes = old.changes(&new);
        assert_eq!(
            changes.reloadable,
            ["log.level", "inference.requests_per_minute"]
        );
        assert_eq!(changes.fixed, fixed);
        let next = old.reloaded(new.clone());
        assert_eq!(next.inference.requests_per_minute, Some(7));
        assert_eq!(next.log.level, "debug");
        assert_eq!(next.changes(&new).reloadable, [""; 0]);
        assert_eq!(next.changes(&new).fixed, fixed);
    }

    #[test]
    fn equal_configurations_have_no_changes() {
        let url = |layer: &mut Layer| {
            layer.limits.url = Some("redis://:hidden@127.0.0.1:6379".parse().unwrap());
        };
        assert_eq!(config(url).changes(&config(url)), Changes::default());
    }
}
