//! Hub accounts.

use chrono::{DateTime, Utc};

use crate::identity::users::username;
use crate::params;
use crate::store::{StoreError, Tx};

/// A hub account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// Identifier: the subject of the tokens that are issued to the user.
    pub id: String,
    /// Email address in its original case. The username is its lower case.
    pub email_address: String,
    /// First name.
    pub first_name: String,
    /// Middle name.
    pub middle_name: Option<String>,
    /// Last name.
    pub last_name: String,
    /// Language of mail to the user.
    pub language: String,
    /// The hub organization that the account belongs to.
    pub organization_id: i64,
    /// Address for mail to the user.
    pub communication_email: String,
}

/// The account with this username, in any case.
pub fn find(tx: &mut Tx<'_>, email_address: &str) -> Result<Option<User>, StoreError> {
    tx.query_opt(
        "SELECT id, email_address, first_name, middle_name, last_name, language, \
         organization_id, communication_email FROM hub_users WHERE email = $1",
        params![username(email_address)],
    )?
    .map(|row| {
        Ok(User {
            id: row.get(0)?,
            email_address: row.get(1)?,
            first_name: row.get(2)?,
            middle_name: row.get(3)?,
            last_name: row.get(4)?,
            language: row.get(5)?,
            organization_id: row.get(6)?,
            communication_email: row.get(7)?,
        })
    })
    .transpose()
}

/// Adds an account without a password. Returns false if its username is taken.
/// `created_by` is a subject, or `None` for an operator.
pub fn insert(
    tx: &mut Tx<'_>,
    user: &User,
    now: DateTime<Utc>,
    created_by: Option<&str>,
) -> Result<bool, StoreError> {
    let rows = tx.execute(
        "INSERT INTO hub_users (id, email, email_address, first_name, middle_name, last_name, \
         language, organization_id, communication_email, created_at, created_by) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT (email) DO NOTHING",
        params![
            &user.id,
            username(&user.email_address),
            &user.email_address,
            &user.first_name,
            user.middle_name.as_deref(),
            &user.last_name,
            &user.language,
            user.organization_id,
            &user.communication_email,
            now,
            created_by,
        ],
    )?;
    Ok(rows == 1)
}
