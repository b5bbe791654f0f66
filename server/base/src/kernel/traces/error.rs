//! Why traces cannot be sent.

use crate::kernel::tls::TlsError;

/// Why the service cannot trace.
#[derive(Debug, thiserror::Error)]
pub enum TracesError {
    /// The collector's certificate could not be checked.
    #[error("telemetry.ca_file: {0}")]
    Tls(#[from] TlsError),
    /// The headers for the collector cannot be read.
    #[error("{place}: {message}")]
    Headers {
        /// The key of the configuration.
        place: &'static str,
        /// The error.
        message: String,
    },
    /// The collector's address cannot be used.
    #[error("telemetry: the collector's address: {0}")]
    Exporter(#[from] opentelemetry_otlp::ExporterBuildError),
}
