//! Traces of requests, for an OpenTelemetry collector.
//!
//! There are none unless the configuration names a collector. Code that makes a span passes it on
//! as a [`Context`], and never by thread; the W3C headers of [`context`] carry it between programs.
//! An ended span waits in a queue for the next batch ([`export`]): a request never waits for the
//! collector.

pub mod context;
mod error;
mod export;

use std::time::Duration;

use opentelemetry::trace::TracerProvider as _;
use opentelemetry::{InstrumentationScope, KeyValue};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::{Sampler as Decision, SdkTracer, SdkTracerProvider};

pub use error::TracesError;
pub use opentelemetry::Context;

use super::Metrics;
use crate::config::telemetry::{Sampler, TelemetryConfig};

/// The source of spans.
pub struct Traces {
    provider: SdkTracerProvider,
    tracer: SdkTracer,
}

impl Traces {
    /// A source of spans for the configured collector, if there is one. The runtime of the caller
    /// sends them.
    ///
    /// # Errors
    ///
    /// The defect of the configuration.
    pub fn open(config: &TelemetryConfig, metrics: &Metrics) -> Result<Option<Self>, TracesError> {
        let Some(address) = config.traces_address() else {
            return Ok(None);
        };
        let provider = SdkTracerProvider::builder()
            .with_sampler(decision(config))
            .with_resource(resource(&config.service_name))
            .with_span_processor(export::processor(address, config, metrics)?)
            .build();
        let scope = InstrumentationScope::builder("accord-server")
            .with_version(env!("CARGO_PKG_VERSION"))
            .build();
        Ok(Some(Traces {
            tracer: provider.tracer_with_scope(scope),
            provider,
        }))
    }

    /// The tracer.
    pub fn tracer(&self) -> &SdkTracer {
        &self.tracer
    }

    /// Sends the waiting spans within a timeout. No spans are made afterwards.
    pub async fn finish(&self, limit: Duration) {
        let provider = self.provider.clone();
        // The call blocks, so it has a thread of its own.
        let finishing =
            tokio::task::spawn_blocking(move || provider.shutdown_with_timeout(limit)).await;
        if !matches!(finishing, Ok(Ok(()))) {
            tracing::warn!("the last traces may not have reached the collector");
        }
    }
}

/// The sampler of traces.
fn decision(config: &TelemetryConfig) -> Decision {
    let ratio = Decision::TraceIdRatioBased(config.sample_ratio);
    match config.sampler {
        Sampler::AlwaysOn => Decision::AlwaysOn,
        Sampler::AlwaysOff => Decision::AlwaysOff,
        Sampler::Ratio => ratio,
        Sampler::ParentOrOn => Decision::ParentBased(Box::new(Decision::AlwaysOn)),
        Sampler::ParentOrOff => Decision::ParentBased(Box::new(Decision::AlwaysOff)),
        Sampler::ParentOrRatio => Decision::ParentBased(Box::new(ratio)),
    }
}

/// The resource of all spans: this replica. `OTEL_RESOURCE_ATTRIBUTES` adds to it.
fn resource(service_name: &str) -> Resource {
    Resource::builder()
        .with_service_name(service_name.to_owned())
        .with_attributes([
            KeyValue::new("service.version", env!("CARGO_PKG_VERSION")),
            KeyValue::new("service.instance.id", uuid::Uuid::new_v4().to_string()),
        ])
        .build()
}
