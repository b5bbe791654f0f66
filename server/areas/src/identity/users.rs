//! Users, as far as signing in is concerned. The table belongs to accounts; this area reads it, and
//! writes only the password. The queries here do not find disabled users.

use crate::params;
use crate::store::{Row, StoreError, Tx, containing};

/// A hub user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// Identifier; the subject of tokens.
    pub id: String,
    /// The name to sign in with: the email address in its original spelling.
    pub username: String,
    /// First, middle and last name.
    pub display_name: String,
}

const COLUMNS: &str = "id, email_address, first_name, middle_name, last_name, password_hash";
/// Excludes disabled users.
const ENABLED: &str = "NOT EXISTS (SELECT 1 FROM disabled_users WHERE user_id = hub_users.id)";

impl User {
    /// The user of this identifier.
    pub fn by_id(tx: &mut Tx<'_>, id: &str) -> Result<Option<User>, StoreError> {
        tx.query_opt(
            &format!("SELECT {COLUMNS} FROM hub_users WHERE id = $1 AND {ENABLED}"),
            params![id],
        )?
        .map(|row| user(&row))
        .transpose()
    }

    /// The user of this name, and the hash of the password, if one was set.
    pub fn by_username(
        tx: &mut Tx<'_>,
        email_address: &str,
    ) -> Result<Option<(User, Option<String>)>, StoreError> {
        let row = tx.query_opt(
            &format!("SELECT {COLUMNS} FROM hub_users WHERE email = $1 AND {ENABLED}"),
            params![username(email_address)],
        )?;
        row.map(|row| Ok((user(&row)?, row.get(5)?))).transpose()
    }

    /// Sets the password.
    pub fn set_password(tx: &mut Tx<'_>, id: &str, hash: &str) -> Result<(), StoreError> {
        tx.execute(
            "UPDATE hub_users SET password_hash = $1 WHERE id = $2",
            params![hash, id],
        )?;
        Ok(())
    }
}

/// Disables a user.
pub fn disable(tx: &mut Tx<'_>, id: &str, now: i64) -> Result<(), StoreError> {
    tx.execute(
        "INSERT INTO disabled_users (user_id, disabled_at) VALUES ($1, $2) \
         ON CONFLICT (user_id) DO NOTHING",
        params![id, now],
    )?;
    Ok(())
}

/// Enables the user of this name. Returns their identifier, if they were disabled.
pub fn enable(tx: &mut Tx<'_>, email_address: &str) -> Result<Option<String>, StoreError> {
    let row = tx.query_opt(
        "DELETE FROM disabled_users WHERE user_id IN \
         (SELECT id FROM hub_users WHERE email = $1) RETURNING user_id",
        params![username(email_address)],
    )?;
    row.map(|row| row.get(0)).transpose()
}

/// A user, for operators.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Listing {
    /// Identifier.
    pub id: String,
    /// The name to sign in with.
    pub email: String,
    /// First, middle and last name.
    pub name: String,
    /// Whether they are disabled.
    pub disabled: bool,
    /// Whether a password was set.
    pub has_password: bool,
    /// The time of their registration, in Unix milliseconds.
    pub created_at: i64,
}

/// Users whose email address contains a text, disabled ones too, by email address. At most `most`.
pub fn list(tx: &mut Tx<'_>, contained: &str, most: i64) -> Result<Vec<Listing>, StoreError> {
    let rows = tx.query(
        &format!(
            "SELECT {COLUMNS}, created_at, CASE WHEN {ENABLED} THEN 0 ELSE 1 END \
             FROM hub_users WHERE email LIKE $1 ESCAPE '!' ORDER BY email LIMIT $2"
        ),
        params![containing(&contained.to_lowercase()), most],
    )?;
    rows.iter()
        .map(|row| {
            let User {
                id,
                username,
                display_name,
            } = user(row)?;
            Ok(Listing {
                id,
                email: username,
                name: display_name,
                has_password: row.get::<Option<String>>(5)?.is_some(),
                created_at: row.get(6)?,
                disabled: row.get::<i64>(7)? == 1,
            })
        })
        .collect()
}

fn user(row: &Row) -> Result<User, StoreError> {
    let names: [Option<String>; 3] = [row.get(2)?, row.get(3)?, row.get(4)?];
    Ok(User {
        id: row.get(0)?,
        username: row.get(1)?,
        display_name: full_name(names.each_ref().map(Option::as_deref)),
    })
}

/// The username of an email address as a user may type it.
pub fn username(email_address: &str) -> String {
    email_address.trim().to_lowercase()
}

/// First, middle and last name in one text, without missing ones.
pub fn full_name(names: [Option<&str>; 3]) -> String {
    let names = names.into_iter().flatten().filter(|name| !name.is_empty());
    names.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::full_name;

    #[test]
    fn a_full_name_omits_missing_parts() {
        assert_eq!(full_name([Some("Mira"), None, Some("Lund")]), "Mira Lund");
        assert_eq!(
            full_name([Some("Mira"), Some(""), Some("Lund")]),
            "Mira Lund"
        );
        let whole = full_name([Some("Mira"), Some("Elin"), Some("Lund")]);
        assert_eq!(whole, "Mira Elin Lund");
    }
}
