//! The `[mail]` section of the configuration.

use std::path::PathBuf;

use super::{ConfigError, Secret};

/// How mail is sent. Without a host, each message becomes a file `mail/ID.eml`
/// in the data directory, readable by its owner only.
#[derive(Debug, Clone, confique::Config)]
#[config(layer_attr(derive(serde::Serialize)))]
pub struct MailConfig {
    /// The mail server (SMTP).
    #[config(env = "ACCORD_MAIL_HOST")]
    pub host: Option<String>,
    /// Port of the mail server [default: 587 with `starttls`, 465 with `tls`,
    /// 25 with `none`].
    #[config(env = "ACCORD_MAIL_PORT")]
    pub port: Option<u16>,
    /// `starttls`, `tls` from the first byte, or `none`.
    #[config(default = "starttls", env = "ACCORD_MAIL_SECURITY")]
    pub security: Security,
    /// User to authenticate as.
    #[config(env = "ACCORD_MAIL_USER")]
    pub user: Option<String>,
    /// The user's password.
    #[config(env = "ACCORD_MAIL_PASSWORD")]
    pub password: Option<Secret>,
    /// A certificate (PEM) to trust beside the public authorities.
    #[config(env = "ACCORD_MAIL_CA_FILE")]
    pub ca_file: Option<PathBuf>,
    /// The sender: an address, or a name and an address in angle brackets.
    #[config(
        default = "Accord <accord@localhost.localdomain>",
        env = "ACCORD_MAIL_FROM"
    )]
    pub from: String,
}

/// Encryption of the connection to the mail server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Security {
    /// The connection begins in plain text, and is encrypted before anything is
    /// sent.
    Starttls,
    /// The connection is encrypted from the first byte.
    Tls,
    /// The connection is not encrypted.
    None,
}

impl MailConfig {
    /// The port of the mail server.
    pub fn port(&self) -> u16 {
        self.port.unwrap_or(match self.security {
            Security::Starttls => 587,
            Security::Tls => 465,
            Security::None => 25,
        })
    }

    pub(super) fn check(&self) -> Result<(), ConfigError> {
        let (key, problem) = match (&self.host, &self.user, &self.password) {
            (Some(host), _, _) if host.trim().is_empty() => (
                "mail.host",
                "expected a host; leave it out to write mails to files",
            ),
            (_, Some(_), None) => ("mail.password", "missing, although mail.user is set"),
            (_, None, Some(_)) => ("mail.user", "missing, although mail.password is set"),
            (Some(host), Some(_), _) if self.security == Security::None && !is_local(host) => (
                "mail.security",
                "the password would cross the network in plain text; use starttls or tls",
            ),
            _ => return Ok(()),
        };
        Err(ConfigError::refused(key, problem))
    }
}

fn is_local(host: &str) -> bool {
    host == "localhost"
        || host
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use crate::config::check::error_of;

    #[test]
    fn a_mail_server_has_a_host() {
        for host in ["", " "] {
            let text = error_of(|layer| layer.mail.host = Some(host.to_owned()));
            assert_eq!(
                text,
                "mail.host: expected a host; leave it out to write mails to files"
            );
        }
    }
}
