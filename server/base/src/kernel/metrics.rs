//! Metrics in Prometheus' text format.
//!
//! Each service has a recorder of its own, so that two of them in one process,
//! as in tests, do not count together. Areas record through
//! [`Metrics::record`], with the ordinary macros of the `metrics` crate.

use std::sync::Arc;
use std::time::Duration;

use ::metrics::{Counter, Histogram, counter, gauge, histogram};
use arc_swap::ArcSwap;
use foldhash::HashMap;
use http::StatusCode;
use metrics_exporter_prometheus::{
    BuildError, Matcher, PrometheusBuilder, PrometheusHandle, PrometheusRecorder,
};

/// Defines the names of metrics, and the function `describe_measures`, which describes them to the
/// recorder. Each line begins with the macro of the `metrics` crate, and the unit if there is one.
#[macro_export]
macro_rules! measures {
    ($($visibility:vis $describe:ident $(($unit:ident))? $name:ident = $text:literal: $description:literal;)+) => {
        $(
            #[doc = $description]
            $visibility const $name: &str = $text;
        )+

        fn describe_measures() {
            $(::metrics::$describe!($name, $(::metrics::Unit::$unit,)? $description);)+
        }
    };
}

crate::measures! {
    describe_counter REQUESTS = "accord_requests_total": "Requests by area, operation and status.";
    describe_histogram(Seconds) SECONDS = "accord_request_duration_seconds":
        "Time from a request's head to the end of its response.";
    describe_counter VIOLATIONS = "accord_contract_violations_total":
        "Responses that violate their document.";
    describe_counter COMPARED = "accord_contract_compared_total":
        "Responses that were compared with their document.";
    describe_counter LOG_LINES_DROPPED = "accord_log_lines_dropped_total":
        "Log lines that were dropped because the log was read too slowly.";
    describe_counter CLOSED = "accord_connections_closed_total":
        "Connections that were closed: their first request or the next one did not arrive in time, \
         or too many came from one address or altogether.";
    describe_counter UPKEEP_RUNS = "accord_upkeep_runs_total":
        "Runs of maintenance tasks, by task and outcome: done or failed.";
    describe_histogram(Seconds) UPKEEP_SECONDS = "accord_upkeep_duration_seconds":
        "Time of a run of a maintenance task, by task.";
    describe_counter UPKEEP_ROWS = "accord_upkeep_rows_total":
        "Rows that maintenance tasks wrote or deleted, by task.";
    describe_gauge(Seconds) CERTIFICATE_END = "accord_certificate_expiry_timestamp_seconds":
        "The Unix time at which the certificate of the listeners expires.";
    describe_gauge RELOAD_FAILED = "accord_reload_failed":
        "1 while the last reload has failed and the previous values stay in use, by kind: certificate or \
         configuration.";
    describe_gauge BUILD = "accord_build_info": "The version of the service.";
    pub describe_counter POLICY_FAILURES = "accord_policy_failures_total":
        "Model calls that were denied because a policy failed.";
    pub describe_counter LIMITS_FALLBACKS = "accord_limits_fallbacks_total":
        "Calls that this replica's share of a limit decided because Redis was unreachable.";
    pub describe_gauge LIMITS_REDIS = "accord_limits_redis_connected":
        "Whether this replica is connected to the Redis of limits.url.";
    pub describe_counter SPANS = "accord_trace_spans_total":
        "Spans of traces: exported, or lost because the collector failed or was too slow.";
    pub describe_histogram(Seconds) GEN_AI_SECONDS = "gen_ai_server_request_duration_seconds":
        "Time from a model call to the end of its response.";
    pub describe_histogram(Seconds) GEN_AI_FIRST_TOKEN = "gen_ai_server_time_to_first_token_seconds":
        "Time from a model call to the first event of its response.";
    pub describe_histogram(Seconds) GEN_AI_EACH_TOKEN = "gen_ai_server_time_per_output_token_seconds":
        "Time between two output tokens of a stream.";
    pub describe_histogram GEN_AI_TOKENS = "gen_ai_client_token_usage":
        "Tokens of a model call, in or out.";
    pub describe_gauge OPEN_STREAMS = "accord_open_streams":
        "Model calls with a stream that has not ended, by model and convention.";
}

/// Buckets of tokens; powers of four. These and the following are those of
/// OpenTelemetry's conventions for generative AI.
const TOKEN_BUCKETS: [f64; 14] = [
    1.0,
    4.0,
    16.0,
    64.0,
    256.0,
    1024.0,
    4096.0,
    16_384.0,
    65_536.0,
    262_144.0,
    1_048_576.0,
    4_194_304.0,
    16_777_216.0,
    67_108_864.0,
];
/// Buckets of the time that a response of a model takes.
const RESPONSE_BUCKETS: [f64; 14] = [
    0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
];
/// Buckets of the time until a stream's first event.
const FIRST_TOKEN_BUCKETS: [f64; 16] = [
    0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0,
];
/// Buckets of the time between two tokens.
const EACH_TOKEN_BUCKETS: [f64; 13] = [
    0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1.0, 2.5,
];

/// In seconds. Every histogram without buckets of its own uses them.
const BUCKETS: [f64; 14] = [
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 60.0,
];

/// The recorder of counters and times.
pub struct Metrics {
    recorder: PrometheusRecorder,
    handle: PrometheusHandle,
    /// The counters of requests seen so far: a lookup in the recorder takes longer than many a
    /// request.
    requests: ArcSwap<Known>,
}

/// Requests by area, operation and status.
type Known = HashMap<(&'static str, &'static str, StatusCode), Requests>;

/// Requests of one area, operation and status.
#[derive(Clone)]
struct Requests {
    count: Counter,
    seconds: Histogram,
}

impl Metrics {
    /// A recorder without counts.
    ///
    /// # Errors
    ///
    /// Never in practice: when there are no buckets.
    pub fn new() -> Result<Self, BuildError> {
        let recorder = PrometheusBuilder::new()
            .set_buckets(&BUCKETS)?
            .set_buckets_for_metric(Matcher::Full(GEN_AI_TOKENS.into()), &TOKEN_BUCKETS)?
            .set_buckets_for_metric(Matcher::Full(GEN_AI_SECONDS.into()), &RESPONSE_BUCKETS)?
            .set_buckets_for_metric(
                Matcher::Full(GEN_AI_FIRST_TOKEN.into()),
                &FIRST_TOKEN_BUCKETS,
            )?
            .set_buckets_for_metric(Matcher::Full(GEN_AI_EACH_TOKEN.into()), &EACH_TOKEN_BUCKETS)?
            .build_recorder();
        let metrics = Metrics {
            handle: recorder.handle(),
            recorder,
            requests: ArcSwap::default(),
        };
        metrics.record(|| {
            describe_measures();
            gauge!(BUILD, "version" => env!("CARGO_PKG_VERSION")).set(1.0);
        });
        Ok(metrics)
    }

    /// Runs `body`, whose `metrics` macros record here.
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
        let key = (area, operation, status);
        if let Some(requests) = self.requests.load().get(&key) {
            return requests.add(seconds);
        }
        let requests = self.record(|| Requests {
            count: counter!(REQUESTS, "area" => area, "operation" => operation,
                "status" => status.as_str().to_owned()),
            seconds: histogram!(SECONDS, "area" => area, "operation" => operation),
        });
        requests.add(seconds);
        self.requests.rcu(|known| {
            let mut known = Known::clone(known);
            known.insert(key, requests.clone());
            Arc::new(known)
        });
    }

    /// Counts a response that was compared with its document.
    pub fn compared(&self, operation: &'static str) {
        self.record(|| counter!(COMPARED, "operation" => operation).increment(1));
    }

    /// Counts connections that the server closed.
    pub fn closed(&self, reason: &'static str, connections: u64) {
        self.record(|| counter!(CLOSED, "reason" => reason).increment(connections));
    }

    /// Shows a maintenance task that has not run yet. Otherwise a first failure would be no increase.
    pub(super) fn upkeep_before(&self, task: &'static str) {
        self.record(|| {
            for outcome in ["done", "failed"] {
                counter!(UPKEEP_RUNS, "task" => task, "outcome" => outcome).increment(0);
            }
        });
    }

    /// Counts and times a run of a maintenance task. `None` for the rows of a failed run.
    pub(super) fn upkeep(&self, task: &'static str, rows: Option<u64>, time: Duration) {
        let outcome = if rows.is_some() { "done" } else { "failed" };
        self.record(|| {
            counter!(UPKEEP_RUNS, "task" => task, "outcome" => outcome).increment(1);
            histogram!(UPKEEP_SECONDS, "task" => task).record(time);
            counter!(UPKEEP_ROWS, "task" => task).increment(rows.unwrap_or(0));
        });
    }

    /// Counts a response that violates its document.
    pub fn violation(&self, operation: &'static str) {
        self.record(|| counter!(VIOLATIONS, "operation" => operation).increment(1));
    }

    /// Sets the time at which the certificate of the listeners expires, in Unix time.
    pub fn certificate_ends(&self, end: Duration) {
        self.record(|| gauge!(CERTIFICATE_END).set(end.as_secs_f64()));
    }

    /// Sets whether the last reload of the certificate or the configuration has failed.
    pub fn reloaded(&self, kind: &'static str, has_failed: bool) {
        let failed = f64::from(u8::from(has_failed));
        self.record(|| gauge!(RELOAD_FAILED, "kind" => kind).set(failed));
    }

    /// Sets how many log lines this process has dropped.
    pub fn log_lines_dropped(&self, total: u64) {
        self.record(|| counter!(LOG_LINES_DROPPED).absolute(total));
    }

    /// The current figures.
    pub fn render(&self) -> String {
        self.handle.render()
    }

    /// Moves recorded values into their buckets, as a scrape does. Without either, recordings
    /// accumulate.
    pub fn tidy(&self) {
        self.handle.run_upkeep();
    }
}

impl Requests {
    fn add(&self, seconds: f64) {
        self.count.increment(1);
        self.seconds.record(seconds);
    }
}
