//! Erases the account of a user, with everything that names the user in this area.

use serde::Deserialize;

use crate::identity::users::username;
use crate::mail::outbox;
use crate::params;
use crate::store::{Row, StoreError, Tx, Value};

/// The removed objects.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct Removed {
    /// The organizations that the user administered.
    pub administered_organizations: u64,
    /// Whether the user was an operator of the console.
    pub operator: bool,
    /// Profiles in application instances.
    pub profiles: u64,
    /// Invitations to projects.
    pub invitations: u64,
    /// Stored responses to requests that can be repeated.
    pub stored_responses: u64,
    /// The identifiers of the mails to the user.
    #[serde(skip)]
    pub mails: Vec<String>,
}

/// Removes the account of a user, which must have nothing in other areas.
pub fn erase(tx: &mut Tx<'_>, user_id: &str, email: &str) -> Result<Removed, StoreError> {
    let mails = outbox::erase(tx, user_id)?;
    let stored_responses = erase_responses(tx, email)?;
    let mut delete = |sql: &str| tx.execute(sql, params![user_id]);
    let removed = Removed {
        administered_organizations: delete("DELETE FROM hub_administrators WHERE user_id = $1")?,
        operator: delete("DELETE FROM operators WHERE user_id = $1")? > 0,
        invitations: delete(
            "DELETE FROM collab_invitations WHERE profile_id IN \
             (SELECT id FROM collab_profiles WHERE hub_user_id = $1)",
        )?,
        profiles: delete("DELETE FROM collab_profiles WHERE hub_user_id = $1")?,
        stored_responses,
        mails,
    };
    delete("DELETE FROM hub_users WHERE id = $1")?;
    Ok(removed)
}

/// A stored response, as far as it names a user.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Stored {
    hub_user: StoredUser,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct StoredUser {
    email_address: String,
}

/// Deletes the stored responses about a user. An unreadable one is deleted too, because it may be
/// about the user.
fn erase_responses(tx: &mut Tx<'_>, email: &str) -> Result<u64, StoreError> {
    let is_about = |row: &Row| -> Result<bool, StoreError> {
        let stored = serde_json::from_str(&row.get::<String>(1)?);
        Ok(stored.map_or(true, |stored: Stored| {
            username(&stored.hub_user.email_address) == username(email)
        }))
    };
    let mut deleted = 0;
    for row in tx.query("SELECT key_mac, answer FROM idempotency_keys", &[])? {
        if is_about(&row)? {
            let key: Value = row.get::<Vec<u8>>(0)?.into();
            let sql = "DELETE FROM idempotency_keys WHERE key_mac = $1";
            deleted += tx.execute(sql, &[key])?;
        }
    }
    Ok(deleted)
}
