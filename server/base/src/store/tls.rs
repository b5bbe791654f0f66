//! TLS of connections to PostgreSQL.
//!
//! `sslmode` and `sslrootcert` of the address work as in libpq, but strictly:
//! in every mode, the certificate and the name of an encrypted connection are
//! checked. By default, connections to other machines are encrypted.

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::{PoolOptions, StoreError};

/// An address with its TLS configuration and the options of its connections.
#[derive(Clone)]
pub(super) struct Address {
    pub config: Config,
    pub tls: MakeRustlsConnect,
    pub options: PoolOptions,
}

/// Reads `postgres://user@host/database?sslmode=verify-full&sslrootcert=FILE`.
///
/// # Errors
///
/// When the address or the certificates are invalid.
pub(super) fn address(url: &str, options: &PoolOptions) -> Result<Address, StoreError> {
    let (place, query) = url.split_once('?').unwrap_or((url, ""));
    let mut mode = None;
    let mut roots = None;
    let mut others = Vec::new();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        match pair.split_once('=') {
            Some(("sslmode", value)) => mode = Some(value),
            Some(("sslrootcert", value)) => {
                let (_, file) = url::form_urlencoded::parse(pair.as_bytes())
                    .next()
                    .unwrap_or_default();
                roots = (value != "system").then(|| file.into_owned());
            }
            _ => others.push(pair),
        }
    }
    let mut config: Config = format!("{place}?{}", others.join("&")).parse().map_err(
        |error: tokio_postgres::Error| StoreError::Url(super::postgres::explain(&error)),
    )?;
    config.ssl_mode(match mode {
        None if is_local(&config) => SslMode::Disable,
        Some("disable") => SslMode::Disable,
        None | Some("require" | "verify-ca" | "verify-full") => SslMode::Require,
        Some("allow" | "prefer") => SslMode::Prefer,
        Some(other) => {
            let message = format!(
                "sslmode={other} is not known; disable, prefer, require and verify-full are"
            );
            return Err(StoreError::Url(message));
        }
    });
    let tls = MakeRustlsConnect::new(client(config.get_ssl_mode(), roots.as_deref())?);
    Ok(Address {
        config,
        tls,
        options: options.clone(),
    })
}

/// Whether connections stay on this machine. With `hostaddr`, the names of hosts have no effect on
/// where they go.
fn is_local(config: &Config) -> bool {
    let addresses = config.get_hostaddrs();
    if !addresses.is_empty() {
        return addresses.iter().all(std::net::IpAddr::is_loopback);
    }
    config.get_hosts().iter().all(|host| match host {
        Host::Tcp(name) => {
            let address = name.trim_matches(['[', ']']).parse::<std::net::IpAddr>();
            name == "localhost" || address.is_ok_and(|address| address.is_loopback())
        }
        #[cfg(unix)]
        Host::Unix(_) => true,
    })
}

fn client(mode: SslMode, file: Option<&str>) -> Result<ClientConfig, StoreError> {
    let mut roots = RootCertStore::empty();
    match file {
        // The certificates of the system take long to read, and without TLS nothing is verified.
        None if mode == SslMode::Disable => {}
        None => {
            // An unusable certificate of the system may not be needed.
            roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        }
        Some(file) => {
            let refused = |error: &dyn std::fmt::Display| {
                StoreError::Url(format!("sslrootcert={file}: {error}"))
            };
            let found = CertificateDer::pem_file_iter(file).map_err(|error| refused(&error))?;
            for certificate in found {
                let certificate = certificate.map_err(|error| refused(&error))?;
                roots.add(certificate).map_err(|error| refused(&error))?;
            }
            if roots.is_empty() {
                return Err(refused(&"the file contains no certificate"));
            }
        }
    }
    let provider = rustls::crypto::aws_lc_rs::default_provider();
    let builder = ClientConfig::builder_with_provider(provider.into())
        .with_safe_default_protocol_versions()
        .map_err(|error| StoreError::Url(error.to_string()))?;
    Ok(builder.with_root_certificates(roots).with_no_client_auth())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(url: &str) -> SslMode {
        address(url, &PoolOptions::default())
            .map_or_else(|error| panic!("{error}"), |one| one.config.get_ssl_mode())
    }

    #[test]
    fn connections_to_other_machines_are_encrypted_by_default() {
        assert_eq!(
            mode("postgres://accord@db.example/accord"),
            SslMode::Require
        );
        for local in [
            "localhost",
            "127.0.0.1",
            "[::1]",
            "%2Fvar%2Frun%2Fpostgresql",
        ] {
            assert_eq!(
                mode(&format!("postgres://accord@{local}/accord")),
                SslMode::Disable
            );
        }
        for (address, expected) in [
            ("192.0.2.1", SslMode::Require),
            ("127.0.0.1", SslMode::Disable),
        ] {
            let url = format!("postgres://accord@localhost/accord?hostaddr={address}");
            assert_eq!(mode(&url), expected);
        }
        let asked = "postgres://accord@localhost/accord?application_name=a&sslmode=verify-full";
        assert_eq!(mode(asked), SslMode::Require);
        let plain = "postgres://accord@db.example/accord?sslmode=disable";
        assert_eq!(mode(plain), SslMode::Disable);
    }

    #[test]
    fn the_error_for_an_invalid_address_names_the_problem() {
        let message = |url: &str| {
            address(url, &PoolOptions::default())
                .err()
                .map(|error| error.to_string())
        };
        let unknown = message("postgres://db.example/accord?sslmode=maybe").unwrap();
        assert!(unknown.contains("sslmode=maybe is not known"), "{unknown}");
        let missing = message("postgres://db.example/accord?sslrootcert=%2Fno%2Ffile").unwrap();
        assert!(missing.contains("sslrootcert=/no/file"), "{missing}");
    }
}
