//! The transport of mail: a mail server, or files if none is configured.

mod error;
mod files;

use std::path::PathBuf;
use std::pin::pin;
use std::time::{Duration, Instant};

use futures::FutureExt;
use futures::stream::{self, Stream, StreamExt};
use lettre::message::Mailbox;
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Certificate, Tls, TlsParameters};
use lettre::{AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};

pub use error::{MAX_DURATION, SendError};

use crate::config::Config;
use crate::config::mail::{MailConfig, Security};

/// A mail server that takes longer for one step has failed.
const STEP_TIMEOUT: Duration = Duration::from_secs(30);

/// The maximum of concurrent messages to the mail server.
const AT_ONCE: usize = 4;

/// The transport of messages.
pub struct Transport {
    /// The address in `From`.
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
    /// The sender is not an address.
    #[error(
        "mail.from: expected an address, or a name and an address: Accord <accord@example.com>"
    )]
    From,
    /// The file of certificates cannot be read.
    #[error("mail.ca_file: {path}: {message}")]
    Authority {
        /// The file.
        path: String,
        /// The error.
        message: String,
    },
    /// TLS cannot be set up.
    #[error("mail.host: {0}")]
    Tls(lettre::transport::smtp::Error),
}

impl Transport {
    /// Removes the files of these mails, if mails are files here. Returns their number.
    ///
    /// # Errors
    ///
    /// When a file cannot be removed. The others may be gone.
    pub fn remove_files(&self, ids: &[String]) -> std::io::Result<u64> {
        match &self.way {
            Way::Smtp { .. } => Ok(0),
            Way::Files(directory) => files::remove(directory, ids),
        }
    }

    /// The configured transport.
    ///
    /// # Errors
    ///
    /// When it is invalid; the text names the key.
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
            from: sender(&mail.from)?,
            way,
        })
    }

    /// The destination of messages, for people.
    pub fn description(&self) -> String {
        match &self.way {
            Way::Smtp { address, .. } => format!("through {address}"),
            Way::Files(directory) => {
                format!("no mail server: .eml files in {}", directory.display())
            }
        }
    }

    /// Sends a message; as a file it is named by `id`.
    ///
    /// # Errors
    ///
    /// When the message was not sent.
    pub async fn send(&self, id: &str, message: Message) -> Result<(), SendError> {
        // The message is not claimed, so it has the maximum time of one message.
        let end = Instant::now() + 2 * MAX_DURATION;
        let sent = self.send_all(vec![(id.to_owned(), message)], end);
        let (_, sent) = pin!(sent).next().await.unwrap_or((0, Ok(())));
        sent
    }

    /// Sends messages, each with its name as a file. Reports the outcome of each, by its index, as
    /// soon as it is known. No message is sent after `end`: those that were not begun are
    /// [`SendError::NotBegun`].
    pub fn send_all(
        &self,
        messages: Vec<(String, Message)>,
        end: Instant,
    ) -> impl Stream<Item = (usize, Result<(), SendError>)> {
        match &self.way {
            Way::Smtp { server, .. } => stream::iter(messages)
                .enumerate()
                .map(move |(index, (_, message))| async move {
                    if Instant::now() + MAX_DURATION > end {
                        return (index, Err(SendError::NotBegun));
                    }
                    let sent = tokio::time::timeout(MAX_DURATION, server.send(message)).await;
                    let sent = sent.map_err(|_| SendError::TooSlow);
                    (index, sent.and_then(|sent| Ok(sent.map(drop)?)))
                })
                .buffer_unordered(AT_ONCE)
                .left_stream(),
            Way::Files(directory) => {
                let directory = directory.clone();
                let shown = directory.display().to_string();
                let number = messages.len();
                let written =
                    tokio::task::spawn_blocking(move || files::write(&directory, messages));
                let written = written.map(move |written| match written {
                    Ok(written) => written,
                    // A panic while writing.
                    Err(error) => {
                        let failed = |_| {
                            let source = std::io::Error::other(error.to_string());
                            Err(SendError::file(&shown, source))
                        };
                        (0..number).map(failed).collect()
                    }
                });
                let written = written.map(|written| stream::iter(written).enumerate());
                written.flatten_stream().right_stream()
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
        .timeout(Some(STEP_TIMEOUT))
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

fn sender(text: &str) -> Result<Mailbox, TransportError> {
    text.parse().map_err(|_| TransportError::From)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sender_without_an_address_is_refused_with_an_example() {
        let error = sender("Accord").unwrap_err();
        assert_eq!(
            error.to_string(),
            "mail.from: expected an address, or a name and an address: Accord <accord@example.com>"
        );
    }

    #[tokio::test]
    async fn a_message_is_not_begun_when_its_claim_could_end_on_the_way() {
        // A connection would show that nobody listens at the address.
        let mail = MailConfig {
            host: None,
            port: Some(1),
            security: Security::None,
            user: None,
            password: None,
            ca_file: None,
            from: "accord@north.example".to_owned(),
        };
        let server = smtp(&mail, "127.0.0.1").unwrap();
        let transport = Transport {
            from: mail.from.parse().unwrap(),
            way: Way::Smtp {
                server,
                address: String::new(),
            },
        };
        let message = || {
            let builder = Message::builder().from(transport.from.clone());
            let message = builder.to(transport.from.clone()).body(String::new());
            ("id".to_owned(), message.unwrap())
        };
        for (left, is_begun) in [(MAX_DURATION / 2, false), (2 * MAX_DURATION, true)] {
            let messages = vec![message(), message()];
            let sent = transport.send_all(messages, Instant::now() + left);
            let sent: Vec<_> = sent.collect().await;
            assert_eq!(sent.len(), 2);
            for (_, outcome) in sent {
                let error = outcome.unwrap_err();
                assert_eq!(matches!(error, SendError::Smtp(_)), is_begun, "{error}");
                assert_eq!(matches!(error, SendError::NotBegun), !is_begun, "{error}");
            }
        }
    }
}
