//! Accounts: hub accounts, the collab profiles linked to them, and what a hub
//! administrator may see of both.
//!
//! [`provisioning`] holds the two changes that the document offers, each one
//! transaction. It is written in terms of [`directory`] (organizations and
//! application instances, which the operator keeps), [`rights`] (who
//! administers what), [`users`] and [`profiles`] (the rows that are created) and
//! [`mail`] (what is sent because of it).

pub mod demo;
pub mod directory;
pub mod mail;
pub mod profiles;
pub mod provisioning;
pub mod rights;
pub mod users;
