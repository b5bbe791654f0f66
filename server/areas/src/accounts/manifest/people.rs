//! Users and administrators, by email address as in a directory file.

use std::collections::BTreeMap;

use super::plan::{ADMINISTRATORS, Cell, Cells, TABLES};
use crate::accounts::administrators;
use crate::identity::users::username;
use crate::store::{StoreError, Tx};

/// The users of the store, and which organizations they administer.
pub(super) struct People {
    /// The id of each user, by the username.
    ids: BTreeMap<String, String>,
    /// The email addresses of administrators, by organization.
    administrators: BTreeMap<i64, Vec<String>>,
}

impl People {
    pub(super) fn read(tx: &mut Tx<'_>) -> Result<People, StoreError> {
        let rows = tx.query("SELECT email, id FROM hub_users", &[])?;
        let ids = rows.iter().map(|row| Ok((row.get(0)?, row.get(1)?)));
        let ids = ids.collect::<Result<_, StoreError>>()?;
        let mut administrators = BTreeMap::<i64, Vec<String>>::new();
        for one in administrators::list(tx)? {
            let list = administrators.entry(one.organization).or_default();
            list.push(one.email);
        }
        Ok(People {
            ids,
            administrators,
        })
    }

    /// The id of the user with this email address.
    pub(super) fn id(&self, email: &str) -> Option<&str> {
        self.ids.get(&username(email)).map(String::as_str)
    }

    /// The administrators of an organization.
    pub(super) fn administrators(&self, organization: i64) -> Vec<String> {
        let list = self.administrators.get(&organization);
        list.cloned().unwrap_or_default()
    }

    /// Removes and returns the administrators of an organization.
    pub(super) fn take_administrators(&mut self, organization: i64) -> Vec<String> {
        self.administrators
            .remove(&organization)
            .unwrap_or_default()
    }

    /// The name of a row for people.
    pub(super) fn subject(&self, table: usize, key: &Cells) -> String {
        match key.as_slice() {
            [Cell::Int(organization), Cell::Text(user)] if table == ADMINISTRATORS => {
                let mut ids = self.ids.iter();
                let email = ids.find_map(|(email, id)| (id == user).then_some(email));
                let name = email.unwrap_or(user);
                format!("administrator {name} of organization {organization}")
            }
            _ => TABLES[table].subject(key),
        }
    }
}
