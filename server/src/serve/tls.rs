//! TLS of the listeners: the certificate and its renewal.
//!
//! A certificate is valid for some weeks, and a process runs longer. So its files are
//! read again every few seconds, and at once on SIGHUP. New connections use a changed
//! certificate. Existing connections continue. An invalid certificate, such as one with
//! another's key, is logged once and not used.

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use arc_swap::ArcSwap;
use rustls::ServerConfig;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use tokio::time::{Interval, MissedTickBehavior};
use x509_cert::certificate::{CertificateInner, Raw};
use x509_cert::der::Decode as _;

use super::reload::Hangup;
use crate::app::App;
use crate::config::TlsConfig;
use crate::kernel::{Metrics, lock};

/// Time between two checks of the files.
const PAUSE: Duration = Duration::from_secs(5);

/// Why a certificate cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TlsError {
    /// A file cannot be read, or is invalid.
    #[error("{key}: {path}: {message}")]
    File {
        /// The key of the configuration.
        key: &'static str,
        /// The file.
        path: String,
        /// The problem.
        message: String,
    },
    /// Certificate and key do not match.
    #[error(
        "server.tls: the certificate in {certificate} and the key in {key} do not match: {message}"
    )]
    Pair {
        /// The file of the certificate.
        certificate: String,
        /// The file of the key.
        key: String,
        /// The problem.
        message: String,
    },
}

/// The certificate of the listeners.
pub(super) struct Certificate {
    files: Files,
    shown: ArcSwap<CertifiedKey>,
    /// The files as they were last read, valid or not.
    read: Mutex<Contents>,
    provider: Arc<CryptoProvider>,
}

struct Files {
    certificate: PathBuf,
    key: PathBuf,
}

/// The contents of both files, or the error of reading them.
type Contents = Result<(Vec<u8>, Vec<u8>), TlsError>;

impl Files {
    fn read(&self) -> Contents {
        let read = |key: &'static str, path: &PathBuf| {
            std::fs::read(path).map_err(|error| TlsError::File {
                key,
                path: path.display().to_string(),
                message: error.to_string(),
            })
        };
        let certificate = read("server.tls.certificate", &self.certificate)?;
        Ok((certificate, read("server.tls.key", &self.key)?))
    }

    fn parse(
        &self,
        provider: &CryptoProvider,
        (certificate, key): &(Vec<u8>, Vec<u8>),
    ) -> Result<CertifiedKey, TlsError> {
        let refused = |name: &'static str, path: &PathBuf, message: String| TlsError::File {
            key: name,
            path: path.display().to_string(),
            message,
        };
        let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(certificate).collect();
        let chain = chain
            .map_err(|error| error.to_string())
            .and_then(|chain| match chain.is_empty() {
                true => Err("the file contains no certificate; expected PEM".to_owned()),
                false => Ok(chain),
            })
            .map_err(|message| refused("server.tls.certificate", &self.certificate, message))?;
        let key = PrivateKeyDer::from_pem_slice(key).map_err(|error| {
            let message = format!("there is no private key in it ({error}); expected PEM");
            refused("server.tls.key", &self.key, message)
        })?;
        CertifiedKey::from_der(chain, key, provider).map_err(|error| TlsError::Pair {
            certificate: self.certificate.display().to_string(),
            key: self.key.display().to_string(),
            message: error.to_string(),
        })
    }
}

impl Certificate {
    /// Reads the configured files; `None` if listeners use plain HTTP.
    pub(super) fn read(config: &TlsConfig) -> Result<Option<Arc<Self>>, TlsError> {
        let (Some(certificate), Some(key)) = (&config.certificate, &config.key) else {
            return Ok(None);
        };
        let files = Files {
            certificate: certificate.clone(),
            key: key.clone(),
        };
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let contents = files.read()?;
        let shown = files.parse(&provider, &contents)?;
        Ok(Some(Arc::new(Certificate {
            files,
            shown: ArcSwap::from_pointee(shown),
            read: Mutex::new(Ok(contents)),
            provider,
        })))
    }

    /// The TLS configuration of a listener: TLS 1.2 and 1.3, with HTTP/2 and HTTP/1.1.
    pub(super) fn listener(self: &Arc<Self>) -> Result<ServerConfig, rustls::Error> {
        let builder = ServerConfig::builder_with_provider(Arc::clone(&self.provider))
            .with_safe_default_protocol_versions()?;
        let mut config = builder
            .with_no_client_auth()
            .with_cert_resolver(Arc::clone(self) as Arc<dyn ResolvesServerCert>);
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Ok(config)
    }

    /// Sets the metric of the expiry of the certificate.
    fn measure(&self, metrics: &Metrics) {
        let shown = self.shown.load();
        let leaf = shown.cert.first();
        let leaf = leaf.and_then(|leaf| CertificateInner::<Raw>::from_der(leaf).ok());
        if let Some(leaf) = leaf {
            let end = leaf.tbs_certificate.validity.not_after.to_unix_duration();
            metrics.certificate_ends(end);
        }
    }

    /// Reads the files again. Returns whether the certificate has changed. An error is
    /// returned once, and not again until the files change.
    fn reload(&self) -> Result<bool, TlsError> {
        let contents = self.files.read();
        {
            let mut read = lock(&self.read);
            if *read == contents {
                return Ok(false);
            }
            read.clone_from(&contents);
        }
        let shown = self.files.parse(&self.provider, &contents?)?;
        self.shown.store(Arc::new(shown));
        Ok(true)
    }
}

/// Reloads the certificate when it changes, and measures its expiry, until dropped.
pub(super) async fn follow(app: Arc<App>, certificate: Arc<Certificate>) {
    certificate.measure(&app.metrics);
    let reloaded = |has_failed: bool| app.metrics.reloaded("certificate", has_failed);
    reloaded(false);
    let mut ticks = tokio::time::interval(PAUSE);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut hangup = Hangup::new().ok();
    loop {
        tick_or_hangup(&mut ticks, &mut hangup).await;
        let again = Arc::clone(&certificate);
        match tokio::task::spawn_blocking(move || again.reload()).await {
            Ok(Ok(false)) => {}
            Ok(Ok(true)) => {
                reloaded(false);
                certificate.measure(&app.metrics);
                tracing::info!("loaded a new certificate");
            }
            Ok(Err(error)) => {
                reloaded(true);
                tracing::error!(%error, "cannot load the new certificate; the previous one stays in use");
            }
            Err(error) => {
                reloaded(true);
                tracing::error!(%error, "cannot check the certificate file");
            }
        }
    }
}

/// Waits for the next tick, or for an operator who requests to reload at once.
async fn tick_or_hangup(ticks: &mut Interval, hangup: &mut Option<Hangup>) {
    let requested = async {
        match hangup {
            Some(hangup) => hangup.received().await,
            None => std::future::pending().await,
        }
    };
    tokio::select! {
        _ = ticks.tick() => {}
        () = requested => {}
    }
}

impl ResolvesServerCert for Certificate {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.shown.load_full())
    }
}

impl fmt::Debug for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Certificate")
            .field("file", &self.files.certificate)
            .finish_non_exhaustive()
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::time::Duration;

    use rustix::process::{Signal, getpid, kill_process};
    use tokio::time::{interval, timeout};

    use super::{Hangup, tick_or_hangup};

    #[tokio::test]
    async fn a_hangup_ends_the_pause_between_two_readings() {
        let mut ticks = interval(Duration::from_secs(3600));
        ticks.tick().await;
        let mut hangup = Hangup::new().ok();
        kill_process(getpid(), Signal::HUP).unwrap();
        let waited = timeout(
            Duration::from_secs(60),
            tick_or_hangup(&mut ticks, &mut hangup),
        )
        .await;
        waited.expect("the certificate is read again");
    }
}
