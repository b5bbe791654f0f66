//! Accounts: hub accounts, the collab profiles linked to them, and what a hub
//! administrator may see of both.
//!
//! [`provisioning`] holds the two changes that the document offers, each one
//! transaction. It is written in terms of [`directory`] (organizations and
//! application instances, which the operator keeps), [`rights`] (who
//! administers what), and [`users`] and [`profiles`] (the rows that are created).
//! What is sent because of it goes into the outbox of [`crate::mail`].

pub mod demo;
pub mod directory;
pub mod profiles;
pub mod provisioning;
pub mod rights;
pub mod users;
