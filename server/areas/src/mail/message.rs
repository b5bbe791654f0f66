//! Converts a row of the outbox into a message of RFC 5322, in text and HTML.

use chrono::{DateTime, Utc};
use lettre::Message;
use lettre::message::header::{Header, HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};

use super::outbox::{About, Mail, Project};
use super::wording::{self, Facts, Kind, Written};

/// Why a message cannot be created.
#[derive(Debug, thiserror::Error)]
pub enum MessageError {
    /// The address is invalid.
    #[error("address {0}: {1}")]
    Address(String, lettre::address::AddressError),
    /// A header is invalid.
    #[error("message: {0}")]
    Message(#[from] lettre::error::Error),
    /// A template cannot be rendered.
    #[error("template: {0}")]
    Template(#[from] askama::Error),
}

/// A link, ready for a mail.
#[derive(Clone, PartialEq, Eq)]
pub struct Link {
    /// The address, with the secret in it.
    pub url: String,
    /// Until when it works.
    pub until: DateTime<Utc>,
}

/// Writes the text of a mail; `link` is for the kind that has one.
///
/// # Errors
///
/// When a template cannot be rendered, which does not happen in practice.
pub fn write(mail: &Mail, link: Option<&Link>) -> Result<Written, askama::Error> {
    let until = link.map_or_else(String::new, |link| {
        link.until.format("%Y-%m-%d %H:%M UTC").to_string()
    });
    let projects: Vec<String>;
    let mut facts = Facts {
        name: &mail.name,
        username: &mail.username,
        until: &until,
        link: link.map_or("", |link| &link.url),
        ..Facts::default()
    };
    let kind = match &mail.about {
        About::SetPassword { organization } => {
            facts.organization = organization;
            Kind::SetPassword
        }
        About::ResetPassword => Kind::ResetPassword,
        About::PasskeyAdded { passkey } => {
            facts.lines = std::slice::from_ref(passkey);
            Kind::PasskeyAdded
        }
        About::PasskeysRemoved { passkeys } => {
            facts.lines = passkeys;
            Kind::PasskeysRemoved
        }
        About::Invited {
            organization,
            address,
            projects: invited,
        } => {
            let line = |project: &Project| format!("{} ({})", project.name, project.id);
            projects = invited.iter().map(line).collect();
            facts.organization = organization;
            facts.link = address;
            facts.lines = &projects;
            Kind::Invited
        }
    };
    wording::write(kind, &mail.language, &facts)
}

/// Creates a message. The `Message-ID` depends only on `id` and the sender.
///
/// # Errors
///
/// When the recipient's address is invalid.
pub fn message(
    from: &Mailbox,
    recipient: &str,
    id: &str,
    date: DateTime<Utc>,
    written: Written,
) -> Result<Message, MessageError> {
    let address = recipient
        .parse()
        .map_err(|error| MessageError::Address(recipient.to_owned(), error))?;
    let Written {
        subject,
        text,
        html,
    } = written;
    let message = Message::builder()
        .from(from.clone())
        .to(Mailbox::new(None, address))
        .subject(subject)
        .date(date.into())
        .message_id(Some(format!("<{id}@{}>", from.email.domain())))
        .header(AutoSubmitted)
        .multipart(MultiPart::alternative_plain_html(text, html))?;
    Ok(message)
}

/// Asks automatic responders not to reply (RFC 3834).
#[derive(Clone)]
struct AutoSubmitted;

impl Header for AutoSubmitted {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("Auto-Submitted")
    }

    fn parse(_: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Ok(AutoSubmitted)
    }

    fn display(&self) -> HeaderValue {
        HeaderValue::new(Self::name(), "auto-generated".into())
    }
}
