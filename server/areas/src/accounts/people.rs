//! The users of the organizations that a user administers, in a list.

use chrono::{DateTime, Utc};

use crate::identity::users::full_name;
use crate::params;
use crate::store::{Row, StoreError, Tx, cut_page};

/// A user in the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// The username.
    pub username: String,
    /// Email address in its original case.
    pub email_address: String,
    /// First, middle and last name.
    pub name: String,
    /// The organization.
    pub organization_id: i64,
    /// When the account was created.
    pub created_at: DateTime<Utc>,
    /// Whether the user has set a password.
    pub has_password: bool,
    /// Whether an operator has disabled the user.
    pub is_disabled: bool,
}

/// The selection of a list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection {
    /// Only users of this organization.
    pub organization: Option<i64>,
    /// Only users after this username.
    pub after: String,
    /// The maximum of users.
    pub limit: i64,
}

/// The users of the organizations that `requester` administers, by username, and whether more
/// follow.
pub fn list(
    tx: &mut Tx<'_>,
    requester: &str,
    selection: &Selection,
) -> Result<(Vec<Person>, bool), StoreError> {
    let rows = tx.query(
        "SELECT u.email, u.email_address, u.first_name, u.middle_name, u.last_name, \
         u.organization_id, u.created_at, CASE WHEN u.password_hash IS NULL THEN 0 ELSE 1 END, \
         (SELECT 1 FROM disabled_users d WHERE d.user_id = u.id) \
         FROM hub_administrators a JOIN hub_users u ON u.organization_id = a.organization_id \
         WHERE a.user_id = $1 AND u.organization_id = COALESCE($2, u.organization_id) \
         AND u.email > $3 ORDER BY u.email LIMIT $4",
        params![
            requester,
            selection.organization,
            &selection.after,
            selection.limit + 1
        ],
    )?;
    let people = rows.iter().map(person).collect::<Result<Vec<_>, _>>()?;
    Ok(cut_page(people, selection.limit))
}

fn person(row: &Row) -> Result<Person, StoreError> {
    let names: [Option<String>; 3] = [row.get(2)?, row.get(3)?, row.get(4)?];
    Ok(Person {
        username: row.get(0)?,
        email_address: row.get(1)?,
        name: full_name(names.each_ref().map(Option::as_deref)),
        organization_id: row.get(5)?,
        created_at: row.get(6)?,
        has_password: row.get::<i64>(7)? == 1,
        is_disabled: row.get::<Option<i64>>(8)?.is_some(),
    })
}
