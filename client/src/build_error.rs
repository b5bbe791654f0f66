//! Why there is no client.

use std::{error::Error, fmt};

/// The address of a service that was started without configuration.
pub(crate) const DEFAULT: &str = "http://127.0.0.1:8080";

/// Why there is no client.
#[derive(Debug)]
#[non_exhaustive]
pub enum BuildError {
    /// An address is invalid.
    Address {
        /// The address, without what may be a password.
        address: String,
    },
    /// An address has a user name or a password.
    Password {
        /// The address without both.
        address: String,
    },
    /// Credentials would be sent unencrypted to another machine.
    Insecure {
        /// The address.
        address: String,
    },
    /// The name of the profile is invalid.
    Profile {
        /// The name.
        name: String,
    },
    /// The address is one of HTTPS, and this crate was compiled without it.
    Https {
        /// The address.
        address: String,
    },
    /// HTTPS has no provider of cryptography. Only with the feature `rustls-no-provider`.
    Provider,
    /// The HTTP client cannot be created.
    Http(reqwest::Error),
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address { address } => write!(
                f,
                "{address:?} is not the address of a service; write an address such as {DEFAULT}"
            ),
            Self::Password { address } => write!(
                f,
                "the address {address:?} has a user name or a password; write it without them"
            ),
            Self::Insecure { address } => write!(
                f,
                "{address} would get credentials unencrypted; use https, or call `Builder::allow_http` if the network \
                 is trusted"
            ),
            Self::Profile { name } => write!(
                f,
                "{name:?} is not the name of a profile; use 1 to 64 letters, digits, '.', '_' or '-'"
            ),
            Self::Https { address } => write!(
                f,
                "{address} needs HTTPS; enable the feature `rustls` of accord-client"
            ),
            Self::Provider => f.write_str(
                "HTTPS has no provider of cryptography; call `CryptoProvider::install_default` of rustls first, or \
                 enable the feature `rustls` of accord-client",
            ),
            Self::Http(_) => f.write_str("the HTTP client cannot be created"),
        }
    }
}

impl Error for BuildError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Http(error) => Some(error),
            _ => None,
        }
    }
}
