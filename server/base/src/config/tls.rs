//! The `[server.tls]` section of the configuration.

use std::path::PathBuf;

use super::ConfigError;

/// TLS of every listener. Without a certificate, listeners use plain HTTP, and a proxy
/// can add TLS.
#[derive(Debug, Clone, confique::Config)]
#[config(layer_attr(derive(serde::Serialize)))]
pub struct TlsConfig {
    /// The certificate chain (PEM): the service's certificate, then those of the
    /// intermediate authorities. Both files are read again when they change, and on
    /// SIGHUP.
    #[config(env = "ACCORD_TLS_CERTIFICATE")]
    pub certificate: Option<PathBuf>,
    /// The private key of the certificate (PEM).
    #[config(env = "ACCORD_TLS_KEY")]
    pub key: Option<PathBuf>,
}

impl TlsConfig {
    /// Whether listeners use TLS.
    pub fn is_on(&self) -> bool {
        self.certificate.is_some()
    }

    /// The scheme of the addresses of listeners: `http` or `https`.
    pub fn scheme(&self) -> &'static str {
        match self.is_on() {
            true => "https",
            false => "http",
        }
    }

    pub(super) fn check(&self) -> Result<(), ConfigError> {
        match (&self.certificate, &self.key) {
            (Some(_), None) => Err(ConfigError::refused(
                "server.tls.key",
                "expected the file of the certificate's private key",
            )),
            (None, Some(_)) => Err(ConfigError::refused(
                "server.tls.certificate",
                "expected the file of the certificate that the key belongs to",
            )),
            _ => Ok(()),
        }
    }
}
