//! Sends spans to the collector: OTLP, protobuf over HTTP.
//!
//! A thread of the SDK gathers spans into batches. The requests that carry the batches run on the
//! service's own runtime. A full queue drops spans instead of blocking, and all spans are counted.
//! Failures are logged at intervals. The client is that of `opentelemetry-http` over hyper, which
//! the service uses anyway; the one over reqwest would add five crates.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use bytes::Bytes;
use http::{HeaderName, HeaderValue, Request, Response};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use metrics::{Counter, counter};
use opentelemetry_http::hyper::HyperClient;
use opentelemetry_http::{HttpClient, HttpError};
use opentelemetry_otlp::{Protocol, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{
    BatchConfigBuilder, BatchSpanProcessor, Span, SpanData, SpanExporter, SpanProcessor,
};
use tokio::runtime::Handle;

use super::{Context, TracesError};
use crate::config::telemetry::TelemetryConfig;
use crate::kernel::metrics::{Metrics, SPANS};
use crate::kernel::{lock, tls};

/// The capacity of the queue of spans.
const QUEUE: usize = 8192;
/// The collector's timeout for a batch, further attempts included.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The interval at which an unreachable collector is logged.
const LOG_INTERVAL: Duration = Duration::from_secs(60);

/// A processor that sends ended spans to an address.
pub(super) fn processor(
    address: String,
    config: &TelemetryConfig,
    metrics: &Metrics,
) -> Result<impl SpanProcessor + 'static, TracesError> {
    let exporter = opentelemetry_otlp::SpanExporter::builder()
        .with_http()
        .with_http_client(OtlpHttpClient::new(config)?)
        .with_protocol(Protocol::HttpBinary)
        .with_timeout(TIMEOUT)
        .with_endpoint(&address)
        .with_headers(headers(config)?)
        .build()?;
    let count = |outcome: &'static str| metrics.record(|| counter!(SPANS, "outcome" => outcome));
    let waiting = Arc::new(AtomicUsize::new(0));
    let exporter = CountingExporter {
        exporter,
        address,
        waiting: Arc::clone(&waiting),
        exported: count("exported"),
        failed: count("failed"),
        logged_at: Mutex::new(None),
    };
    let batches = BatchConfigBuilder::default().with_max_queue_size(QUEUE);
    let batches = BatchSpanProcessor::builder(exporter).with_batch_config(batches.build());
    Ok(Queue {
        batches: batches.build(),
        waiting,
        dropped: count("dropped"),
    })
}

/// The headers for the collector, still percent-encoded.
fn headers(config: &TelemetryConfig) -> Result<HashMap<String, String>, TracesError> {
    let (place, text) = match (&config.headers, &config.headers_file) {
        (Some(secret), _) => ("telemetry.headers", secret.expose().to_owned()),
        (None, Some(path)) => {
            let place = "telemetry.headers_file";
            let read = std::fs::read_to_string(path).map_err(|error| TracesError::Headers {
                place,
                message: format!("{}: {error}", path.display()),
            });
            (place, read?)
        }
        (None, None) => return Ok(HashMap::new()),
    };
    let mut headers = HashMap::new();
    for pair in text.split([',', '\n']).map(str::trim) {
        if pair.is_empty() {
            continue;
        }
        // The value may be a secret, and a syntax error may turn the whole text into a value.
        let pair = pair.split_once('=').filter(|(name, value)| {
            let name = name.trim().parse::<HeaderName>();
            name.is_ok() && HeaderValue::from_str(value.trim()).is_ok()
        });
        let Some((name, value)) = pair else {
            let message = "expected name=value, separated by commas".to_owned();
            return Err(TracesError::Headers { place, message });
        };
        headers.insert(name.trim().to_owned(), value.trim().to_owned());
    }
    Ok(headers)
}

/// A bounded queue of ended spans.
#[derive(Debug)]
struct Queue {
    batches: BatchSpanProcessor,
    waiting: Arc<AtomicUsize>,
    dropped: Counter,
}

impl SpanProcessor for Queue {
    fn on_start(&self, span: &mut Span, context: &Context) {
        self.batches.on_start(span, context);
    }

    fn on_end(&self, span: SpanData) {
        if self.waiting.fetch_add(1, Ordering::AcqRel) < QUEUE {
            self.batches.on_end(span);
        } else {
            self.waiting.fetch_sub(1, Ordering::AcqRel);
            self.dropped.increment(1);
        }
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.batches.force_flush()
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.batches.shutdown_with_timeout(timeout)
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.batches.set_resource(resource);
    }
}

/// The exporter, which also counts its batches.
#[derive(Debug)]
struct CountingExporter {
    exporter: opentelemetry_otlp::SpanExporter,
    address: String,
    waiting: Arc<AtomicUsize>,
    exported: Counter,
    failed: Counter,
    logged_at: Mutex<Option<Instant>>,
}

impl SpanExporter for CountingExporter {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        let spans = batch.len();
        self.waiting.fetch_sub(spans, Ordering::AcqRel);
        let outcome = self.exporter.export(batch).await;
        let count = match &outcome {
            Ok(()) => &self.exported,
            Err(error) => {
                self.log_failure(error);
                &self.failed
            }
        };
        count.increment(u64::try_from(spans).unwrap_or(u64::MAX));
        outcome
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.exporter.shutdown_with_timeout(timeout)
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.exporter.force_flush()
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.exporter.set_resource(resource);
    }
}

impl CountingExporter {
    fn log_failure(&self, error: &dyn std::fmt::Display) {
        let mut logged_at = lock(&self.logged_at);
        if logged_at.is_none_or(|at| at.elapsed() >= LOG_INTERVAL) {
            *logged_at = Some(Instant::now());
            let address = &self.address;
            tracing::warn!(address, %error, "traces do not reach the collector and are lost");
        }
    }
}

/// Sends batches on the service's runtime: the SDK exports them on a thread without one.
#[derive(Debug)]
struct OtlpHttpClient {
    client: HyperClient<HttpsConnector<HttpConnector>>,
    runtime: Handle,
}

impl OtlpHttpClient {
    fn new(config: &TelemetryConfig) -> Result<Self, TracesError> {
        let connector = HttpsConnectorBuilder::new()
            .with_tls_config(tls::client(config.ca_file.as_deref())?)
            .https_or_http()
            .enable_http1()
            .build();
        Ok(OtlpHttpClient {
            client: HyperClient::new(connector, TIMEOUT, None),
            runtime: Handle::current(),
        })
    }
}

#[async_trait]
impl HttpClient for OtlpHttpClient {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let client = self.client.clone();
        let sending = async move { client.send_bytes(request).await };
        self.runtime.spawn(sending).await?
    }
}
