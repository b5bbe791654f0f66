//! What follows when passkeys of a user are removed.

use super::outbox::{self, About};
use crate::audit::AuditContext;
use crate::store::{StoreError, Tx};

/// Records removed passkeys in the audit trail, and notifies their user, if there are any.
/// `mail_id` is for the mail.
pub fn removed(
    tx: &mut Tx<'_>,
    trail: &AuditContext,
    user_id: &str,
    mail_id: &str,
    names: Vec<String>,
) -> Result<(), StoreError> {
    if names.is_empty() {
        return Ok(());
    }
    for name in &names {
        trail.record(tx, "identity.passkey.removed", user_id, name)?;
    }
    let about = About::PasskeysRemoved { passkeys: names };
    outbox::notify(tx, mail_id, user_id, about, trail.time())
}
