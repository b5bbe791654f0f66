//! Mail: what the service owes to people.
//!
//! Areas post a mail into the [`outbox`] in the transaction of what it is about.
//! [`run`] takes what is due from there, puts it into words ([`wording`], in the
//! language of the account), makes a message of it ([`message`]) and hands it to
//! the [`transport`]: a mail server, or a directory while none is configured.
//!
//! What a mail server refuses for now is tried again, later each time; what it
//! refuses for good, and what failed too often, is dead until an operator sends
//! it again. A replica that dies between the mail server's answer and its own
//! note of it leaves a mail that is sent twice, with the same `Message-ID`: no
//! protocol could rule that out.

pub mod delivery;
pub mod link;
pub mod message;
pub mod outbox;
pub mod passkeys;
pub mod transport;
pub mod wording;

pub use delivery::{Mailer, deliver_due, finish, run, send_test};
