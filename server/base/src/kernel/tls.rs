//! Encryption and verification of connections to other services.

use std::path::Path;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};

/// Why no encrypted connection is possible.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// The authorities of the other side's certificates cannot be read.
    #[error("{path}: {message}")]
    Authority {
        /// The file.
        path: String,
        /// The error.
        message: String,
    },
    /// There is no cipher suite to choose.
    #[error("{0}")]
    Unusable(#[from] rustls::Error),
}

/// Trusts the public authorities, and those in a file (PEM).
///
/// # Errors
///
/// If the file contains no certificates, or cannot be read.
pub fn client(ca_file: Option<&Path>) -> Result<ClientConfig, TlsError> {
    let mut roots = RootCertStore::from_iter(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    if let Some(path) = ca_file {
        let refused = |message: String| TlsError::Authority {
            path: path.display().to_string(),
            message,
        };
        let public = roots.len();
        let found = CertificateDer::pem_file_iter(path).map_err(|e| refused(e.to_string()))?;
        for certificate in found {
            let certificate = certificate.map_err(|e| refused(e.to_string()))?;
            let added = roots.add(certificate);
            added.map_err(|e| refused(e.to_string()))?;
        }
        if roots.len() == public {
            return Err(refused("the file contains no certificate".into()));
        }
    }
    let provider = rustls::crypto::aws_lc_rs::default_provider();
    let builder = ClientConfig::builder_with_provider(provider.into())
        .with_safe_default_protocol_versions()?;
    Ok(builder.with_root_certificates(roots).with_no_client_auth())
}
