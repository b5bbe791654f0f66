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
pub mod transport;
pub mod wording;

use std::ops::Deref;
use std::sync::Arc;

use crate::kernel::Kernel;
use transport::{Transport, TransportError};

pub use delivery::{deliver_due, finish, run, send_test};

/// The post office: a kernel, and the way out of it.
pub struct Mailer {
    /// The way out.
    pub transport: Transport,
    /// Held by those who deliver, so that the end can wait for them.
    pub(crate) delivering: tokio::sync::RwLock<()>,
    kernel: Arc<Kernel>,
}

impl Mailer {
    /// Reads the configuration; nothing is connected to yet.
    ///
    /// # Errors
    ///
    /// When the configured mail server cannot be used.
    pub fn new(kernel: Arc<Kernel>) -> Result<Self, TransportError> {
        Ok(Mailer {
            transport: Transport::new(&kernel.config)?,
            delivering: tokio::sync::RwLock::default(),
            kernel,
        })
    }
}

impl Deref for Mailer {
    type Target = Kernel;

    fn deref(&self) -> &Kernel {
        &self.kernel
    }
}
