//! Users, as far as signing in is concerned. The table belongs to accounts;
//! this area reads it, and writes nothing but the password.

use crate::params;
use crate::store::{Row, StoreError, Tx};

/// A hub user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// Identifier; the subject of tokens.
    pub id: String,
    /// The name to sign in with: the email address as it was written.
    pub username: String,
    /// First, middle and last name.
    pub display_name: String,
}

const COLUMNS: &str = "id, email_address, first_name, middle_name, last_name, password_hash";

impl User {
    /// The user of this identifier.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub fn by_id(tx: &mut Tx<'_>, id: &str) -> Result<Option<User>, StoreError> {
        tx.query_opt(
            &format!("SELECT {COLUMNS} FROM hub_users WHERE id = $1"),
            params![id],
        )?
        .map(|row| user(&row))
        .transpose()
    }

    /// The user of this name, and the hash of the password, if one was set.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub fn by_username(
        tx: &mut Tx<'_>,
        username: &str,
    ) -> Result<Option<(User, Option<String>)>, StoreError> {
        let row = tx.query_opt(
            &format!("SELECT {COLUMNS} FROM hub_users WHERE email = $1"),
            params![username.trim().to_lowercase()],
        )?;
        row.map(|row| Ok((user(&row)?, row.get(5)?))).transpose()
    }

    /// Sets the password.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub fn set_password(tx: &mut Tx<'_>, id: &str, hash: &str) -> Result<(), StoreError> {
        tx.execute(
            "UPDATE hub_users SET password_hash = $1 WHERE id = $2",
            params![hash, id],
        )?;
        Ok(())
    }
}

fn user(row: &Row) -> Result<User, StoreError> {
    let names: [Option<String>; 3] = [row.get(2)?, row.get(3)?, row.get(4)?];
    let names: Vec<String> = names
        .into_iter()
        .flatten()
        .filter(|name| !name.is_empty())
        .collect();
    Ok(User {
        id: row.get(0)?,
        username: row.get(1)?,
        display_name: names.join(" "),
    })
}
