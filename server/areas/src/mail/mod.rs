//! Mail to users.
//!
//! Areas post a mail into the [`outbox`], in the transaction of the change that it is about.
//! [`run`] claims due mails, writes their text ([`wording`], in the language of the account), and
//! creates messages ([`message`]). It sends them by the [`transport`]: a mail server, or a
//! directory if none is configured.
//!
//! After a temporary rejection, a mail is retried with growing pauses. After a
//! permanent one, or too many attempts, the mail is dead until an operator
//! sends it again. If a replica crashes after the mail server's response and
//! before it records the outcome, the mail is sent twice, with the same
//! `Message-ID`. No protocol can prevent this.

pub mod delivery;
pub mod message;
pub mod outbox;
pub mod passkeys;
pub mod transport;
pub mod wording;

pub use delivery::{Mailer, deliver_due, finish, run, send_test};
