//! The way out: a mail server, or files while none is configured.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use lettre::message::Mailbox;
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Certificate, Tls, TlsParameters};
use lettre::{AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};

use crate::config::Config;
use crate::config::mail::{MailConfig, Security};

/// A mail server that takes longer for one step has failed.
const PATIENCE: Duration = Duration::from_secs(30);

/// Where messages go.
pub struct Transport {
    /// What stands in `From`.
    pub from: Mailbox,
    way: Way,
}

enum Way {
    Smtp {
        server: AsyncSmtpTransport<Tokio1Executor>,
        address: String,
    },
    Files(PathBuf),
}

/// Why the configured mail server cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TransportError {
    /// The sender is no address.
    #[error("mail.from: {0}")]
    From(#[from] lettre::address::AddressError),
    /// The file of certificates cannot be read.
    #[error("mail.ca_file: {path}: {message}")]
    Authority {
        /// The file.
        path: String,
        /// What is wrong.
        message: String,
    },
    /// TLS cannot be set up.
    #[error("mail.host: {0}")]
    Tls(lettre::transport::smtp::Error),
}

/// Why a message did not leave.
#[derive(Debug, thiserror::Error)]
pub enum SendError {
    /// The mail server refuses it, or does not answer.
    #[error("{0}")]
    Smtp(#[from] lettre::transport::smtp::Error),
    /// The file cannot be written.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: String,
        /// What the operating system says.
        source: std::io::Error,
    },
}

impl SendError {
    /// Whether trying again is of no use.
    pub fn is_permanent(&self) -> bool {
        matches!(self, SendError::Smtp(error) if error.is_permanent())
    }
}

impl Transport {
    /// The way out that is configured.
    ///
    /// # Errors
    ///
    /// When it cannot be used; the text names the key.
    pub fn new(config: &Config) -> Result<Self, TransportError> {
        let mail = &config.mail;
        let way = match &mail.host {
            Some(host) => Way::Smtp {
                server: smtp(mail, host)?,
                address: format!("{host}:{}", mail.port()),
            },
            None => Way::Files(config.server.data_dir.join("mail")),
        };
        Ok(Transport {
            from: mail.from.parse()?,
            way,
        })
    }

    /// Where messages go, for people.
    pub fn description(&self) -> String {
        match &self.way {
            Way::Smtp { address, .. } => format!("by way of {address}"),
            Way::Files(directory) => {
                format!("no mail server: as .eml files in {}", directory.display())
            }
        }
    }

    /// Sends a message; as a file it is named by `id`.
    ///
    /// # Errors
    ///
    /// When it did not leave.
    pub async fn send(&self, id: &str, message: Message) -> Result<(), SendError> {
        match &self.way {
            Way::Smtp { server, .. } => {
                server.send(message).await?;
                Ok(())
            }
            Way::Files(directory) => {
                let path = directory.join(id).with_extension("eml");
                let shown = path.display().to_string();
                tokio::task::spawn_blocking(move || write(&path, &message.formatted()))
                    .await
                    .unwrap_or_else(|error| Err(std::io::Error::other(error)))
                    .map_err(|source| SendError::File {
                        path: shown,
                        source,
                    })
            }
        }
    }
}

fn smtp(
    config: &MailConfig,
    host: &str,
) -> Result<AsyncSmtpTransport<Tokio1Executor>, TransportError> {
    let tls = match config.security {
        Security::None => Tls::None,
        Security::Starttls => Tls::Required(parameters(config, host)?),
        Security::Tls => Tls::Wrapper(parameters(config, host)?),
    };
    let mut builder = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(host)
        .port(config.port())
        .timeout(Some(PATIENCE))
        .tls(tls);
    if let (Some(user), Some(password)) = (&config.user, &config.password) {
        let credentials = Credentials::new(user.clone(), password.expose().to_owned());
        builder = builder.credentials(credentials);
    }
    Ok(builder.build())
}

fn parameters(config: &MailConfig, host: &str) -> Result<TlsParameters, TransportError> {
    let mut builder = TlsParameters::builder(host.to_owned());
    if let Some(path) = &config.ca_file {
        let wrong = |message: String| TransportError::Authority {
            path: path.display().to_string(),
            message,
        };
        let pem = std::fs::read(path).map_err(|error| wrong(error.to_string()))?;
        let authority = Certificate::from_pem(&pem).map_err(|error| wrong(error.to_string()))?;
        builder = builder.add_root_certificate(authority);
    }
    builder.build().map_err(TransportError::Tls)
}

/// Writes a file whole, for its owner only: it can hold a link that sets a
/// password.
fn write(path: &Path, content: &[u8]) -> std::io::Result<()> {
    if let Some(directory) = path.parent() {
        let mut builder = std::fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(directory)?;
    }
    let temporary = path.with_extension("part");
    let mut options = std::fs::OpenOptions::new();
    options.create(true).truncate(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&temporary)?;
    file.write_all(content)?;
    file.sync_all()?;
    std::fs::rename(temporary, path)
}
