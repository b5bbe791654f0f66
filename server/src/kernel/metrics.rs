//! Metrics in Prometheus' text format.
//!
//! Each service has a recorder of its own, so that two of them in one process,
//! as in tests, do not count together. Areas record through
//! [`Metrics::record`], with the ordinary macros of the `metrics` crate.

use ::metrics::{Unit, counter, describe_counter, describe_histogram, histogram};
use http::StatusCode;
use metrics_exporter_prometheus::{
    BuildError, PrometheusBuilder, PrometheusHandle, PrometheusRecorder,
};

/// Requests, by area, operation and status.
const REQUESTS: &str = "accord_requests_total";
/// Time from a request's head to the end of its answer.
const SECONDS: &str = "accord_request_duration_seconds";
/// Answers that do not keep their document.
const VIOLATIONS: &str = "accord_contract_violations_total";
/// Answers that were compared with their document.
const COMPARED: &str = "accord_contract_compared_total";

/// In seconds. Every histogram uses them.
const BUCKETS: [f64; 14] = [
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 60.0,
];

/// What is counted and timed.
pub struct Metrics {
    recorder: PrometheusRecorder,
    handle: PrometheusHandle,
}

impl Metrics {
    /// Nothing counted yet.
    ///
    /// # Errors
    ///
    /// Never in practice: when there are no buckets.
    pub fn new() -> Result<Self, BuildError> {
        let recorder = PrometheusBuilder::new()
            .set_buckets(&BUCKETS)?
            .build_recorder();
        let metrics = Metrics {
            handle: recorder.handle(),
            recorder,
        };
        metrics.record(|| {
            describe_counter!(REQUESTS, "Requests by area, operation and status.");
            describe_histogram!(
                SECONDS,
                Unit::Seconds,
                "Time from a request's head to the end of its answer."
            );
            describe_counter!(COMPARED, "Answers that were compared with their document.");
            describe_counter!(VIOLATIONS, "Answers that do not keep their document.");
        });
        Ok(metrics)
    }

    /// Runs `body`, whose `metrics` macros count here.
    pub fn record<T>(&self, body: impl FnOnce() -> T) -> T {
        ::metrics::with_local_recorder(&self.recorder, body)
    }

    /// Counts and times one request.
    pub fn request(
        &self,
        area: &'static str,
        operation: &'static str,
        status: StatusCode,
        seconds: f64,
    ) {
        self.record(|| {
            counter!(REQUESTS, "area" => area, "operation" => operation,
                "status" => status.as_str().to_owned())
            .increment(1);
            histogram!(SECONDS, "area" => area, "operation" => operation).record(seconds);
        });
    }

    /// Counts an answer that was compared with its document.
    pub fn compared(&self, operation: &'static str) {
        self.record(|| counter!(COMPARED, "operation" => operation).increment(1));
    }

    /// Counts an answer that does not keep its document.
    pub fn violation(&self, operation: &'static str) {
        self.record(|| counter!(VIOLATIONS, "operation" => operation).increment(1));
    }

    /// The current figures.
    pub fn render(&self) -> String {
        self.handle.render()
    }

    /// Moves what was recorded into its buckets, which a scrape does as well;
    /// without either, recordings pile up.
    pub fn tidy(&self) {
        self.handle.run_upkeep();
    }
}
